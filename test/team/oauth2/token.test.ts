import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestTeam } from '../../support/api.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
const credentials = () => ({
  grant_type: 'client_credentials',
  client_id: team.clientId,
  client_secret: team.clientSecret,
});

describe('the token endpoint', () => {
  test('grants the requested scopes and drops unknown ones silently', async () => {
    const reply = await form({
      ...credentials(),
      scope: 'partner:contacts:read partner:nonsense:read meta:capabilities:read',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'meta:capabilities:read partner:contacts:read',
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('accepts HTTP Basic, but not together with credentials in the body', async () => {
    const basic = Buffer.from(`${team.clientId}:${team.clientSecret}`).toString('base64');
    const good = await form(
      { grant_type: 'client_credentials' },
      { Authorization: `Basic ${basic}` },
    );
    expect(good.status).toBe(200);
    const both = await form(credentials(), { Authorization: `Basic ${basic}` });
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
  });

  test('answers an unknown client and a wrong secret alike', async () => {
    const wrong = await form({ ...credentials(), client_secret: 'wrong' });
    const unknown = await form({
      ...credentials(),
      client_id: '2d5e3a3c-0000-4000-8000-000000000000',
    });
    for (const reply of [wrong, unknown]) {
      expect(reply.status).toBe(401);
      expect(reply.body.error).toBe('invalid_client');
      expect(reply.body.errors[0].code).toBe('invalid_client');
    }
    expect(wrong.body.error_description).toBe(unknown.body.error_description);
  });

  test('refuses other grants, repeated parameters and JSON', async () => {
    const grant = await form({ ...credentials(), grant_type: 'password' });
    expect([grant.status, grant.body.error]).toEqual([400, 'unsupported_grant_type']);
    const repeated = await api.call('POST', '/oauth2/token', {
      raw: `${new URLSearchParams(credentials()).toString()}&scope=a:b:c&scope=a:b:c`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([repeated.status, repeated.body.error]).toEqual([400, 'invalid_request']);
    const json = await api.call('POST', '/oauth2/token', { body: credentials() });
    expect(json.status).toBe(415);
  });

  test('a token permits the endpoints of its scopes', async () => {
    const reply = await team.get('/v2/meta/capabilities');
    expect(reply.status).toBe(200);
    expect(reply.body.scopes).toContain('partner:webhooks:read');
  });

  test('a revoked token is refused after its cache entry expires', async () => {
    const other = await team.withScopes('meta:capabilities:read');
    const revoked = await api.call('POST', '/oauth2/revoke', {
      raw: new URLSearchParams({
        token: other.token,
        client_id: other.clientId,
        client_secret: other.clientSecret,
      }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(revoked.status).toBe(200);
    const reply = await other.get('/v2/meta/capabilities');
    expect([reply.status, reply.body.errors[0].code]).toEqual([401, 'token_invalid']);
  });
});

describe('a hostile request for a token', () => {
  const basic = (text: string) => ({
    Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  });
  const lookalike = (id: string) => id.replace(/[a-f]/, (letter) => (letter === 'a' ? 'а' : 'е'));

  test.each<[string, () => ReturnType<typeof form>, string]>([
    ['an empty body', () => form({}), '400 invalid_request'],
    ['no client', () => form({ grant_type: 'client_credentials' }), '401 invalid_client'],
    [
      'a client without a secret',
      () => form({ grant_type: 'client_credentials', client_id: team.clientId }),
      '401 invalid_client',
    ],
    ['an empty secret', () => form({ ...credentials(), client_secret: '' }), '401 invalid_client'],
    [
      'NUL in the secret',
      () => form({ ...credentials(), client_secret: `${team.clientSecret}\0` }),
      '401 invalid_client',
    ],
    ['NUL in the id', () => form({ ...credentials(), client_id: '\0' }), '401 invalid_client'],
    [
      'an id that looks like the client’s',
      () => form({ ...credentials(), client_id: lookalike(team.clientId) }),
      '401 invalid_client',
    ],
    [
      'SQL in the id',
      () => form({ ...credentials(), client_id: "' or 1=1 --" }),
      '401 invalid_client',
    ],
    [
      'an unknown scheme',
      () => form({ grant_type: 'client_credentials' }, { Authorization: 'Digest x' }),
      '401 invalid_client',
    ],
    [
      'Basic without a colon',
      () => form({ grant_type: 'client_credentials' }, basic('x')),
      '401 invalid_client',
    ],
    [
      'another id than that of the header',
      () =>
        form(
          { grant_type: 'client_credentials', client_id: '2d5e3a3c-0000-4000-8000-000000000000' },
          basic(`${team.clientId}:${team.clientSecret}`),
        ),
      '400 invalid_request',
    ],
    [
      'a scope with a quotation mark',
      () => form({ ...credentials(), scope: 'meta:capabilities:read "' }),
      '400 invalid_scope',
    ],
    [
      'a scope that goes on in another line',
      () => form({ ...credentials(), scope: 'meta:capabilities:read\r\nX: y' }),
      '400 invalid_scope',
    ],
    [
      'NUL in the scope',
      () => form({ ...credentials(), scope: 'meta:capabilities:read\0' }),
      '400 invalid_scope',
    ],
    [
      'two hundred and one scopes',
      () => form({ ...credentials(), scope: 'meta:capabilities:read '.repeat(201) }),
      '400 invalid_scope',
    ],
    [
      'more than 8 KB',
      () => form({ ...credentials(), scope: 'x'.repeat(9_000) }),
      '413 payload_too_large',
    ],
    [
      'a grant in other letters',
      () => form({ ...credentials(), grant_type: 'CLIENT_CREDENTIALS' }),
      '400 unsupported_grant_type',
    ],
  ])('is refused: %s', async (_, ask, refusal) => {
    const { status, body } = await ask();
    expect(`${String(status)} ${String(body.errors[0].code)}`).toBe(refusal);
  });

  test('is refused with credentials in the URL, and the response does not contain them', async () => {
    const query = new URLSearchParams(credentials()).toString();
    const reply = await api.call('POST', `/oauth2/token?${query}`, {
      raw: '',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).not.toContain(team.clientSecret);
  });

  test('gets an empty scope for a blank scope and for an unknown one', async () => {
    for (const scope of [' ', 'partner:nothing:read']) {
      const reply = await form({ ...credentials(), scope });
      expect([reply.status, reply.body.scope]).toEqual([200, '']);
    }
  });
});

test('secret guesses are limited to ten per client id in any letter case, and limit no other client', async () => {
  const [attacked, neighbor] = [await api.newTeam(), await api.newTeam()];
  const guess = (client_id: string) =>
    form({ ...credentials(), client_id, client_secret: 'wrong' });
  for (let tries = 0; tries < 10; tries += 1) {
    const id = tries % 2 === 0 ? attacked.clientId : attacked.clientId.toUpperCase();
    expect((await guess(id)).status).toBe(401);
  }
  for (const id of [attacked.clientId, attacked.clientId.toUpperCase()]) {
    const braked = await guess(id);
    expect([braked.status, braked.body.errors[0].code]).toEqual([429, 'rate_limited']);
    expect(braked.headers.get('retry-after')).toBe('60');
  }
  // Its issued tokens remain valid, and other clients are not affected.
  expect((await attacked.get('/v2/meta/capabilities')).status).toBe(200);
  const other = await form({
    ...credentials(),
    ...{ client_id: neighbor.clientId, client_secret: neighbor.clientSecret },
  });
  expect(other.status).toBe(200);
});
