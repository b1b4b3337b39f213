import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../../src/platform/http/endpoint.ts';
import { takesKeys } from '../../../src/platform/http/endpoint.ts';
import { operations } from '../../../src/operations/catalog.ts';
import { leavesOf, parseDefinition } from '../../../src/cohorts/definition/parse.ts';
import { scopeOfLeaf } from '../../../src/cohorts/definition/scopes.ts';
import { operationRecipes } from '../../operations/ipaas/recipes.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { verdictOf } from '../answers.ts';
import { countCells } from '../cells.ts';
import { makeShown, referencesOf, sampleOf } from '../samples.ts';
import type { Sample } from '../samples.ts';
import { grants, scopedEndpoints, writeEndpoints } from '../scoped.ts';
import { narrowed, openScopes, scopes } from './clients.ts';
import type { OneScope } from './clients.ts';

// Scopes only add: what a client with every scope but one may not do, none with fewer scopes may.

const cells = countCells('one scope');
let api: TestApi;
let world: OneScope;

beforeAll(async () => {
  api = await startTestApi();
  world = await openScopes(api);
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

const isOpenTo = (scope: string, { scope: required }: Endpoint) => grants(scope, required);
const withoutIds = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, () => randomUUID());

describe('an endpoint refuses a client with every scope but those that open it', () => {
  test.each(scopedEndpoints)('%s', async (id, endpoint) => {
    const client = await world.clientWithout(endpoint.scope);
    await cells.cell(id, async () => {
      const reply = await client.call(endpoint.method, withoutIds(endpoint));
      expect(verdictOf(reply)).toBe('401 scope_missing');
      expect(reply.body.errors[0].meta.required_scope).toBe(endpoint.scope);
    });
    cells.settle();
  });
});

/** Requests to an endpoint: the minimal one, and one for each resource that its body may name. */
async function* requestsOf(endpoint: Endpoint): AsyncGenerator<Sample> {
  const { team } = world;
  const least = await sampleOf(team, endpoint);
  await makeShown(team, endpoint, least.params);
  yield least;
  for (const { name, make, isList } of referencesOf(endpoint)) {
    const { body, params, ...sample } = await sampleOf(team, endpoint);
    const id = await make(team, params);
    yield { ...sample, params, body: { ...body, [name]: isList ? [id] : id } };
  }
}

describe('a client with one scope sees no data of another scope', () => {
  test.each(scopedEndpoints.filter(([, { stream }]) => !stream))('%s', async (id, endpoint) => {
    for (const scope of scopes.filter((one) => isOpenTo(one, endpoint))) {
      const client = await world.clientWith(scope);
      for await (const { path, body, headers } of requestsOf(endpoint)) {
        await cells.cell(`${scope}: ${id} ${JSON.stringify(body)}`, async () => {
          const reply = await client.call(endpoint.method, path, { body, headers });
          expect(reply.status).toBeLessThan(500);
          expect(world.hiddenIn(reply.body, scope)).toEqual([]);
        });
      }
    }
    cells.settle();
  });
});

describe('a stored answer shows no more to a token of the client with fewer scopes', () => {
  test.each(writeEndpoints.filter(([, endpoint]) => takesKeys(endpoint)))(
    '%s',
    async (id, endpoint) => {
      const { team } = world;
      const { path, body } = await sampleOf(team, endpoint);
      const options = { body, headers: { 'Idempotency-Key': randomUUID() } };
      await team.call(endpoint.method, path, options);
      const client = await narrowed(api, team, endpoint.scope);
      await cells.cell(id, async () => {
        const reply = await client.call(endpoint.method, path, options);
        expect(reply.status).toBeLessThan(500);
        expect(world.hiddenIn(reply.body, endpoint.scope)).toEqual([]);
      });
      cells.settle();
    },
  );
});

const executeScope = 'ipaas:operations:execute';

describe('an operation requires its scopes and shows only their data', () => {
  test.each(operations.map((operation) => [operation.kind, operation] as const))(
    '%s',
    async (kind, operation) => {
      const path = `/v2/ipaas/operations/${kind}/execute`;
      const headers = () => ({ 'Idempotency-Key': randomUUID() });
      for (const scope of operation.scopes) {
        await cells.cell(`without ${scope}: ${kind}`, async () => {
          const client = await world.clientWithout(scope);
          const reply = await client.post(path, { input: {} }, headers());
          expect(verdictOf(reply)).toBe('401 scope_missing');
        });
      }
      const opening = scopes.filter((scope) => operation.scopes.every((one) => grants(scope, one)));
      const sets = operation.scopes.length === 1 ? opening.map((one) => [one]) : [operation.scopes];
      for (const names of sets) {
        await cells.cell(`${names.join(' ')}: ${kind}`, async () => {
          const client = await world.clientWith(executeScope, ...names);
          const input = await operationRecipes[kind]?.good(world.team);
          const reply = await client.post(path, { input }, headers());
          expect(reply.status).toBeLessThan(500);
          expect(world.hiddenIn(reply.body, executeScope, ...names)).toEqual([]);
        });
      }
      cells.settle();
    },
  );
});

/** A rule of each kind. */
const questions: Readonly<Record<string, object>> = {
  field: { field: 'contact.phone', op: 'starts_with', value: '+1415' },
  consent: { consent: { channel: 'email', status: 'subscribed' } },
  topic_consent: {
    topic_consent: { topic_id: randomUUID(), channel: 'email', status: 'subscribed' },
  },
  account: { account: { where: [{ field: 'name', op: 'eq', value: 'x' }] } },
  objective: { objective: { key: 'direct-deposit' } },
  event: { event: { kind: 'message.opened' } },
  journey: { journey: { template_id: randomUUID() } },
  cohort: { cohort: { id: randomUUID() } },
  random: { random: { percent: 100 } },
};

describe('a cohort rule requires the read scope of its data', () => {
  test.each(Object.entries(scopeOfLeaf))('%s', async (kind, required) => {
    const definition = questions[kind];
    const read = parseDefinition(definition);
    if (!('rule' in read)) throw new Error(`nothing asks about ${kind}`);
    expect(leavesOf(read.rule).map(({ leaf }) => leaf.leaf)).toEqual([kind]);
    const preview = 'partner:cohorts:execute';
    const isRefused = async (client: TestTeam) => {
      const reply = await client.post('/v2/partner/cohorts/preview', { definition });
      // A rule may also name an unknown cohort.
      expect(reply.status).toBeLessThan(500);
      return verdictOf(reply) === '401 scope_missing';
    };
    const opening = required === null ? [preview] : scopes.filter((one) => grants(one, required));
    for (const scope of opening) {
      await cells.cell(`${scope}: ${kind}`, async () => {
        expect(await isRefused(await world.clientWith(preview, scope))).toBe(false);
      });
    }
    if (required !== null) {
      await cells.cell(`without ${required}: ${kind}`, async () => {
        expect(await isRefused(await world.clientWithout(required))).toBe(true);
      });
    }
    cells.settle();
  });
});

test('the team has a canary in each family of scopes that contains texts', () => {
  expect(world.familiesWithoutCanaries()).toEqual([]);
});
