import type { Sql } from '../../../platform/database/sql.ts';
import type { Calendar } from '../calendar.ts';
import { stepDays } from '../campaigns.ts';
import type { Plan } from '../campaigns.ts';
import { eventsOf } from '../events/queries.ts';

/** Input of the generation of a year of journeys. */
export interface YearSeed {
  teamId: string;
  seed: number;
  plan: Plan;
  calendar: Calendar;
  journeys: number;
  contacts: number;
}

/** Between two journeys of a contact the others come first: it shares no divisor with usual sizes. */
const stride = 7_919;

/**
 * Writes the journeys numbered from `first` on, in the order of their enrollments, with all that came
 * of them: deliveries, completions, accounts and engagement events. One statement; what is drawn
 * follows from the seed and the numbers alone. Returns how many events it wrote.
 */
export async function seedJourneys(
  sql: Sql,
  { teamId, seed, plan, calendar, journeys, contacts }: YearSeed,
  first: number,
  count: number,
): Promise<number> {
  const { startMs, endMs, days, hours, running, firstRunning, runningCount } = calendar;
  const start = new Date(startMs).toISOString();
  const end = new Date(endMs).toISOString();
  const messages = plan.templates.flatMap((template) => template.messages);
  /** A share that follows from a number, evenly between 0 and 1. */
  const share = (of: string, salt: number) =>
    sql.unsafe(
      `((hashint8extended(${of}, ${String(seed * 1_000 + salt)}) & 1048575) / 1048576.0)::float8`,
    );
  /** An id that follows from a text, of version 4 by its marks. */
  const id = (text: string) =>
    sql`overlay(overlay(md5(${`${teamId} ${String(seed)} `} || ${sql.unsafe(text)})
      placing '4' from 13) placing '8' from 17)::uuid`;
  // Counters are sharded by process id, so two chunks may share a shard. One then waits for the
  // other, for longer than the default limit allows.
  await sql`set local lock_timeout = '60s'`;
  const [written] = await sql<[{ events: number }]>`
    with placed as materialized (
      select s.n, c.id as contact_id, day, ${id(`'journey ' || s.n`)} as id,
        least(${end}::timestamptz - interval '1 minute',
          ${start}::timestamptz + make_interval(days => day - 1, secs => 3600 * (
            width_bucket(${share('s.n', 1)}, ${hours}::float8[]) - 1 + ${share('s.n', 2)}))) as at,
        ${share('s.n', 4)} as fate, ${share('s.n', 5)} as pace,
        ${share('s.n', 6)} < 0.05 as is_holdout
      from generate_series(${first}::bigint, ${first + count - 1}::bigint) as s (n)
      cross join lateral (
        select width_bucket((s.n - 0.5)::float8 / ${journeys}, ${days}::float8[]) as day) d
      join contacts c on c.team_id = ${teamId} and c.status <> 'archived'
        and c.unique_id = 'seed-' || (1 + s.n * ${stride} % ${contacts})
    ),
    drawn as materialized (
      select p.*, campaign, (${plan.templates.map((one) => one.id)}::uuid[])[campaign] as template_id,
        case when p.fate < 0.45 then 'completed' when p.fate < 0.65 then 'exited'
          when p.fate < 0.95 then 'expired' else 'canceled' end as ending,
        case when p.n % 5 < 2 then 'cohort'
          else (array['api', 'api', 'batch', 'widget', 'ipaas', 'batch', 'api'])[1 + p.n % 7]
        end as via,
        ends.at as ended_at, ends.at < ${end} as is_over
      from placed p
      cross join lateral (
        select p.at + make_interval(secs => 86400 * (15 + 45 * p.pace)) as at) ends
      cross join lateral (
        select 1 + (${running}::int[])[1 + (${firstRunning}::int[])[p.day]
          + floor(${share('p.n', 3)} * (${runningCount}::int[])[p.day])::int] as campaign) c
    ),
    begun as (
      insert into journeys (team_id, id, template_id, template_version, contact_id, seq, status,
        exit_reason, enrolled_via, cohort_id, is_holdout, enrolled_at, started_at, completed_at,
        exited_at, inserted_at, updated_at)
      select ${teamId}, d.id, d.template_id, 1, d.contact_id, 1 + (
          select count(*) from journeys j
          where j.team_id = ${teamId} and j.template_id = d.template_id
            and j.contact_id = d.contact_id),
        case when d.is_over then d.ending else 'active' end,
        case when d.is_over then case d.ending when 'exited' then 'unsubscribed'
          when 'expired' then 'deadline' when 'canceled' then 'canceled_by_user' end end,
        d.via, case when d.via = 'cohort' then ${plan.cohort.id}::uuid end, d.is_holdout, d.at, d.at,
        case when d.is_over and d.ending = 'completed' then d.ended_at end,
        case when d.is_over and d.ending <> 'completed' then d.ended_at end,
        d.at, least(d.ended_at, ${end})
      from drawn d
      order by d.n
      on conflict do nothing
      returning id
    ),
    journey as materialized (
      select d.* from drawn d join begun b on b.id = d.id
    ),
    step as materialized (
      select s.*, case
          when s.is_holdout then 'skipped' when s.draw < 0.06 then 'skipped'
          when s.draw < 0.07 then 'failed' when s.draw < 0.095 then 'bounced'
          when s.draw < 0.11 then 'sent' else 'delivered' end as status
      from (
        select j.n * 8 + p.position as n, j.n as journey_n, j.id as journey_id, j.template_id,
          j.contact_id, j.is_holdout, j.campaign, p.position,
          (${messages.map((one) => one.channel)}::text[])[(j.campaign - 1) * 4 + p.position + 1]
            as channel,
          (${messages.map((one) => one.id)}::uuid[])[(j.campaign - 1) * 4 + p.position + 1]
            as message_id,
          j.at + make_interval(secs => 86400 * p.days + 20000 * ${share('j.n * 8 + p.position', 20)})
            as at,
          ${share('j.n * 8 + p.position', 21)} as draw
        from journey j
        cross join unnest(${stepDays}::int[]) with ordinality as listed (days, place)
        cross join lateral (select listed.days, listed.place - 1 as position) p
        where j.at + make_interval(days => p.days, secs => 20000) < least(j.ended_at, ${end})
      ) s
    ),
    delivery as materialized (
      insert into message_deliveries (team_id, id, message_id, template_id, journey_id, contact_id,
        channel, status, provider, skip_reason, scheduled_at, sent_at, delivered_at, failed_at,
        first_opened_at, first_clicked_at, unsubscribed_at, complained_at, open_count, click_count,
        machine_open_count, inserted_at, updated_at)
      select ${teamId}, ${id(`'delivery ' || s.n`)}, s.message_id, s.template_id, s.journey_id,
        s.contact_id, s.channel, s.status, case when s.status <> 'skipped' then 'smtp' end,
        case when s.status = 'skipped' then case when s.is_holdout then 'holdout'
          when s.draw < 0.04 then 'no_consent' else 'frequency_cap' end end,
        s.at,
        case when s.status in ('sent', 'delivered', 'bounced') then s.at + interval '2 seconds' end,
        case when s.status = 'delivered' then s.at + interval '9 seconds' end,
        case when s.status in ('failed', 'bounced') then s.at + interval '5 seconds' end,
        opened.at, clicked.at,
        case when clicked.at is not null and ${share('s.n', 24)} < 0.02 then clicked.at end,
        case when opened.at is not null and ${share('s.n', 25)} < 0.001 then opened.at end,
        (opened.at is not null)::int, (clicked.at is not null)::int,
        (s.channel = 'email' and s.status = 'delivered' and ${share('s.n', 26)} < 0.2)::int,
        s.at, coalesce(clicked.at, opened.at, s.at)
      from step s
      cross join lateral (
        select case when s.status = 'delivered' and ${share('s.n', 22)} <
            case s.channel when 'email' then 0.42 when 'push' then 0.2 else 0.15 end
          then s.at + make_interval(secs => 60 + 90000 * ${share('s.n', 23)} ^ 3) end as at) drawn
      cross join lateral (select case when drawn.at < ${end} then drawn.at end as at) opened
      cross join lateral (
        select case when ${share('s.n', 27)} < 0.3 then opened.at + interval '40 seconds' end as at
      ) clicked
      on conflict do nothing
      returning *
    ),
    completed as (
      insert into objective_completions (team_id, id, objective_id, contact_id, completed_at,
        value_cents, source, attribution, journey_id, template_id, repeat_key, voided_at,
        void_reason, inserted_at, updated_at)
      select ${teamId}, ${id(`'completion ' || j.n || ' ' || o.position`)}, o.objective_id,
        j.contact_id, drawn.at, b.value_cents, 'api',
        case when j.is_holdout then 'organic' else 'journey' end,
        case when not j.is_holdout then j.id end,
        case when not j.is_holdout then j.template_id end, '',
        case when ${share('j.n', 32)} < 0.02 then least(drawn.at + interval '3 days', ${end}) end,
        case when ${share('j.n', 32)} < 0.02 then 'duplicate' end, drawn.at, drawn.at
      from journey j
      join template_objectives o on o.team_id = ${teamId} and o.template_id = j.template_id
      join objectives b on b.team_id = ${teamId} and b.id = o.objective_id
      cross join lateral (
        select j.at + make_interval(secs => 3600 + 86400 * 28 * ${share('j.n * 4 + o.position', 30)})
          as at) drawn
      where drawn.at < ${end} and ${share('j.n * 4 + o.position', 31)} <
        case when j.is_holdout then 0.07 else 0.1 + 0.08 * (j.campaign % 3) end
      on conflict do nothing
      returning *
    ),
    counted as (
      insert into objective_completion_counts as c (team_id, objective_id, slot, count)
      select team_id, objective_id, (select free_counter_shard()), count(*) from completed
      where voided_at is null
      group by 1, 2 order by 1, 2
      on conflict (team_id, objective_id, slot) do update set count = c.count + excluded.count
    ),
    opened_account as (
      insert into accounts (team_id, id, contact_id, unique_id, kind, opened_at, balance_cents,
        currency, inserted_at, updated_at)
      select ${teamId}, ${id(`'account ' || j.n`)}, j.contact_id,
        ${`seed-${String(seed)}-`} || j.n,
        (array['deposit', 'deposit', 'credit', 'loan', 'investment'])[1 + j.n % 5], drawn.at,
        (20000 + 4000000 * ${share('j.n', 42)} ^ 3)::bigint, 'USD', drawn.at, drawn.at
      from journey j
      cross join lateral (
        select j.at + make_interval(secs => 86400 * 40 * ${share('j.n', 41)}) as at) drawn
      where ${share('j.n', 40)} < 0.05 and drawn.at < ${end}
      on conflict do nothing
      returning *
    ),
    recorded as (
      insert into engagement_events (team_id, id, kind, channel, contact_id, journey_id,
        template_id, message_id, message_delivery_id, page_id, landing_page_id,
        widget_instance_id, objective_id, account_id, occurred_at, received_at, source, is_machine,
        properties, value_cents)
      select ${teamId}, ${id(`'event ' || e.kind || ' ' || e.key`)}, e.kind, e.channel,
        e.contact_id, e.journey_id, e.template_id, e.message_id, e.message_delivery_id, e.page_id,
        e.landing_page_id, e.widget_instance_id, e.objective_id, e.account_id, e.at,
        e.at + interval '1 second', e.source, e.is_machine, e.properties, e.value_cents
      from (${eventsOf(sql, { plan, share })}) e
      where e.at is not null and e.at < ${end}
      on conflict do nothing
      returning 1
    )
    select count(*) as events from recorded`;
  return written.events;
}
