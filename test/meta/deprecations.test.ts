import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { deprecated } from '../../src/platform/http/deprecation.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { eventTypes } from '../../src/app/event-catalog.ts';
import type { EventType } from '../../src/platform/events/event-type.ts';
import { endpoint } from '../../src/platform/http/endpoint.ts';
import { openApiDocument } from '../../src/meta/openapi.ts';
import { listEndpoint } from '../../src/platform/lists/list-endpoint.ts';
import { startApi } from '../../src/app/start-api.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { noteAnswer } from '../reach/record.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const deprecation = deprecated({
  deprecated_at: '2026-01-01T00:00:00.000Z',
  sunset_at: '2099-01-01T00:00:00.000Z',
  replacement: { method: 'GET', path: '/v2/partner/contacts/{id}' },
  reason: 'Contacts are read one by one.',
});
const about = { tag: 'Contacts', scope: 'partner:contacts:read', deprecation } as const;
const OldContact = Type.Object({ id: Type.String() }, { title: 'old_contact' });
const oldContact = endpoint({
  ...about,
  id: 'getOldContact',
  method: 'GET',
  path: '/v2/partner/old-contacts/{id}',
  summary: 'Get a contact the old way',
  description: 'Returns a contact. It stands for any deprecated endpoint.',
  rateClass: 'read',
  response: OldContact,
  handle: ({ params }) => Promise.resolve({ id: params.id }),
});
const oldContacts = listEndpoint({
  ...about,
  id: 'listOldContacts',
  path: '/v2/partner/old-contacts',
  summary: 'List contacts the old way',
  description: 'Returns contacts. It stands for any deprecated list.',
  item: OldContact,
  fields: { inserted_at: { type: 'timestamp', sort: true } },
  defaultSort: '-inserted_at',
  deprecation: deprecated({
    ...deprecation,
    replacement: { method: 'GET', path: '/v2/partner/contacts' },
  }),
  source: ({ teamId }) => ({
    from: 'contacts t',
    select: 't.*',
    where: { text: 't.team_id = $1', values: [teamId] },
  }),
});
/** Its time is over, and it is still there. */
const lateContact = endpoint({
  ...about,
  id: 'getLateContact',
  method: 'GET',
  path: '/v2/partner/late-contacts/{id}',
  summary: 'Get a contact in a way that is over',
  description: 'Returns a contact. It stands for any endpoint whose sunset is in the past.',
  rateClass: 'read',
  response: Type.Object({ id: Type.String() }, { title: 'late_contact' }),
  deprecation: deprecated({
    ...deprecation,
    deprecated_at: '2024-01-01T00:00:00.000Z',
    sunset_at: '2025-01-01T00:00:00.000Z',
  }),
  handle: ({ params }) => Promise.resolve({ id: params.id }),
});
const declared = [...endpoints, oldContact, oldContacts, lateContact];

const api = useTestApi({}, { endpoints: declared });

const headersOf = ({ headers }: Reply) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});
const announced = (id: string) => ({
  deprecation: '@1767225600',
  sunset: 'Thu, 01 Jan 2099 00:00:00 GMT',
  link: `</v2/partner/contacts/${id}>; rel="successor-version"`,
});

test('every answer of a deprecated endpoint announces the deprecation and links to the successor', async () => {
  const team = await api.newTeam();
  const id = randomUUID();
  const path = `/v2/partner/old-contacts/${id}`;
  const success = await team.get(path);
  expect([success.status, headersOf(success)]).toEqual([200, announced(id)]);
  const others = [
    ['401 without a token', await api.call('GET', path)],
    ['401 without the scope', await (await team.withScopes('partner:team:read')).get(path)],
    ['400', await team.get(`${path}?unknown=1`)],
    ['406', await team.call('GET', path, { headers: { Accept: 'text/html' } })],
  ] as const;
  for (const [title, reply] of others) {
    expect([title, reply.status, headersOf(reply)]).toEqual([
      title,
      Number(title.slice(0, 3)),
      announced(id),
    ]);
  }
  const malformed = await team.get('/v2/partner/old-contacts/no%20id%3E');
  expect(headersOf(malformed)).toEqual(announced('no%20id%3E'));
});

test('a deprecated list keeps its links to other pages', async () => {
  const team = await api.newTeam();
  for (const first_name of ['Ada', 'Grace']) {
    const email = `${randomUUID()}@example.com`;
    const made = await team.post('/v2/partner/contacts', { first_name, email });
    expect(made.status).toBe(201);
  }
  const reply = await team.get('/v2/partner/old-contacts?page[size]=1');
  expect(reply.status).toBe(200);
  const { link } = headersOf(reply);
  expect(link).toMatch(/rel="next"/);
  expect(link).toContain('</v2/partner/contacts>; rel="successor-version"');
});

test('other endpoints carry no such headers', async () => {
  const reply = await (await api.newTeam()).get('/v2/partner/team');
  expect(headersOf(reply)).toEqual({ deprecation: null, sunset: null, link: null });
});

test('capabilities list the deprecated endpoints that the token can reach', async () => {
  const team = await api.newTeam();
  const idsOf = async (caller: TestTeam) => {
    const { body } = await caller.get('/v2/meta/capabilities');
    return body.deprecations.map(({ id }: { id: string }) => id);
  };
  const names = ['getOldContact', 'listOldContacts', 'getLateContact'].map(
    (id) => `endpoint-${id}`,
  );
  expect(await idsOf(team)).toEqual(expect.arrayContaining(['version-1', ...names]));
  const limited = await team.withScopes('meta:capabilities:read', 'partner:team:read');
  expect(await idsOf(limited)).toEqual(['version-1']);
  const { body } = await team.get('/v2/meta/capabilities');
  expect(body.deprecations).toContainEqual({
    id: 'endpoint-getOldContact',
    kind: 'endpoint',
    target: { method: 'GET', path: '/v2/partner/old-contacts/{id}' },
    status: 'deprecated',
    ...deprecation,
    docs_url: 'http://onward.test/docs/reference#getOldContact',
  });
});

test('the document marks deprecated operations and their headers, and no others', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(declared, 'https://example.com')));
  const operation = document.paths['/v2/partner/old-contacts/{id}'].get;
  expect(operation.deprecated).toBe(true);
  expect(operation.description).toContain(deprecation.reason);
  const names = ['Deprecation', 'Sunset', 'Link'];
  expect(Object.keys(operation.responses['200'].headers)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(document.components.headers)).toEqual(expect.arrayContaining(names));
  expect(document.paths['/v2/partner/team'].get).not.toHaveProperty('deprecated');
  const plain = JSON.stringify(openApiDocument(endpoints, 'https://example.com'));
  expect(plain).not.toContain('#/components/headers/Deprecation');
});

test('a notice shorter than a year cannot be declared', () => {
  const early = { ...deprecation, sunset_at: '2026-12-31T23:59:59.000Z' };
  expect(() => deprecated(early)).toThrow(/12 months/);
});

test('every declared deprecation gives a year of notice', () => {
  const all = [
    ...endpoints.map((one) => one.deprecation),
    ...Object.values<EventType>(eventTypes).map((one) => one.deprecation),
  ];
  for (const one of all) if (one) expect(deprecated(one)).toBe(one);
});

/** Another process of the same service. */
const startAnother = () =>
  startApi(api.config, api.keyring, createLog('silent', 'api'), {
    endpoints: declared,
    onAnswer: noteAnswer,
  });

/** Subscribes to notices; gives the events of the team. */
async function listen(team: TestTeam, event_types = ['team.deprecation_notice']) {
  const made = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: `http://127.0.0.1:9000/${randomUUID()}`,
    event_types,
    is_active: false,
  });
  expect(made.status).toBe(201);
}
async function noticesOf(team: TestTeam) {
  const rows = await team.db.database.read(
    (sql) => sql<{ body: string }[]>`
      select e.body from webhook_events e
      where e.team_id = ${team.id} and e.type = 'team.deprecation_notice'
      order by e.sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body).data);
}

test('a team is notified once of each deprecated endpoint that it calls', async () => {
  const [team, other] = await Promise.all([api.newTeam(), api.newTeam()]);
  await Promise.all([listen(team, ['team.*']), listen(other)]);
  const path = `/v2/partner/old-contacts/${randomUUID()}`;
  // Two processes, which know nothing of each other, and calls at the same moment.
  const second = await startAnother();
  await Promise.all(Array.from({ length: 8 }, () => team.get(path)));
  for (let call = 0; call < 4; call += 1) {
    const headers = { Authorization: `Bearer ${team.token}` };
    await fetch(`${second.url}${path}`, { headers });
  }
  await second.close();
  await team.get('/v2/partner/old-contacts');
  await team.get(`/v2/partner/late-contacts/${randomUUID()}`);
  const notices = await noticesOf(team);
  expect(notices.map(({ deprecation: { id, status } }) => [id, status])).toEqual([
    ['endpoint-getOldContact', 'deprecated'],
    ['endpoint-listOldContacts', 'deprecated'],
    ['endpoint-getLateContact', 'sunset'],
  ]);
  expect(notices[0]).toMatchObject({ id: team.id, type: 'team', deprecation });
  expect(await noticesOf(other)).toEqual([]);
});

test('a call of a team that does not listen leaves the notice for a later call', async () => {
  const [team, other] = await Promise.all([api.newTeam(), api.newTeam()]);
  await listen(other);
  const path = `/v2/partner/old-contacts/${randomUUID()}`;
  await team.get(path);
  await listen(team);
  const second = await startAnother();
  await fetch(`${second.url}${path}`, { headers: { Authorization: `Bearer ${team.token}` } });
  await second.close();
  expect(await noticesOf(team)).toHaveLength(1);
});
