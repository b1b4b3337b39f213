import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { contactEndpoints } from '../../../src/contacts/endpoints.ts';
import { oauth2Endpoints } from '../../../src/team/oauth2/endpoints.ts';
import { executeEndpoint } from '../../../src/operations/ipaas/endpoints.ts';
import { operation } from '../../../src/operations/operation-type.ts';
import type { Operation } from '../../../src/operations/operation-type.ts';
import { operations } from '../../../src/operations/catalog.ts';
import { insertContacts } from '../../../src/contacts/queries.ts';
import { blankContact } from '../../../src/contacts/rules.ts';
import { eventTypesOf, subscribe } from '../../support/recorded-events.ts';
import { startTestApi } from '../../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../../support/api.ts';

const catalog = '/v2/ipaas/operations';
const pathOf = (kind: string) => `${catalog}/${kind}/execute`;
const verdictOf = ({ status, body }: Reply) => `${String(status)} ${String(body.errors?.[0].code)}`;
const statusesOf = ({ body }: Reply) =>
  body.results.map(({ status }: { status: string }) => status);

describe('the catalog', () => {
  let api: TestApi;
  let team: TestTeam;
  beforeAll(async () => {
    api = await startTestApi();
    team = await api.newTeam();
    await subscribe(api, team);
  });
  afterAll(() => api.stop());
  const bulk = (items: unknown[], more: object = {}) =>
    team.post(pathOf('contacts.bulk_upsert'), { items, ...more });

  test('is listed by kind, filtered by category and mode, and paged like every list', async () => {
    const kindsOf = (rows: readonly { kind: string }[]) => rows.map(({ kind }) => kind);
    const declared = (category: string) =>
      kindsOf(operations.filter((operation) => operation.category === category)).sort();
    const all = await team.get(`${catalog}?page[size]=100`);
    expect(kindsOf(all.body.data)).toEqual(kindsOf(operations).sort());
    const contacts = await team.get(`${catalog}?filter[category]=contacts&page[size]=2`);
    expect(contacts.body.page.has_more).toBe(true);
    const next = encodeURIComponent(contacts.body.page.next_cursor);
    const rest = await team.get(`${catalog}?filter[category]=contacts&page[after]=${next}`);
    expect(kindsOf([...contacts.body.data, ...rest.body.data])).toEqual(declared('contacts'));
    for (const category of new Set(operations.map((operation) => operation.category))) {
      const { body } = await team.get(`${catalog}?filter[category]=${category}&page[size]=100`);
      expect([category, kindsOf(body.data).sort()]).toEqual([category, declared(category)]);
    }
    const late = await team.get(`${catalog}?filter[execution_mode]=async`);
    expect(late.body.data).toContainEqual(expect.objectContaining({ kind: 'cohorts.evaluate' }));
    expect(kindsOf(late.body.data)).not.toContain('contacts.bulk_upsert');
  });

  test('does not know an unknown kind', async () => {
    expect(verdictOf(await team.get(`${catalog}/no.such/describe`))).toBe('404 operation_unknown');
    expect(verdictOf(await team.post(pathOf('no.such'), { input: {} }))).toBe(
      '404 operation_unknown',
    );
  });

  test('a request holds either an input or items', async () => {
    const neither = await team.post(pathOf('contacts.upsert'), {});
    const both = await team.post(pathOf('contacts.upsert'), { input: {}, items: [{}] });
    const none = await team.post(pathOf('contacts.upsert'), { items: [] });
    for (const reply of [neither, both, none]) {
      expect(verdictOf(reply)).toBe('422 validation_failed');
    }
  });

  test('more than 10,000 items are too many, and for a single operation more than one', async () => {
    const items = Array.from({ length: 10_001 }, (_, at) => ({ unique_id: String(at) }));
    const many = await bulk(items);
    expect(verdictOf(many)).toBe('422 too_many_items');
    expect(many.body.errors[0].meta).toMatchObject({ max: 10_000, pointer: '/items' });
    const two = await team.post(pathOf('contacts.upsert'), { items: items.slice(0, 2) });
    expect(two.body.errors[0].meta).toMatchObject({ max: 1 });
  });

  test('options.return selects the results in the response', async () => {
    const items = [{ unique_id: 'returned' }, { unique_id: 'bad', phone: 'x' }];
    const full = await bulk(items);
    expect(full.body.results[0].output).toEqual({
      id: full.body.results[0].id,
      unique_id: 'returned',
    });
    const same = await bulk(items, { options: { return: 'full' } });
    expect(same.body.results[0].output).toEqual(full.body.results[0].output);
    const ids = await bulk(items, { options: { return: 'ids' } });
    expect(ids.body.results[0]).toEqual({
      index: 0,
      status: 'unchanged',
      resource_type: 'contact',
      id: full.body.results[0].id,
      errors: [],
    });
    const none = await bulk(items, { options: { return: 'none' } });
    expect(none.body.results.map(({ index }: { index: number }) => index)).toEqual([1]);
    expect(none.body.summary).toEqual({ total: 2, succeeded: 1, failed: 1, skipped: 0 });
  });

  test('a set of contacts is written as one by one: fields, consents, events', async () => {
    const consent = { status: 'subscribed', source: 'branch' };
    const made = await bulk([
      { unique_id: 'set-1', first_name: 'Ada', tags: ['a "b"', 'c,d\\'], attributes: { n: 1 } },
      { unique_id: 'set-2', email: 'Ben@EXAMPLE.com', date_of_birth: '1990-01-31' },
      { unique_id: 'set-1', last_name: 'Byron', consents: { sms: consent } },
    ]);
    expect(statusesOf(made)).toEqual(['created', 'created', 'updated']);
    const [{ id }, { id: other }] = made.body.results;
    const { body: contact } = await team.get(`/v2/partner/contacts/${id}`);
    expect(contact).toMatchObject({
      first_name: 'Ada',
      last_name: 'Byron',
      tags: ['a "b"', 'c,d\\'],
      attributes: { n: 1 },
      consents: { sms: consent },
    });
    expect(await eventTypesOf(api, team, id)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.consent_changed',
    ]);
    const history = await team.get(`/v2/partner/contacts/${id}/consent-changes`);
    expect(history.body.data).toMatchObject([
      { channel: 'sms', consent, client_id: team.clientId },
    ]);
    const sealed = await team.get(`/v2/partner/contacts/${other}`);
    expect(sealed.body).toMatchObject({
      email: 'Ben@example.com',
      date_of_birth: '1990-01-31',
    });
    const cleared = await bulk([{ unique_id: 'set-1', tags: null, attributes: { n: null } }]);
    expect(statusesOf(cleared)).toEqual(['updated']);
    expect((await team.get(`/v2/partner/contacts/${id}`)).body).toMatchObject({
      tags: [],
      attributes: {},
      first_name: 'Ada',
    });
  });

  test('two sets with the same new keys at once create each contact once', async () => {
    const keys = Array.from({ length: 50 }, (_, at) => ({ unique_id: `race-${String(at)}` }));
    const replies = await Promise.all([
      bulk(keys),
      bulk([...keys].reverse()),
      bulk(keys),
      bulk([...keys].reverse()),
    ]);
    for (const reply of replies) expect(reply.body.summary.failed).toBe(0);
    const created = replies.flatMap(statusesOf).filter((status) => status === 'created');
    expect(created).toHaveLength(keys.length);
  });

  test('accounts that are opened in a set complete the objectives of their kind once each', async () => {
    const objective = await team.post('/v2/partner/objectives', {
      name: 'Open a deposit',
      key: 'open-deposit',
      product_kind: 'deposit',
    });
    await bulk([{ unique_id: 'owner-1' }, { unique_id: 'owner-2' }]);
    const opened = { kind: 'deposit', opened_at: new Date().toISOString() };
    const items = ['owner-1', 'owner-2', 'owner-1'].map((contact_unique_id, at) => ({
      ...{ contact_unique_id, unique_id: `acc-${String(at)}`, ...opened },
    }));
    const synced = await team.post(pathOf('accounts.sync'), { items });
    expect(statusesOf(synced)).toEqual(['created', 'created', 'created']);
    expect(await eventTypesOf(api, team, synced.body.results[0].id)).toEqual([
      'account.created',
      'account.opened',
    ]);
    const id = String(objective.body.id);
    const completions = await team.get(`/v2/partner/objectives/${id}/completions`);
    expect(completions.body.data).toHaveLength(2);
    const counted = await team.get(`/v2/partner/objectives/${id}`);
    expect(counted.body.completion_count).toBe(2);
  });

  test('a lookup by address finds all contacts that share it, and skips an unknown one', async () => {
    const email = 'household@example.com';
    await bulk([
      { unique_id: 'h-1', email },
      { unique_id: 'h-2', email },
    ]);
    const reply = await team.post(pathOf('contacts.lookup'), {
      items: [{ email: 'household@EXAMPLE.com' }, { unique_id: 'h-2' }, { phone: '+14155559999' }],
    });
    expect(statusesOf(reply)).toEqual(['unchanged', 'unchanged', 'skipped']);
    const found = reply.body.results.map(
      ({ output }: { output: { contacts: object[] } }) => output.contacts.length,
    );
    expect(found).toEqual([2, 1, 0]);
  });

  test('an operation does not find contacts, accounts and templates of another team', async () => {
    const stranger = await api.newTeam();
    const { body } = await bulk([{ unique_id: 'mine' }]);
    const [{ id }] = body.results;
    const lookup = await stranger.post(pathOf('contacts.lookup'), { input: { id } });
    expect(statusesOf(lookup)).toEqual(['skipped']);
    const consent = { channel: 'sms', status: 'subscribed', source: 'x' };
    const set = await stranger.post(pathOf('contacts.set_consent'), {
      input: { contact_id: id, ...consent },
    });
    expect(set.body.results[0].errors[0].meta.rule).toBe('reference_not_found');
  });

  test('the launch of a template by an operation stands in the audit trail', async () => {
    const template = await team.post('/v2/partner/templates', { name: 'Audited' });
    const id = String(template.body.id);
    const objectives = await team.get('/v2/partner/objectives?page[size]=1');
    await team.patch(`/v2/partner/templates/${id}`, {
      objective_ids: [objectives.body.data[0].id],
    });
    await team.post(`/v2/partner/templates/${id}/pages`, { name: 'Hello' });
    const launch = await team.post(pathOf('templates.launch'), { input: { template_id: id } });
    expect(statusesOf(launch)).toEqual(['updated']);
    const trail = await team.get(`/v2/partner/audit-events?filter[resource_id]=${id}`);
    const actions = trail.body.data.map(({ action }: { action: string }) => action);
    expect(actions).toContain('template.launched');
  });

  test('a request counts against the rate class of the operation', async () => {
    const limited = await api.newTeam({ tier: 'standard' });
    const reply = await limited.post(pathOf('contacts.bulk_upsert'), {
      items: [{ unique_id: 'x' }],
    });
    expect(reply.headers.get('ratelimit-policy')).toContain('"bulk"');
  });
});

describe('faults of an operation', () => {
  let api: TestApi;
  let team: TestTeam;
  let deadlocks = 0;

  const declared = {
    category: 'tests',
    summary: 'For tests',
    executionMode: 'sync',
    failureMode: 'partial_ok',
    idempotencyMode: 'natural',
    bulkThreshold: 100,
    scopes: ['partner:contacts:write'],
    rateLimitClass: 'write',
    input: Type.Object({ key: Type.String(), does: Type.Optional(Type.String()) }),
    output: Type.Object({}),
    audit: { none: 'contact_data' },
  } as const;
  /** Writes a contact for each item in one statement, then runs the fault that an item names. */
  const poisonous = operation({
    ...declared,
    kind: 'tests.poison',
    async apply({ sql, teamId, log }, items) {
      for (const { key } of items) {
        const id = crypto.randomUUID();
        const named = { team_id: teamId, id, unique_id: key, sealed_date_of_birth: null };
        await insertContacts(sql, [{ ...blankContact, ...named }], []);
      }
      for (const { does } of items) {
        if (does === 'throw') throw new Error('unforeseen');
        if (does === 'sql') await sql`select 1 / 0`;
        if (does === 'deadlock' && (deadlocks += 1) === 1) {
          throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        }
      }
      log.debug('applied');
      return items.map(() => ({ status: 'created', resource_type: 'contact', resource_id: null }));
    },
  });
  const keyed: Operation = { ...poisonous, kind: 'tests.keyed', idempotencyMode: 'keyed' };
  const known = new Map([poisonous, keyed].map((one) => [one.kind, one]));

  beforeAll(async () => {
    const execute = executeEndpoint((kind) => known.get(kind));
    const endpoints = [...oauth2Endpoints, ...contactEndpoints({}), execute];
    api = await startTestApi({}, { endpoints });
    team = await api.newTeam();
  });
  afterAll(() => api.stop());
  const keysOf = async () => {
    const { body } = await team.get('/v2/partner/contacts?page[size]=100');
    return body.data.map(({ unique_id }: { unique_id: string }) => unique_id).sort();
  };

  test('an item that fails unforeseen is isolated: every other one is applied, in order', async () => {
    const items = Array.from({ length: 20 }, (_, at) => ({ key: `p-${String(at)}`, does: 'no' }));
    items[3] = { key: 'p-3', does: 'throw' };
    items[11] = { key: 'p-11', does: 'sql' };
    const reply = await team.post(pathOf('tests.poison'), { items });
    expect(reply.body.summary).toEqual({ total: 20, succeeded: 18, failed: 2, skipped: 0 });
    for (const at of [3, 11]) {
      expect(reply.body.results[at].errors).toEqual([
        {
          code: 'item_failed',
          title: expect.any(String),
          detail: 'The item could not be applied.',
        },
      ]);
    }
    const good = items.filter(({ does }) => does === 'no').map(({ key }) => key);
    expect(await keysOf()).toEqual([...good].sort());
  });

  test('a transaction that Postgres aborts by a deadlock is retried, and applied once', async () => {
    const before = await keysOf();
    const items = [{ key: 'd-1' }, { key: 'd-2', does: 'deadlock' }];
    const reply = await team.post(pathOf('tests.poison'), { items });
    expect(statusesOf(reply)).toEqual(['created', 'created']);
    expect(deadlocks).toBe(2);
    expect(await keysOf()).toEqual([...before, 'd-1', 'd-2'].sort());
  });

  test('a keyed operation requires an Idempotency-Key, and applies once under it', async () => {
    const body = { input: { key: 'keyed' } };
    const without = await team.post(pathOf('tests.keyed'), body);
    expect(verdictOf(without)).toBe('400 idempotency_key_required');
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await team.post(pathOf('tests.keyed'), body, headers);
    const second = await team.post(pathOf('tests.keyed'), body, headers);
    expect(statusesOf(first)).toEqual(['created']);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await keysOf()).filter((key: string) => key === 'keyed')).toEqual(['keyed']);
  });
});
