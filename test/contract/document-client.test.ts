import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import {
  account,
  expectTable,
  isBoolean,
  isInteger,
  isListOf,
  isString,
  isTimestamp,
  landingPage,
  must,
  template,
  webhookSubscription,
} from './document-tables.ts';
import type { Check } from './document-tables.ts';

/**
 * A client that relies only on the interface document: bodies hold the full resource, and
 * answers are read by the document's tables. Resources that the document cannot create are created
 * beforehand.
 */
const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const write = (method: string, path: string, body?: unknown) =>
  team.call(method, path, { body, headers: { 'Idempotency-Key': randomUUID() } });

async function newContact(): Promise<string> {
  const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  return String(body.id);
}

/** Every field of the table, as a client would fill it in from the document alone. */
const fullAccount = () => ({
  id: randomUUID(),
  type: 'account',
  team_id: randomUUID(),
  contact_id: randomUUID(),
  unique_id: randomUUID(),
  kind: 'loan',
  product_id: randomUUID(),
  opened_at: '2026-01-31T09:30:00Z',
  closed_at: '2026-03-01T10:30:00.123456+01:00',
  balance_cents: -123_456,
  inserted_at: '2001-01-01T00:00:00Z',
  updated_at: '2001-01-01T00:00:00Z',
});

describe('createContactAccount and getAccount', () => {
  test('accept the full resource and answer it with the server-owned fields', async () => {
    const contactId = await newContact();
    const sent = fullAccount();
    const made = await write('POST', `/v2/partner/contacts/${contactId}/accounts`, sent);
    expect(verdictOf(made)).toBe('201');
    expectTable(made.body, account);
    expect(made.body).toMatchObject({
      team_id: team.id,
      contact_id: contactId,
      unique_id: sent.unique_id,
      kind: 'loan',
      product_id: sent.product_id,
      opened_at: '2026-01-31T09:30:00.000Z',
      closed_at: '2026-03-01T09:30:00.123Z',
      balance_cents: -123_456,
    });
    expect(made.body.id).not.toBe(sent.id);
    expect(made.body.inserted_at > '2026').toBe(true);
    const read = await team.get(`/v2/partner/accounts/${String(made.body.id)}`);
    expect(verdictOf(read)).toBe('200');
    expect(read.body).toEqual(made.body);
  });

  test('accept each kind, and the required fields alone', async () => {
    const contactId = await newContact();
    for (const kind of ['deposit', 'loan', 'credit', 'investment', 'other']) {
      const { id, type, inserted_at, updated_at } = fullAccount();
      const required = { id, type, contact_id: contactId, kind, inserted_at, updated_at };
      const made = await write('POST', `/v2/partner/contacts/${contactId}/accounts`, required);
      expect(verdictOf(made)).toBe('201');
      expectTable(made.body, account);
      for (const name of ['unique_id', 'product_id', 'opened_at', 'closed_at', 'balance_cents']) {
        expect(made.body).not.toHaveProperty(name);
      }
    }
  });
});

describe('an empty text', () => {
  test('in an optional field means no value, on create and on change', async () => {
    const contactId = await newContact();
    const sent = { ...fullAccount(), unique_id: '', name: '' };
    const made = await write('POST', `/v2/partner/contacts/${contactId}/accounts`, sent);
    expect(verdictOf(made)).toBe('201');
    expect(made.body).not.toHaveProperty('unique_id');
    const path = `/v2/partner/accounts/${String(made.body.id)}`;
    expect((await write('PATCH', path, { unique_id: 'a key' })).body.unique_id).toBe('a key');
    expect((await write('PATCH', path, { unique_id: '' })).body).not.toHaveProperty('unique_id');
  });

  test('in an item of an operation means the same', async () => {
    const unique_id = randomUUID();
    const path = '/v2/ipaas/operations/contacts.upsert/execute';
    const upsert = (first_name: string) =>
      write('POST', path, { input: { unique_id, first_name } });
    expect(verdictOf(await upsert('Ada'))).toBe('200');
    expect(verdictOf(await upsert(''))).toBe('200');
    const { body } = await team.get(`/v2/partner/contacts/unique_id:${unique_id}`);
    expect(body).not.toHaveProperty('first_name');
  });

  test('means the same in a field of any form', async () => {
    const values = {
      unique_id: randomUUID(),
      email: `${randomUUID()}@example.com`,
      phone: '+14155550100',
      locale: 'en-US',
      timezone: 'Europe/Berlin',
      date_of_birth: '1990-01-31',
    };
    const emptied = Object.fromEntries(Object.keys(values).map((name) => [name, '']));
    const made = await write('POST', '/v2/partner/contacts', { ...emptied, unique_id: 'x' });
    expect(verdictOf(made)).toBe('201');
    const path = `/v2/partner/contacts/${String(made.body.id)}`;
    expect((await write('PATCH', path, values)).body).toMatchObject(values);
    const others: Record<string, string> = { ...emptied };
    delete others['unique_id'];
    const item = { input: { ...others, unique_id: values.unique_id } };
    const upsert = '/v2/ipaas/operations/contacts.upsert/execute';
    expect(verdictOf(await write('POST', upsert, item))).toBe('200');
    expect((await team.get(path)).body).not.toHaveProperty('email');
    expect((await write('PATCH', path, values)).body).toMatchObject(values);
    const cleared = await write('PATCH', path, others);
    expect(verdictOf(cleared)).toBe('200');
    for (const name of Object.keys(others)) expect(cleared.body).not.toHaveProperty(name);

    const account = { kind: 'loan', product_id: '', opened_at: '', closed_at: '' };
    const opened = await write('POST', `${path}/accounts`, account);
    expect(verdictOf(opened)).toBe('201');
    for (const name of ['product_id', 'opened_at', 'closed_at'])
      expect(opened.body).not.toHaveProperty(name);
  });

  test('in a required field is refused', async () => {
    const reply = await write('POST', '/v2/partner/templates', { name: '' });
    expect(verdictOf(reply)).toBe('422 validation_failed');
  });
});

describe('publishLandingPage', () => {
  test('accepts no body and answers the resource as published', async () => {
    const sent = {
      id: randomUUID(),
      type: 'landing_page',
      team_id: randomUUID(),
      name: 'Page',
      slug: `p-${randomUUID()}`,
      status: 'draft',
      content_block_ids: [],
      inserted_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
    };
    const made = await write('POST', '/v2/partner/landing-pages', sent);
    expect(verdictOf(made)).toBe('201');
    const published = await write(
      'POST',
      `/v2/partner/landing-pages/${String(made.body.id)}/publish`,
    );
    expect(verdictOf(published)).toBe('200');
    expectTable(published.body, landingPage);
    expect(published.body).toMatchObject({
      id: made.body.id,
      slug: made.body.slug,
      status: 'published',
      content_block_ids: [],
    });
    expect(published.body).toHaveProperty('published_at');
  });
});

describe('updateWebhookSubscription', () => {
  const full = (disabled: boolean) => ({
    id: randomUUID(),
    type: 'webhook_subscription',
    team_id: randomUUID(),
    name: 'Ours',
    target_url: 'https://hooks.example.com/changed',
    event_types: ['contact.created', 'template.*'],
    is_active: false,
    is_disabled_for_failures: disabled,
    consecutive_permanent_failures: 7,
    last_delivered_at: '2001-01-01T00:00:00Z',
    inserted_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
  });

  test.each([[false], [true]])(
    'accepts the full resource with is_disabled_for_failures %s and retains server-owned fields',
    async (disabled) => {
      const made = await team.post('/v2/partner/webhook-subscriptions', {
        target_url: 'https://hooks.example.com/first',
        event_types: ['*'],
      });
      const path = `/v2/partner/webhook-subscriptions/${String(made.body.id)}`;
      const sent = full(disabled);
      const changed = await write('PATCH', path, sent);
      expect(verdictOf(changed)).toBe('200');
      expectTable(changed.body, webhookSubscription);
      expect(changed.body).toMatchObject({
        id: made.body.id,
        team_id: team.id,
        name: 'Ours',
        target_url: sent.target_url,
        event_types: sent.event_types,
        is_active: false,
        is_disabled_for_failures: false,
        consecutive_permanent_failures: 0,
        inserted_at: made.body.inserted_at,
      });
      expect(changed.body).not.toHaveProperty('last_delivered_at');
      // An answer can be sent back unchanged.
      const again = await write('PATCH', path, changed.body);
      expect(verdictOf(again)).toBe('200');
      expect(again.body).toEqual(changed.body);
    },
  );
});

describe('templates', () => {
  async function archived(): Promise<string> {
    const made = await team.post('/v2/partner/templates', { name: 'Welcome' });
    const path = `/v2/partner/templates/${String(made.body.id)}`;
    await team.post(`${path}/messages`, { name: 'Hello', channel: 'sms' });
    const gone = await write('POST', `${path}/archive`);
    expect(gone.body).toMatchObject({ status: 'archived', is_archived: true });
    expectTable(gone.body, template);
    expect(gone.body).toHaveProperty('archived_at');
    return path;
  }

  test('unarchiveTemplate answers the template, with or without an empty body', async () => {
    for (const options of [
      {},
      { raw: '{}' },
      { headers: { 'Content-Type': 'application/json' } },
    ]) {
      const reply = await team.call('POST', `${await archived()}/unarchive`, options);
      expect(verdictOf(reply)).toBe('200');
      expectTable(reply.body, template);
      expect(reply.body).toMatchObject({ status: 'draft', is_archived: false });
      expect(reply.body).not.toHaveProperty('archived_at');
    }
  });

  test('getTemplateStatusRollup counts every status, and the counts add up to the total', async () => {
    await archived();
    const reply = await team.get('/v2/partner/templates/counts');
    expect(verdictOf(reply)).toBe('200');
    const { team_id, by_status, total, computed_at } = reply.body;
    expect(team_id).toBe(team.id);
    expect(isTimestamp(computed_at)).toBe(true);
    expect(Object.keys(by_status).sort()).toEqual(
      ['archived', 'draft', 'expired', 'launched', 'paused', 'scheduled'].sort(),
    );
    const counts: number[] = Object.values(by_status);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(by_status.archived).toBeGreaterThan(0);
  });

  test('listTemplateMessages answers data and page', async () => {
    const reply = await team.get(`${await archived()}/messages`);
    expect(verdictOf(reply)).toBe('200');
    expect(reply.body.data).toHaveLength(1);
    expect(reply.body.data[0]).toMatchObject({ type: 'message', name: 'Hello', team_id: team.id });
    expectPage(reply);
    expect(reply.body.page).toEqual({
      next_cursor: null,
      prev_cursor: null,
      has_more: false,
      size: 25,
    });
  });
});

function expectPage({ body }: Reply): void {
  const isCursor: Check = (value) => value === null || isString(value);
  expect(Object.keys(body).sort()).toEqual(['data', 'page']);
  expectTable(body.page, {
    next_cursor: must(isCursor),
    prev_cursor: must(isCursor),
    has_more: must(isBoolean),
    size: must(isInteger),
  });
}

describe('list conventions', () => {
  const contacts = '/v2/partner/contacts';

  test('a walk through the pages shows every row once, newest first, and also backward', async () => {
    const walker = await api.newTeam();
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      made.unshift(String((await walker.post(contacts, { unique_id: `c${String(at)}` })).body.id));
    }
    const seen: string[] = [];
    let reply = await walker.get(`${contacts}?page[size]=2`);
    for (;;) {
      expectPage(reply);
      expect(reply.body.page.size).toBe(2);
      seen.push(...reply.body.data.map(({ id }: { id: string }) => id));
      if (!reply.body.page.has_more) break;
      const next = encodeURIComponent(String(reply.body.page.next_cursor));
      reply = await walker.get(`${contacts}?page[size]=2&page[after]=${next}`);
    }
    expect(seen).toEqual(made);
    const back = encodeURIComponent(String(reply.body.page.prev_cursor));
    const before = await walker.get(`${contacts}?page[size]=2&page[before]=${back}`);
    expect(before.body.data.map(({ id }: { id: string }) => id)).toEqual(made.slice(2, 4));
    const counted = await walker.get(`${contacts}?meta=count&page[size]=1`);
    expect(counted.body.meta).toEqual({ count: 5 });
  });

  test.each([
    ['sort=nothing', 400, 'invalid_sort_field'],
    ['filter[nothing]=1', 400, 'invalid_filter_field'],
    ['filter[email][nothing]=1', 400, 'invalid_filter_op'],
    ['page[size]=101', 400, 'invalid_page_size'],
    ['page[after]=bm90aGluZw==', 410, 'cursor_invalid'],
  ])('%s is answered with %i %s', async (query, status, code) => {
    const reply = await team.get(`${contacts}?${query}`);
    expect(verdictOf(reply)).toBe(`${String(status)} ${code}`);
    expectTable(reply.body.errors[0], {
      code: must(isString),
      title: must(isString),
      detail: must(isString),
      meta: must((value) => typeof value === 'object' && value !== null),
    });
  });
});

describe('access', () => {
  const scope = 'partner:contacts:read partner:templates:write partner:nothing:read';

  test('the token endpoint answers as documented and omits scopes that the client does not have', async () => {
    const reply = await api.call('POST', '/oauth2/token', {
      raw: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: team.clientId,
        client_secret: team.clientSecret,
        scope,
      }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(verdictOf(reply)).toBe('200');
    expect(reply.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'partner:contacts:read partner:templates:write',
    });
    const headers = { Authorization: `Bearer ${String(reply.body.access_token)}` };
    expect((await api.call('GET', '/v2/partner/accounts', { headers })).status).toBe(200);
    const refused = await api.call('GET', '/v2/partner/templates/counts', { headers });
    expect(verdictOf(refused)).toBe('401 scope_missing');
    expect(refused.body.errors[0].meta.required_scope).toBe('partner:templates:read');
    expect(refused.body.errors[0].detail).toContain('partner:templates:read');
  });

  test('capabilities show surfaces, scopes, endpoints, deprecations and rate limits', async () => {
    const { status, body } = await team.get('/v2/meta/capabilities');
    expect(status).toBe(200);
    expectTable(body, {
      surfaces: must(isListOf(isString)),
      scopes: must(isListOf(isString)),
      endpoints: must(Array.isArray),
      deprecations: must(Array.isArray),
    });
    expect(body.surfaces).toEqual(expect.arrayContaining(['partner', 'meta']));
    expect(body.endpoints).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        path: '/v2/partner/templates/{id}/unarchive',
        required_scope: 'partner:templates:write',
        idempotency: 'optional',
      }),
    );
    expect(body.endpoints).toContainEqual(
      expect.objectContaining({ operation_id: 'executeOperation', idempotency: 'per_operation' }),
    );
    expect(body.rate_limits).toEqual({ class: expect.any(String), limits: expect.any(Array) });
  });
});
