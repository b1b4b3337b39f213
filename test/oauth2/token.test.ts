import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
});
afterAll(() => api.stop());

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
  test('grants what was asked for and drops the rest silently', async () => {
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

  test('takes HTTP Basic, but not both ways at once', async () => {
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

  test('a token opens what its scopes name', async () => {
    const reply = await team.get('/v2/meta/capabilities');
    expect(reply.status).toBe(200);
    expect(reply.body.scopes).toContain('partner:webhooks:read');
  });

  test('a revoked token is refused once the cache has let it go', async () => {
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
