import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { errorsOf, verdictOf } from './answers.ts';
import type { Cells } from './cells.ts';
import { fillLively } from './lively.ts';
import { paramsOf, pathOf, positionsOf, referencesOf, sampleOf } from './samples.ts';
import { operations } from './recipes.ts';
import type { Params } from './recipes/recipe.ts';
import { grants } from './scoped.ts';
import type { Rows } from './team-rows.ts';

/** The isolation of teams, tested on one endpoint at a time. */

/**
 * Rows in the order of their teams, regardless of insertion: teams next to ours come first or
 * last. A wait for a lock of another team is refused immediately.
 */
export const inOrder = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  lock_timeout: '250ms',
};

export interface Neighbors {
  api: TestApi;
  team: TestTeam;
  other: TestTeam;
  /** A team with a year of data, one for all tests of an API that only read; the first waits for it. */
  lively(): Promise<TestTeam>;
  rows: Rows;
  /** A client of `team` with every scope except those that grant this one. */
  without(scope: string): Promise<TestTeam>;
  /** Performs requested work outside of a request, such as the work of a worker. */
  during<T>(work: () => Promise<T>): Promise<T>;
  cells: Cells;
}

const livelyTeams = new WeakMap<TestApi, Promise<TestTeam>>();

export async function openNeighbors(
  api: TestApi,
  rows: Rows,
  cells: Cells,
  during: Neighbors['during'] = (work) => work(),
): Promise<Neighbors> {
  // The other comes first, also where only the order of rows decides.
  const other = await newListener(api);
  const team = await newListener(api);
  await other.patch('/v2/partner/team', { currency: 'JPY' });
  const known = knownScopes(endpoints);
  const clients = new Map<string, Promise<TestTeam>>();
  const without = (scope: string) => {
    const client =
      clients.get(scope) ?? team.withScopes(...known.filter((other) => !grants(other, scope)));
    clients.set(scope, client);
    return client;
  };
  const lively = () => {
    const filled =
      livelyTeams.get(api) ?? newListener(api).then((listener) => fillLively(api, listener));
    livelyTeams.set(api, filled);
    return filled;
  };
  return { api, team, other, lively, rows, without, during, cells };
}

/** An event without a subscription is not stored. */
export async function newListener(api: Pick<TestApi, 'newTeam'>): Promise<TestTeam> {
  const team = await api.newTeam();
  const target_url = `https://hooks.example.com/${randomUUID()}`;
  await team.post('/v2/partner/webhook-subscriptions', { target_url, event_types: ['*'] });
  return team;
}

const malformedIds = ['x', '%00', `${randomUUID()}x`];

export function hasIds(endpoint: Endpoint): boolean {
  return positionsOf(endpoint).some(({ isText }) => !isText);
}

/** An id of another team, an unknown one and a malformed one answer the same 404. */
export async function tryIdsInPath(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, other, rows, cells } = neighbors;
  const { id } = endpoint;
  const own = await sampleOf(team, endpoint);
  const foreign = await paramsOf(other, endpoint);
  const ask = (params: Params) =>
    team.call(endpoint.method, pathOf(endpoint, params), { body: own.body, headers: own.headers });
  // The rows of the other team and its recorded events.
  const snapshot = async () => (endpoint.method === 'GET' ? [] : rows.stateOf(other.id));

  const before = await snapshot();
  for (const { name, isText } of positionsOf(endpoint)) {
    if (isText) continue;
    const unknown = await ask({ ...own.params, [name]: randomUUID() });
    await cells.cell(`${id}: unknown ${name}`, () => {
      expect(verdictOf(unknown)).toBe('404 not_found');
    });
    const { [name]: theirs = '' } = foreign;
    for (const value of [theirs, theirs.toUpperCase()]) {
      await cells.cell(`${id}: ${name} of another team`, async () => {
        const reply = await ask({ ...own.params, [name]: value });
        expect(reply.status).toBe(404);
        expect(errorsOf(reply)).toEqual(errorsOf(unknown));
      });
    }
    for (const value of malformedIds) {
      await cells.cell(`${id}: malformed ${name} ${value}`, async () => {
        const reply = await ask({ ...own.params, [name]: value });
        expect(reply.status).toBe(404);
        expect(errorsOf(reply)).toEqual(errorsOf(unknown));
      });
    }
  }
  await cells.cell(`${id}: all ids of another team`, async () => {
    expect(verdictOf(await ask({ ...own.params, ...foreign }))).toBe('404 not_found');
  });
  await cells.cell(`${id}: nothing was changed`, async () => {
    expect(await snapshot()).toEqual(before);
  });
}

export function hasIdsInBody(endpoint: Endpoint): boolean {
  return referencesOf(endpoint).length > 0 || operations[endpoint.id]?.deepIds !== undefined;
}

/** An id of another team in a body answers as an unknown one. */
export async function tryIdsInBody(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, other, cells } = neighbors;
  for (const { name, make, isList } of referencesOf(endpoint)) {
    await cells.cell(`${endpoint.id}: ${name}`, async () => {
      const { path, body, params, headers } = await sampleOf(team, endpoint);
      const ask = (value: string) =>
        team.call(endpoint.method, path, {
          body: { ...body, [name]: isList ? [value] : value },
          headers,
        });
      const foreign = await ask(await make(other, params));
      const unknown = await ask(randomUUID());
      expect([404, 422]).toContain(foreign.status);
      expect(foreign.status).toBe(unknown.status);
      expect(errorsOf(foreign)).toEqual(errorsOf(unknown));
    });
  }
  for (const { name, make, body } of operations[endpoint.id]?.deepIds ?? []) {
    await cells.cell(`${endpoint.id}: ${name}`, async () => {
      const { path, params, headers } = await sampleOf(team, endpoint);
      const ask = (value: string) =>
        team.call(endpoint.method, path, { body: body(value), headers });
      const foreign = await ask(await make(other, params));
      const unknown = await ask(randomUUID());
      expect(verdictOf(unknown)).toBe('422 validation_failed');
      expect(errorsOf(foreign)).toEqual(errorsOf(unknown));
    });
  }
}

/** The scope of an endpoint is required, and that of each resource that it may include. */
export async function tryScopes(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, without, cells } = neighbors;
  const { id, method, scope, list } = endpoint;
  const { path, params, body, headers } = await sampleOf(team, endpoint);
  const expectRefusal = async (required: string, query: string, asked = body) => {
    const client = await without(required);
    const reply = await client.call(method, `${path}${query}`, { body: asked, headers });
    expect(verdictOf(reply)).toBe('401 scope_missing');
    expect(reply.body.errors[0].meta.required_scope).toBe(required);
  };
  await cells.cell(`${id}: ${scope} is missing`, () => expectRefusal(scope, ''));
  for (const [name, required] of Object.entries(list?.includeScopes ?? {})) {
    // A client that may read the list may read this as well.
    if (grants(scope, required)) continue;
    await cells.cell(`${id}: ${required} is missing for ${name}`, () =>
      expectRefusal(required, `?include=${name}`),
    );
  }
  for (const further of operations[id]?.furtherScopes ?? []) {
    await cells.cell(`${id}: ${further.scope} is missing`, async () => {
      const asked = await further.body?.(team, params);
      await expectRefusal(further.scope, further.query ?? '', asked);
    });
  }
}
