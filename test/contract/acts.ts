import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { TestTeam } from '../support/api.ts';
import type { Neighbors } from './isolation.ts';
import type { Sample } from './samples.ts';
import type { Rows, State } from './team-rows.ts';

// The answer and the effects of a request, as far as two requests are compared.

/** The same team, calling an API without a mutant (test/mutants). */
export function plain(neighbors: Neighbors): Neighbors {
  const { team } = neighbors;
  const call: TestTeam['call'] = (method, path, { body, headers } = {}) => {
    switch (method) {
      case 'GET':
        return team.get(path);
      case 'PATCH':
        return team.patch(path, body, headers);
      case 'PUT':
        return team.put(path, body, headers);
      case 'DELETE':
        return team.delete(path);
      default:
        return team.post(path, body, headers);
    }
  };
  return { ...neighbors, team: { ...team, call } };
}

/**
 * Tables whose added rows are not compared: two choose at random which of their rows counts
 * something, and a budget has its row from its first use on.
 */
const uncompared = new Set([
  'objective_completion_counts',
  'template_journey_counts',
  'notice_budgets',
]);

/** Makes the request; returns its answer and its effects. */
export async function actOn(
  { team, rows }: Neighbors,
  { method }: Endpoint,
  { path, body, headers: own }: Sample,
  given?: Record<string, string>,
) {
  const headers = { ...own, ...given };
  const { result: reply, ...done } = await observe(rows, team.id, () =>
    team.call(method, path, { body, headers }),
  );
  return { reply, ...done };
}

/** Performs an action; returns the changed tables of the team and the numbers of added rows. */
export async function observe<T>(rows: Rows, teamId: string, act: () => Promise<T>) {
  const before = await rows.stateOf(teamId);
  const result = await act();
  const after = await rows.stateOf(teamId);
  const { changed, unchanged } = comparisonOf(before, after);
  const added = changed
    .filter((table) => !uncompared.has(table))
    .map((table) => [table, (after[table]?.rows ?? 0) - (before[table]?.rows ?? 0)]);
  const counts = Object.fromEntries(added) as Record<string, number>;
  return { result, changed, unchanged, added: counts };
}

/** The tables where something has changed, and the others. */
export function comparisonOf(before: State, after: State) {
  const isChanged = (table: string) => after[table]?.digest !== before[table]?.digest;
  const tables = Object.keys(after);
  return {
    changed: tables.filter(isChanged),
    unchanged: tables.filter((table) => !isChanged(table)),
  };
}

/** Teams that come before and behind any other in the order of their ids, as indexes have it. */
export function twinsOf(): [before: string, behind: string] {
  const rest = randomUUID().slice(8);
  return [`00000000${rest}`, `ffffffff${rest}`];
}

/** The shape of an answer without its long texts: ids, times, secrets and sample data. */
export function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') {
    const word = value.replaceAll(/[0-9a-f]{8}/g, '');
    return word.length < 20 ? word : '';
  }
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The user of SFTP credentials and the end of a secret are drawn by lot.
      .filter(([name]) => name !== 'username' && name !== 'hint')
      .map(([name, held]) => [name, shapeOf(held)]),
  );
}

export function idsIn(value: unknown): string[] {
  return JSON.stringify(value ?? '').match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}
