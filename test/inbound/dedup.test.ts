import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../src/app/start-api.ts';
import type { ApiProcess } from '../../src/app/start-api.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { noteAnswer } from '../reach/record.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aReceiver, anEvent, receiversPath } from './a-receiver.ts';
import { signStandardWebhook } from '../../src/inbound/signatures/standard-webhooks.ts';

let api: TestApi;
let other: ApiProcess;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApi();
  other = await startApi(api.config, api.keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
  });
  team = await api.newTeam();
});
afterAll(async () => {
  await other.close();
  await api.stop();
});

/** Moves the first acceptance of a receiver's keys into the past. */
async function age(receiverId: string, seconds: number) {
  await api.db.look(
    (sql) => sql`
      update inbound_dedup_keys
      set received_at = received_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds})
      where receiver_id = ${receiverId} returning dedup_key`,
  );
}

const eventsOf = async () =>
  (await team.get('/v2/partner/engagement-events?page[size]=200')).body.data;

test('one of 64 simultaneous copies of a callback through two processes is accepted', async () => {
  const receiver = await aReceiver(api, team);
  const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const event = anEvent({ status: 'opened', do_contact_id: contact.body.id });
  const raw = JSON.stringify(event);
  const replies = await Promise.all(
    Array.from({ length: 64 }, async (_, at) => {
      const headers = signStandardWebhook(receiver.secret, `msg_${String(at)}`, Date.now(), raw);
      const response = await fetch((at % 2 ? api.url : other.url) + receiver.path, {
        method: 'POST',
        body: raw,
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
      const receipt: any = await response.json();
      return receipt;
    }),
  );
  const accepted = replies.filter(({ status }) => status === 'accepted');
  expect(accepted).toHaveLength(1);
  const ids = new Set(replies.map(({ delivery_id }) => delivery_id));
  expect([...ids]).toEqual([accepted[0].delivery_id]);
  const { data } = await receiver.deliveries();
  expect(data).toHaveLength(1);
  expect(data[0].duplicate_count).toBe(63);
  const about = (await eventsOf()).filter(
    (one: { receiver_id: string }) => one.receiver_id === receiver.id,
  );
  expect(about).toHaveLength(1);
});

test('different simultaneous callbacks are all accepted, each once', async () => {
  const receiver = await aReceiver(api, team);
  const events = Array.from({ length: 200 }, () => anEvent());
  const replies = await Promise.all([...events, ...events].map((event) => receiver.send(event)));
  expect(replies.filter(({ body }) => body.status === 'accepted')).toHaveLength(200);
  expect(replies.filter(({ body }) => body.status === 'duplicate')).toHaveLength(200);
  const counts = await team.get(`/v2/webhooks/inbound/${receiver.id}/deliveries/counts`);
  expect(counts.body).toMatchObject({ total: 400, by_status: { duplicate: 200 } });
});

test('the window counts from the first acceptance and ends at the exact second', async () => {
  const receiver = await aReceiver(api, team, { dedup_window_seconds: 1_000 });
  const event = anEvent();
  const first = (await receiver.send(event)).body;
  await age(receiver.id, 990);
  // A duplicate does not prolong the window.
  expect((await receiver.send(event)).body).toMatchObject({
    status: 'duplicate',
    delivery_id: first.delivery_id,
  });
  await age(receiver.id, 10);
  const second = (await receiver.send(event)).body;
  expect(second.status).toBe('accepted');
  expect(second.delivery_id).not.toBe(first.delivery_id);
  expect((await receiver.send(event)).body).toMatchObject({
    status: 'duplicate',
    delivery_id: second.delivery_id,
  });
});

test('an event that is sent again after its window counts as a new event', async () => {
  const receiver = await aReceiver(api, team, { dedup_window_seconds: 60 });
  const event = anEvent({ status: 'opened' });
  await receiver.send(event);
  await age(receiver.id, 60);
  await receiver.send(event);
  const linked = (await receiver.deliveries()).data.map(
    ({ linked: { engagement_event_id } }: { linked: { engagement_event_id: string } }) =>
      engagement_event_id,
  );
  expect(new Set(linked).size).toBe(2);
});

test('a window of 0 accepts every call', async () => {
  const receiver = await aReceiver(api, team, { dedup_window_seconds: 0 });
  const event = anEvent();
  for (let round = 0; round < 3; round += 1) {
    expect((await receiver.send(event)).body.status).toBe('accepted');
  }
  expect((await receiver.deliveries()).data).toHaveLength(3);
});

test('another receiver has its own keys, and a longer window applies to new keys', async () => {
  const [one, two] = [await aReceiver(api, team), await aReceiver(api, team)];
  const event = anEvent();
  expect((await one.send(event)).body.status).toBe('accepted');
  expect((await two.send(event)).body.status).toBe('accepted');
  await team.patch(`${receiversPath}/${one.id}`, { dedup_window_seconds: 604_800 });
  await age(one.id, 86_400);
  expect((await one.send(event)).body.status).toBe('accepted');
});

test('a callback is verified before its key is checked', async () => {
  const receiver = await aReceiver(api, team);
  const event = anEvent();
  const forged = 'whsec_' + Buffer.alloc(32, 1).toString('base64');
  expect((await receiver.send(event, { secret: forged })).status).toBe(401);
  expect((await receiver.send(event)).body.status).toBe('accepted');
});

test('the answer to a batch marks each event as accepted or duplicate', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const mail = (id: string) => ({
    kind: 'email_b',
    event: 'delivered',
    recipient: 'ada@example.com',
    timestamp: Math.floor(Date.now() / 1_000),
    email_b_event_id: id,
    message_id: randomUUID(),
  });
  const ids = [randomUUID(), randomUUID()];
  const events = [...ids, ids[0] ?? ''].map(mail);
  const reply = await receiver.send(events);
  expect(reply.body).toMatchObject({ status: 'accepted', accepted: 2, duplicates: 1 });
  expect(reply.body.delivery_ids[2]).toBe(reply.body.delivery_ids[0]);
  expect((await receiver.send(events)).body).toMatchObject({
    status: 'duplicate',
    accepted: 0,
    duplicates: 3,
    delivery_ids: reply.body.delivery_ids,
  });
  const { data } = await receiver.deliveries();
  expect(data).toHaveLength(2);
  expect(new Set(data.map(({ batch_id }: { batch_id: string }) => batch_id)).size).toBe(1);
});

describe('a token that does not cover the body', () => {
  const aMailReceiver = async (api: TestApi) =>
    aReceiver(api, team, {
      receiver_kind: 'email_c',
      verification: { signing_key: 'the account’s key' },
    });
  function aProof() {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const token = randomUUID().replaceAll('-', '').padEnd(50, '0');
    const signature = createHmac('sha256', 'the account’s key')
      .update(timestamp + token)
      .digest('hex');
    return { timestamp, token, signature };
  }

  test('authenticates one event', async () => {
    const receiver = await aMailReceiver(api);
    const signature = aProof();
    const mail = (id: string) => ({
      signature,
      'event-data': {
        id,
        event: 'delivered',
        timestamp: Number(signature.timestamp),
        recipient: 'ada@example.com',
        message: { headers: { 'message-id': 'm-1' } },
      },
    });
    const post = async (id: string) =>
      (await api.call('POST', receiver.path, { body: mail(id) })).body;
    const first = await post('event-1');
    expect(first.status).toBe('accepted');
    await age(receiver.id, 604_800);
    expect(await post('event-1')).toMatchObject({
      status: 'duplicate',
      delivery_id: first.delivery_id,
    });
    expect((await post('event-2')).errors[0].code).toBe('signature_invalid');
  });

  test.each([
    ['is ignored', { id: 's1', event: 'stored', recipient: 'ada@example.com' }, 'ignored'],
    ['has no recipient', { event: 'list_member_uploaded' }, 'ignored'],
    ['has no id', { event: 'delivered', recipient: 'ada@example.com' }, 'processed'],
    ['is empty', {}, 'failed'],
  ])('authenticates each repeat of an event that %s', async (_, data, status) => {
    const receiver = await aMailReceiver(api);
    const body = { signature: aProof(), 'event-data': { ...data, timestamp: 1_769_851_800 } };
    const replies = [];
    for (let round = 0; round < 3; round += 1) {
      replies.push((await api.call('POST', receiver.path, { body })).body);
    }
    expect(replies.map((reply) => reply.status)).toEqual(['accepted', 'duplicate', 'duplicate']);
    expect((await receiver.deliveries()).data).toMatchObject([{ status, duplicate_count: 2 }]);
    const { body: shown } = await team.get(`${receiversPath}/${receiver.id}`);
    expect(shown.consecutive_signature_failures).toBe(0);
    const other = { ...body, 'event-data': { ...data, timestamp: 1_769_851_801 } };
    expect((await api.call('POST', receiver.path, { body: other })).status).toBe(401);
  });
});

test('an element without a key is identified by its content, in any list', async () => {
  const receiver = await aReceiver(api, team, {
    receiver_kind: 'email_b',
    signature_required: false,
  });
  const send = async (body: object[]) => (await api.call('POST', receiver.path, { body })).body;
  const known = { sg_event_id: 'e1' };
  const [one, two] = [
    { event: 'machine_opened', at: 1 },
    { event: 'machine_opened', at: 2 },
  ];
  expect(await send([known, one])).toMatchObject({ accepted: 2, duplicates: 0 });
  expect(await send([two, known, one])).toMatchObject({ accepted: 1, duplicates: 2 });
});
