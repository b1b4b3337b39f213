import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

// A client guesses the content of contacts that it may write but not read, and compares answers.

const api = useTestApi();
const contacts = '/v2/partner/contacts';
const write = 'partner:contacts:write';
const read = 'partner:contacts:read';
const person = {
  email: 'ada@example.com',
  date_of_birth: '1990-12-10',
  consents: { email: { status: 'subscribed', source: 'branch' } },
};
let team: TestTeam;
let unique_id: string;
let id: string;

beforeEach(async () => {
  team = await api.newTeam();
  unique_id = randomUUID();
  id = String((await team.post(contacts, { unique_id, ...person })).body.id);
});

const execute = (by: TestTeam, kind: string, input: object, options = { dry_run: true }) =>
  by.call('POST', `/v2/ipaas/operations/${kind}/execute`, {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { input, options },
  });

/** An answer without what every answer has of its own. */
const comparable = ({ status, headers, body }: Reply) => [status, headers.get('etag'), body];

test('a dry run is answered alike for a right and a wrong date of birth', async () => {
  for (const scopes of [[write], [write, read]]) {
    const guesser = await team.withScopes('ipaas:operations:execute', ...scopes);
    const [right, wrong] = await Promise.all(
      ['1990-12-10', '1991-01-01'].map((date_of_birth) =>
        execute(guesser, 'contacts.upsert', { unique_id, date_of_birth }),
      ),
    );
    expect(right?.body.results[0].status).toBe('updated');
    const shown = [right, wrong].map((reply) => {
      const { output, ...result } = reply?.body.results[0] ?? {};
      return { ...result, output: output && { ...output, updated_at: '' } };
    });
    expect(shown[0]).toEqual(shown[1]);
  }
  const entitled = await team.withScopes(
    ...['ipaas:operations:execute', write, read, 'partner:contacts_sensitive:read'],
  );
  const { body } = await execute(entitled, 'contacts.upsert', {
    unique_id,
    date_of_birth: '1990-12-10',
  });
  expect(body.results[0].status).toBe('unchanged');
});

test('a dry run is answered alike for a right and a wrong address, consent and account', async () => {
  const account = { contact_id: id, unique_id: randomUUID(), kind: 'loan', balance_cents: 4_711 };
  const { kind, unique_id: accountKey } = account;
  await team.post(`${contacts}/${id}/accounts`, { ...account, contact_id: undefined });
  const guesser = await team.withScopes('ipaas:operations:execute', write);
  const guesses: [string, object, object][] = [
    ['contacts.upsert', { unique_id, email: 'ada@example.com' }, { unique_id, email: 'b@c.com' }],
    [
      ...(['contacts.bulk_upsert', { unique_id, email: 'ada@example.com' }] as const),
      { unique_id, email: 'b@c.com' },
    ],
    [
      'contacts.set_consent',
      { contact_unique_id: unique_id, channel: 'email', status: 'subscribed', source: 'branch' },
      { contact_unique_id: unique_id, channel: 'email', status: 'unsubscribed', source: 'branch' },
    ],
    [
      'accounts.sync',
      { contact_id: id, unique_id: accountKey, kind, balance_cents: 4_711 },
      { contact_id: id, unique_id: accountKey, kind, balance_cents: 4_712 },
    ],
  ];
  for (const [operation, right, wrong] of guesses) {
    const replies = [
      await execute(guesser, operation, right),
      await execute(guesser, operation, wrong),
    ];
    const [first, second] = replies.map(comparable);
    expect([operation, first]).toEqual([operation, second]);
    expect(replies[0]?.body.results[0].status).toBe('updated');
    expect(replies[0]?.body.results[0]).not.toHaveProperty('output');
  }
});

test('a change shows neither the contact nor whether it changed', async () => {
  const guesser = await team.withScopes(write);
  const changes = [
    await guesser.patch(`${contacts}/${id}`, {}),
    await guesser.patch(`${contacts}/${id}`, { email: person.email }),
    await guesser.patch(`${contacts}/${id}`, { email: 'b@example.com' }),
    await guesser.call('PUT', `${contacts}/${id}/consents/email`, {
      body: { status: 'subscribed', source: 'branch' },
    }),
  ];
  for (const change of changes) expect(comparable(change)).toEqual([204, null, undefined]);
  const versioned = await guesser.call('PATCH', `${contacts}/${id}`, {
    headers: { 'If-Match': '"2"' },
    body: {},
  });
  expect(versioned.status).toBe(401);
  expect(versioned.body.errors[0].meta.required_scope).toBe(read);
});

test('a right date of birth changes the version as a wrong one does', async () => {
  const guesser = await team.withScopes(write, read);
  const tagOf = async (date_of_birth: string) =>
    (await guesser.patch(`${contacts}/${id}`, { date_of_birth })).headers.get('etag');
  const first = (await guesser.get(`${contacts}/${id}`)).headers.get('etag');
  const second = await tagOf('1990-12-10');
  expect(second).not.toBe(first);
  expect(await tagOf('1990-12-10')).not.toBe(second);
});

test('a new contact does not show what the team knows of its address', async () => {
  await team.patch(`${contacts}/${id}`, {
    consents: { email: { status: 'unsubscribed', source: 'phone' } },
  });
  await team.post('/v2/partner/suppressions', { channel: 'email', address: person.email });
  const guesser = await team.withScopes(write);
  const seen = async (email: string) => {
    const { status, body, headers } = await guesser.post(contacts, { email });
    const shown = { ...body, id: '', inserted_at: '', updated_at: '', email: '' };
    return [status, headers.get('etag'), shown];
  };
  expect(await seen(person.email)).toEqual(await seen('nobody@example.com'));
  const suppress = async (address: string) =>
    comparable(await guesser.post('/v2/partner/suppressions', { channel: 'email', address }));
  expect(await suppress(person.email)).toEqual(await suppress('somebody@example.com'));
});

test('a repeat does not show the answer that a client got with more scopes', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = (token: string) =>
    api.call('PATCH', `${contacts}/${id}`, {
      body: { first_name: 'Ada' },
      headers: { ...headers, Authorization: `Bearer ${token}` },
    });
  expect((await send(team.token)).body.email).toBe(person.email);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
    scope: `${write} partner:contacts_sensitive:read`,
  });
  const issued = await api.call('POST', '/oauth2/token', {
    raw: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const repeated = await send(String(issued.body.access_token));
  expect(repeated.status).toBe(422);
});

test('a client that may write everything and read nothing changes what it cannot see', async () => {
  const { body: template } = await team.post('/v2/partner/templates', { name: 'Welcome' });
  const writer = await team.withScopes('partner:templates:write', 'partner:team:write');
  const path = `/v2/partner/templates/${String(template.id)}`;
  expect((await writer.patch(path, {})).status).toBe(204);
  expect((await writer.patch('/v2/partner/team', {})).status).toBe(204);
  await writer.post(`${path}/archive`);
  // The interface document promises the template to this scope.
  const { status, body } = await writer.post(`${path}/unarchive`);
  expect([status, body.name]).toEqual([200, 'Welcome']);
});
