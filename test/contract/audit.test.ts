import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../src/app/start-api.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { actionOf } from '../../src/platform/http/audited.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Operation } from '../../src/operations/operation-type.ts';
import { operations } from '../../src/operations/catalog.ts';
import { operationRecipes } from '../operations/ipaas/recipes.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import { noteAnswer } from '../reach/record.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { bodySchema } from './json-schema.ts';
import { sampleOf } from './samples.ts';
import { scopedEndpoints } from './scoped.ts';
import { runRound, withWorkers } from './work.ts';

// Every endpoint and operation records the audit event that it declares, or none.

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  // Webhook events are stored only for subscriptions.
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/all',
    event_types: ['*'],
  });
});

interface Line {
  action: string;
  resource_id: string;
  changed_fields: string[];
  item_count: number | null;
  client_id: string | null;
  source_ip: string | null;
  user_agent: string | null;
}

/** The events of one request, or of one run. */
const linesOf = (requestId: string, { id } = team) =>
  api.db.look(
    (sql) => sql<Line[]>`
      select action, resource_id, changed_fields, item_count, client_id, source_ip, user_agent
      from audit_events where team_id = ${id} and request_id = ${requestId}`,
  );

/** Names of fields at any depth of a schema. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as { properties?: Record<string, unknown> };
  return [
    ...Object.keys(properties ?? {}),
    ...namesIn(properties && Object.values(properties)),
  ].concat(Object.values(rest).flatMap(namesIn));
}

const uploads = { body: 'unique_id\nab\n', type: 'text/csv' };

async function call(endpoint: Endpoint): Promise<{ lines: Line[]; status: number }> {
  const requestId = `audited-${randomUUID()}`;
  const { path, body: sent, headers: own } = await sampleOf(team, endpoint);
  const body = endpoint.id in vouching ? { ...sent, ...vouching[endpoint.id] } : sent;
  const { status } = await team.call(endpoint.method, path, {
    ...(endpoint.stream ? { raw: uploads.body } : { body }),
    headers: {
      ...own,
      'X-Request-Id': requestId,
      'User-Agent': 'audited/1.0',
      ...(endpoint.stream && { 'Content-Type': uploads.type }),
    },
  });
  return { lines: await linesOf(requestId), status };
}

const isCounted = (audit: Endpoint['audit']) => typeof audit === 'object' && 'counted' in audit;
const writes = scopedEndpoints.filter(
  ([, { method, audit }]) => method !== 'GET' || actionOf(audit) !== undefined,
);
/** Actions on several resources, each with an event of its own. */
const resources: Readonly<Record<string, number>> = { mergeContact: 2 };
/** Only tokens with this assurance have an audit event; others are counted. */
const vouching: Readonly<Record<string, object>> = {
  createWidgetToken: { assurance: 'authenticated' },
};
const isDirect = ({ audit }: Endpoint) =>
  typeof audit === 'string' || (audit !== undefined && 'byHandler' in audit);

test('every write and every download declares its audit event, or the reason for none', () => {
  const silent = endpoints.filter(
    ({ method, download, audit }) => (method !== 'GET' || download) && audit === undefined,
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

describe('a call records one event with client, address and field names, without values', () => {
  test.each(writes.filter(([, endpoint]) => isDirect(endpoint)))('%s', async (id, endpoint) => {
    const { lines, status } = await call(endpoint);
    expect(status).toBe(endpoint.status);
    const action = actionOf(endpoint.audit);
    const own = lines.filter((line) => line.action === action);
    expect(new Set(own.map(({ resource_id }) => resource_id)).size).toBe(resources[id] ?? 1);
    expect(own).toHaveLength(resources[id] ?? 1);
    const names = [...namesIn(bodySchema(endpoint)), ...namesIn(endpoint.response)];
    for (const { changed_fields, resource_id, item_count, ...line } of own) {
      const who = { client_id: team.clientId, source_ip: '127.0.0.1', user_agent: 'audited/1.0' };
      expect(line).toEqual({ action, ...who });
      expect(resource_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(names).toEqual(expect.arrayContaining(changed_fields));
      if (endpoint.download) expect(item_count).toEqual(expect.any(Number));
    }
  });
});

describe('a call that is recorded elsewhere records no event', () => {
  const exempt = writes.filter(
    ([id, endpoint]) =>
      !isDirect(endpoint) && !isCounted(endpoint.audit) && id !== 'executeOperation',
  );
  test.each(exempt)('%s', async (_, endpoint) => {
    const { lines, status } = await call(endpoint);
    expect(status).toBe(endpoint.status);
    expect(lines).toEqual([]);
  });
});

describe('an operation records the event that it declares', () => {
  const byKind = operations.map((operation): [kind: string, operation: Operation] => [
    operation.kind,
    operation,
  ]);
  test.each(byKind)('%s', async (kind, { audit, executionMode }) => {
    const requestId = `audited-${randomUUID()}`;
    // Runs of other tests would fill the queue of a shared team.
    const caller = await api.newTeam();
    const input = await operationRecipes[kind]?.good(caller);
    const reply = await caller.post(
      `/v2/ipaas/operations/${kind}/execute`,
      { input },
      { 'Idempotency-Key': randomUUID(), 'X-Request-Id': requestId },
    );
    const isRun = executionMode === 'async';
    expect(reply.status).toBe(isRun ? 202 : 200);
    const asked = await linesOf(requestId, caller);
    if (isRun) {
      expect(asked).toMatchObject([
        { action: 'operation_execution.created', resource_id: reply.body.id, item_count: 1 },
      ]);
      await withWorkers({ api }, async (does) => {
        await does({ does: runRound }, caller.id, String(reply.body.id));
      });
    }
    const lines = isRun ? await linesOf(String(reply.body.id), caller) : asked;
    const action = isCounted(audit) ? undefined : actionOf(audit);
    expect(lines.map((line) => line.action)).toEqual(action === undefined ? [] : [action]);
    for (const { resource_id, client_id, source_ip } of lines) {
      expect(resource_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(client_id).toBe(caller.clientId);
      expect(source_ip).toBe(isRun ? null : '127.0.0.1');
    }
  });
});

describe('an event contains the id of a resource that the path names by its key', () => {
  const keyed = writes.filter(
    ([, endpoint]) => endpoint.keyParams?.includes('id') && isDirect(endpoint),
  );
  test.each(keyed)('%s', async (_, endpoint) => {
    const requestId = `audited-${randomUUID()}`;
    const unique_id = randomUUID();
    const { body: contact } = await team.post('/v2/partner/contacts', { unique_id });
    const { body } = await sampleOf(team, endpoint);
    const reply = await team.call(
      endpoint.method,
      endpoint.path.replace('{id}', `unique_id:${unique_id}`),
      { body, headers: { 'X-Request-Id': requestId } },
    );
    expect(reply.status).toBe(endpoint.status);
    const ids = (await linesOf(requestId)).map(({ resource_id }) => resource_id);
    const requested = endpoint.id === 'exportContact' ? String(reply.body.id) : String(contact.id);
    expect(ids).toContain(requested);
  });
});

test('a bulk operation records one event for each resource, with the number of items', async () => {
  const { body: cohort } = await team.post('/v2/partner/cohorts', {
    name: randomUUID(),
    kind: 'static',
  });
  const contacts = await Promise.all(
    [1, 2, 3].map(() => team.post('/v2/partner/contacts', { unique_id: randomUUID() })),
  );
  const requestId = `audited-${randomUUID()}`;
  await team.post(
    '/v2/ipaas/operations/cohorts.add_members/execute',
    {
      items: contacts.map(({ body }) => ({ cohort_id: cohort.id, contact_id: body.id })),
    },
    { 'X-Request-Id': requestId },
  );
  expect(await linesOf(requestId)).toMatchObject([
    { action: 'cohort.members_added', resource_id: cohort.id, item_count: 3 },
  ]);
});

test('a dry run records no event', async () => {
  const requestId = `audited-${randomUUID()}`;
  const input = await operationRecipes['objectives.void_completion']?.good(team);
  const reply = await team.post(
    '/v2/ipaas/operations/objectives.void_completion/execute',
    { input, options: { dry_run: true } },
    { 'X-Request-Id': requestId },
  );
  expect(reply.status).toBe(200);
  expect(await linesOf(requestId)).toEqual([]);
});

describe('reads of personal data are counted by client', () => {
  const reads = scopedEndpoints.filter(([, { audit }]) => isCounted(audit));
  test.each(reads)('%s', async (_, endpoint) => {
    const { reader, counted } = await readerOf();
    const { path } = await sampleOf(team, endpoint);
    for (let at = 0; at < 3; at += 1) {
      expect((await reader(path)).status).toBe(200);
    }
    const { client, lines } = await counted();
    const action = actionOf(endpoint.audit);
    expect(lines.filter((line) => line.action === action)).toEqual([
      {
        ...{ action, resource_id: client.clientId, client_id: client.clientId },
        ...{ changed_fields: [], occurrence_count: 3, item_count: expect.any(Number) },
        ...{ source_ip: '127.0.0.1', user_agent: 'reader/1.0' },
      },
    ]);
  });

  test('with the rows of embedded contacts and items of lookups, and separately for dates of birth', async () => {
    const { reader, counted } = await readerOf();
    const { body: contact } = await team.post('/v2/partner/contacts', {
      ...{ unique_id: randomUUID(), email: 'ada@example.com', date_of_birth: '1990-01-02' },
    });
    const { body: cohort } = await team.post('/v2/partner/cohorts', {
      ...{ name: randomUUID(), kind: 'static' },
    });
    const members = `/v2/partner/cohorts/${String(cohort.id)}/members`;
    await team.post(`${members}/add`, { contact_ids: [contact.id] });
    await reader(`${members}?include=contact`);
    await reader(`/v2/partner/contacts/${String(contact.id)}`);
    await reader('/v2/ipaas/operations/contacts.lookup/execute', {
      items: [{ id: contact.id }, { email: 'ada@example.com' }, { unique_id: randomUUID() }],
    });
    await reader(`/v2/partner/contacts/${randomUUID()}`);
    const { lines } = await counted();
    expect(lines).toMatchObject([
      { action: 'contact.birth_date_read', occurrence_count: 1, item_count: 1 },
      { action: 'contact.read', occurrence_count: 3, item_count: 4 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada@|1990-01/);
  });

  /** A client that reads from its own process; the end of the process writes the counts. */
  async function readerOf() {
    const client = await team.withScopes(...knownScopes(endpoints));
    const log = createLog('silent', 'api');
    const process = await startApi({ ...api.config, port: 0 }, api.keyring, log, {
      onAnswer: noteAnswer,
    });
    return {
      reader: (path: string, body?: object) =>
        fetch(`${process.url}${path}`, {
          method: body ? 'POST' : 'GET',
          headers: {
            ...{ Authorization: `Bearer ${client.token}`, 'User-Agent': 'reader/1.0' },
            ...(body && { 'Content-Type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      async counted() {
        await process.close();
        const lines = await api.db.look(
          (sql) => sql<(Line & { occurrence_count: number })[]>`
            select action, resource_id, changed_fields, item_count, occurrence_count, client_id,
              source_ip, user_agent
            from audit_events where team_id = ${team.id} and client_id = ${client.clientId}
            order by action`,
        );
        return { client, lines };
      },
    };
  }
});
