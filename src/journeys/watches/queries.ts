import type { Sql } from '../../platform/database/sql.ts';
import type { JourneyStatus } from '../../cohorts/definition/journey-statuses.ts';
import { maxOverdueWatches, overdueMinutes, watchDays } from './rules.ts';
import type { WatchReason } from './rules.ts';

interface Place {
  team_id: string;
  id: string;
}

export async function countWatches(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from journey_watches
    where team_id = ${teamId} and reason = 'requested'`;
  return row.count;
}

/** Whether somebody has requested to watch the journey. */
export async function isWatched(sql: Sql, { team_id, id }: Place): Promise<boolean> {
  const rows = await sql`
    select from journey_watches
    where team_id = ${team_id} and journey_id = ${id} and reason = 'requested'`;
  return rows.length > 0;
}

/** Watches a journey, or prolongs its watch; returns the end. */
export async function watch(sql: Sql, { team_id, id }: Place): Promise<string> {
  const [row] = await sql<[{ watched_until: string }]>`
    insert into journey_watches (team_id, journey_id, reason, watched_until)
    values (${team_id}, ${id}, 'requested', now() + make_interval(days => ${watchDays}))
    on conflict (team_id, journey_id) do update
    set reason = 'requested', watched_until = excluded.watched_until
    returning watched_until`;
  return row.watched_until;
}

/** Ends the watch of a journey; false where there was none. */
export async function unwatch(sql: Sql, { team_id, id }: Place): Promise<boolean> {
  const rows = await sql`
    delete from journey_watches where team_id = ${team_id} and journey_id = ${id}
    returning journey_id`;
  return rows.length > 0;
}

/** A journey that is watched, for operators: no contact, no address, no content. */
export interface WatchedJourney {
  /** Null where nobody watches it any more. */
  reason: WatchReason | null;
  is_over: boolean;
  /** It began a moment ago. */
  is_new: boolean;
  status: JourneyStatus;
  exit_reason: string | null;
  template_id: string;
  contact_id: string;
  template_status: string;
  next_due_at: string | null;
  is_overdue: boolean;
  is_holdout: boolean;
  deadline_at: string | null;
  decided: number;
  /** Messages by status, and skipped ones by reason. */
  messages: Record<string, number>;
  skipped: Record<string, number>;
  /** Messages in the send queue: the largest number of attempts, and when the next one is due. */
  attempts: number;
  next_attempt_at: string | null;
}

/** Reads a journey that is watched; undefined when it exists no longer. */
export async function readWatched(
  sql: Sql,
  { team_id: teamId, id }: Place,
): Promise<WatchedJourney | undefined> {
  const [row] = await sql<WatchedJourney[]>`
    with touched as (
      update journey_watches set touched_at = now()
      where team_id = ${teamId} and journey_id = ${id}
      returning reason, watched_until
    ),
    deliveries as (
      select d.id, d.status, d.skip_reason from message_deliveries d
      where d.team_id = ${teamId} and d.journey_id = ${id}
      order by d.inserted_at desc, d.id desc
      limit 1000
    )
    select w.reason, coalesce(w.watched_until < now(), false) as is_over,
      coalesce(w.watched_until > now() + make_interval(days => ${watchDays},
        mins => -${overdueMinutes}::int), false) as is_new,
      j.status, j.exit_reason, j.template_id, j.contact_id, t.status as template_status, j.next_due_at,
      j.is_holdout, j.deadline_at,
      coalesce(j.next_due_at < now() - make_interval(mins => ${overdueMinutes}), false)
        or coalesce(queued.since < now() - make_interval(mins => ${overdueMinutes}), false)
        as is_overdue,
      cardinality(j.decided_message_ids) as decided,
      (select coalesce(jsonb_object_agg(status, count), '{}') from (
         select status, count(*) as count from deliveries group by status) by_status) as messages,
      (select coalesce(jsonb_object_agg(skip_reason, count), '{}') from (
         select skip_reason, count(*) as count from deliveries
         where skip_reason is not null group by skip_reason) by_reason) as skipped,
      coalesce(queued.attempts, 0) as attempts, queued.next_attempt_at
    from journeys j
    join templates t on t.team_id = j.team_id and t.id = j.template_id
    left join touched w on true
    cross join lateral (
      select max(s.attempts) as attempts, min(s.next_attempt_at) as next_attempt_at,
        min(s.inserted_at) as since
      from message_sends s
      where s.team_id = ${teamId} and s.id in (select d.id from deliveries d)
    ) queued
    where j.team_id = ${teamId} and j.id = ${id}`;
  return row;
}

/** Watches that no workflow has touched for a while. */
export async function listLostWatches(
  sql: Sql,
  untouchedMs: number,
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  return sql<{ team_id: string; id: string }[]>`
    select team_id, journey_id as id from journey_watches
    where touched_at < now() - make_interval(secs => ${untouchedMs / 1_000})
    order by touched_at
    limit ${limit} /* any team: the repair of lost workflows */`;
}

/**
 * Watches some of the journeys with a step that is long overdue. Reads the first entries of the
 * lanes only, which are the most overdue ones.
 */
export async function watchOverdue(sql: Sql): Promise<{ team_id: string; id: string }[]> {
  return sql<{ team_id: string; id: string }[]>`
    insert into journey_watches (team_id, journey_id, reason, watched_until)
    select late.team_id, late.id, 'overdue', now() + make_interval(days => ${watchDays})
    from journey_lanes l cross join lateral (
      select team_id, id from journeys
      where lane_of_contact(contact_id) = l.lane
        and next_due_at < now() - make_interval(mins => ${overdueMinutes})
      order by next_due_at
      limit ${maxOverdueWatches}
    ) late
    limit greatest(0, ${maxOverdueWatches}
      - (select count(*) from journey_watches where reason = 'overdue'))
    on conflict do nothing
    returning team_id, journey_id as id /* any team: the repair of journeys in trouble */`;
}
