import { beforeEach, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// A client deletes what a court has ordered to keep.

const api = useTestApi();
const contacts = '/v2/partner/contacts';
const holds = '/v2/partner/legal-holds';
let team: TestTeam;
let contact: string;
let account: string;

beforeEach(async () => {
  team = await api.newTeam();
  contact = String((await team.post(contacts, { email: 'ada@example.com' })).body.id);
  const made = await team.post(`${contacts}/${contact}/accounts`, { kind: 'loan' });
  account = String(made.body.id);
});

const remove = async (path: string) => {
  const { status, body } = await team.call('DELETE', path);
  return [status, body?.errors?.[0].code];
};
const retain = async (retention: object | null) =>
  (await team.patch('/v2/partner/team', { retention })).status;

test.each(['contact', 'team'])(
  'nothing of a contact is deleted while a hold on the %s stands',
  async (scope) => {
    const about = scope === 'contact' ? { contact_id: contact } : {};
    const { body: hold } = await team.post(holds, { reason: 'Case 1', ...about });
    for (const path of [`${contacts}/${contact}`, `/v2/partner/accounts/${account}`]) {
      expect([path, ...(await remove(path))]).toEqual([path, 409, 'legal_hold']);
    }
    expect((await team.get(`/v2/partner/accounts/${account}`)).status).toBe(200);
    await team.post(`${holds}/${String(hold.id)}/release`);
    expect(await remove(`/v2/partner/accounts/${account}`)).toEqual([204, undefined]);
    expect(await remove(`${contacts}/${contact}`)).toEqual([204, undefined]);
  },
);

test('no term becomes shorter while a hold stands', async () => {
  expect(await retain({ engagement_days: 400, contact_reads_days: 100 })).toBe(200);
  const { body: hold } = await team.post(holds, { reason: 'Case 1', contact_id: contact });
  for (const shorter of [
    { engagement_days: 399, contact_reads_days: 100 },
    { engagement_days: 400 },
    { engagement_days: 400, contact_reads_days: 100, webhook_events_days: 8 },
    null,
  ]) {
    expect([shorter, await retain(shorter)]).toEqual([shorter, 409]);
  }
  expect(await retain({ engagement_days: 500, contact_reads_days: 200 })).toBe(200);
  await team.post(`${holds}/${String(hold.id)}/release`);
  expect(await retain(null)).toBe(200);
});
