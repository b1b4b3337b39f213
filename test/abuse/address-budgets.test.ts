import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { CallOptions, Reply, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aReceiver, anEvent } from '../inbound/a-receiver.ts';
import { aScene, aVisitor } from '../widget/a-widget.ts';

const burst = 5;
const api = useTestApi({
  TRUSTED_PROXIES: '1',
  UNAUTHENTICATED_BURST: String(burst),
  UNAUTHENTICATED_PER_SECOND: '1',
  MAILBOX_PAGE: 'true',
});
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

let networks = 0;
/** An address that no other test has used. */
const newAddress = () => `2001:db8:${(networks += 1).toString(16)}:1::1`;

const from = (address: string, { headers, ...options }: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { 'X-Forwarded-For': address, ...headers },
});
const verdict = ({ status, body }: Reply) => `${String(status)} ${String(body?.errors?.[0]?.code)}`;

/** Uses up the budget of the address, which grows again while a test runs. */
const exhaust = (address: string) =>
  eventually(
    () => api.call('GET', '/docs/requests', from(address)),
    ({ status }) => status === 429,
  );

const cookie = `__Secure-do_rs=${randomBytes(32).toString('base64url')}`;
const preflight = {
  Origin: 'https://stranger.example',
  'Access-Control-Request-Method': 'POST',
};

interface StrangersCall {
  method: string;
  path: string;
  headers?: Record<string, string>;
}
const pages = [
  ...['/', '/docs', '/docs/reference', '/docs/errors', '/docs/errors/not_found', '/docs/requests'],
  ...['/docs/assets/none.css', '/insights', '/insights/page.js', '/webhooks', '/webhooks/page.js'],
  ...['/widget.js', '/journey', `/widget/wpk_${'x'.repeat(20)}`, `/p/${randomUUID()}/page`],
  ...[
    '/mailbox',
    '/unsubscribe/x',
    '/t/c/x',
    '/preferences/x',
    '/confirm/x',
    '/.well-known/security.txt',
    '/no/such/page',
  ],
];
/** Calls without valid credentials. */
const strangersCalls: StrangersCall[] = [
  ...endpoints.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, () => randomUUID()),
  })),
  ...pages.map((path) => ({ method: 'GET', path })),
  ...['/unsubscribe/x', '/preferences/x', '/confirm/x', `/p/${randomUUID()}/page`].map((path) => ({
    ...{ method: 'POST', path },
  })),
  { method: 'OPTIONS', path: '/v2/widget/bootstrap', headers: preflight },
  { method: 'GET', path: `/v2/widget/journeys/${randomUUID()}`, headers: { Cookie: cookie } },
  {
    ...{ method: 'GET', path: '/v2/partner/contacts' },
    headers: { Authorization: 'Bearer not.a.token' },
  },
];

/** Runs the work while the API cannot reach Postgres: what needs it is answered with 503. */
async function withoutPostgres(work: () => Promise<void>): Promise<void> {
  const database = new URL(api.db.url).pathname.slice(1);
  const allow = (isAllowed: boolean) =>
    api.db.look((sql) =>
      isAllowed
        ? sql.unsafe(`grant connect on database "${database}" to public`)
        : sql.unsafe(`revoke connect on database "${database}" from public`),
    );
  await allow(false);
  await api.db.look(
    (sql) => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and application_name = 'onward-api'`,
  );
  try {
    await work();
  } finally {
    await allow(true);
  }
}

describe('an unauthenticated client address', () => {
  test('causes no database lookup for any call once its budget is exhausted', async () => {
    const address = newAddress();
    await exhaust(address);
    await withoutPostgres(async () => {
      for (const { method, path, headers } of strangersCalls) {
        const ask = async () => {
          await exhaust(address);
          return api.call(method, path, from(address, { headers }));
        };
        const reply = await eventually(ask, ({ status }) => status === 429);
        expect([method, path, verdict(reply)]).toEqual([method, path, '429 rate_limited']);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(reply.body.errors[0].meta.class).toBe('address');
      }
    });
  });

  test('shares one budget with its /64 and does not reduce the budgets of other networks', async () => {
    const address = newAddress();
    await exhaust(address);
    const neighbor = address.replace(/::1$/, ':ffff:ffff:ffff:ffff');
    expect((await api.call('GET', '/docs/requests', from(neighbor))).status).toBe(429);
    expect((await api.call('GET', '/docs/requests', from(newAddress()))).status).toBe(200);
  });

  test('still receives answers from the health endpoints after its budget is exhausted', async () => {
    const address = newAddress();
    await exhaust(address);
    for (const path of ['/healthz', '/readyz']) {
      expect((await api.call('GET', path, from(address))).status).toBe(200);
    }
  });

  test('does not block authenticated callers after its budget is exhausted', async () => {
    const address = newAddress();
    const receiver = await aReceiver(api, team);
    const send = () => receiver.send(anEvent(), { headers: { 'X-Forwarded-For': address } });
    expect((await send()).status).toBe(200);
    await exhaust(address);
    const withToken = (token: string) =>
      api.call(
        'GET',
        '/v2/partner/contacts',
        from(address, { headers: { Authorization: `Bearer ${token}` } }),
      );
    const newcomer = await api.newTeam();
    for (let at = 0; at < 3 * burst; at += 1) {
      expect((await send()).status).toBe(200);
      expect((await withToken(team.token)).status).toBe(200);
      expect((await withToken(newcomer.token)).status).toBe(200);
    }
  });
});

test('authenticated calls do not use up the budget of their address', async () => {
  const address = newAddress();
  const scene = await aScene(api);
  const visitor = await aVisitor(api, scene);
  const byLink = { link_token: scene.journey.linkToken };
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
  }).toString();
  const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (let at = 0; at < burst + 2; at += 1) {
    const replies = [
      await visitor.call('GET', visitor.path, from(address)),
      await api.call('POST', '/oauth2/token', from(address, { raw: form, headers: asForm })),
      await api.call('POST', '/v2/widget/bootstrap', from(address, { body: byLink })),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 201]);
  }
});
