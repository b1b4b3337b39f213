import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import type { JWTPayload } from 'jose';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aTokenService, closeServices, refusalOf } from './a-service.ts';

let api: TestApi;
let team: TestTeam;
let issuer: string;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  issuer = api.config.publicBaseUrl;
});
afterAll(async () => {
  await closeServices();
  await api.stop();
});

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Claims that would be good. */
const claims = (): JWTPayload => ({
  iss: issuer,
  aud: `${issuer}/v2`,
  sub: team.clientId,
  jti: randomUUID(),
  iat: nowSeconds(),
  exp: nowSeconds() + 3_600,
  client_id: team.clientId,
  team_id: team.id,
  token_kind: 'partner',
  scope: 'meta:capabilities:read',
});

/** A token signed with the real key; header and claims as given, undefined takes one away. */
async function signed(claimed: object = {}, header: object = {}) {
  const { keys } = aService;
  const key = await keys.current();
  return new SignJWT({ ...claims(), ...claimed })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.id, ...header })
    .sign(key.privateKey);
}

let aService: ReturnType<typeof aTokenService>;
beforeAll(() => {
  aService = aTokenService(api);
});

const call = async (token: string) => {
  const reply = await api.call('GET', '/v2/meta/capabilities', {
    headers: { Authorization: `Bearer ${token}` },
  });
  return [reply.status, reply.body.errors?.[0]?.code];
};

test('the harness can make a good token', async () => {
  expect(await call(await signed())).toEqual([200, undefined]);
});

describe('a token is refused as token_invalid', () => {
  test.each(['none', 'None', 'NONE', 'nOnE'])('with the algorithm %s', async (alg) => {
    const { id } = await aService.keys.current();
    const header = base64({ alg, typ: 'at+jwt', kid: id });
    expect(await call(`${header}.${base64(claims())}.`)).toEqual([401, 'token_invalid']);
    expect(await call(`${header}.${base64(claims())}.AA`)).toEqual([401, 'token_invalid']);
  });

  test('with HS256 over the public key', async () => {
    const { id, publicKey } = await aService.keys.current();
    const secrets = [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))];
    for (const secret of secrets) {
      const text = `${base64({ alg: 'HS256', typ: 'at+jwt', kid: id })}.${base64(claims())}`;
      const mac = createHmac('sha256', secret).update(text).digest('base64url');
      expect(await call(`${text}.${mac}`)).toEqual([401, 'token_invalid']);
    }
  });

  test.each<[string, object]>([
    ['another issuer', { iss: 'http://evil.test' }],
    ['another audience', { aud: 'http://onward.test' }],
    ['no audience', { aud: undefined }],
    ['no end', { exp: undefined }],
    ['a life of two hours', { exp: Math.floor(Date.now() / 1_000) + 7_200 }],
    ['a start in the future', { nbf: Math.floor(Date.now() / 1_000) + 600 }],
    ['no id', { jti: undefined }],
    ['an id that is no UUID', { jti: "'; drop table teams" }],
    ['a team that is no UUID', { team_id: '*' }],
    ['a client that is nobody', { client_id: randomUUID() }],
    ['the client of another team', { team_id: randomUUID() }],
    ['no scope', { scope: undefined }],
    ['scopes in a list', { scope: ['meta:capabilities:read'] }],
    ['a time that is a text', { iat: 'now' }],
  ])('with %s', async (_, claimed) => {
    expect(await call(await signed(claimed))).toEqual([401, 'token_invalid']);
  });

  test.each<[string, object]>([
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['an unknown key id', { kid: randomUUID() }],
    ['a key id that is a path', { kid: '../../../dev/null' }],
    ['no key id', { kid: undefined }],
    ['an address of keys', { jku: 'http://127.0.0.1:1/jwks.json' }],
    ['an address of certificates', { x5u: 'http://127.0.0.1:1/chain.pem' }],
    ['certificates', { x5c: ['MIIB'] }],
  ])('with %s in its header', async (_, header) => {
    expect(await call(await signed({}, header))).toEqual([401, 'token_invalid']);
  });

  test('with a key of its own, whatever key id it names', async () => {
    const { id } = await aService.keys.current();
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const header of [{ kid: id }, { kid: id, jwk }, { kid: 'mine', jwk }, { jwk }]) {
      const token = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
        .sign(privateKey);
      expect(await call(token)).toEqual([401, 'token_invalid']);
    }
  });

  test('with a critical header that nobody knows', async () => {
    const { id, privateKey } = await aService.keys.current();
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: id, crit: ['b64'], b64: true })
      .sign(privateKey);
    expect(await call(token)).toEqual([401, 'token_invalid']);
  });

  test('with any part changed, cut or doubled', async () => {
    const [header = '', payload = '', signature = ''] = (await signed()).split('.');
    const zero = Buffer.alloc(64).toString('base64url');
    const other = base64({ ...claims(), scope: 'partner:contacts:delete' });
    const hostile = [
      `${header}.${other}.${signature}`,
      `${header}.${payload}.${zero}`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.${signature}`,
      `${payload}.${header}.${signature}`,
      'x',
      '..',
      `${header}..${signature}`,
    ];
    for (const token of hostile) {
      expect([token, ...(await call(token))]).toEqual([token, 401, 'token_invalid']);
    }
  });

  test('when it is longer than 8 KB, before anything is computed', async () => {
    const { tokens, reads } = aTokenService(api);
    const long = await signed({ padding: 'x'.repeat(9_000) });
    expect(await call(long)).toEqual([401, 'token_invalid']);
    expect(await refusalOf(tokens.verify(long))).toBe('token_invalid');
    expect(reads()).toBe(0);
  });
});

test('one that has ended is refused as token_expired', async () => {
  const ended = { iat: nowSeconds() - 3_700, exp: nowSeconds() - 100 };
  expect(await call(await signed(ended))).toEqual([401, 'token_expired']);
});

test('a flood of unknown key ids costs the database ten questions a second at most', async () => {
  const { tokens, reads } = aTokenService(api);
  await tokens.verify(await signed());
  const before = reads();
  const startedAtMs = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, async () =>
      refusalOf(tokens.verify(await signed({}, { kid: randomUUID() }))),
    ),
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  expect(new Set(outcomes)).toEqual(new Set(['token_invalid']));
  expect(reads() - before).toBeLessThanOrEqual(2 + seconds * 10);
});
