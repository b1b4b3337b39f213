import type { Database } from './client.ts';
import type { Fragment, Sql } from './sql.ts';

/** Tables whose rows are lanes: the end of the lease, and the time of the last signal. */
type LaneTable = 'cohort_lanes' | 'journey_lanes' | 'webhook_lanes';

/** Leases are several times as long. */
const extendEveryMs = 2_000;
/** A signal has this long until the lane has an owner; then it is repeated. */
const signalEverySeconds = 3;
/** After a start of Postgres, processes that live have this long to connect and store their work. */
const reconnectSeconds = 3;
/** After a start of Postgres, another one is likely for this long. */
const afterRestartSeconds = 10;

export interface Lane {
  table: LaneTable;
  lane: number;
  /** Token of the owner, if a lease excludes the previous owner; otherwise the row lock does. */
  token?: number;
}

/**
 * Takes a lane over: an owner with an earlier token cannot write any more. `ownerPid` is the backend
 * of a connection that this process keeps. `is_after_restart` if Postgres started less than ten
 * seconds ago.
 */
export async function acquireLease(
  sql: Sql,
  lane: number,
  leaseMs: number,
  ownerPid: number | undefined,
  afterStartSeconds = afterRestartSeconds,
): Promise<{ token: number; is_after_restart: boolean }> {
  const [row] = await sql<[{ token: number; is_after_restart: boolean }]>`
    update webhook_lanes
    set token = token + 1, owner_pid = ${ownerPid ?? null},
      leased_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000})
    where lane = ${lane}
    returning token, pg_postmaster_start_time()
      > clock_timestamp() - make_interval(secs => ${afterStartSeconds}) as is_after_restart`;
  return row;
}

/**
 * Sets the end of the lease; false when another owner has taken the lane over. The row stays locked
 * until the transaction ends.
 */
export async function extendLease(sql: Sql, lane: Lane, leaseMs: number): Promise<boolean> {
  const rows = await sql`
    update ${sql(lane.table)}
    set leased_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000})
    where ${isOwned(sql, lane)}
    returning lane`;
  return rows.length > 0;
}

/** Another process has taken over the lane, with all its work. */
export class LeaseLost extends Error {
  constructor() {
    super('another process has taken over this lane');
    this.name = 'LeaseLost';
  }
}

/**
 * Returns a function that extends a lease if the last extension was two seconds ago, and returns
 * whether it has. Throws LeaseLost when another owner has taken the lane over.
 */
export function createLeaseKeeper(
  database: Pick<Database, 'read'>,
  lane: Lane,
  leaseMs: number,
  acquiredAtMs = -Infinity,
): () => Promise<boolean> {
  let extendedAtMs = acquiredAtMs;
  return async () => {
    const now = performance.now();
    if (now - extendedAtMs <= extendEveryMs) return false;
    if (!(await database.read((sql) => extendLease(sql, lane, leaseMs)))) throw new LeaseLost();
    extendedAtMs = now;
    return true;
  };
}

/** Sets the connection by which others see that the owner lives; false as for extendLease. */
export async function setOwner(sql: Sql, lane: number, token: number, ownerPid: number) {
  const rows = await sql`
    update webhook_lanes set owner_pid = ${ownerPid}
    where lane = ${lane} and token = ${token}
    returning lane`;
  return rows.length > 0;
}

/** Ends the lease, so that the lane can be signaled immediately. */
export async function releaseLease(sql: Sql, lane: Lane): Promise<void> {
  await sql`
    update ${sql(lane.table)} set leased_until = '-infinity', signaled_at = '-infinity'
    where ${isOwned(sql, lane)}`;
}

/**
 * Takes the leases of processes whose connection has ended, and returns their lanes, which the caller
 * must signal. Until the next owner has a lane, the caller has its lease for a moment: if it ends
 * before it has signaled, or with the next owner, another process takes the lane in turn. A process
 * that lives and only lost its connection cannot write any more either. Right after a start of
 * Postgres every connection has ended, and no lease is taken.
 */
export async function takeOrphanedLeases(
  sql: Sql,
  ownPid: number | undefined,
  afterStartSeconds = reconnectSeconds,
): Promise<{ lane: number }[]> {
  const pid = ownPid ?? null;
  return sql<{ lane: number }[]>`
    update webhook_lanes
    set token = token + 1, owner_pid = ${pid}::int, signaled_at = clock_timestamp(),
      leased_until = case when ${pid}::int is null then '-infinity'
        else clock_timestamp() + make_interval(secs => ${signalEverySeconds}) end
    where leased_until > clock_timestamp() and owner_pid is distinct from ${pid}::int
      and owner_pid is not null
      and pg_postmaster_start_time()
        < clock_timestamp() - make_interval(secs => ${afterStartSeconds})
      and not exists (select from pg_stat_get_activity(owner_pid))
    returning lane`;
}

function isOwned(sql: Sql, { lane, token }: Lane): Fragment {
  return token === undefined ? sql`lane = ${lane}` : sql`lane = ${lane} and token = ${token}`;
}

/**
 * Lanes with work, without a lease and without a recent signal. Marks them as
 * signaled, so that several relays signal a lane once. `hasWork` reads the lane as `l`.
 */
export async function claimLanesToSignal(
  sql: Sql,
  table: LaneTable,
  hasWork: Fragment,
): Promise<{ lane: number }[]> {
  return sql<{ lane: number }[]>`
    update ${sql(table)} l set signaled_at = clock_timestamp()
    where l.leased_until < clock_timestamp()
      and l.signaled_at < clock_timestamp() - make_interval(secs => ${signalEverySeconds})
      and ${hasWork}
    returning l.lane`;
}
