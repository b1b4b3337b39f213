import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aReceiver, anEvent, codeOf } from './a-receiver.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const secretWord = 'ada.lovelace@example.com';
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

test('lists contain no personal data unless a client requests it', async () => {
  const receiver = await aReceiver(api, team);
  await receiver.send(anEvent({ recipient: secretWord }), {
    headers: { Authorization: 'Basic c2VjcmV0', 'User-Agent': 'bank/1.0' },
  });
  const path = `/v2/webhooks/inbound/${receiver.id}/deliveries`;
  const plain = await team.get(path);
  expect(JSON.stringify(plain.body)).not.toContain(secretWord);
  const included = await team.get(`${path}?include=payload`);
  expect(included.body.data[0].relationships.payload.recipient).toBe(secretWord);

  const one = await team.get(`${path}/${String(plain.body.data[0].id)}`);
  expect(one.body.payload.recipient).toBe(secretWord);
  expect(one.body.headers).toMatchObject({
    authorization: '[redacted]',
    'webhook-signature': '[redacted]',
    'user-agent': 'bank/1.0',
  });
  expect(one.body).not.toHaveProperty('raw');
});

test('the raw call requires the write scope and is deleted after a week', async () => {
  const receiver = await aReceiver(api, team);
  const event = anEvent();
  const { body } = await receiver.send(event);
  const path = `/v2/webhooks/inbound/${receiver.id}/deliveries/${String(body.delivery_id)}`;
  const reader = await team.withScopes('partner:incoming-webhooks:read');
  expect((await reader.get(path)).status).toBe(200);
  expect(codeOf(await reader.get(`${path}?include=raw`))).toBe('401 scope_missing');
  expect(codeOf(await team.get(`${path}?include=secrets`))).toBe('400 invalid_include');
  const raw = (await team.get(`${path}?include=raw`)).body.raw;
  expect(JSON.parse(raw.body)).toEqual(event);
  expect(raw).toMatchObject({ encoding: 'utf8', content_type: 'application/json' });

  await api.db.look(
    (sql) => sql`update inbound_deliveries set received_at = received_at - interval '7 days'
      where id = ${body.delivery_id} returning id`,
  );
  const later = await team.get(`${path}?include=raw`);
  expect(later.body.raw_available).toBe(false);
  expect(later.body).not.toHaveProperty('raw');
});

test('a form in another encoding than UTF-8 is shown in base64', async () => {
  const fields = { receiver_kind: 'sms_a', signature_required: false };
  const receiver = await aReceiver(api, team, fields);
  const form = 'MessageSid=SM1&SmsStatus=received&Body=caf\u00e9';
  const bytes = Buffer.from(form, 'latin1');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const { body } = await api.call('POST', receiver.path, { raw: bytes, headers });
  const path = `/v2/webhooks/inbound/${receiver.id}/deliveries/${String(body.delivery_id)}`;
  const { raw } = (await team.get(`${path}?include=raw`)).body;
  expect(raw).toMatchObject({ encoding: 'base64', body: bytes.toString('base64') });
});

test('filters and sorts find matching deliveries', async () => {
  const receiver = await aReceiver(api, team);
  const doId = randomUUID();
  const sent = [];
  for (const fields of [{ event_type: 'a.b' }, { event_type: 'c.d', do_contact_id: doId }]) {
    sent.push((await receiver.send(anEvent(fields))).body.delivery_id);
  }
  const [first, second] = sent;
  expect(idsOf(await receiver.deliveries())).toEqual([second, first]);
  expect(idsOf(await receiver.deliveries('?sort=received_at'))).toEqual([first, second]);
  expect(idsOf(await receiver.deliveries('?sort=-processed_at'))).toEqual([second, first]);
  expect(idsOf(await receiver.deliveries('?filter[event_type]=a.b'))).toEqual([first]);
  expect(idsOf(await receiver.deliveries(`?filter[do_contact_id]=${doId}`))).toEqual([second]);
  expect(idsOf(await receiver.deliveries('?filter[signature_status]=invalid'))).toEqual([]);
  const page = await receiver.deliveries('?page[size]=1&meta=count');
  expect(page.meta.count).toBe(2);
  const next = await receiver.deliveries(
    `?page[size]=1&page[after]=${encodeURIComponent(page.page.next_cursor)}`,
  );
  expect(idsOf(next)).toEqual([first]);
});

test('counts contain every status, and their sums agree', async () => {
  const receiver = await aReceiver(api, team);
  const event = anEvent({ event_type: 'a.b', status: 'opened' });
  for (let round = 0; round < 3; round += 1) await receiver.send(event);
  await receiver.send({ no: 'kind' });
  const path = `/v2/webhooks/inbound/${receiver.id}/deliveries/counts`;
  const { body } = await team.get(path);
  expect(body).toMatchObject({
    receiver_id: receiver.id,
    total: 4,
    by_status: { processed: 1, duplicate: 2, failed: 1, rejected_invalid: 0 },
    by_event_type: { 'a.b': 3 },
    by_signature_status: { verified: 4, unsigned: 0 },
  });
  const gte = (at: number) => `filter[received_at][gte]=${new Date(at).toISOString()}`;
  expect((await team.get(`${path}?${gte(Date.now() - 29 * 86_400_000)}`)).body.total).toBe(4);
  for (const query of [
    gte(Date.now() - 31 * 86_400_000),
    gte(Date.now() + 60_000),
    'filter[received_at][lt]=yesterday',
  ]) {
    expect(codeOf(await team.get(`${path}?${query}`))).toBe('400 invalid_filter_value');
  }
});

test('another team sees neither the receiver nor its deliveries', async () => {
  const receiver = await aReceiver(api, team);
  const { body } = await receiver.send(anEvent());
  const stranger = await api.newTeam();
  const own = await aReceiver(api, stranger);
  for (const path of [
    `${receiver.id}/deliveries`,
    `${receiver.id}/deliveries/counts`,
    `${receiver.id}/deliveries/${String(body.delivery_id)}`,
    `${own.id}/deliveries/${String(body.delivery_id)}`,
  ]) {
    expect(codeOf(await stranger.get(`/v2/webhooks/inbound/${path}`))).toBe('404 not_found');
  }
});
