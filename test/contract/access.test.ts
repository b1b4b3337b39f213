import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { codesOf, verdictOf } from './answers.ts';
import { resign as resignToken } from './callers.ts';
import { countCells } from './cells.ts';
import { paramsOf, pathOf, positionsOf } from './samples.ts';
import { grants, requiredScopes, scopedEndpoints } from './scoped.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';

let api: TestApi;
let team: TestTeam;
/** By required scope: a client that has only it, and one that has everything but it. */
const only = new Map<string, TestTeam>();
const allBut = new Map<string, TestTeam>();
const cells = countCells('access');

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  const known = knownScopes(endpoints);
  for (const scope of requiredScopes) {
    only.set(scope, await team.withScopes(scope));
    allBut.set(scope, await team.withScopes(...known.filter((other) => !grants(other, scope))));
  }
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

/** A path with random ids: access is refused before any lookup. */
function emptyPath(endpoint: Endpoint): string {
  const params = positionsOf(endpoint).map(({ name }) => [name, randomUUID()]);
  return pathOf(endpoint, Object.fromEntries(params));
}

function expectRefusal(reply: Reply, verdict: string, challenge: string): void {
  expect(verdictOf(reply)).toBe(verdict);
  expect(reply.headers.get('www-authenticate')).toContain('Bearer realm=');
  expect(reply.headers.get('www-authenticate')).toContain(challenge);
  const [error] = reply.body.errors;
  expect(Object.keys(error)).toEqual(['code', 'title', 'detail', 'meta']);
  expect(error.meta.request_id).toBe(reply.headers.get('x-request-id'));
}

describe('every endpoint refuses a caller without a valid token', () => {
  test.each(scopedEndpoints)('%s', async (id, endpoint) => {
    const path = emptyPath(endpoint);
    const { method } = endpoint;
    const call = (headers: Record<string, string>, query = '') =>
      api.call(method, `${path}${query}`, { headers });

    await cells.cell(`${id}: no token`, async () => {
      const reply = await call({});
      expectRefusal(reply, '401 token_missing', '');
      expect(reply.headers.get('www-authenticate')).not.toContain('error=');
    });
    await cells.cell(`${id}: another scheme`, async () => {
      expectRefusal(
        await call({ Authorization: 'Basic YTpi' }),
        '401 token_invalid',
        'invalid_token',
      );
    });
    await cells.cell(`${id}: garbage`, async () => {
      const reply = await call({ Authorization: 'Bearer garbage' });
      expectRefusal(reply, '401 token_invalid', 'error="invalid_token"');
    });
    await cells.cell(`${id}: token in the query`, async () => {
      for (const name of ['access_token', 'token']) {
        const reply = await call({}, `?${name}=${team.token}`);
        expectRefusal(reply, '401 token_in_query_rejected', 'error="invalid_request"');
      }
    });
    await cells.cell(`${id}: every scope but the required one`, async () => {
      const reply = await allBut.get(endpoint.scope)?.call(method, path);
      if (!reply) throw new Error('no such client');
      expectRefusal(reply, '401 scope_missing', 'error="insufficient_scope"');
      expect(reply.body.errors[0].meta.required_scope).toBe(endpoint.scope);
      expect(reply.body.errors[0].detail).toContain(endpoint.scope);
    });
    await cells.cell(
      `${id}: the required scope alone is enough, or the others are named`,
      async () => {
        const reply = await only.get(endpoint.scope)?.call(method, path);
        const further = endpoint.demands?.({})?.scopes ?? [];
        if (reply && further.length > 0) {
          expectRefusal(reply, '401 scope_missing', 'error="insufficient_scope"');
          expect(reply.body.errors[0].meta.missing_scopes).toEqual(further);
          return;
        }
        expect(reply?.status).not.toBe(401);
        expect(reply?.status).toBeLessThan(500);
      },
    );
    cells.settle();
  });
});

describe('a token', () => {
  const capabilities = '/v2/meta/capabilities';
  const ask = (token: string, scheme = 'Bearer') =>
    api.call('GET', capabilities, { headers: { Authorization: `${scheme} ${token}` } });

  const resign = (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
    resignToken(api, team, claims, header);
  const nowSeconds = () => Math.floor(Date.now() / 1_000);

  test('is accepted with the scheme in any case', async () => {
    expect((await ask(team.token, 'bearer')).status).toBe(200);
    expect((await ask(await resign({}))).status).toBe(200);
  });

  test('that has expired is refused as token_expired', async () => {
    const expired = await resign({ iat: nowSeconds() - 3_700, exp: nowSeconds() - 100 });
    expectRefusal(await ask(expired), '401 token_expired', 'error="invalid_token"');
  });

  test('that was altered in any part is refused as token_invalid', async () => {
    const [header = '', payload = '', signature = ''] = team.token.split('.');
    const other = signature.startsWith('A') ? 'B' : 'A';
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const tokens: Record<string, string> = {
      'changed signature': `${header}.${payload}.${other}${signature.slice(1)}`,
      'no signature': `${header}.${payload}.`,
      'alg none': `${unsigned}.${payload}.`,
      'other team': `${header}.${Buffer.from(
        JSON.stringify({ ...decodeJwt(team.token), team_id: randomUUID() }),
      ).toString('base64url')}.${signature}`,
      'unknown team': await resign({ team_id: randomUUID() }),
      'unknown client': await resign({ client_id: randomUUID() }),
      'other audience': await resign({ aud: 'http://elsewhere.test/v2' }),
      'other issuer': await resign({ iss: 'http://elsewhere.test' }),
      'no expiry': await resign({ exp: undefined }),
      'longer life': await resign({ exp: nowSeconds() + 86_400 }),
      'not yet': await resign({ nbf: nowSeconds() + 600 }),
      'other type': await resign({}, { typ: 'JWT' }),
      'unknown key': await resign({}, { kid: randomUUID() }),
      'odd key id': await resign({}, { kid: "../../etc/passwd' or 1=1 --" }),
      'key by URL': await resign({}, { jku: 'http://elsewhere.test/jwks.json' }),
      'odd claims': await resign({ scope: 7 }),
      long: `${header}.${'A'.repeat(9_000)}.${signature}`,
    };
    for (const [name, token] of Object.entries(tokens)) {
      await cells.cell(name, async () => {
        expectRefusal(await ask(token), '401 token_invalid', 'error="invalid_token"');
      });
    }
    cells.settle();
  });

  test('sees in the capabilities exactly the endpoints that its scopes open', async () => {
    for (const [scope, client] of only) {
      const reply = await client.get(capabilities);
      if (scope !== 'meta:capabilities:read') {
        expect(verdictOf(reply)).toBe('401 scope_missing');
        continue;
      }
      const shown = reply.body.endpoints.map(
        (shownEndpoint: { operation_id: string }) => shownEndpoint.operation_id,
      );
      const open = scopedEndpoints.filter(([, endpoint]) => grants(scope, endpoint.scope));
      expect(shown.sort()).toEqual(open.map(([id]) => id).sort());
    }
    const all = await team.get(capabilities);
    const receivers = endpoints.filter(({ scope }) => scope === 'signed');
    expect(all.body.endpoints).toHaveLength(scopedEndpoints.length + receivers.length);
    expect(all.body.scopes.filter((one: string) => one.startsWith('widget:'))).toEqual([]);
  });
});

describe('every path', () => {
  test.each([...new Set(endpoints.map(({ path }) => path))].map((path) => [path]))(
    '%s answers other methods with 405 and lists its own',
    async (path) => {
      const here = endpoints.filter((endpoint) => endpoint.path === path);
      const [first] = here;
      if (!first) throw new Error('no endpoint');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (here.some((endpoint) => endpoint.method === method)) continue;
        await cells.cell(`${method} ${path}`, async () => {
          const reply = await api.call(method, emptyPath(first));
          // Another path may have a word in the position of an id: /templates/counts.
          expect(['405 method_not_allowed', '401 token_missing']).toContain(verdictOf(reply));
          if (reply.status !== 405) return;
          const allowed = reply.headers.get('allow')?.split(', ') ?? [];
          for (const { method: own } of here) expect(allowed).toContain(own);
        });
      }
      cells.settle();
    },
  );
});

describe('every answer', () => {
  test.each(scopedEndpoints.filter(([, { method }]) => method === 'GET'))(
    '%s carries the common headers',
    async (_, endpoint) => {
      const path = pathOf(endpoint, await paramsOf(team, endpoint));
      for (const caller of [team, api]) {
        await cells.cell(`${path} headers`, async () => {
          const requestId = `mine-${randomUUID()}`;
          const reply = await caller.call('GET', path, { headers: { 'X-Request-Id': requestId } });
          expect(reply.status).toBe(caller === team ? 200 : 401);
          expect(reply.headers.get('x-request-id')).toBe(requestId);
          expect(reply.headers.get('cache-control')).toBe('no-store');
          expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
          expect(reply.headers.get('x-powered-by')).toBeNull();
          const file = caller === team ? endpoint.download : undefined;
          const [type] = Object.keys(file ?? { 'application/json': {} });
          expect(reply.headers.get('content-type')).toBe(`${String(type)}; charset=utf-8`);
        });
      }
      cells.settle();
    },
  );

  test('replaces an invalid request id', async () => {
    const reply = await api.call('GET', '/v2/meta/time', {
      headers: { 'X-Request-Id': 'a b<script>' },
    });
    expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  test('a missing scope is reported before a rate limit, a body or an id is checked', async () => {
    const other = allBut.get('partner:webhooks:write');
    const reply = await other?.call('PATCH', '/v2/partner/webhook-subscriptions/garbage', {
      raw: '{broken',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(reply && codesOf(reply)).toEqual(['scope_missing']);
  });
});
