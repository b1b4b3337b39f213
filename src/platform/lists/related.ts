import type { Include } from './list-endpoint.ts';

/** Loads a to-one include: the result of `find` for the ids in a column of the rows. */
export function loadBy(
  column: string,
  find: (
    sql: Parameters<Include['load']>[0],
    teamId: string,
    ids: readonly string[],
  ) => Promise<readonly { id: string }[]>,
): Include['load'] {
  return async (sql, teamId, rows) => {
    const requested = new Map(
      rows.flatMap(({ id, [column]: related }): [string, string][] =>
        typeof related === 'string' ? [[id, related]] : [],
      ),
    );
    if (requested.size === 0) return new Map();
    const found = await find(sql, teamId, [...new Set(requested.values())]);
    const byId = new Map(found.map((row) => [row.id, [row]]));
    return new Map([...requested].map(([id, related]) => [id, byId.get(related) ?? []]));
  };
}
