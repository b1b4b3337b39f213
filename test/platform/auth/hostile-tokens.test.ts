import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import type { JWTPayload } from 'jose';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { aScene } from '../../widget/a-widget.ts';
import { aTokenService, closeServices, refusalOf } from './a-service.ts';

let api: TestApi;
let team: TestTeam;
let issuer: string;
/** A contact of widget tokens. */
let scene: Awaited<ReturnType<typeof aScene>>;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  issuer = api.config.publicBaseUrl;
  scene = await aScene(api);
});
afterAll(async () => {
  await closeServices();
  await api.stop();
});

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** A sort of token: its form, claims that would be good, and a call that takes it. */
interface Kind {
  typ: string;
  /** Claims of another kind of token. */
  foreign: { typ: string; audience: () => string };
  prefix: string;
  claims(): JWTPayload;
  path(): string;
}

const registered = (audience: string) => ({
  ...{ iss: issuer, aud: audience, jti: randomUUID() },
  ...{ iat: nowSeconds(), exp: nowSeconds() + 3_600 },
});
const partnerAudience = () => `${issuer}/v2`;
const widgetAudience = () => `${issuer}/v2/widget`;

const partner: Kind = {
  ...{ typ: 'at+jwt', prefix: '', foreign: { typ: 'widget+jwt', audience: widgetAudience } },
  claims: () => ({
    ...registered(partnerAudience()),
    ...{ sub: team.clientId, client_id: team.clientId, team_id: team.id },
    ...{ token_kind: 'partner', scope: 'meta:capabilities:read' },
  }),
  path: () => '/v2/meta/capabilities',
};
const widget: Kind = {
  ...{ typ: 'widget+jwt', prefix: 'dow_', foreign: { typ: 'at+jwt', audience: partnerAudience } },
  claims: () => ({
    ...registered(widgetAudience()),
    ...{ sub: scene.journey.contactId, client_id: scene.team.clientId, team_id: scene.team.id },
    ...{ token_kind: 'widget_instance', widget_instance_id: scene.widgetId },
    ...{ contact_id: scene.journey.contactId, journey_id: scene.journey.id, assurance: 'none' },
    scope: 'widget:journey:render',
  }),
  path: () => `/v2/widget/journeys/${scene.journey.id}`,
};

let aService: ReturnType<typeof aTokenService>;
beforeAll(() => {
  aService = aTokenService(api);
});

/** A token signed with the real key; header and claims as given, undefined takes one away. */
async function signedAs(kind: Kind, claimed: object = {}, header: object = {}) {
  const key = await aService.keys.current();
  return new SignJWT({ ...kind.claims(), ...claimed })
    .setProtectedHeader({ alg: 'ES256', typ: kind.typ, kid: key.id, ...header })
    .sign(key.privateKey);
}

describe.each([
  ['a partner’s token', partner],
  ['a widget’s token', widget],
])('%s', (_kind, kind) => {
  const signed = (claimed: object = {}, header: object = {}) => signedAs(kind, claimed, header);
  const call = async (jwt: string) => {
    const reply = await api.call('GET', kind.path(), {
      headers: { Authorization: `Bearer ${kind.prefix}${jwt}` },
    });
    return [reply.status, reply.body.errors?.[0]?.code];
  };

  test('the harness can make a good token', async () => {
    expect(await call(await signed())).toEqual([200, undefined]);
  });

  describe('is refused as token_invalid', () => {
    test.each(['none', 'None', 'NONE', 'nOnE'])('with the algorithm %s', async (alg) => {
      const { id } = await aService.keys.current();
      const header = base64({ alg, typ: kind.typ, kid: id });
      expect(await call(`${header}.${base64(kind.claims())}.`)).toEqual([401, 'token_invalid']);
      expect(await call(`${header}.${base64(kind.claims())}.AA`)).toEqual([401, 'token_invalid']);
    });

    test('with HS256 over the public key', async () => {
      const { id, publicKey } = await aService.keys.current();
      const secrets = [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))];
      for (const secret of secrets) {
        const text = `${base64({ alg: 'HS256', typ: kind.typ, kid: id })}.${base64(kind.claims())}`;
        const mac = createHmac('sha256', secret).update(text).digest('base64url');
        expect(await call(`${text}.${mac}`)).toEqual([401, 'token_invalid']);
      }
    });

    test.each<[string, object]>([
      ['another issuer', { iss: 'http://evil.test' }],
      ['another audience', { aud: 'http://onward.test' }],
      ['an end that is a text', { exp: '4102444800' }],
      ['an end beyond all numbers', { exp: 1e20 }],
      ['a beginning that lies ahead', { iat: Math.floor(Date.now() / 1_000) + 600 }],
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
      ['the type of another kind', { typ: kind.foreign.typ }],
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

    test('with a key of its own, under any key id', async () => {
      const { id } = await aService.keys.current();
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = await exportJWK(publicKey);
      for (const header of [{ kid: id }, { kid: id, jwk }, { kid: 'mine', jwk }, { jwk }]) {
        const token = await new SignJWT(kind.claims())
          .setProtectedHeader({ alg: 'ES256', typ: kind.typ, ...header })
          .sign(privateKey);
        expect(await call(token)).toEqual([401, 'token_invalid']);
      }
    });

    test('with an unknown critical header', async () => {
      const { id, privateKey } = await aService.keys.current();
      const token = await new SignJWT(kind.claims())
        .setProtectedHeader({ alg: 'ES256', typ: kind.typ, kid: id, crit: ['b64'], b64: true })
        .sign(privateKey);
      expect(await call(token)).toEqual([401, 'token_invalid']);
    });

    test('with any part changed, cut or doubled', async () => {
      const [header = '', payload = '', signature = ''] = (await signed()).split('.');
      const zero = Buffer.alloc(64).toString('base64url');
      const other = base64({ ...kind.claims(), scope: 'partner:contacts:delete' });
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

    test('with the audience of another kind', async () => {
      const token = await signed({ aud: kind.foreign.audience() });
      expect(await call(token)).toEqual([401, 'token_invalid']);
    });

    test('when it is longer than 8 KB', async () => {
      const long = await signed({ padding: 'x'.repeat(9_000) });
      expect(await call(long)).toEqual([401, 'token_invalid']);
    });
  });

  test('an expired token is refused as token_expired', async () => {
    const ended = { iat: nowSeconds() - 3_700, exp: nowSeconds() - 100 };
    expect(await call(await signed(ended))).toEqual([401, 'token_expired']);
  });
});

test('a token longer than 8 KB is refused before anything is computed', async () => {
  const { tokens, reads } = aTokenService(api);
  const long = await signedAs(partner, { padding: 'x'.repeat(9_000) });
  expect(await refusalOf(tokens.verify(long, '127.0.0.1'))).toBe('token_invalid');
  expect(reads()).toBe(0);
});

test('a flood of unknown key ids causes ten database queries per second at most', async () => {
  const { tokens, reads } = aTokenService(api);
  await tokens.verify(await signedAs(partner), '127.0.0.1');
  const before = reads();
  const startedAtMs = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, async () =>
      refusalOf(tokens.verify(await signedAs(partner, {}, { kid: randomUUID() }), '127.0.0.1')),
    ),
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  expect(new Set(outcomes)).toEqual(new Set(['token_invalid']));
  expect(reads() - before).toBeLessThanOrEqual(2 + seconds * 10);
});
