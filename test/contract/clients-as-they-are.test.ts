import { randomUUID } from 'node:crypto';
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

describe('a token is given for', () => {
  test('HTTP Basic with encoded halves', async () => {
    const encoded = (text: string) =>
      text.replaceAll(/[-_]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    const basic = `${encoded(team.clientId)}:${encoded(team.clientSecret)}`;
    const { status } = await tokenWith(
      { client_id: '', client_secret: '' },
      { Authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    );
    expect(status).toBe(200);
  });

  test('a parameter that nobody knows', async () => {
    const { status } = await tokenWith({ audience: '', resource: 'https://onward.test' });
    expect(status).toBe(200);
  });
});

test('scopes are separated by spaces; with a comma they are one that nobody has', async () => {
  const [read, write] = ['partner:contacts:read', 'partner:contacts:write'];
  const scopeOf = async (scope: string) => {
    const { status, body } = await tokenWith({ scope });
    return status === 200 ? body.scope : body.error;
  };
  expect(await scopeOf(`${read} ${write}`)).toBe(`${read} ${write}`);
  expect(await scopeOf(`${read},${write} ${write}`)).toBe(write);
});

test('a token is asked for by POST alone', async () => {
  const { status, headers } = await api.call('GET', '/oauth2/token');
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

describe('a path', () => {
  test.each([
    ['a/b', 'a%2Fb'],
    ['a:b', 'a%3Ab'],
    ['a:b', 'a:b'],
    ['a b+c', 'a%20b+c'],
    ['50%', '50%25'],
    ['ü', '%C3%BC'],
  ])('leads to the contact %s by %s', async (name, written) => {
    const unique_id = `${randomUUID()}-${name}`;
    const { body } = await team.post('/v2/partner/contacts', { unique_id });
    const at = `/v2/partner/contacts/unique_id:${unique_id.slice(0, 37)}${written}`;
    const found = await team.get(at);
    expect([found.status, found.body.id]).toEqual([200, body.id]);
  });

  test.each(['unique_id:%zz', 'unique_id:%', 'unique_id:%E0%A4', 'unique_id:%ff', 'unique_id:'])(
    'that ends in %s leads to none',
    async (end) => {
      const { status } = await team.get(`/v2/partner/contacts/${end}`);
      expect([400, 404]).toContain(status);
    },
  );
});

test.each(['application/merge-patch+json', 'application/json-patch+json', 'text/plain'])(
  'a change of the type %s is refused',
  async (type) => {
    const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const { status } = await team.call('PATCH', `/v2/partner/contacts/${String(body.id)}`, {
      ...{ raw: '{"first_name":"Ada"}', headers: { 'Content-Type': type } },
    });
    expect(status).toBe(415);
  },
);

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

  // axios sends the text null for `post(url, null)` with a JSON type.
  test.each([
    ['', 200],
    ['{}', 200],
    [' \n', 400],
    ['null', 422],
    ['""', 422],
    ['[]', 422],
  ])('with a JSON type and the body %j is answered %d', async (raw, status) => {
    const headers = { 'Content-Type': 'application/json' };
    await team.post(unarchive.replace(/unarchive$/, 'archive'));
    expect((await team.call('POST', unarchive, { raw, headers })).status).toBe(status);
  });

  test('takes an empty body of unknown length, and no other without a type', async () => {
    expect(await inChunks('POST', unarchive, 'x')).toBe(415);
    expect(await inChunks('POST', unarchive, '')).toBe(200);
  });
});
