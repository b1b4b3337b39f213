import type { Sql } from '../../../platform/database/sql.ts';
import { dayAfter, dayLiteral } from '../../../platform/database/day.ts';
import type { RowOf } from '../../../platform/schema/fields.ts';
import type { ReplayTable } from '../../../platform/replays/queries.ts';
import type { Candidate } from '../../../platform/replays/rules.ts';
import {
  webhookReplayCanceled,
  webhookReplayCompleted,
  webhookReplayFailed,
} from '../../events.ts';
import type { WebhookReplay } from './webhook-replay.ts';

/** Selection of deliveries of a subscription: by ids, or by filters. */
export interface Requested {
  subscription_id: string;
  delivery_ids: string[] | null;
  statuses: string[] | null;
  event_types: string[] | null;
  /** Recorded from here on, */
  first_at: string;
  /** and before this. */
  end_at: string;
}

export interface ReplayRow extends RowOf<typeof WebhookReplay>, Requested {
  cursor_inserted_at: string;
  cursor_id: string;
  run_token: number;
}

const countOf = (statuses: string) => `(
    select count(*)::int from webhook_deliveries d
    where d.team_id = t.team_id and d.last_replay_id = t.id and d.status in (${statuses})
      and d.day between (t.first_at at time zone 'UTC')::date
        and (t.end_at at time zone 'UTC')::date + 1)`;

/** Results are counted by each read, since they change for days. */
export const webhookReplays: ReplayTable = {
  name: 'webhook_replays',
  type: 'webhook_replay',
  owner: 'subscription_id',
  shown: `t.*, 'webhook_replay' as type, false as dry_run, ${countOf(`'delivered'`)} as succeeded,
    ${countOf(`'failed', 'suppressed', 'canceled'`)} as failed`,
  openIndex: 'webhook_replays_open',
  ends: {
    completed: webhookReplayCompleted,
    canceled: webhookReplayCanceled,
    failed: webhookReplayFailed,
  },
};

export async function insertReplay(
  sql: Sql,
  teamId: string,
  replay: Requested & Pick<ReplayRow, 'since' | 'until' | 'rate_per_second' | 'matched'>,
): Promise<ReplayRow> {
  const placed = { ...replay, cursor_inserted_at: replay.first_at };
  const [row] = await sql<[ReplayRow]>`
    insert into webhook_replays ${sql({ team_id: teamId, ...placed })}
    returning *, 'webhook_replay' as type, false as dry_run, 0 as succeeded, 0 as failed`;
  return row;
}

/** Whether the bytes of a delivery d are still stored unchanged. */
export const stateOf = `coalesce((
    select case when e.is_erased then 'expired' else 'replayable' end
    from webhook_events e
    where e.team_id = d.team_id and e.day = d.day and e.id = d.event_id
  ), 'expired')`;

/** A condition for the day that rows of such times are stored under. */
function withinDays(sql: Sql, column: string, { first_at, end_at }: Requested) {
  const lastDay = dayAfter(end_at.slice(0, 10));
  return sql`${sql(column)} between ${dayLiteral(sql, first_at.slice(0, 10))}
    and ${dayLiteral(sql, lastDay)}`;
}

/** A condition for deliveries d. */
export function isWanted(sql: Sql, requested: Requested) {
  const { delivery_ids: ids, statuses, event_types: types } = requested;
  return sql`
    d.subscription_id = ${requested.subscription_id} and d.inserted_at < ${requested.end_at}
    and ${withinDays(sql, 'd.day', requested)}
    ${ids ? sql`and d.id = any(${ids}::uuid[])` : sql``}
    ${statuses ? sql`and d.status = any(${statuses}::text[])` : sql``}
    ${types ? sql`and d.event_type = any(${types}::text[])` : sql``}`;
}

/** Those of some deliveries that are the subscription's. */
export async function findAsked(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  ids: readonly string[],
): Promise<{ id: string; inserted_at: string; state: Candidate['state'] }[]> {
  return sql<{ id: string; inserted_at: string; state: Candidate['state'] }[]>`
    select d.id, d.inserted_at, ${sql.unsafe(stateOf)} as state
    from webhook_deliveries d
    where d.team_id = ${teamId} and d.subscription_id = ${subscriptionId}
      and d.id = any(${[...ids]}::uuid[])`;
}

export interface Counts {
  matched: number;
  replayable: number;
}

/**
 * Number of selected deliveries, and of those whose bytes are stored. Like `stateOf`, for all at
 * once.
 */
export async function countRequested(
  sql: Sql,
  teamId: string,
  requested: Requested,
): Promise<Counts> {
  const [row] = await sql<[Counts]>`
    select count(*)::int as matched, count(*) filter (where not e.is_erased)::int as replayable
    from (
      select d.day, d.event_id from webhook_deliveries d
      where d.team_id = ${teamId} and d.inserted_at >= ${requested.first_at}
        and ${isWanted(sql, requested)}
    ) found
    left join webhook_events e
      on e.team_id = ${teamId} and e.day = found.day and e.id = found.event_id
        and ${withinDays(sql, 'e.day', requested)}`;
  return row;
}
