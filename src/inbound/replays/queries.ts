import { dayAfter, dayLiteral } from '../../platform/database/day.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ReplayTable } from '../../platform/replays/queries.ts';
import { inboundReplayCanceled, inboundReplayCompleted, inboundReplayFailed } from '../events.ts';
import type { InboundReplay } from './inbound-replay.ts';
import type { Candidate } from '../../platform/replays/rules.ts';

/** Selection of a receiver's deliveries: these ids, or those that match the filter. */
export interface Requested {
  receiver_id: string;
  delivery_ids: string[] | null;
  statuses: string[] | null;
  event_types: string[] | null;
  /** Received from here on, */
  cursor_received_at: string;
  /** and before this. */
  end_at: string;
}

export interface ReplayRow extends RowOf<typeof InboundReplay>, Requested {
  cursor_id: string;
  run_token: number;
}

export const inboundReplays: ReplayTable = {
  name: 'inbound_replays',
  type: 'inbound_replay',
  owner: 'receiver_id',
  shown: `t.*, 'inbound_replay' as type, false as dry_run`,
  openIndex: 'inbound_replays_open',
  ends: {
    completed: inboundReplayCompleted,
    canceled: inboundReplayCanceled,
    failed: inboundReplayFailed,
  },
};

export async function insertReplay(
  sql: Sql,
  teamId: string,
  replay: Requested & Pick<ReplayRow, 'since' | 'until' | 'rate_per_second' | 'matched'>,
): Promise<ReplayRow> {
  const [row] = await sql<[ReplayRow]>`
    insert into inbound_replays ${sql({ team_id: teamId, ...replay })}
    returning *, 'inbound_replay' as type, false as dry_run`;
  return row;
}

/**
 * Whether a delivery d can be applied: it has a payload, or stored bytes that were not recognized.
 */
export const stateOf = `case
    when d.status not in ('processed', 'failed', 'ignored') or d.is_test then 'refused'
    when d.payload is not null then 'replayable'
    when d.body_sha256 is not null and d.received_at > now() - interval '7 days' and exists (
      select from inbound_raw raw
      where raw.team_id = d.team_id and raw.day = d.day and raw.id = coalesce(d.batch_id, d.id)
    ) then 'replayable'
    else 'expired'
  end`;

/** A condition for deliveries d. The days are those that rows of such times are stored under. */
export function isWanted(sql: Sql, requested: Requested) {
  const { delivery_ids: ids, statuses, event_types: types } = requested;
  const firstDay = requested.cursor_received_at.slice(0, 10);
  const lastDay = dayAfter(requested.end_at.slice(0, 10));
  // Spelt out, so that the index on what is not processed is of use.
  const isRare = statuses !== null && !statuses.includes('processed');
  return sql`
    d.receiver_id = ${requested.receiver_id} and d.received_at < ${requested.end_at}
    and d.day between ${dayLiteral(sql, firstDay)} and ${dayLiteral(sql, lastDay)}
    ${ids ? sql`and d.id = any(${ids}::uuid[])` : sql``}
    ${isRare ? sql`and d.status <> 'processed'` : sql``}
    ${statuses ? sql`and d.status = any(${statuses}::text[])` : sql``}
    ${types ? sql`and d.event_type = any(${types}::text[])` : sql``}`;
}

/** Those of some deliveries that are the receiver's. */
export async function findAsked(
  sql: Sql,
  teamId: string,
  receiverId: string,
  ids: readonly string[],
): Promise<{ id: string; received_at: string; state: Candidate['state'] }[]> {
  return sql<{ id: string; received_at: string; state: Candidate['state'] }[]>`
    select d.id, d.received_at, ${sql.unsafe(stateOf)} as state
    from inbound_deliveries d
    where d.team_id = ${teamId} and d.receiver_id = ${receiverId}
      and d.id = any(${[...ids]}::uuid[])`;
}

/** Numbers of selected deliveries: in total and by state. */
export async function countRequested(
  sql: Sql,
  teamId: string,
  requested: Requested,
): Promise<Record<'matched' | Candidate['state'], number>> {
  const [row] = await sql<[Record<'matched' | Candidate['state'], number>]>`
    select count(*)::int as matched,
      count(*) filter (where state = 'replayable')::int as replayable,
      count(*) filter (where state = 'refused')::int as refused,
      count(*) filter (where state = 'expired')::int as expired
    from (
      select ${sql.unsafe(stateOf)} as state
      from inbound_deliveries d
      where d.team_id = ${teamId} and d.received_at >= ${requested.cursor_received_at}
        and ${isWanted(sql, requested)}
    ) found`;
  return row;
}
