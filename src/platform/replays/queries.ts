import type { Sql } from '../database/sql.ts';
import { fail } from '../http/errors.ts';
import type { ListSource } from '../lists/sql.ts';
import type { EventType } from '../events/event-type.ts';
import type { ReplayStatus } from './rules.ts';

/** A table of replays: they differ in what they replay, not in how they are run. */
export interface ReplayTable {
  name: 'inbound_replays' | 'webhook_replays';
  type: 'inbound_replay' | 'webhook_replay';
  /** Whose deliveries they replay. */
  owner: 'receiver_id' | 'subscription_id';
  /** The columns of a row t that the API shows. */
  shown: string;
  /** The unique index that a second open replay of an owner breaks. */
  openIndex: string;
  /** The event of each ending. */
  ends: Readonly<Record<Exclude<ReplayStatus, 'pending' | 'running'>, EventType>>;
}

/** Columns that both tables have. */
export interface StoredReplay {
  id: string;
  team_id: string;
  status: ReplayStatus;
  matched: number;
  replayed: number;
  succeeded: number;
  failed: number;
  skipped: number;
  rate_per_second: number;
  run_token: number;
  cursor_id: string;
  lock_version: number;
}

export function replaySource(table: ReplayTable, teamId: string, ownerId: string): ListSource {
  return {
    from: `${table.name} t`,
    select: table.shown,
    where: {
      text: `t.team_id = $1::uuid and t.${table.owner} = $2::uuid`,
      values: [teamId, ownerId],
    },
  };
}

/** Throws 404. */
export async function requireReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  ownerId: string,
  id: string,
): Promise<Row> {
  const [row] = await sql<Row[]>`
    select ${sql.unsafe(table.shown)} from ${sql(table.name)} t
    where t.team_id = ${teamId} and ${sql(`t.${table.owner}`)} = ${ownerId} and t.id = ${id}`;
  return row ?? notFound(table);
}

/** Locks the replay until the end of the transaction. Throws 404. */
export async function lockReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  ownerId: string,
  id: string,
): Promise<Row> {
  const [row] = await sql<Row[]>`
    select ${sql.unsafe(table.shown)} from ${sql(table.name)} t
    where t.team_id = ${teamId} and ${sql(`t.${table.owner}`)} = ${ownerId} and t.id = ${id}
    for update of t`;
  return row ?? notFound(table);
}

function notFound({ type }: ReplayTable): never {
  throw fail('not_found', { detail: 'No such replay.', meta: { resource: type } });
}

/** The replay of an owner that is not finished. */
export async function findOpenReplay(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  ownerId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from ${sql(table.name)}
    where team_id = ${teamId} and ${sql(table.owner)} = ${ownerId}
      and status in ('pending', 'running')`;
  return row?.id;
}

export async function cancelReplayRow<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  { team_id, id }: Row,
): Promise<Row> {
  const [row] = await sql<[Row]>`
    update ${sql(table.name)} t
    set status = 'canceled', finished_at = now(), updated_at = now(),
      lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(table.shown)}`;
  return row;
}

/** Claims an open replay: the previous owner can write nothing more of it. */
export async function takeReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    update ${sql(table.name)} t
    set run_token = run_token + 1, updated_at = now()
    where t.team_id = ${teamId} and t.id = ${id} and status in ('pending', 'running')
    returning ${sql.unsafe(table.shown)}`;
  return row;
}

export async function findReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    select ${sql.unsafe(table.shown)} from ${sql(table.name)} t
    where t.team_id = ${teamId} and t.id = ${id}`;
  return row;
}

/** Changes the rate of an open replay; false where it has ended. */
export async function setReplayRate(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  id: string,
  ratePerSecond: number,
): Promise<boolean> {
  const rows = await sql`
    update ${sql(table.name)}
    set rate_per_second = ${ratePerSecond}, updated_at = now(), lock_version = lock_version + 1
    where team_id = ${teamId} and id = ${id} and status in ('pending', 'running')
    returning id`;
  return rows.length > 0;
}

/** Gives an open replay up; undefined where it has ended. */
export async function failReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  teamId: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    update ${sql(table.name)} t
    set status = 'failed', finished_at = now(), updated_at = now(), lock_version = lock_version + 1
    where t.team_id = ${teamId} and t.id = ${id} and status in ('pending', 'running')
    returning ${sql.unsafe(table.shown)}`;
  return row;
}

/** Open replays without progress for a while: their workflow may no longer exist. */
export async function listStaleReplays(
  sql: Sql,
  table: ReplayTable,
  untouchedMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from ${sql(table.name)}
    where status in ('pending', 'running')
      and updated_at < now() - make_interval(secs => ${untouchedMs / 1_000})
    limit ${limit} /* any team: the relay serves all */`;
}
