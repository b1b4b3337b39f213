import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { anObjective } from '../campaigns/a-template.ts';
import { eventsOf, eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const path = '/v2/partner/contacts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function make(at: string, body: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(at, body);
  if (reply.status >= 300) throw new Error(`POST ${at}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
const aContact = (fields: object = {}) => make(path, { unique_id: randomUUID(), ...fields });
const merge = (winner: string, source: string, of = team) =>
  of.post(`${path}/${winner}/merge`, { source_contact_id: source });
const refusal = ({ status, body }: { status: number; body: any }) => [
  status,
  body.errors[0].code,
  body.errors[0].meta.rule ?? body.errors[0].meta.contact_id,
];

describe('the winner of a merge has', () => {
  test('its own values, and values of the loser for its empty fields', async () => {
    const winner = await aContact({
      first_name: 'Ada',
      tags: ['vip'],
      attributes: { plan: 'gold', score: 1 },
    });
    const loser = await aContact({
      first_name: 'Augusta',
      last_name: 'King',
      email: 'ada@example.com',
      date_of_birth: '1990-12-10',
      tags: ['vip', 'new'],
      attributes: { plan: 'basic', likes: ['a'] },
    });
    const reply = await merge(winner.id, loser.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      id: winner.id,
      unique_id: winner.unique_id,
      first_name: 'Ada',
      last_name: 'King',
      email: 'ada@example.com',
      date_of_birth: '1990-12-10',
      tags: ['vip', 'new'],
      attributes: { plan: 'gold', score: 1, likes: ['a'] },
      status: 'active',
    });
    expect((await team.get(`${path}/${winner.id}`)).body).toEqual(reply.body);
  });

  test('the stricter consents, and a permissive consent only with its address', async () => {
    const says = (status: string) => ({ status, source: 'branch' });
    const winner = await aContact({
      email: 'one@example.com',
      consents: { email: says('subscribed') },
    });
    const loser = await aContact({
      email: 'two@example.com',
      phone: '+14155550123',
      consents: { sms: says('subscribed') },
    });
    await team.call('PUT', `${path}/${loser.id}/consents/email`, { body: says('unsubscribed') });
    const other = await aContact({
      phone: '+14155550999',
      consents: { sms: says('subscribed'), push: says('pending') },
    });
    const first = await merge(winner.id, loser.id);
    expect(first.body.consents).toMatchObject({
      email: { status: 'unsubscribed' },
      sms: { status: 'subscribed' },
    });
    const second = await merge(loser.id, other.id);
    expect(refusal(second)).toEqual([410, 'contact_merged', winner.id]);
    const third = await aContact({ phone: '+14155550777' });
    const fourth = await merge(third.id, other.id);
    expect(fourth.body.consents).toMatchObject({
      sms: { status: 'never' },
      push: { status: 'pending' },
    });
    const changes = await team.get(`${path}/${winner.id}/consent-changes`);
    expect(changes.body.data.map((one: any) => one.consent.status).sort()).toEqual([
      'subscribed',
      'unsubscribed',
      'unsubscribed',
    ]);
  });

  test('accounts, devices, events, completions, cohorts and a suppression, and the older of duplicates', async () => {
    const [winner, loser] = [await aContact(), await aContact()];
    const objective = await anObjective(team);
    const account = (id: string, unique_id: string) =>
      make(`${path}/${id}/accounts`, { kind: 'loan', unique_id, is_primary: true });
    const kept = await account(winner.id, 'A-1');
    const doubled = await account(loser.id, 'A-1');
    const moved = await account(loser.id, 'A-2');
    const device = await make(`${path}/${loser.id}/devices`, {
      token: randomUUID(),
      platform: 'ios',
    });
    const complete = (contact_id: string, completed_at: string) =>
      make(`/v2/partner/objectives/${objective}/completions`, {
        contact_id,
        completed_at,
        account_id: contact_id === loser.id ? doubled.id : kept.id,
      });
    const later = await complete(winner.id, '2026-02-02T00:00:00.000Z');
    const earlier = await complete(loser.id, '2026-01-01T00:00:00.000Z');
    await make('/v2/partner/engagement-events', {
      events: [{ kind: 'custom', contact_id: loser.id, unique_id: randomUUID() }],
    });
    const cohort = await make('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
    const both = await make('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
    const add = (id: string, contact_ids: string[]) =>
      make(`/v2/partner/cohorts/${id}/members/add`, { contact_ids });
    await add(cohort.id, [loser.id]);
    await add(both.id, [winner.id, loser.id]);
    await make('/v2/partner/suppressions', { channel: 'all', contact_id: loser.id });

    const reply = await merge(winner.id, loser.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: 'suppressed', account_count: 2 });
    const accounts = await team.get(`${path}/${winner.id}/accounts`);
    expect(
      new Map(accounts.body.data.map((one: any) => [one.id, [one.contact_id, one.is_primary]])),
    ).toEqual(
      new Map([
        [kept.id, [winner.id, true]],
        [moved.id, [winner.id, false]],
      ]),
    );
    const devices = await team.get(`${path}/${winner.id}/devices`);
    expect(devices.body.data.map(({ id }: any) => id)).toEqual([device.id]);
    const completions = await team.get(
      `/v2/partner/objectives/completions?filter[contact_id]=${winner.id}`,
    );
    const byId = new Map(completions.body.data.map((one: any) => [one.id, one]));
    expect(byId.get(earlier.id)).toMatchObject({ account_id: kept.id });
    expect(byId.get(earlier.id)).not.toHaveProperty('voided_at');
    expect(byId.get(later.id)).toHaveProperty('voided_at');
    const events = await team.get(`${path}/${winner.id}/engagement-events?filter[kind]=custom`);
    expect(events.body.data).toHaveLength(1);
    const members = async (id: string) =>
      (await team.get(`/v2/partner/cohorts/${id}/members`)).body.data.map(
        (one: any) => one.contact_id,
      );
    expect(await members(cohort.id)).toEqual([winner.id]);
    expect(await members(both.id)).toEqual([winner.id]);
    expect((await team.get(`/v2/partner/cohorts/${both.id}`)).body.member_count).toBe(1);
    const suppressed = await team.get(`/v2/partner/suppressions?filter[contact_id]=${winner.id}`);
    expect(suppressed.body.data).toHaveLength(1);
  });

  test('no more attributes or tags than a contact may have: such a merge is refused', async () => {
    const keys = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${prefix}${String(at)}`, 1]));
    const tags = (prefix: string) => Object.keys(keys(prefix)).slice(0, 26);
    for (const fields of [
      [{ attributes: keys('a') }, { attributes: keys('b') }],
      [{ tags: tags('a') }, { tags: tags('b') }],
    ]) {
      const [winner, loser] = [await aContact(fields[0]), await aContact(fields[1])];
      const refused = await merge(winner.id, loser.id);
      expect(refusal(refused)).toEqual([422, 'validation_failed', 'max_length']);
      expect((await team.get(`${path}/${loser.id}`)).status).toBe(200);
    }
  });
});

describe('the loser of a merge', () => {
  test('answers 410 with the id of the winner, also after two merges', async () => {
    const [first, second, third] = [await aContact(), await aContact(), await aContact()];
    await merge(second.id, first.id);
    await merge(third.id, second.id);
    for (const { id } of [first, second]) {
      for (const reply of [
        await team.get(`${path}/${id}`),
        await team.patch(`${path}/${id}`, { first_name: 'Ada' }),
        await team.delete(`${path}/${id}`),
      ]) {
        expect(refusal(reply)).toEqual([410, 'contact_merged', third.id]);
      }
    }
  });

  test('remains addressable by its unique_id, in paths, items and imports', async () => {
    const [winner, loser] = [await aContact(), await aContact()];
    await merge(winner.id, loser.id);
    const { unique_id } = loser;
    expect((await team.get(`${path}/unique_id:${unique_id}`)).body.id).toBe(winner.id);
    const execute = (kind: string, items: object[]) =>
      team.post(`/v2/ipaas/operations/${kind}/execute`, { items });
    const upserted = await execute('contacts.bulk_upsert', [
      { unique_id, first_name: 'Ada' },
      { unique_id: winner.unique_id, last_name: 'King' },
      { unique_id, preferred_name: 'A' },
    ]);
    expect(upserted.body.results.map((one: any) => [one.status, one.id])).toEqual([
      ['updated', winner.id],
      ['updated', winner.id],
      ['updated', winner.id],
    ]);
    expect((await team.get(`${path}/${winner.id}`)).body).toMatchObject({
      unique_id: winner.unique_id,
      first_name: 'Ada',
      last_name: 'King',
      preferred_name: 'A',
    });
    const found = await execute('contacts.lookup', [{ unique_id }, { unique_id: 'nobody' }]);
    expect(
      found.body.results.map((one: any) => one.output.contacts.map(({ id }: any) => id)),
    ).toEqual([[winner.id], []]);
    const synced = await execute('accounts.sync', [
      { contact_unique_id: unique_id, unique_id: 'A-1', kind: 'loan' },
    ]);
    expect(synced.body.results[0].output.contact_id).toBe(winner.id);
    const again = await team.post(path, { unique_id });
    expect([again.status, again.body.errors[0].meta.id]).toEqual([409, winner.id]);
    const stranger = await aContact();
    const renamed = await team.patch(`${path}/${stranger.id}`, { unique_id });
    expect([renamed.status, renamed.body.errors[0].meta.id]).toEqual([409, winner.id]);
    expect((await team.patch(`${path}/${winner.id}`, { unique_id })).status).toBe(200);
  });

  test('has a merged event, the winner and its accounts have updated events, and the trail names both', async () => {
    const [winner, loser] = [await aContact(), await aContact({ last_name: 'King' })];
    const account = await make(`${path}/${loser.id}/accounts`, { kind: 'loan' });
    const reply = await merge(winner.id, loser.id);
    expect(reply.status).toBe(200);
    expect((await eventsOf(api, team, loser.id)).at(-1)).toMatchObject({
      type: 'contact.merged',
      data: { id: loser.id, status: 'archived', merged_into_id: winner.id },
    });
    expect((await eventsOf(api, team, winner.id)).at(-1)).toMatchObject({
      type: 'contact.updated',
      sequence: 2,
      previous: { last_name: null, account_count: 0 },
    });
    expect(await eventTypesOf(api, team, account.id)).toEqual([
      'account.created',
      'account.updated',
    ]);
    const trail = await team.get('/v2/partner/audit-events?filter[action]=contact.merged');
    const about = trail.body.data.filter(
      (line: any) => line.request_id === reply.headers.get('x-request-id'),
    );
    expect(about.map((line: any) => [line.resource_id, line.changed_fields]).sort()).toEqual(
      [
        [winner.id, ['account_count', 'last_name']],
        [loser.id, ['merged_into_id', 'status']],
      ].sort(),
    );
  });
});

describe('a merge is refused', () => {
  test('for a contact with itself, and for one that is archived, unknown, merged or of another team', async () => {
    const [winner, gone, archived] = [await aContact(), await aContact(), await aContact()];
    await team.delete(`${path}/${archived.id}`);
    await merge(winner.id, gone.id);
    const stranger = await make(path, { unique_id: 'x' }, await api.newTeam());
    expect(refusal(await merge(winner.id, winner.id))).toEqual([
      422,
      'validation_failed',
      'same_contact',
    ]);
    for (const id of [archived.id, randomUUID(), stranger.id]) {
      expect(refusal(await merge(winner.id, id))).toEqual([
        422,
        'validation_failed',
        'reference_not_found',
      ]);
    }
    expect(refusal(await merge(winner.id, gone.id))).toEqual([410, 'contact_merged', winner.id]);
    for (const id of [archived.id, randomUUID(), stranger.id]) {
      expect((await merge(id, winner.id)).status).toBe(404);
    }
  });

  test('if a simultaneous merge in the opposite direction succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await aContact(), await aContact()];
      const replies = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 410]);
      const winner = replies.find(({ status }) => status === 200)?.body.id;
      const reads = await Promise.all([a, b].map(({ id }) => team.get(`${path}/${id}`)));
      expect(reads.map(({ status }) => status).sort()).toEqual([200, 410]);
      expect(reads.find(({ status }) => status === 200)?.body.id).toBe(winner);
    }
  });
});
