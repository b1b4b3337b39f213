import { Agent, request as send } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// Requests as well-known clients send them, from public reports about other services.

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const tokenWith = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: team.clientId },
      ...{ client_secret: team.clientSecret, ...fields },
    }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('an Accept header', () => {
  test.each([
    ['Spring Security', 'application/json;charset=UTF-8'],
    ['a client of a version', 'application/json; version=1'],
    ['an OData client', 'application/json;odata.metadata=minimal;q=0.9, */*;q=0.1'],
    ['Angular', 'application/json, text/plain, */*'],
    ['a quoted parameter', 'application/json; profile="a, b"'],
  ])('of %s is satisfied by JSON', async (_, Accept) => {
    const { status } = await team.call('GET', '/v2/partner/contacts', { headers: { Accept } });
    expect(status).toBe(200);
  });

  test.each(['text/html', 'application/json;charset=utf-8;q=0', 'application/xml; charset=utf-8'])(
    '%s excludes JSON',
    async (Accept) => {
      const { status } = await team.call('GET', '/v2/partner/contacts', { headers: { Accept } });
      expect(status).toBe(406);
    },
  );

  test.each(['application/x-www-form-urlencoded', 'text/html', 'application/json;charset=UTF-8'])(
    '%s gets a token all the same',
    async (Accept) => {
      const { status, body } = await tokenWith({}, { Accept });
      expect([status, body.token_type]).toEqual([200, 'Bearer']);
    },
  );
});

describe('a parameter of OAuth without a value is one that was left out', () => {
  test('scope', async () => {
    const [none, empty] = [await tokenWith({}), await tokenWith({ scope: '' })];
    expect(empty.status).toBe(200);
    expect(empty.body.scope).toBe(none.body.scope);
  });

  test('a secret beside HTTP Basic', async () => {
    const basic = Buffer.from(`${team.clientId}:${team.clientSecret}`).toString('base64');
    const { status } = await tokenWith(
      { client_id: '', client_secret: '' },
      { Authorization: `Basic ${basic}` },
    );
    expect(status).toBe(200);
  });

  test('a missing grant type', async () => {
    const { status, body } = await tokenWith({ grant_type: '' });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

/** Chunks without a media type, as the HttpClient of Java sends a body of unknown length. */
function inChunks(method: string, path: string, content: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${team.token}`, 'Transfer-Encoding': 'chunked' };
    const agent = new Agent();
    const sent = send(`${api.url}${path}`, { method, headers, agent }, (answer) => {
      answer.resume().once('end', () => {
        agent.destroy();
        resolve(answer.statusCode);
      });
    });
    sent.once('error', reject);
    sent.end(content);
  });
}

describe('an action without a body', () => {
  let unarchive: string;
  beforeAll(async () => {
    const { body } = await team.post('/v2/partner/cohorts', { name: 'C', kind: 'static' });
    const path = `/v2/partner/cohorts/${String(body.id)}`;
    await team.post(`${path}/archive`);
    unarchive = `${path}/unarchive`;
  });

  test('takes an empty body of unknown length, and no other without a type', async () => {
    expect(await inChunks('POST', unarchive, 'x')).toBe(415);
    expect(await inChunks('POST', unarchive, '')).toBe(200);
  });
});
