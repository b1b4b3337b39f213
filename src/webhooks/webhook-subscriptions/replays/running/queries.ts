import type { Sql } from '../../../../platform/database/sql.ts';
import type { Candidate } from '../../../../platform/replays/rules.ts';
import { isWanted, stateOf } from '../queries.ts';
import type { ReplayRow } from '../queries.ts';

/** Without what became of the deliveries, which no chunk needs. */
const columns = `t.*, 'webhook_replay' as type, false as dry_run, 0 as succeeded, 0 as failed`;

/** Locks an open replay that no other worker has claimed, until the end of the transaction. */
export async function lockRunning(
  sql: Sql,
  teamId: string,
  id: string,
  token: number,
): Promise<ReplayRow | undefined> {
  const [row] = await sql<ReplayRow[]>`
    select ${sql.unsafe(columns)} from webhook_replays t
    where t.team_id = ${teamId} and t.id = ${id} and t.run_token = ${token}
      and t.status in ('pending', 'running')
    for update of t`;
  return row;
}

export interface Found extends Candidate {
  id: string;
  day: string;
  inserted_at: string;
}

/** The next deliveries of a replay in their order. */
export async function listNext(sql: Sql, replay: ReplayRow, limit: number): Promise<Found[]> {
  return sql<Found[]>`
    select d.id, d.day, d.inserted_at, 0 as bytes, ${sql.unsafe(stateOf)} as state
    from webhook_deliveries d
    where d.team_id = ${replay.team_id}
      and (d.inserted_at, d.id) > (${replay.cursor_inserted_at}, ${replay.cursor_id})
      and d.last_replay_id is distinct from ${replay.id}
      and ${isWanted(sql, replay)}
    order by d.inserted_at, d.id
    limit ${limit}`;
}

export interface Progress {
  replayed: number;
  skipped: number;
  cursor: { inserted_at: string; id: string } | undefined;
  status: 'running' | 'completed' | 'canceled';
}

/** Adds a chunk to a replay, and advances its place. */
export async function advanceReplay(
  sql: Sql,
  { team_id, id, cursor_id, cursor_inserted_at }: ReplayRow,
  { replayed, skipped, cursor, status }: Progress,
): Promise<ReplayRow> {
  const [row] = await sql<[ReplayRow]>`
    update webhook_replays t
    set status = ${status}, replayed = replayed + ${replayed}, skipped = skipped + ${skipped},
      cursor_inserted_at = ${cursor?.inserted_at ?? cursor_inserted_at},
      cursor_id = ${cursor?.id ?? cursor_id}, started_at = coalesce(started_at, now()),
      finished_at = case when ${status} <> 'running' then now() end, updated_at = now(),
      lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(columns)}`;
  return row;
}
