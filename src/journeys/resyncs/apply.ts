import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/observability/log.ts';
import { end } from '../ending/end.ts';
import { listBehind, lockHeld, moveDeadlines, release, resyncLoopName } from './queries.ts';

interface RowOfTeam {
  team_id: string;
  id: string;
}

/** A journey that cannot follow its template ends; the others of the template follow it. */
const resyncLoop: RowLoop<RowOfTeam> = {
  name: resyncLoopName,
  keyOf: ({ team_id, id }) => ({ team_id, id }),
  fail: (sql, { team_id, id }) => end(sql, team_id, [id], { status: 'failed', reason: 'error' }),
};

const idsOf = (rows: readonly RowOfTeam[]) => rows.map(({ id }) => id);

/**
 * Gives some of the journeys that were due while their template was paused a time again; returns how
 * many it has looked at: none when nothing is left.
 */
export async function releaseSome(
  sql: Sql,
  log: Log,
  template: RowOfTeam,
  limit: number,
): Promise<number> {
  const held = await lockHeld(sql, template, limit);
  await isolate(sql, log, resyncLoop, held, (some) => release(sql, template.team_id, idsOf(some)));
  return held.length;
}

/**
 * Gives some of the open journeys behind an id the deadline of their template; returns the last of
 * them, null for none.
 */
export async function moveSomeDeadlines(
  sql: Sql,
  log: Log,
  template: RowOfTeam,
  after: string,
  limit: number,
): Promise<string | null> {
  const found = await listBehind(sql, template, after, limit);
  const moving = found.filter(({ differs }) => differs);
  await isolate(sql, log, resyncLoop, moving, (some) =>
    moveDeadlines(sql, template.team_id, idsOf(some)),
  );
  return found.at(-1)?.id ?? null;
}
