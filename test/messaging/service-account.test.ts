import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import { Compile } from 'typebox/compile';
import type { OutgoingMessage } from '../../src/messaging/providers/sender.ts';
import { createTeamSender } from '../../src/messaging/providers/team-senders.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { developmentRules } from '../platform/egress/rules.ts';
import { pushA } from './provider-contracts.ts';

const SendRequest = Compile(pushA.operations['POST /v1/projects/bank/messages:send'].schema);

const keys = {
  current: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  previous: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
const sent: { token: string; bearer: string | undefined; data: unknown }[] = [];
const breaches: string[] = [];
let minted = 0;
let acceptedKey: keyof typeof keys = 'current';
/** Tokens of devices by the status of their answer. */
let statuses: Record<string, number> = {};
let revoked: string[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const answer = (status: number, body: object) =>
    response.writeHead(status).end(JSON.stringify(body));
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    if (request.url === '/token') {
      void mint(new URLSearchParams(text)).then(
        (access_token) => answer(200, { access_token, expires_in: 3_599, token_type: 'Bearer' }),
        () => answer(400, { error: 'invalid_grant' }),
      );
      return;
    }
    if (request.url !== '/v1/projects/bank/messages:send') breaches.push(String(request.url));
    const json: any = JSON.parse(text);
    const errors = SendRequest.Errors({ headers: request.headers, body: json });
    breaches.push(...[...errors].map(({ message }) => message));
    const bearer = request.headers.authorization?.slice('Bearer '.length);
    const { token, data } = json.message;
    sent.push({ token, bearer, data });
    const status = revoked.includes(bearer ?? '') ? 401 : (statuses[token] ?? 200);
    const name = `projects/bank/messages/0:${token}`;
    answer(status, status === 200 ? { name } : { error: { code: status } });
  });
});

/** RFC 7523 §2.1, with the claims of https://developers.google.com/identity/protocols/oauth2/service-account */
async function mint(form: URLSearchParams): Promise<string> {
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const { payload, protectedHeader } = await jwtVerify(
    form.get('assertion') ?? '',
    keys[acceptedKey].publicKey,
    {
      ...{ algorithms: ['RS256'], issuer: 'sender@bank.example', audience: `${url}/token` },
      requiredClaims: ['iat', 'exp', 'scope'],
    },
  );
  expect(protectedHeader.kid).toBe(acceptedKey);
  expect(payload['scope']).toBe('https://www.googleapis.com/auth/firebase.messaging');
  minted += 1;
  return `token-${String(minted)}`;
}

const egress = createEgress({ rules: developmentRules });
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
});
beforeEach(() => {
  sent.length = 0;
  minted = 0;
  acceptedKey = 'current';
  statuses = {};
  revoked = [];
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const keyFile = (name: keyof typeof keys, changes: object = {}) =>
  JSON.stringify({
    ...{ type: 'service_account', project_id: 'bank', client_email: 'sender@bank.example' },
    private_key: keys[name].privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ...{ private_key_id: name, token_uri: `${url}/token`, ...changes },
  });

function newSender(current: string, previous?: string) {
  return createTeamSender(
    {
      ...{ team_id: randomUUID(), id: randomUUID(), channel: 'push', kind: 'push_a' },
      ...{ url, account: null, family: null, senders: [] },
    },
    { current, previous },
    { egress, connections: 1 },
  );
}
const message: OutgoingMessage = {
  ...{ teamId: randomUUID(), id: randomUUID(), correlation: { do_message_id: 'm' } },
  content: { channel: 'push', tokens: ['newest', 'older'], body: 'Hello', data: { step: 3 } },
};

test('all devices of a contact get a push, by one token that is requested once', async () => {
  const sender = newSender(keyFile('current'));
  const results = await Promise.all([1, 2, 3].map(() => sender.send(message, 5_000)));
  const [first] = results;
  expect(first).toEqual({ kind: 'sent', providerMessageId: '0:newest', recipient: 'newest' });
  expect(results).toEqual([first, first, first]);
  expect(minted).toBe(1);
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(({ token }) => token))).toEqual(new Set(['newest', 'older']));
  expect(sent[0]).toMatchObject({ bearer: 'token-1', data: { step: '3', do_message_id: 'm' } });
  expect(breaches).toEqual([]);
});

test('a token that is rejected before it expires is replaced once', async () => {
  const sender = newSender(keyFile('current'));
  revoked = ['token-1'];
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
  expect(minted).toBe(2);
  revoked = ['token-2', 'token-3', 'token-4'];
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'later', code: 'http_401' });
  expect(minted).toBe(3);
});

test.each([
  [{ newest: 404 }, { kind: 'sent', providerMessageId: '0:older', recipient: 'older' }],
  [{ newest: 500 }, { kind: 'sent', recipient: 'older' }],
  [
    { newest: 404, older: 404 },
    { kind: 'refused', code: 'http_404' },
  ],
  [
    { newest: 404, older: 503 },
    { kind: 'later', code: 'http_503' },
  ],
  [
    { newest: 429, older: 429 },
    { kind: 'later', outage: { isSure: true } },
  ],
])('answers for devices of %j: %j', async (answers, expected) => {
  statuses = { ...answers };
  expect(await newSender(keyFile('current')).send(message, 5_000)).toMatchObject(expected);
});

test('the previous key is used while the current one is rejected', async () => {
  acceptedKey = 'previous';
  const rejected = newSender(keyFile('current'));
  expect(await rejected.send(message, 5_000)).toMatchObject({
    ...{ kind: 'later', code: 'token_rejected', outage: { isSure: true } },
  });
  expect(await rejected.check(5_000)).toEqual({ isOk: false, code: 'token_rejected' });
  const rotated = newSender(keyFile('current'), keyFile('previous'));
  expect(await rotated.send(message, 5_000)).toMatchObject({ kind: 'sent' });
});

test('the check requests a token', async () => {
  expect(await newSender(keyFile('current')).check(5_000)).toEqual({ isOk: true });
  expect(minted).toBe(1);
  expect(sent).toEqual([]);
});

test.each([
  ['not JSON', () => 'key'],
  ['another kind of key', () => keyFile('current', { private_key: elliptic })],
  ['a short key', () => keyFile('current', { private_key: short })],
])('%s is an outage', async (_name, secret) => {
  const sender = newSender(secret());
  const code = 'invalid_credentials';
  expect(await sender.check(5_000)).toEqual({ isOk: false, code });
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'later', code });
});
const pem = { type: 'pkcs8', format: 'pem' } as const;
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem);
const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export(pem);

test('a token is not requested at an address that is not called', async () => {
  const sender = newSender(keyFile('current', { token_uri: 'http://10.0.0.1:8080/token' }));
  expect(await sender.check(5_000)).toEqual({ isOk: false, code: 'target_not_allowed' });
});
