import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { endpoints } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { knownScopes } from '../../src/oauth2/endpoints.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { errorsOf, verdictOf } from './answers.ts';
import type { Cells } from './cells.ts';
import { paramsOf, pathOf, positionsOf, referencesOf, sampleOf } from './samples.ts';
import type { Params } from './recipes/recipe.ts';
import { grants } from './scoped.ts';
import { openRows } from './team-rows.ts';
import type { Rows } from './team-rows.ts';

/** What keeps teams apart, tried on one endpoint at a time. */

export interface Neighbours {
  api: TestApi;
  team: TestTeam;
  other: TestTeam;
  rows: Rows;
  /** A client of `team` that may do everything but what asks for this scope. */
  without(scope: string): Promise<TestTeam>;
  cells: Cells;
}

export async function openNeighbours(api: TestApi, cells: Cells): Promise<Neighbours> {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const known = knownScopes(endpoints);
  const clients = new Map<string, Promise<TestTeam>>();
  const without = (scope: string) => {
    const client =
      clients.get(scope) ?? team.withScopes(...known.filter((other) => !grants(other, scope)));
    clients.set(scope, client);
    return client;
  };
  return { api, team, other, rows: await openRows(api.db), without, cells };
}

const malformedIds = ['x', '%00', `${randomUUID()}x`];

export function hasIds(endpoint: Endpoint): boolean {
  return positionsOf(endpoint).some(({ isText }) => !isText);
}

/** An id of another team, an unknown one and a malformed one answer the same 404. */
export async function tryIdsInPath(neighbours: Neighbours, endpoint: Endpoint): Promise<void> {
  const { team, other, rows, cells } = neighbours;
  const { id } = endpoint;
  const own = await sampleOf(team, endpoint);
  const foreign = await paramsOf(other, endpoint);
  const ask = (params: Params) =>
    team.call(endpoint.method, pathOf(endpoint, params), { body: own.body, headers: own.headers });
  // What the other team has to lose: its rows, and what was recorded of it.
  const snapshot = async () => (endpoint.method === 'GET' ? [] : rows.digestOf(other.id));

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

/** An id of another team in a body answers as an unknown one. */
export async function tryIdsInBody(neighbours: Neighbours, endpoint: Endpoint): Promise<void> {
  const { team, other, cells } = neighbours;
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
}

/**
 * A twin is a team with the rows of this one, the same ids included: only the team tells them
 * apart. A GET answers as if there were no twin, and a write neither shows nor changes it.
 */
export async function tryTwin(neighbours: Neighbours, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbours;
  const { id, method } = endpoint;
  const twin = randomUUID();
  const { path, body, headers } = await sampleOf(team, endpoint);
  const ask = (query = '') => team.call(method, `${path}${query}`, { body, headers });
  try {
    if (method === 'GET') {
      for (const query of queriesOf(endpoint)) {
        const alone = await ask(query);
        await rows.copy(team.id, twin);
        await cells.cell(`${id}${query}: is as without a twin`, async () => {
          const reply = await ask(query);
          expect(verdictOf(reply)).toBe(String(endpoint.status));
          expect(timeless(reply.body)).toEqual(timeless(alone.body));
        });
        await rows.remove(twin);
      }
      return;
    }
    await rows.copy(team.id, twin);
    const before = await rows.digestOf(twin);
    const reply = await ask();
    await cells.cell(`${id}: does what it does without a twin`, () => {
      expect(verdictOf(reply)).toBe(String(endpoint.status));
      expect(JSON.stringify(reply.body ?? '')).not.toContain(twin);
    });
    await cells.cell(`${id}: leaves a twin alone`, async () => {
      expect(await rows.digestOf(twin)).toEqual(before);
    });
  } finally {
    await rows.remove(twin);
  }
}

/** The scope of an endpoint is asked for, and that of each thing that it may include. */
export async function tryScopes(neighbours: Neighbours, endpoint: Endpoint): Promise<void> {
  const { team, without, cells } = neighbours;
  const { id, method, scope, list } = endpoint;
  const { path, body } = await sampleOf(team, endpoint);
  const expectRefusal = async (required: string, query: string) => {
    const reply = await (await without(required)).call(method, `${path}${query}`, { body });
    expect(verdictOf(reply)).toBe('401 scope_missing');
    expect(reply.body.errors[0].meta.required_scope).toBe(required);
  };
  await cells.cell(`${id}: ${scope} is missing`, () => expectRefusal(scope, ''));
  for (const [name, required] of Object.entries(list?.includeScopes ?? {})) {
    // Whoever may see the list may see this as well.
    if (grants(scope, required)) continue;
    await cells.cell(`${id}: ${required} is missing for ${name}`, () =>
      expectRefusal(required, `?include=${name}`),
    );
  }
}

function queriesOf({ list }: Endpoint): string[] {
  if (!list) return [''];
  const includes = Object.keys(list.includeScopes).map((name) => `?include=${name}`);
  return ['', '?meta=count', ...includes];
}

/** Without the moments at which something was counted, and the window that ends there. */
function timeless(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll(/"(computed_at|start|end)":"[^"]*"/g, '"$1":""');
  return JSON.parse(text);
}
