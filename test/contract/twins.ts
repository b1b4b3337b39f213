import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Reply } from '../support/api.ts';
import { actOn, idsIn, plain, shapeOf, twinsOf } from './acts.ts';
import { verdictOf } from './answers.ts';
import type { Neighbors } from './isolation.ts';
import { queriesOfAYear, tellsOfAYear } from './lively.ts';
import { operations } from './recipes.ts';
import { makeShown, positionsOf, sampleOf } from './samples.ts';

/**
 * A twin is a team with the rows of this one, the same ids included: they differ only in the team.
 * Data of a twin is neither shown nor counted nor changed.
 */
export async function tryTwin(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  await (endpoint.method === 'GET' ? tryReading : tryWriting)(neighbors, endpoint);
}

async function tryReading(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { rows, cells } = neighbors;
  const isLively = tellsOfAYear(endpoint);
  const team = isLively ? await neighbors.lively() : neighbors.team;
  const { path, params } = await sampleOf(team, endpoint);
  await makeShown(team, endpoint, params);
  const queries = isLively ? queriesOfAYear(team, endpoint) : queriesOf(endpoint);
  const alone = new Map<string, Reply>();
  for (const query of queries) alone.set(query, await team.get(`${path}${query}`));
  const [before, behind] = twinsOf();
  // The last row found may win as well.
  const included = queries.filter((query) => query.startsWith('?include'));
  for (const [twin, asked] of [[before, queries] as const, [behind, included] as const]) {
    if (asked.length === 0) continue;
    try {
      await rows.copy(team.id, twin);
      if (twin === behind) await rows.moveBehind(twin);
      if (isLively) await rows.becomeAnother(twin, team.id);
      for (const query of asked) {
        await cells.cell(`${endpoint.id}${query}: is as without a twin`, async () => {
          const reply = await team.call('GET', `${path}${query}`);
          expect(verdictOf(reply)).toBe(String(endpoint.status));
          expect(timeless(reply.body)).toEqual(timeless(alone.get(query)?.body));
        });
      }
    } finally {
      await rows.remove(twin);
    }
  }
}

async function tryWriting(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbors;
  const { id } = endpoint;
  const alone = await actOn(plain(neighbors), endpoint, await sampleOf(team, endpoint));
  const sample = await sampleOf(team, endpoint);
  const [twin] = twinsOf();
  try {
    await rows.copy(team.id, twin);
    const before = await rows.stateOf(twin);
    const { reply, added } = await actOn(neighbors, endpoint, sample);
    await cells.cell(`${id}: does what it does without a twin`, () => {
      expect(verdictOf(reply)).toBe(String(endpoint.status));
      expect(JSON.stringify(reply.body ?? '')).not.toContain(twin);
      expect(added).toEqual(alone.added);
    });
    await cells.cell(`${id}: leaves a twin alone`, async () => {
      expect(await rows.stateOf(twin)).toEqual(before);
    });
  } finally {
    await rows.remove(twin);
  }
}

/**
 * A twin that has performed the action already, with the same Idempotency-Key, does not change the
 * answer or the number of written rows, and its data does not block the team.
 */
export async function tryTwinAhead(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbors;
  const { id, method } = endpoint;
  const [twin, kept] = twinsOf();
  const sample = await sampleOf(team, endpoint);
  const headers = { 'Idempotency-Key': randomUUID() };
  try {
    await rows.copy(team.id, kept);
    const first = await actOn(neighbors, endpoint, sample, headers);
    // Values that are unique across all teams cannot belong to both.
    await rows.remove(kept, first.unchanged);
    await rows.copy(team.id, twin);
    await rows.remove(team.id, first.changed);
    await rows.copy(kept, team.id, first.changed);
    await rows.remove(kept);
    const before = await rows.stateOf(twin);
    const again = await actOn(neighbors, endpoint, sample, headers);
    const known = new Set(idsIn([sample, again.reply.body]));
    const theirs = idsIn(first.reply.body).filter((value) => !known.has(value));
    await cells.cell(`${id}: is done though a twin has done it`, () => {
      expect(verdictOf(again.reply)).toBe(verdictOf(first.reply));
      expect(again.reply.headers.get('idempotent-replayed')).toBeNull();
      expect(again.added).toEqual(first.added);
      expect(shapeOf(again.reply.body)).toEqual(shapeOf(first.reply.body));
    });
    await cells.cell(`${id}: leaves a twin alone that has done it`, async () => {
      expect(await rows.stateOf(twin)).toEqual(before);
    });
    const repeat = () =>
      team.call(method, sample.path, { body: sample.body, headers: sample.headers });
    await cells.cell(`${id}: meets the own one when it is done once more`, async () => {
      // The last row found may win as well, in the order of rows or in that of ids.
      const ways = [
        () => Promise.resolve(),
        () => rows.moveBehind(twin),
        async () => {
          await rows.copy(twin, kept);
          await rows.remove(twin);
        },
      ];
      for (const goBehind of ways) {
        await goBehind();
        const { body } = await repeat();
        expect(idsIn(body).filter((value) => theirs.includes(value))).toEqual([]);
      }
    });
    await rows.remove(twin);
    await rows.remove(kept);
    await rows.copy(team.id, twin);
    const repeated = await rows.stateOf(twin);
    await repeat();
    await cells.cell(`${id}: leaves a twin alone when it is repeated`, async () => {
      expect(await rows.stateOf(twin)).toEqual(repeated);
    });
  } finally {
    await rows.remove(twin);
    await rows.remove(kept);
  }
}

/** Data that only a twin has is not found. */
export async function tryTwinOnly(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbors;
  const { path, params, body, headers } = await sampleOf(team, endpoint);
  const last = positionsOf(endpoint).findLast(({ isText }) => !isText);
  const [twin, kept] = twinsOf();
  try {
    // By way of a third, so that the twin also has what can be there once only.
    await rows.copy(team.id, kept);
    await rows.removeOne(team.id, params[last?.name ?? ''] ?? '');
    await rows.copy(kept, twin);
    await rows.remove(kept);
    await cells.cell(`${endpoint.id}: does not find what only a twin has`, async () => {
      const reply = await team.call(endpoint.method, path, { body, headers });
      expect(verdictOf(reply)).toBe('404 not_found');
    });
  } finally {
    await rows.remove(twin);
    await rows.remove(kept);
  }
}

/** Locked rows of a twin do not block the team. */
export async function tryLockedTwin(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbors;
  const { path, body, headers } = await sampleOf(team, endpoint);
  const [twin] = twinsOf();
  try {
    await rows.copy(team.id, twin);
    await cells.cell(`${endpoint.id}: does not wait for a twin`, () =>
      rows.whileLocked(twin, async () => {
        const reply = await team.call(endpoint.method, path, { body, headers });
        expect(verdictOf(reply)).toBe(String(endpoint.status));
      }),
    );
  } finally {
    await rows.remove(twin);
  }
}

export function hasQuota({ id }: Endpoint): boolean {
  return operations[id]?.quota !== undefined;
}

/** A quota counts what the team has, and nothing of other teams. */
export async function tryCrowd(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { team, rows, cells } = neighbors;
  const { id, method } = endpoint;
  const { quota } = operations[id] ?? {};
  if (!quota) throw new Error(`${id} has no quota`);
  const { path } = await sampleOf(team, endpoint);
  const ask = async () => team.call(method, path, { body: (await sampleOf(team, endpoint)).body });
  const first = await ask();
  const crowd = await rows.crowd(
    quota.table,
    { teamId: team.id, id: String(first.body.id) },
    quota.most,
  );
  await cells.cell(`${id}: the rows of others use up no quota`, async () => {
    expect(verdictOf(await ask())).toBe(verdictOf(first));
  });
  await rows.disperse(quota.table, crowd);
}

function queriesOf({ list }: Endpoint): string[] {
  if (!list) return [''];
  const includes = Object.keys(list.includeScopes).map((name) => `?include=${name}`);
  return ['', '?meta=count', ...includes];
}

/** Without the moments at which something was counted, and the window that ends there. */
function timeless(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll(
    /"(computed_at|expires_at|data_through|start|end)":"[^"]*"/g,
    '"$1":""',
  );
  return JSON.parse(text);
}
