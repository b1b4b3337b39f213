import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signStandardWebhook } from '../../src/inbound/signatures/standard-webhooks.ts';
import { sendRaw } from '../contract/raw-http.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aReceiver, anEvent, codeOf, receiversPath } from './a-receiver.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const emailA = (fields: object = {}) => ({
  kind: 'email_a',
  email_a_event_type: 'Delivery',
  email_a_message_id: randomUUID(),
  source: 'bank@example.com',
  destination: ['ada@example.com'],
  timestamp: new Date().toISOString(),
  raw_topic_message_id: randomUUID(),
  ...fields,
});

describe('the order of checks', () => {
  test('an unknown receiver, a deleted one and one of another kind are the same 404', async () => {
    const receiver = await aReceiver(api, team);
    const deleted = await aReceiver(api, team);
    await team.delete(`${receiversPath}/${deleted.id}`);
    const paths = [
      `/v2/webhooks/inbound/generic_hmac/${randomUUID()}`,
      `/v2/webhooks/inbound/generic_hmac/garbage`,
      `/v2/webhooks/inbound/sms_a/${receiver.id}`,
      deleted.path,
    ];
    const replies = await Promise.all(paths.map((path) => api.call('POST', path, { raw: '{' })));
    const errors = replies.map(({ status, body }) => {
      const { meta, ...error } = body.errors[0];
      return { status, ...error, resource: meta.resource };
    });
    expect(errors[0]).toMatchObject({ status: 404, code: 'not_found' });
    for (const error of errors) expect(error).toEqual(errors[0]);
  });

  test('an inactive receiver answers 410 before any part of the call is checked', async () => {
    const receiver = await aReceiver(api, team, { is_active: false });
    expect(codeOf(await api.call('POST', receiver.path, { raw: '{' }))).toBe(
      '410 receiver_disabled',
    );
    await team.patch(`${receiversPath}/${receiver.id}`, { is_active: true });
    expect(codeOf(await receiver.send(anEvent()))).toBe('200 accepted');
    await team.patch(`${receiversPath}/${receiver.id}`, { is_active: false });
    expect(codeOf(await receiver.send(anEvent()))).toBe('410 receiver_disabled');
  });

  test('media type and size are checked before the signature', async () => {
    const receiver = await aReceiver(api, team);
    const headers = { 'Content-Type': 'text/csv' };
    expect(codeOf(await api.call('POST', receiver.path, { raw: 'a,b', headers }))).toBe(
      '415 unsupported_media_type',
    );
    const large = await api.call('POST', receiver.path, { raw: `"${'x'.repeat(1_100_000)}"` });
    expect(codeOf(large)).toBe('413 payload_too_large');
  });

  test.each([
    ['application/json; charset=utf-8', '200 accepted'],
    ['application/json;charset="UTF-8"', '200 accepted'],
    ['APPLICATION/JSON', '200 accepted'],
    ['application/json; charset=utf8', '200 accepted'],
    ['application/json; charset=iso-8859-1', '415 unsupported_media_type'],
    ['application/x-www-form-urlencoded', '415 unsupported_media_type'],
  ])('a signed call of the type %s: %s', async (type, code) => {
    const receiver = await aReceiver(api, team);
    const headers = { 'Content-Type': type };
    expect(codeOf(await receiver.send(anEvent(), { headers }))).toBe(code);
  });

  test('a signed call is read with the marks and lines of its sender, and not compressed', async () => {
    const receiver = await aReceiver(api, team);
    const send = async (raw: string, others: Record<string, string> = {}) => {
      const signed = signStandardWebhook(receiver.secret, `msg_${randomUUID()}`, Date.now(), raw);
      const headers = { ...signed, 'Content-Type': 'application/json', ...others };
      return codeOf(await api.call('POST', receiver.path, { raw, headers }));
    };
    const text = () => JSON.stringify(anEvent(), null, 2).replaceAll('\n', '\r\n');
    expect(await send(`\ufeff${text()}\r\n`)).toBe('200 accepted');
    const packed = { 'Content-Encoding': 'gzip' };
    expect(await send(text(), packed)).toBe('415 unsupported_media_type');
  });

  test.each([
    ['in chunks', 'HTTP/1.1', ['Transfer-Encoding: chunked']],
    ['by HTTP/1.0', 'HTTP/1.0', ['Content-Length: {length}']],
    ['after 100 Continue', 'HTTP/1.1', ['Content-Length: {length}', 'Expect: 100-continue']],
  ])('a signed call is read %s', async (_, protocol, lines) => {
    const receiver = await aReceiver(api, team);
    const text = JSON.stringify(anEvent());
    const signed = signStandardWebhook(receiver.secret, `msg_${randomUUID()}`, Date.now(), text);
    const head = [
      `POST ${receiver.path} ${protocol}`,
      ...['Host: onward.test', 'Content-Type: application/json', 'Connection: close'],
      ...Object.entries(signed).map(([name, value]) => `${name}: ${value}`),
      ...lines.map((line) => line.replace('{length}', String(text.length))),
    ].join('\r\n');
    const half = Math.floor(text.length / 2);
    const chunks = [text.slice(0, half), text.slice(half), ''];
    const body = lines.some((line) => line.endsWith('chunked'))
      ? chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
      : text;
    const reply = await sendRaw(api.url, `${head}\r\n\r\n${body}`, 30_000);
    expect([reply.status, reply.body?.status]).toEqual([200, 'accepted']);
  });

  test('the signature is checked before the body is parsed', async () => {
    const receiver = await aReceiver(api, team);
    expect(codeOf(await api.call('POST', receiver.path, { raw: '{broken' }))).toBe(
      '401 signature_missing',
    );
    const other = 'whsec_' + Buffer.alloc(32).toString('base64');
    expect(codeOf(await receiver.send(anEvent(), { secret: other }))).toBe('401 signature_invalid');
    const hourAgo = Date.now() - 3_600_000;
    expect(codeOf(await receiver.send(anEvent(), { atMs: hourAgo }))).toBe('401 signature_expired');
    const refused = await eventually(
      async () => (await receiver.deliveries('?filter[status]=rejected_signature')).data,
      (data) => data.length === 3,
    );
    const proofs = refused.map(
      ({ signature_status: proof }: { signature_status: string }) => proof,
    );
    expect(proofs.sort()).toEqual(['expired', 'invalid', 'missing']);
  });

  test('a refusal has the standard error format and a challenge', async () => {
    const receiver = await aReceiver(api, team);
    const reply = await api.call('POST', receiver.path, { raw: '{}' });
    expect(Object.keys(reply.body.errors[0])).toEqual(['code', 'title', 'detail', 'meta']);
    expect(reply.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('a receiver has its own rate limit', async () => {
    const limited = await api.newTeam({ tier: 'standard' });
    const receiver = await aReceiver(api, limited);
    expect(codeOf(await receiver.send(anEvent()))).toBe('200 accepted');
    await api.db.look(
      (sql) => sql`update rate_budgets set steady_tokens = -1000000
        where team_id = ${receiver.id} returning class`,
    );
    // Budget that this process has leased is used up first.
    const refused = await eventually(
      () => receiver.send(anEvent()),
      ({ status }) => status !== 200,
    );
    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Other receivers are not slowed, and an invalid signature is still reported.
    expect(codeOf(await (await aReceiver(api, limited)).send(anEvent()))).toBe('200 accepted');
    expect(codeOf(await api.call('POST', receiver.path, { raw: '{}' }))).toBe(
      '401 signature_missing',
    );
  });
});

describe('an accepted call has', () => {
  test('a normalized body with the signature of the receiver’s secret', async () => {
    const receiver = await aReceiver(api, team);
    const reply = await receiver.send(anEvent());
    expect(reply.body).toMatchObject({ status: 'accepted', accepted: 1, duplicates: 0 });
    expect(reply.body.delivery_ids).toEqual([reply.body.delivery_id]);
    const { data } = await receiver.deliveries();
    expect(data[0]).toMatchObject({
      id: reply.body.delivery_id,
      mode: 'normalized',
      signature_status: 'verified',
      event_type: 'deposit.received',
    });
  });

  test('a normalized body with a partner token of the same team', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_a' });
    expect(codeOf(await team.post(receiver.path, emailA()))).toBe('200 accepted');
    const [delivery] = (await receiver.deliveries()).data;
    expect(delivery).toMatchObject({ mode: 'bearer', receiver_kind: 'email_a' });
    const reader = await team.withScopes('partner:incoming-webhooks:read');
    expect(codeOf(await reader.post(receiver.path, emailA()))).toBe('401 scope_missing');
    const stranger = await api.newTeam();
    expect(codeOf(await stranger.post(receiver.path, emailA()))).toBe('401 token_invalid');
    const garbage = { Authorization: 'Bearer garbage' };
    const reply = await api.call('POST', receiver.path, { body: emailA(), headers: garbage });
    expect(codeOf(reply)).toBe('401 token_invalid');
  });

  test('the provider’s own body with its own signature', async () => {
    for (const receiver_kind of ['email_c', 'sms_a', 'push_b'] as const) {
      const settings = { email_c: 'signing_key', sms_a: 'auth_token', push_b: undefined };
      const name = settings[receiver_kind];
      const verification = name === undefined ? {} : { [name]: 'a secret of the provider' };
      const receiver = await aReceiver(api, team, { receiver_kind, verification });
      const tested = await team.post(`${receiversPath}/${receiver.id}/test`);
      expect(tested.body).toMatchObject({ mode: 'native', signature_status: 'verified' });
      expect(tested.body).toMatchObject({ is_test: true, status: 'processed' });
    }
  });

  test('the other profile of a kind, with its own signature and no other', async () => {
    const verification = { profile: 'vonage_jwt' };
    const receiver = await aReceiver(api, team, { receiver_kind: 'sms_b', verification });
    const path = `${receiversPath}/${receiver.id}`;
    expect((await team.get(`${path}/verification`)).body).toMatchObject({
      scheme: 'signed_jwt',
      status: 'unconfigured',
    });
    await team.patch(path, { verification: { signature_secret: 'a secret of the provider' } });
    expect((await team.get(`${path}/verification`)).body.status).toBe('configured');
    const tested = await team.post(`${path}/test`);
    expect(tested.body).toMatchObject({ mode: 'native', signature_status: 'verified' });
    const body = { message_uuid: 'aaaa', status: 'delivered' };
    expect(codeOf(await api.call('POST', receiver.path, { body }))).toBe('401 signature_missing');
    const headers = { Authorization: 'Bearer a.b.c' };
    expect(codeOf(await api.call('POST', receiver.path, { body, headers }))).toBe(
      '401 signature_invalid',
    );
  });

  test('a refusal has status 406 if the receiver requires it for its provider', async () => {
    const verification = { signing_key: 'a secret of the provider', stop_status: 406 };
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_c', verification });
    const body = { 'event-data': {} };
    const refused = await api.call('POST', receiver.path, { body });
    expect(codeOf(refused)).toBe('406 callback_refused');
    expect(refused.body.errors[0].meta.reason).toBe('signature_missing');
    await team.patch(`${receiversPath}/${receiver.id}`, { is_active: false });
    const disabled = await api.call('POST', receiver.path, { body });
    expect(codeOf(disabled)).toBe('406 callback_refused');
    expect(disabled.body.errors[0].meta.reason).toBe('receiver_disabled');
  });

  test('a receiver without required signatures accepts an absent one but no invalid one', async () => {
    const receiver = await aReceiver(api, team, { signature_required: false });
    expect(codeOf(await api.call('POST', receiver.path, { body: anEvent() }))).toBe('200 accepted');
    expect((await receiver.deliveries()).data[0].signature_status).toBe('unsigned');
    const other = 'whsec_' + Buffer.alloc(32).toString('base64');
    expect(codeOf(await receiver.send(anEvent(), { secret: other }))).toBe('401 signature_invalid');
    const headers = { Authorization: 'Bearer garbage' };
    const reply = await api.call('POST', receiver.path, { body: anEvent(), headers });
    expect(codeOf(reply)).toBe('401 token_invalid');
  });

  test('a receiver with secrets that cannot be opened refuses all calls', async () => {
    const receiver = await aReceiver(api, team, { signature_required: false });
    await api.db.look(
      (sql) => sql`update incoming_webhook_receiver_secrets set sealed_secret = 'gone.AAAA'
        where receiver_id = ${receiver.id} returning id`,
    );
    expect(codeOf(await api.call('POST', receiver.path, { body: anEvent() }))).toBe(
      '401 signature_invalid',
    );
  });
});

describe('bodies', () => {
  test('a normalized body that breaks its schema is refused with 422 and the field', async () => {
    const receiver = await aReceiver(api, team);
    const reply = await receiver.send(anEvent({ event_id: 7 }));
    expect(codeOf(reply)).toBe('422 validation_failed');
    expect(reply.body.errors[0].meta.pointer).toBe('/event_id');
    const [delivery] = await eventually(
      async () => (await receiver.deliveries()).data,
      (data) => data.length > 0,
    );
    expect(delivery).toMatchObject({ status: 'rejected_invalid', http_status: 422 });
  });

  test('an unrecognized native body is stored as failed and answered 200', async () => {
    const receiver = await aReceiver(api, team);
    const reply = await receiver.send({ no: 'kind of ours' });
    expect(codeOf(reply)).toBe('200 accepted');
    const [delivery] = (await receiver.deliveries()).data;
    expect(delivery).toMatchObject({ status: 'failed', error: { code: 'payload_unrecognised' } });
    expect(delivery.raw_available).toBe(true);
  });

  const odd = [
    ['{"kind":"generic_hmac"', 400],
    ['[]', 422],
    ['null', 422],
    ['"text"', 422],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400],
    ['{"kind":"generic_hmac","kind":"generic_hmac"}', 400],
    [JSON.stringify({ ...anEvent(), event_id: '\0' }), 422],
    [JSON.stringify({ ...anEvent(), event_id: 'x'.repeat(250) }), 200],
    [JSON.stringify({ ...anEvent(), do_contact_id: 'no id', do_message_id: '' }), 200],
    [JSON.stringify({ type: 'native.\0event', id: '1', data: { text: '\0\uD800' } }), 200],
    [JSON.stringify({ ...anEvent(), occurred_at: '0001-01-01T00:00:00Z', status: 'opened' }), 200],
    [JSON.stringify({ ...anEvent(), occurred_at: '9999-12-31T00:00:00Z', status: 'opened' }), 200],
    ['', 400],
  ] as const;
  test.each(odd)('%j is answered without a server error', async (raw, status) => {
    const receiver = await aReceiver(api, team, { signature_required: false });
    expect((await api.call('POST', receiver.path, { raw })).status).toBe(status);
  });

  test('bytes that are not text cause no server error', async () => {
    const receiver = await aReceiver(api, team, {
      receiver_kind: 'sms_a',
      signature_required: false,
    });
    const raw = new Uint8Array([0x4d, 0x3d, 0xff, 0xfe, 0x00]);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const reply = await api.call('POST', receiver.path, { raw, headers });
    expect(reply.status).toBeLessThan(500);
  });
});

test('refused calls are counted on the receiver, and up to a hundred an hour are listed', async () => {
  const receiver = await aReceiver(api, team);
  const before = await team.get(`${receiversPath}/${receiver.id}`);
  expect(before.body.consecutive_signature_failures).toBe(0);
  await Promise.all(
    Array.from({ length: 120 }, () => api.call('POST', receiver.path, { raw: '{}' })),
  );
  const counted = await eventually(
    async () => (await team.get(`${receiversPath}/${receiver.id}`)).body,
    (body) => body.consecutive_signature_failures === 120,
  );
  expect(counted.last_signature_failure_at).toBeDefined();
  const counts = await eventually(
    async () => (await team.get(`/v2/webhooks/inbound/${receiver.id}/deliveries/counts`)).body,
    ({ by_status, dropped_rejections }) =>
      dropped_rejections === 20 && by_status.rejected_signature === 100,
  );
  expect(counts.by_signature_status.missing).toBe(100);
  expect(codeOf(await receiver.send(anEvent()))).toBe('200 accepted');
  const after = await eventually(
    async () => (await team.get(`${receiversPath}/${receiver.id}`)).body,
    (body) => body.consecutive_signature_failures === 0,
  );
  expect(after.last_received_at).toBeDefined();
  expect(after.is_active).toBe(true);
});
