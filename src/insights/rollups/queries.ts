import type { Sql } from '../../platform/database/sql.ts';
import type { Asked } from '../declaration.ts';
import { divide } from './spans.ts';
import type { Spans } from './spans.ts';

/** More changed hours are slower to read one by one than all rows. */
const maxChangedHours = 200;

/** Divides a period between sums of hours and rows; sums do not know contacts. */
export async function findSpans({ sql, teamId, period, filters }: Asked): Promise<Spans> {
  const { start, end } = period;
  const all = { fromMs: Date.parse(start), toMs: Date.parse(end) };
  if (filters.cohortId !== undefined) return divide(all, undefined);
  const [known] = await sql<[{ until: string }?]>`
    select rolled_up_until as until from delivery_rollup_progress where team_id = ${teamId}`;
  if (!known) return divide(all, undefined);
  const changed = await sql<{ hour: string }[]>`
    select distinct hour from delivery_rollup_dirty_hours
    where team_id = ${teamId} and hour >= ${start} and hour < ${end}
    limit ${maxChangedHours + 1}`;
  if (changed.length > maxChangedHours) return divide(all, undefined);
  return divide(all, {
    untilMs: Date.parse(known.until),
    changedMs: changed.map(({ hour }) => Date.parse(hour)),
  });
}

/** Counts that one delivery d adds to the rollup of its hour, in the order of the columns. */
export const addends = (sql: Sql) => sql`
  (d.sent_at is not null)::int as sent,
  (d.delivered_at is not null)::int as delivered,
  (d.status = 'bounced')::int as bounced,
  (d.status = 'failed')::int as failed,
  (d.delivered_at is not null and d.first_opened_at is not null)::int as opened,
  (d.machine_open_count > 0)::int as opened_machine,
  (d.delivered_at is not null and d.first_clicked_at is not null)::int as clicked,
  (d.unsubscribed_at is not null)::int as unsubscribed,
  (d.complained_at is not null)::int as complained`;

/** Sums of several, under the same names. */
export const sums = (sql: Sql) => sql`
  sum(sent)::bigint as sent, sum(delivered)::bigint as delivered, sum(bounced)::bigint as bounced,
  sum(failed)::bigint as failed, sum(opened)::bigint as opened,
  sum(opened_machine)::bigint as opened_machine, sum(clicked)::bigint as clicked,
  sum(unsubscribed)::bigint as unsubscribed, sum(complained)::bigint as complained`;

/** The columns of the sums of hours, as statements write them. */
const columns = (sql: Sql) => sql`
  team_id, hour, message_id, template_id, channel, variant_key, sent, delivered, bounced, failed,
  opened, opened_machine, clicked, unsubscribed, complained`;

/** The sums of hours as the rows have them; '' is no variant. */
const fresh = (sql: Sql, teamId: string, from: string, to: string) => sql`
  select d.team_id, date_trunc('hour', coalesce(d.sent_at, d.failed_at), 'UTC') as hour,
    d.message_id, d.template_id, d.channel, coalesce(d.variant_key, '') as variant_key,
    ${addends(sql)}
  from message_deliveries d
  where d.team_id = ${teamId} and coalesce(d.sent_at, d.failed_at) >= ${from}
    and coalesce(d.sent_at, d.failed_at) < ${to}`;

/** Teams with hours to sum: changed ones, ones that have passed, or all that they have. */
export async function listTeamsToSum(sql: Sql, limit: number): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select t.id from teams t
    left join delivery_rollup_progress s on s.team_id = t.id
    where case when s.team_id is null
      then exists (select from message_stats m where m.team_id = t.id)
      else s.rolled_up_until < ${lastHour(sql)}
        or exists (
          select from delivery_rollup_dirty_hours c
          where c.team_id = t.id and c.hour < s.rolled_up_until) end
    order by s.touched_at nulls first, t.id
    limit ${limit}`;
}

/**
 * Hours are summed when nobody can still be writing into them unmarked: a transaction ends long
 * before three hours have passed.
 */
const lastHour = (sql: Sql) => sql`date_trunc('hour', now(), 'UTC') - interval '3 hours'`;

export interface SumReport {
  hours: number;
  /** Whether some are left. */
  hasMore: boolean;
}

/**
 * Sums some of a team's hours: those that have changed, then those that have passed. To run in a
 * transaction of its own, of which all statements see one moment: a mark that it removes is about
 * rows that it sees. Two at once: the later one is repeated.
 */
export async function sumHours(
  sql: Sql,
  teamId: string,
  { changed, passed }: { changed: number; passed: number },
): Promise<SumReport> {
  await sql`set transaction isolation level repeatable read`;
  await begin(sql, teamId);
  const [team] = await sql<[{ rolled_up_until: string; next: string; has_more: boolean }?]>`
    update delivery_rollup_progress
    set touched_at = clock_timestamp()
    where team_id = ${teamId}
    returning rolled_up_until, greatest(rolled_up_until, least(${lastHour(sql)},
      rolled_up_until + make_interval(hours => ${passed}))) as next,
      rolled_up_until + make_interval(hours => ${passed}) < ${lastHour(sql)} as has_more`;
  if (!team) return { hours: 0, hasMore: false };
  const marks = await sql<{ hour: string }[]>`
    delete from delivery_rollup_dirty_hours
    where team_id = ${teamId} and hour in (
      select distinct hour from delivery_rollup_dirty_hours
      where team_id = ${teamId} and hour < ${team.next} limit ${changed})
    returning hour`;
  const hours = [...new Set(marks.map(({ hour }) => hour))];
  const again = hours.filter((hour) => hour < team.rolled_up_until);
  await writeHours(sql, teamId, again);
  await sql`
    insert into delivery_counts_hourly (${columns(sql)})
    select team_id, hour, message_id, template_id, channel, variant_key, ${sums(sql)}
    from (${fresh(sql, teamId, team.rolled_up_until, team.next)}) d
    group by 1, 2, 3, 4, 5, 6 /* team_id is in the condition */`;
  await sql`
    update delivery_rollup_progress set rolled_up_until = ${team.next} where team_id = ${teamId}`;
  const passedHours = (Date.parse(team.next) - Date.parse(team.rolled_up_until)) / 3_600_000;
  return { hours: again.length + passedHours, hasMore: team.has_more || hours.length === changed };
}

/** Begins with the first hour of a team that has none summed. */
async function begin(sql: Sql, teamId: string): Promise<void> {
  await sql`
    insert into delivery_rollup_progress (team_id, rolled_up_until)
    select ${teamId}, date_trunc('hour', coalesce(min(coalesce(d.sent_at, d.failed_at)), now()), 'UTC')
    from message_deliveries d where d.team_id = ${teamId}
    on conflict do nothing`;
}

/** Replaces the sums of these hours by what the rows say, hour by hour and by the index. */
async function writeHours(sql: Sql, teamId: string, hours: readonly string[]): Promise<void> {
  if (hours.length === 0) return;
  await sql`
    delete from delivery_counts_hourly where team_id = ${teamId} and hour = any(${hours}::timestamptz[])`;
  await sql`
    insert into delivery_counts_hourly (${columns(sql)})
    select team_id, hour, message_id, template_id, channel, variant_key, ${sums(sql)}
    from (
      select d.team_id, h.hour, d.message_id, d.template_id, d.channel,
        coalesce(d.variant_key, '') as variant_key, ${addends(sql)}
      from unnest(${hours}::timestamptz[]) as h (hour)
      cross join lateral (
        select d.* from message_deliveries d
        where d.team_id = ${teamId} and coalesce(d.sent_at, d.failed_at) >= h.hour
          and coalesce(d.sent_at, d.failed_at) < h.hour + interval '1 hour'
        offset 0
      ) d
    ) d
    group by 1, 2, 3, 4, 5, 6`;
}

/** Teams whose sums were compared longest ago. */
export async function listSummedTeams(sql: Sql, after: string, limit: number) {
  return sql<{ id: string }[]>`
    select team_id as id from delivery_rollup_progress
    where team_id > ${after} order by team_id limit ${limit} /* any team: each is compared */`;
}

export interface ReconcileReport {
  /** Compared. */
  hours: number;
  /** Hours whose sums differed from the rows, and were corrected. */
  corrected: number;
}

/**
 * Compares the sums of some hours of a team with the rows, going on where it ended and beginning
 * again after the last, and corrects them. Hours that are marked are left to the next summing.
 */
export async function reconcileHours(
  sql: Sql,
  teamId: string,
  hourBatch: number,
): Promise<ReconcileReport> {
  await sql`set transaction isolation level repeatable read`;
  const [window] = await sql<[{ start: string; end: string }?]>`
    update delivery_rollup_progress s
    set reconciled_until = w.until
    from (
      select o.team_id, w.start, least(o.rolled_up_until, w.start + make_interval(hours => ${hourBatch}))
        as until
      from delivery_rollup_progress o
      cross join lateral (
        select case when o.reconciled_until >= o.rolled_up_until or o.reconciled_until = '-infinity'
          then least(o.rolled_up_until, (
            select date_trunc('hour', min(coalesce(d.sent_at, d.failed_at)), 'UTC')
            from message_deliveries d where d.team_id = ${teamId}
          ), (select min(h.hour) from delivery_counts_hourly h where h.team_id = ${teamId}))
          else o.reconciled_until end as start) w
      where o.team_id = ${teamId}
    ) w
    where s.team_id = ${teamId} and w.team_id = s.team_id
    returning w.start, w.until as end`;
  if (!window) return { hours: 0, corrected: 0 };
  const { start, end } = window;
  const wrong = await sql<{ hour: string }[]>`
    with fresh as (
      select hour, message_id, template_id, channel, variant_key, ${sums(sql)}
      from (${fresh(sql, teamId, start, end)}) d
      group by 1, 2, 3, 4, 5
    ),
    kept as (
      select hour, message_id, template_id, channel, variant_key, sent::bigint, delivered::bigint,
        bounced::bigint, failed::bigint, opened::bigint, opened_machine::bigint, clicked::bigint,
        unsubscribed::bigint, complained::bigint
      from delivery_counts_hourly where team_id = ${teamId} and hour >= ${start} and hour < ${end}
    )
    select distinct hour from (
      (select * from fresh except select * from kept)
      union all (select * from kept except select * from fresh)
    ) different
    where not exists (
      select from delivery_rollup_dirty_hours c where c.team_id = ${teamId} and c.hour = different.hour)`;
  await writeHours(
    sql,
    teamId,
    wrong.map(({ hour }) => hour),
  );
  return {
    hours: Math.max(0, (Date.parse(end) - Date.parse(start)) / 3_600_000),
    corrected: wrong.length,
  };
}

/** For how long a team has had changed hours that are not summed, at most; in seconds. */
export async function maxUnsummedSeconds(sql: Sql): Promise<number> {
  const [{ seconds }] = await sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from max(now() - s.touched_at)), 0)::float8 as seconds
    from delivery_rollup_progress s
    where exists (
      select from delivery_rollup_dirty_hours c
      where c.team_id = s.team_id and c.hour < s.rolled_up_until)`;
  return seconds;
}

/**
 * Deletes rollups older than the retention of deliveries. The first two weeks within the retention
 * become dirty hours.
 */
export async function pruneSums(sql: Sql, months: number): Promise<number> {
  const { count } = await sql`
    with kept as (
      select date_trunc('month', now() at time zone 'UTC' - make_interval(months => ${months}))
        at time zone 'UTC' as since
    ),
    gone as (
      delete from delivery_counts_hourly h using kept k, delivery_rollup_progress s
      where h.team_id = s.team_id and h.hour < k.since
      returning h.team_id
    )
    insert into delivery_rollup_dirty_hours (team_id, hour)
    select distinct h.team_id, h.hour
    from (select distinct team_id from gone) g
    cross join kept k
    join delivery_counts_hourly h on h.team_id = g.team_id
      and h.hour >= k.since and h.hour < k.since + interval '14 days'
    /* any team: each has months that end */`;
  return count;
}
