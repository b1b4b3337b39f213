import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyItems, itemScopes } from '../../../src/operations/apply-items.ts';
import type { Operation, OperationCall } from '../../../src/operations/operation-type.ts';
import { operations } from '../../../src/operations/catalog.ts';
import { shapeChecker } from '../../../src/platform/http/validate.ts';
import { traceOfRun } from '../../../src/platform/http/trace.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { openRows } from '../../contract/team-rows.ts';
import type { Rows } from '../../contract/team-rows.ts';
import { wrongValueOf } from '../../contract/json-schema.ts';
import type { Node } from '../../contract/json-schema.ts';
import { aLaunchedTemplate } from '../../campaigns/a-template.ts';
import { subscribe } from '../../support/recorded-events.ts';
import { startTestApi } from '../../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../../support/api.ts';
import { operationRecipes } from './recipes.ts';
import type { OperationRecipe } from './recipes.ts';
import { valuesOf } from './schema-values.ts';

let api: TestApi;
let team: TestTeam;
let rows: Rows;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  await subscribe(api, team);
  rows = await openRows(api.db);
});
afterAll(async () => {
  await rows.close();
  await api.stop();
});

const each = operations.map((operation): [kind: string, operation: Operation] => [
  operation.kind,
  operation,
]);

/** Synchronous operations; test/operations/ipaas/async.test.ts covers the others. */
const direct = each.filter(([, { executionMode }]) => executionMode === 'sync');

function recipeOf({ kind }: Operation): OperationRecipe {
  const recipe = operationRecipes[kind];
  if (!recipe) throw new Error(`test/operations/ipaas/recipes.ts says nothing of ${kind}`);
  return recipe;
}

const pathOf = ({ kind }: Operation) => `/v2/ipaas/operations/${kind}/execute`;
const execute = (operation: Operation, body: object, of = team): Promise<Reply> =>
  of.post(
    pathOf(operation),
    body,
    operation.idempotencyMode === 'keyed' ? { 'Idempotency-Key': crypto.randomUUID() } : {},
  );
const pointersOf = (errors: { meta?: { pointer?: string } }[]) =>
  errors.map(({ meta }) => meta?.pointer);
const codesOf = ({ errors }: { errors: { code: string }[] }) => errors.map(({ code }) => code);
const takesMany = ({ bulkThreshold }: Operation) => bulkThreshold !== undefined;

/** The state of the team, without the stored responses to idempotency keys. */
const digestFor = async ({ idempotencyMode }: Operation): Promise<object> => ({
  ...Object(await rows.stateOf(team.id)),
  ...(idempotencyMode === 'keyed' && { idempotency_keys: null }),
});

function fieldsOf({ input }: Operation) {
  const { properties = {}, required = [] }: Node = JSON.parse(JSON.stringify(input));
  return { properties: Object.entries(properties), required };
}

/** Within a transaction of its own, as a run of items does it. */
async function apply(
  operation: Operation,
  items: readonly unknown[],
  how: { failureMode: Operation['failureMode']; isDry?: boolean },
  beforeCommit: () => Promise<void> = () => Promise.resolve(),
) {
  return api.db.database.transact(async (sql) => {
    const call: OperationCall = {
      sql,
      teamId: team.id,
      principal: {
        tokenKind: 'partner',
        teamId: team.id,
        clientId: team.clientId,
        scopes: new Set([
          ...operation.scopes,
          ...itemScopes(operation, items),
          // Without it, an item that changes nothing is answered as one that does.
          ...(operation.outputScope === undefined ? [] : [operation.outputScope]),
        ]),
        tier: 'unlimited',
      },
      source: 'batch',
      keyring: api.keyring,
      publicBaseUrl: api.config.publicBaseUrl,
      log: createLog('silent', 'api'),
      trace: traceOfRun('test'),
    };
    const results = await applyItems(operation, call, items, { isDry: false, ...how });
    await beforeCommit();
    return results;
  });
}

test('every operation has a recipe, and every recipe an operation', () => {
  expect(Object.keys(operationRecipes).sort()).toEqual(operations.map(({ kind }) => kind).sort());
});

describe('an operation describes itself with the fields of the interface document', () => {
  test.each(each)('%s', async (kind, operation) => {
    const reply = await team.get(`/v2/ipaas/operations/${kind}/describe`);
    expect(reply.status).toBe(200);
    const { input_schema, output_schema, ...descriptor } = reply.body;
    expect(descriptor).toEqual({
      kind,
      category: operation.category,
      summary: operation.summary,
      idempotency_mode: operation.idempotencyMode,
      failure_mode: operation.failureMode,
      ...(takesMany(operation) && { bulk_threshold: operation.bulkThreshold }),
      execution_mode: operation.executionMode,
      required_scopes: operation.scopes,
      rate_limit_class: operation.rateLimitClass,
      notes: operation.notes,
    });
    expect(input_schema).toMatchObject(JSON.parse(JSON.stringify(operation.input)));
    expect(output_schema).toMatchObject(JSON.parse(JSON.stringify(operation.output)));
  });
});

describe('the output of an operation has the shape of its output_schema', () => {
  test.each(direct)('%s', async (_, operation) => {
    const input = await recipeOf(operation).good(team);
    const reply = await execute(operation, { input });
    expect(reply.body.results?.[0]?.errors).toEqual([]);
    expect(reply.status).toBe(200);
    expect(shapeChecker(operation.output)(reply.body.results[0].output)).toEqual([]);
  });
});

describe('no input that the schema admits gives a 5xx, and each gets a result or a reason', () => {
  test.each(direct)('%s', async (_, operation) => {
    const good = await recipeOf(operation).good(team);
    const checkOutput = shapeChecker(operation.output);
    const made = valuesOf(JSON.parse(JSON.stringify(operation.input)));
    const inputs = fc.oneof(
      made,
      made.map((value) =>
        operation.kind === 'contacts.lookup' ? good : { ...Object(value), ...good },
      ),
    );
    const run = fc.asyncProperty(inputs, async (input) => {
      const reply = await execute(operation, { input });
      expect(reply.status).toBeLessThan(500);
      if (reply.status === 200) {
        const [result] = reply.body.results;
        if (result.status !== 'failed') expect(checkOutput(result.output)).toEqual([]);
        expect(codesOf({ errors: result.errors })).not.toContain('item_failed');
      } else {
        expect(codesOf(reply.body)).toEqual(['operation_failed']);
        const [{ errors }] = reply.body.errors[0].meta.items;
        expect(codesOf({ errors })).not.toContain('item_failed');
      }
    });
    const plugins = [fc.interruptAfterTimeLimit(12_000)];
    await fc.assert(run, { numRuns: 40, plugins, endOnFailure: true });
  });
});

describe('an input that breaks the schema is answered 422 with a pointer to the field', () => {
  test.each(each)('%s', async (_, operation) => {
    const good = await recipeOf(operation).good(team);
    const { properties, required } = fieldsOf(operation);
    const digest = await rows.stateOf(team.id);
    for (const name of required) {
      const reply = await execute(operation, { input: { ...good, [name]: undefined } });
      expect(reply.status).toBe(422);
      expect(pointersOf(reply.body.errors)).toContain(`/input/${name}`);
    }
    for (const [name, schema] of properties) {
      const wrong = wrongValueOf(schema);
      if (wrong === undefined || schema.readOnly) continue;
      const reply = await execute(operation, { input: { ...good, [name]: wrong } });
      expect(reply.status).toBe(422);
      expect(pointersOf(reply.body.errors)).toContain(`/input/${name}`);
    }
    const unknown = await execute(operation, { input: { ...good, colour: 'red', size: 1 } });
    expect(pointersOf(unknown.body.errors)).toEqual(
      expect.arrayContaining(['/input/colour', '/input/size']),
    );
    expect(await rows.stateOf(team.id)).toEqual(digest);
  });
});

describe('each scope of an operation is required, and the first absent one is named first', () => {
  test.each(each)('%s', async (_, operation) => {
    const own = 'ipaas:operations:execute';
    const nothing = await execute(operation, {}, await team.withScopes('meta:capabilities:read'));
    expect(nothing.body.errors[0]).toMatchObject({
      code: 'scope_missing',
      meta: { required_scope: own, missing_scopes: [own, ...operation.scopes] },
    });
    for (const scope of operation.scopes) {
      const others = operation.scopes.filter((other) => other !== scope);
      const reply = await execute(operation, {}, await team.withScopes(own, ...others));
      expect(reply.status).toBe(401);
      expect(reply.body.errors[0]).toMatchObject({
        code: 'scope_missing',
        meta: { required_scope: scope, missing_scopes: [scope] },
      });
    }
    const all = await execute(operation, {}, await team.withScopes(own, ...operation.scopes));
    expect(codesOf(all.body)).toEqual(['validation_failed']);
  });
});

const natural = direct.filter(([, { idempotencyMode }]) => idempotencyMode === 'natural');

describe('a natural operation changes nothing the second time', () => {
  test.each(natural)('%s', async (_, operation) => {
    const { good, repeat = 'unchanged' } = recipeOf(operation);
    const input = await good(team);
    const first = await execute(operation, { input });
    expect(first.status).toBe(200);
    const digest = await rows.stateOf(team.id);
    const second = await execute(operation, { input });
    expect(second.body.results[0].status).toBe(repeat);
    expect(second.body.results[0].id).toBe(first.body.results[0].id);
    expect(await rows.stateOf(team.id)).toEqual(digest);
  });
});

describe('an Idempotency-Key gives the first answer again', () => {
  test.each(direct)('%s', async (_, operation) => {
    const input = await recipeOf(operation).good(team);
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await team.post(pathOf(operation), { input }, headers);
    const second = await team.post(pathOf(operation), { input }, headers);
    expect(second.status).toBe(operation.executionMode === 'sync' ? 200 : 202);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });
});

const changing = each.filter(([, operation]) => !recipeOf(operation).isReading);

describe('a dry run returns the status of a real run and leaves no row, event or outbox entry', () => {
  test.each(direct)('%s', async (_, operation) => {
    const input = await recipeOf(operation).good(team);
    const digest = await digestFor(operation);
    const dry = await execute(operation, { input, options: { dry_run: true } });
    expect(dry.status).toBe(200);
    expect(dry.body.dry_run).toBe(true);
    expect(await digestFor(operation)).toEqual(digest);
    const real = await execute(operation, { input });
    expect(real.body.results[0].status).toBe(dry.body.results[0].status);
  });
});

describe('an item that the rules refuse affects no other item', () => {
  test.each(
    changing.filter(([, operation]) => takesMany(operation) && operation.executionMode === 'sync'),
  )('%s', async (_, operation) => {
    const { good, refused } = recipeOf(operation);
    const items = [await good(team), await refused(team), { colour: 'red' }, await good(team)];
    const reply = await execute(operation, { items });
    expect(reply.status).toBe(200);
    expect(reply.body.summary).toEqual({ total: 4, succeeded: 2, failed: 2, skipped: 0 });
    expect(reply.body.status).toBe('succeeded_with_errors');
    const [first, second, third, fourth] = reply.body.results;
    expect(second.errors.length).toBeGreaterThan(0);
    for (const pointer of pointersOf(second.errors)) {
      if (pointer !== undefined) expect(pointer).toMatch(/^\/items\/1/);
    }
    expect(pointersOf(third.errors)).toContain('/items/2/colour');
    const again = await execute(operation, { items });
    const statuses = again.body.results.map(({ status }: { status: string }) => status);
    // A keyed operation applies again under another key.
    const isNatural = operation.idempotencyMode === 'natural';
    const repeated = isNatural ? 'unchanged' : first.status;
    expect(statuses).toEqual([repeated, 'failed', 'failed', repeated]);
    if (!isNatural) return;
    expect(again.body.results[0].id).toBe(first.id);
    expect(again.body.results[3].id).toBe(fourth.id);
  });
});

describe('a transactional request that is refused names the reason and applies nothing', () => {
  test.each(
    changing.filter(
      ([, { failureMode, executionMode }]) =>
        failureMode === 'transactional' && executionMode === 'sync',
    ),
  )('%s', async (_, operation) => {
    const input = await recipeOf(operation).refused(team);
    const digest = await rows.stateOf(team.id);
    const reply = await execute(operation, { input });
    expect(reply.status).toBe(422);
    expect(codesOf(reply.body)).toEqual(['operation_failed']);
    expect(reply.body.errors[0].meta.items[0].index).toBe(0);
    expect(reply.body.errors[0].meta.items[0].errors.length).toBeGreaterThan(0);
    expect(await rows.stateOf(team.id)).toEqual(digest);
  });
});

describe('one bad item of an all-or-nothing request prevents all others', () => {
  test.each(changing)('%s', async (_, operation) => {
    const { good, refused } = recipeOf(operation);
    const items = [await good(team), await refused(team), await good(team)];
    const digest = await rows.stateOf(team.id);
    const results = await apply(operation, items, { failureMode: 'transactional' });
    expect(results.map(({ status }) => status)).toEqual(['skipped', 'failed', 'skipped']);
    expect(await rows.stateOf(team.id)).toEqual(digest);
  });
});

describe('an item that stands twice is applied in order, the later after the earlier', () => {
  test.each(changing.filter(([, { idempotencyMode }]) => idempotencyMode === 'natural'))(
    '%s',
    async (_, operation) => {
      const item = await recipeOf(operation).good(team);
      const [first, second] = await apply(operation, [item, item], { failureMode: 'partial_ok' });
      expect(first?.status).not.toBe('failed');
      expect(second).toMatchObject({ status: 'unchanged', resource_id: first?.resource_id });
    },
  );
});

describe('the output of an asynchronous operation has the shape of its schema', () => {
  test.each(each.filter(([, { executionMode }]) => executionMode === 'async'))(
    '%s',
    async (_, operation) => {
      const input = await recipeOf(operation).good(team);
      expect((await execute(operation, { input })).status).toBe(202);
      const item = await recipeOf(operation).good(team);
      const [done] = await apply(operation, [item], { failureMode: 'partial_ok' });
      expect(done?.errors).toEqual([]);
      expect(shapeChecker(operation.output)(done?.output)).toEqual([]);
      const wrong = await recipeOf(operation).refused(team);
      const [refused] = await apply(operation, [wrong], { failureMode: 'partial_ok' });
      expect(refused?.status).toBe('failed');
    },
  );
});

describe('a template pauses without delay while items about it are applied', () => {
  test.each(each.filter(([kind]) => !kind.startsWith('templates.')))('%s', async (_, operation) => {
    const templateId = await aLaunchedTemplate(team);
    const isAbout = 'template_id' in operation.input.properties;
    const good = await recipeOf(operation).good(team);
    const item = { ...good, ...(isAbout && { template_id: templateId }) };
    const [result] = await apply(operation, [item], { failureMode: 'partial_ok' }, async () => {
      const paused = await team.post(`/v2/partner/templates/${templateId}/pause`);
      expect([paused.status, paused.body.status]).toEqual([200, 'paused']);
    });
    expect(result?.status).not.toBe('failed');
  });
});
