import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

const api = useTestApi();

const get = (path: string) => api.call('GET', path);
/** An answer is repeated for a second. */
const readyz = (isThere: (reply: Reply) => boolean) => eventually(() => get('/readyz'), isThere);
const look = (statement: string) => api.db.look((sql) => sql.unsafe(statement));

test('the API reports liveness and readiness without authentication', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await get('/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ok', checks: { postgres: 'ok', migrations: 'ok', lanes: 'ok', outbox: 'ok' } },
  });
});

test('waiting work degrades the readiness of the API, and a missing migration ends it', async () => {
  const team = await api.newTeam();
  await look(
    `insert into workflow_outbox (workflow, key, team_id, inserted_at)
     values ('template', gen_random_uuid(), '${team.id}', now() - interval '2 minutes')`,
  );
  const degraded = await readyz(({ body }) => body.status !== 'ok');
  expect([degraded.status, degraded.body.status]).toEqual([200, 'degraded']);
  expect(degraded.body.checks.outbox).toMatch(
    /^oldest work waits 1[12]\d s: is a worker running\?$/,
  );
  await look('delete from workflow_outbox');

  for (const file of ['0013-widget.sql', 'functions/contacts.sql']) {
    const [row] = await look(`delete from migrations where name = '${file}' returning checksum`);
    const behind = await readyz(({ status }) => status !== 200);
    expect([behind.status, behind.body.status]).toEqual([503, 'unavailable']);
    expect(behind.body.checks.migrations).toBe(`missing ${file}: npm run migrate`);
    await look(
      `insert into migrations (name, checksum, applied_at)
       values ('${file}', '${String(row?.checksum)}', now())`,
    );
    expect((await readyz(({ status }) => status === 200)).body.status).toBe('ok');
  }
});

test('every file that the plain pages name is served here', async () => {
  expect(await get('/')).toMatchObject({ status: 302 });
  expect((await get('/')).headers.get('location')).toBe('/docs');
  for (const page of ['/docs/requests', '/docs/errors/not_found', '/insights']) {
    const { status, headers, body } = await get(page);
    expect([page, status]).toEqual([page, 200]);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    const named = [...String(body).matchAll(/(?:src|href)="(?!data:|\/docs[/"])([^"#]+)/g)].map(
      ([, at = '']) => at,
    );
    for (const at of named) {
      expect([page, at]).toEqual([page, expect.stringMatching(/^\/(?!\/)/)]);
      expect([page, at, (await get(at)).status]).toEqual([page, at, 200]);
    }
  }
  expect((await get('/docs/assets/package.json')).status).not.toBe(200);
  expect((await get('/docs/errors/no_such_code')).status).not.toBe(200);
});

test('the page of an error code states its meaning and its remedy', async () => {
  const { status, body } = await get('/docs/errors/version_retired');
  expect([status, body]).toEqual([200, expect.stringContaining('version_retired')]);
  const [, example = ''] = /<pre>([^]*?)<\/pre>/.exec(String(body)) ?? [];
  expect(JSON.parse(example.replaceAll('&quot;', '"')).errors[0].code).toBe('version_retired');
});

test('the discovery document has all values that an OAuth client needs', async () => {
  const { status, body } = await get('/.well-known/oauth-authorization-server');
  expect([status, body]).toMatchObject([
    200,
    {
      issuer: api.config.publicBaseUrl,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: expect.arrayContaining(['partner:contacts:read']),
    },
  ]);
  const at = (name: string) => String(body[name]).replace(api.config.publicBaseUrl, '');
  expect((await get(at('jwks_uri'))).body.keys).toEqual([
    expect.objectContaining({ kty: 'EC', alg: 'ES256' }),
  ]);
  for (const name of ['token_endpoint', 'revocation_endpoint']) {
    const { status: refusal, body: why } = await api.call('POST', at(name), { raw: '' });
    expect([name, refusal]).toEqual([name, expect.any(Number)]);
    expect([name, why.error ?? why.errors[0].code]).not.toEqual([name, 'not_found']);
  }
});

test('version 1 answers 410 with a link to its successor', async () => {
  const team = await api.newTeam();
  const { status, headers, body } = await team.get('/v1/partner/contacts');
  expect([status, body.errors[0].code]).toEqual([410, 'version_retired']);
  expect(headers.get('link')).toBe('</v2/meta/openapi.json>; rel="successor-version"');
  expect((await get('/v2/meta/openapi.json')).status).toBe(200);
});
