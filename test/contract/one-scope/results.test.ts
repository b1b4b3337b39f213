import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readScopeOf } from '../../../src/webhooks/read-scopes.ts';
import { operations } from '../../../src/operations/catalog.ts';
import { exportKinds } from '../../../src/operations/exports/kinds.ts';
import { operationRecipes } from '../../operations/ipaas/recipes.ts';
import { aBatch, isOver, whenRun } from '../../operations/runs/a-run.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import { verdictOf } from '../answers.ts';
import { countCells } from '../cells.ts';
import { sampleOf } from '../samples.ts';
import { grants, writeEndpoints } from '../scoped.ts';
import { canariesIn, familyOf } from './canaries.ts';
import { familiesOf, openScopes, scopes } from './clients.ts';
import type { OneScope } from './clients.ts';

// Data that a worker creates: results, files and events, requested by a client that
// may do everything, and read by clients with one further scope.

const cells = countCells('results for one scope');
let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
let world: OneScope;
/** One of those scopes that open the same reads, since a team has few subscriptions. */
const subscribing = [...new Map(scopes.map((scope) => [readsOf(scope).join(' '), scope])).values()];
function readsOf(scope: string): string[] {
  return scopes.filter((other) => other.endsWith(':read') && grants(scope, other));
}
/** Where events go for a client that may subscribe and has one scope more. */
const pathOf = (scope: string) => `/${scope}`;

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  worker = await startTestWorker(api);
  world = await openScopes(api);
  receiver = await startReceiver();
  for (const scope of subscribing) {
    const client = await world.clientWith('partner:webhooks:write', scope);
    const target_url = `${receiver.url}${pathOf(scope)}`;
    const body = { target_url, event_types: ['*'] };
    expect((await client.post('/v2/partner/webhook-subscriptions', body)).status).toBe(201);
  }
});
afterAll(async () => {
  await receiver.stop();
  await worker.close();
  await api.stop();
  cells.report();
});

/**
 * Reads a path with the scopes that open it and looks for data of others; and with every scope but
 * one of them, or but those that show a family of which it has data.
 */
async function read(path: string, opening: string, ...needed: readonly string[]): Promise<void> {
  const openers = scopes.filter((scope) => needed.every((one) => grants(scope, one)));
  const sets = needed.length === 1 ? openers.map((one) => [one]) : [needed];
  for (const names of sets) {
    await cells.cell(`${names.join(' ')}: ${path}`, async () => {
      const reply = await (await world.clientWith(opening, ...names)).get(path);
      expect(verdictOf(reply)).toBe('200');
      expect(world.hiddenIn(reply.body, opening, ...names)).toEqual([]);
    });
  }
  for (const scope of [opening, ...needed]) {
    await cells.cell(`without ${scope}: ${path}`, async () => {
      const reply = await (await world.clientWithout(scope)).get(path);
      expect(verdictOf(reply)).toBe('401 scope_missing');
    });
  }
  const { body } = await world.team.get(path);
  for (const family of canariesIn(body)) {
    if ([opening, ...needed].some((scope) => familiesOf(scope).includes(family))) continue;
    await cells.cell(`without ${family}: ${path}`, async () => {
      const reply = await (await world.clientBlindFor(family)).get(path);
      expect(canariesIn(reply.body)).not.toContain(family);
    });
  }
  cells.settle();
}

describe('the result of an execution is read with the scopes of its operation', () => {
  test.each(operations.map((operation) => [operation.kind, operation] as const))(
    '%s',
    async (kind, operation) => {
      const { team } = world;
      const input = await operationRecipes[kind]?.good(team);
      const { outputScope } = operation;
      const needed = [
        ...new Set([
          ...operation.scopes,
          ...(operation.itemScopes?.(input) ?? []),
          // The team may read what the results show.
          ...(outputScope === undefined ? [] : [outputScope]),
        ]),
      ];
      const asked = await team.call('POST', `/v2/ipaas/operations/${kind}/execute`, {
        headers: { 'Idempotency-Key': randomUUID(), Prefer: 'respond-async' },
        body: { input },
      });
      if (asked.status === 200) return;
      expect(asked.status).toBe(202);
      const path = String(asked.headers.get('location'));
      await whenRun(team, path);
      const opening = 'ipaas:operations:read';
      await read(path, opening);
      await read(`${path}/result`, opening, ...needed);
      await read(`${path}/items`, opening, ...needed);
    },
  );
});

test('the items and the refused rows of a batch are read with its scopes', async () => {
  const canary = 'canary.partner.contacts.00000000';
  const item = { unique_id: canary, first_name: canary, email: canary };
  const path = await aBatch(world.team, { items: [item] });
  await whenRun(world.team, path);
  expect((await world.team.get(path)).body).toMatchObject({ failed_count: 1 });
  const opening = 'batch:operations:read';
  await read(path, opening);
  const needed = ['partner:contacts:write', 'partner:contacts:read'];
  await read(`${path}/items`, opening, ...needed);
  await read(`${path}/errors.csv`, opening, ...needed);
});

describe('the file of an export is read with the scope of its content', () => {
  const lists = Object.entries(exportKinds).map(([kind, { scope }]) => [kind, scope] as const);

  test.each(lists)('%s', async (kind, needed) => {
    const { team } = world;
    await operationRecipes['contacts.lookup']?.good(team);
    const { body } = await team.post('/v2/partner/exports', { kind });
    const path = `/v2/partner/exports/${String(body.id)}`;
    await eventually(async () => (await team.get(path)).body, isOver);
    await read(path, 'partner:exports:read');
    await read(`${path}/file`, 'partner:exports:read', needed);
  });
});

test('a contact export contains only data that its client may read', async () => {
  const contact = await operationRecipes['contacts.lookup']?.good(world.team);
  /** The families in a file that a client has asked for. */
  async function exportedTo(asker: TestTeam): Promise<string[]> {
    const asked = await asker.post(`/v2/partner/contacts/${String(contact?.['id'])}/export`);
    expect(asked.status).toBe(202);
    const path = String(asked.headers.get('location'));
    await eventually(async () => (await asker.get(path)).body, isOver);
    const file = await asker.get(`${path}/file`);
    expect(verdictOf(file)).toBe('200');
    return canariesIn(file.body);
  }
  const needed = ['partner:contacts:read', 'partner:exports:read'];
  const all = await exportedTo(world.team);
  expect(all.length).toBeGreaterThan(1);
  await cells.cell('with the needed scopes alone', async () => {
    expect(await exportedTo(await world.clientWith(...needed))).toEqual(['partner.contacts']);
  });
  for (const family of all.filter((one) => one !== 'partner.contacts')) {
    await cells.cell(`without ${family}`, async () => {
      expect(await exportedTo(await world.clientBlindFor(family))).not.toContain(family);
    });
  }
  cells.settle();
});

test('an event contains exactly the data that its subscriber may read', async () => {
  const { team } = world;
  for (const [, endpoint] of writeEndpoints) {
    try {
      const { path, body, headers } = await sampleOf(team, endpoint);
      await team.call(endpoint.method, path, { body, headers });
    } catch {
      // Some samples take the place of the worker, which is there by now.
    }
  }
  const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const last = String(body.id);
  const mine = (scope: string) =>
    receiver.received.filter(({ path }) => path.endsWith(pathOf(scope)));
  const hasAll = () =>
    subscribing.every((scope) => mine(scope).some(({ event }) => event.data.id === last));
  await eventually(
    () => Promise.resolve(hasAll()),
    (is) => is,
  );

  const seen = new Set<string>();
  for (const scope of subscribing) {
    for (const { event, body: sent } of mine(scope)) {
      seen.add(event.type);
      await cells.cell(`${scope}: ${String(event.type)}`, () => {
        const needed = readScopeOf(event.type);
        const isOpen =
          needed !== undefined &&
          (grants(scope, needed) || grants('partner:webhooks:write', needed));
        expect(event.data.truncated ?? false).toBe(!isOpen);
        expect(world.hiddenIn(sent, 'partner:webhooks:write', scope)).toEqual([]);
      });
    }
  }
  cells.settle();
  expect(seen.size).toBeGreaterThan(30);
  const family = familyOf('partner:contacts:read');
  expect(canariesIn(mine('partner:contacts:read').map((one) => one.body))).toContain(family);
});
