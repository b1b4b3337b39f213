import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { aMailProvider, aRecipient } from '../inbound/a-mail-provider.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Reports about consents of other products; the README of this folder names them.

const contacts = '/v2/partner/contacts';
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const subscribed = { status: 'subscribed', source: 'core_banking' };
const left = { status: 'unsubscribed', source: 'branch' };

async function imported(fields: object): Promise<any> {
  const unique_id = randomUUID();
  const { status } = await team.post('/v2/ipaas/operations/contacts.bulk_upsert/execute', {
    items: [{ unique_id, ...fields }],
  });
  expect(status).toBe(200);
  return (await team.get(`${contacts}/unique_id:${unique_id}`)).body;
}

test('an import can say that a person has left', async () => {
  const email = `${randomUUID()}@example.com`;
  expect((await imported({ email, consents: { email: left } })).consents.email).toMatchObject(left);
});

test('an import with a consent does not lift the suppression of an address', async () => {
  const email = `${randomUUID()}@example.com`;
  await team.post('/v2/partner/suppressions', { channel: 'email', address: email });
  const contact = await imported({ email, consents: { email: subscribed } });
  expect(contact).toMatchObject({ email_status: 'suppressed' });
});

test.each([undefined, left])('a hard bounce changes no consent (%j)', async (consent) => {
  const recipient = await aRecipient(api, team);
  const path = `${contacts}/${recipient.id}`;
  if (consent) await team.patch(path, { consents: { email: consent } });
  const { consents } = (await team.get(path)).body;
  const provider = await aMailProvider(api, team, 'email_b');
  await provider.send({
    ...{ event: 'bounce', type: 'bounce', status: '5.1.1', email: recipient.email },
    ...{ sg_event_id: randomUUID(), timestamp: Math.floor(Date.now() / 1_000) },
    do_message_id: recipient.send.id,
  });
  const after = await eventually(
    async () => (await team.get(path)).body,
    ({ email_status: status }) => status === 'bounced',
  );
  expect(after.consents).toEqual(consents);
});
