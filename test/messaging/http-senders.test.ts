import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEgress } from '../../src/platform/egress/client.ts';
import { createPushASender, createPushBSender } from '../../src/messaging/providers/push.ts';
import type { OutgoingMessage, Sender } from '../../src/messaging/providers/sender.ts';
import { createSmsASender, createSmsBSender } from '../../src/messaging/providers/sms.ts';
import { developmentRules } from '../platform/egress/rules.ts';

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const calls: Call[] = [];
let answer = { status: 201, body: '{}' };
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    calls.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(answer.status).end(answer.body);
  });
});
const egress = createEgress({
  rules: developmentRules,
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  url = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const correlation = { do_message_id: 'm', do_contact_id: 'c', do_journey_id: 'j' };
const about = { teamId: 't', id: 'delivery', correlation };
const text: OutgoingMessage = {
  ...about,
  callbackUrl: 'https://api.example.com/v2/webhooks/inbound/sms_a/r',
  content: { channel: 'sms', to: '+14155550100', body: 'Hello, Ada' },
};
const push: OutgoingMessage = {
  ...about,
  content: {
    ...{ channel: 'push', tokens: ['newest', 'older'], title: 'Hi', body: 'Hello' },
    ...{ imageUrl: 'https://example.com/i.png', deepLink: 'bank://start', data: { step: 3 } },
  },
};
const config = () => ({ url, account: 'account', key: 'key', from: '+14155550199' });

async function send(sender: Sender, message: OutgoingMessage, how: typeof answer) {
  answer = how;
  const result = await sender.send(message, 5_000);
  const call = calls.at(-1);
  return { result, call, json: () => JSON.parse(call?.body ?? '') };
}

test('sms_a gets a form, and our ids in the address that it calls back', async () => {
  const sender = createSmsASender(egress, config(), 'sms_a');
  const { result, call } = await send(sender, text, { status: 201, body: '{"sid":"SM1"}' });
  expect(result).toEqual({ kind: 'sent', providerMessageId: 'SM1', recipient: '+14155550100' });
  expect(call).toMatchObject({
    path: '/2010-04-01/Accounts/account/Messages.json',
    headers: { authorization: `Basic ${Buffer.from('account:key').toString('base64')}` },
  });
  expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
    ...{ To: '+14155550100', From: '+14155550199', Body: 'Hello, Ada' },
    StatusCallback:
      'https://api.example.com/v2/webhooks/inbound/sms_a/r?do_contact_id=c&do_journey_id=j&do_message_id=m',
  });
});

test('sms_b gets JSON, and our ids in tags', async () => {
  const sender = createSmsBSender(egress, config(), 'sms_b');
  const { result, call, json } = await send(sender, text, {
    status: 200,
    body: '{"data":{"id":"msg-1"}}',
  });
  expect(result).toMatchObject({ kind: 'sent', providerMessageId: 'msg-1' });
  expect(call).toMatchObject({
    path: '/v2/messages',
    headers: { authorization: 'Bearer key', 'idempotency-key': 'delivery' },
  });
  expect(json()).toMatchObject({
    ...{ to: '+14155550100', from: '+14155550199', text: 'Hello, Ada' },
    tags: ['do_message_id:m', 'do_contact_id:c', 'do_journey_id:j'],
    messaging_profile_id: 'account',
  });
});

test.each([
  ['{"data":{"id":9007199254740993}}', '9007199254740993'],
  ['{"data":{"id":7}}', '7'],
  ['{"data":{"id":1e400}}', '1e400'],
  [JSON.stringify({ data: { id: `${'x'.repeat(254)}😀` } }), 'x'.repeat(254)],
])('the id in the answer %s keeps its digits and characters', async (body, id) => {
  const sender = createSmsBSender(egress, config(), 'sms_b');
  const { result } = await send(sender, text, { status: 200, body });
  expect(result).toMatchObject({ kind: 'sent', providerMessageId: id });
});

test('push_a reaches all devices one by one, with our ids in its data', async () => {
  const sender = createPushASender(egress, config(), 'push_a');
  const { result, call, json } = await send(sender, push, {
    status: 200,
    body: '{"name":"projects/account/messages/0:1"}',
  });
  expect(result).toMatchObject({ kind: 'sent', providerMessageId: '0:1' });
  expect(call?.path).toBe('/v1/projects/account/messages:send');
  const bodies = calls.slice(-2).map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ message }) => message.token).sort()).toEqual(['newest', 'older']);
  expect(json()).toEqual({
    message: {
      token: expect.stringMatching(/^(newest|older)$/),
      notification: { title: 'Hi', body: 'Hello', image: 'https://example.com/i.png' },
      data: { step: '3', deep_link: 'bank://start', ...correlation },
    },
  });
});

test('push_b reaches all devices, and takes each of our ids once', async () => {
  const sender = createPushBSender(egress, config(), 'push_b');
  const { result, json } = await send(sender, push, { status: 200, body: '{"id":"n-1"}' });
  expect(result).toMatchObject({ kind: 'sent', providerMessageId: 'n-1' });
  expect(json()).toMatchObject({
    ...{ app_id: 'account', idempotency_key: 'delivery' },
    include_subscription_ids: ['newest', 'older'],
    data: { step: 3, ...correlation },
  });
});

const answers: readonly [status: number, kind: string][] = [
  [200, 'refused'],
  [400, 'refused'],
  [404, 'refused'],
  [401, 'later'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
];

test.each(answers)('an answer of %d without an id is %s', async (status, kind) => {
  const sender = createSmsBSender(egress, config(), 'sms_b');
  const { result } = await send(sender, text, { status, body: 'no JSON +14155550100' });
  expect(result.kind).toBe(kind);
  // The text of the provider about the recipient is not stored.
  expect(JSON.stringify(result)).not.toContain('4155550100');
});

test('an unreachable provider leads to a retry', async () => {
  const sender = createSmsASender(egress, { ...config(), url: 'http://127.0.0.1:1' }, 'sms_a');
  expect((await sender.send(text, 5_000)).kind).toBe('later');
});
