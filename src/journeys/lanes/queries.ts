import type { Fragment, Sql } from '../../platform/database/sql.ts';
import { claimLanesToSignal } from '../../platform/database/leases.ts';
import { isParked } from '../../platform/database/parked-rows.ts';
import { arrayLiteral, collectValues } from '../../platform/lists/statement.ts';
import type { Bind } from '../../platform/lists/statement.ts';
import type { FrequencyCap, QuietHours } from '../../team/team.ts';
import type { Waiting } from './rules.ts';

/** The loop that decides over due journeys, as parked rows name it. */
export const journeyLoopName = 'journeys';

/** A journey with something due, locked. */
export interface DueJourney {
  team_id: string;
  id: string;
  template_id: string;
  template_version: number;
  contact_id: string;
  status: 'scheduled' | 'active';
  is_holdout: boolean;
  enrolled_at: string;
  deadline_at: string | null;
  scheduled_steps: Record<string, Waiting>;
  decided_message_ids: string[];
}

/**
 * Journeys of a lane with something due, locked: of each team as many as of every other, and of each
 * template of a team, so that a large one delays nobody. Those that somebody writes come later.
 */
export async function claimDue(
  sql: Sql,
  lane: number,
  { asOf, limit }: { asOf: string; limit: number },
): Promise<DueJourney[]> {
  return sql<DueJourney[]>`
    with recursive walk (team_id, template_id) as (
      (select team_id, template_id from journeys
       where lane_of_contact(contact_id) = ${lane} and next_due_at is not null
       order by team_id, template_id limit 1)
      union all
      select next.team_id, next.template_id
      from walk cross join lateral (
        select team_id, template_id from journeys
        where lane_of_contact(contact_id) = ${lane} and next_due_at is not null
          and (team_id, template_id) > (walk.team_id, walk.template_id)
        order by team_id, template_id limit 1
      ) next
    ),
    due as materialized (
      select d.team_id, d.template_id, d.id,
        row_number() over (partition by d.team_id, d.template_id order by d.next_due_at) as turn
      from walk cross join lateral (
        select team_id, template_id, id, next_due_at from journeys j
        where lane_of_contact(contact_id) = ${lane} and team_id = walk.team_id
          and template_id = walk.template_id and next_due_at <= ${asOf}
          and not ${isParked(sql, journeyLoopName, 'j')}
        order by next_due_at limit ${limit}
      ) d
    ),
    chosen as materialized (
      select team_id, id from due
      order by row_number() over (partition by team_id order by turn, template_id), team_id
      limit ${limit}
    )
    select j.team_id, j.id, j.template_id, j.template_version, j.contact_id, j.status,
      j.is_holdout, j.enrolled_at, j.deadline_at, j.scheduled_steps, j.decided_message_ids
    from chosen join journeys j on j.team_id = chosen.team_id and j.id = chosen.id
    where j.next_due_at <= ${asOf}
    order by j.next_due_at
    for update of j skip locked /* any team: lanes serve all */`;
}

/** The settings of a template and its team about sending. */
export interface JourneyContext {
  team_id: string;
  template_id: string;
  status: string;
  send_rate_per_minute: number | null;
  timezone: string;
  quiet_hours: QuietHours | null;
  frequency_cap: FrequencyCap | null;
}

/** Ids of several teams, side by side. */
function columnsOf(pairs: readonly { team_id: string; id: string }[]) {
  return [pairs.map(({ team_id }) => team_id), pairs.map(({ id }) => id)] as const;
}

export async function loadContexts(
  sql: Sql,
  templates: readonly { team_id: string; id: string }[],
): Promise<JourneyContext[]> {
  const [teams, ids] = columnsOf(templates);
  return sql<JourneyContext[]>`
    select t.team_id, t.id as template_id, t.status, t.send_rate_per_minute, m.timezone,
      m.quiet_hours, m.frequency_cap
    from unnest(${teams}::uuid[], ${ids}::uuid[]) as requested (team_id, id)
    join templates t on t.team_id = requested.team_id and t.id = requested.id
    join teams m on m.id = t.team_id`;
}

/**
 * Defers journeys whose template is not launched until its resume; `ids` are those of a moment ago.
 * The templates are locked: a resume commits before and is seen here, or commits later and finds
 * the deferred journeys.
 */
export async function deferJourneys(
  sql: Sql,
  templates: readonly { team_id: string; id: string }[],
  journeys: readonly { team_id: string; id: string }[],
): Promise<number> {
  const [teams, ids] = columnsOf(templates);
  const [owners, journeyIds] = columnsOf(journeys);
  const rows = await sql`
    with held as materialized (
      select t.team_id, t.id, t.status
      from templates t
      -- Each once, since many journeys of a round have the same.
      where (t.team_id, t.id) in (
        select team_id, id from unnest(${teams}::uuid[], ${ids}::uuid[]) as requested (team_id, id))
      order by t.team_id, t.id
      for share
    )
    update journeys j
    set was_due_when_paused = true, next_due_at = null, lock_version = lock_version + 1, updated_at = now()
    from held, unnest(${owners}::uuid[], ${journeyIds}::uuid[]) as requested (team_id, id)
    where j.team_id = requested.team_id and j.id = requested.id and held.team_id = j.team_id
      and held.id = j.template_id and held.status <> 'launched'`;
  return rows.count;
}

/** A contact that a step is about. */
export interface ContactKey {
  team_id: string;
  contact_id: string;
}

/** Which contacts have completed which of these objectives, as `<contact> <objective>`. */
export async function findCompleted(
  sql: Sql,
  asked: readonly (ContactKey & { objective_id: string })[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await sql<{ contact_id: string; objective_id: string }[]>`
    select distinct c.contact_id, c.objective_id
    from unnest(${asked.map(({ team_id }) => team_id)}::uuid[],
      ${asked.map(({ contact_id }) => contact_id)}::uuid[],
      ${asked.map(({ objective_id }) => objective_id)}::uuid[])
      as requested (team_id, contact_id, objective_id)
    join objective_completions c on c.team_id = requested.team_id
      and c.contact_id = requested.contact_id and c.objective_id = requested.objective_id
      and c.voided_at is null`;
  return new Set(rows.map((row) => `${row.contact_id} ${row.objective_id}`));
}

/** Returns the contacts, with the alias t, for which a condition is true. */
export async function findMeeting(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  condition: (bind: Bind) => string,
): Promise<Set<string>> {
  const { values, bind } = collectValues([teamId]);
  const ids = bind(arrayLiteral(contactIds), 'uuid[]');
  const rows = await sql.unsafe<{ id: string }[]>(
    `select t.id from contacts t
    where t.team_id = $1 and t.id = any(${ids}) and ${condition(bind)}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Reserves so many milliseconds of a template's rate, from the first free moment, and returns that
 * moment. The row of the template's rate stays locked until the transaction ends.
 */
export async function reserveSlots(
  sql: Sql,
  { team_id, template_id }: Pick<JourneyContext, 'team_id' | 'template_id'>,
  tookMs: number,
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs).toISOString();
  const took = sql`make_interval(secs => ${tookMs / 1_000})`;
  const [row] = await sql<[{ first_at: string }]>`
    insert into template_rate_windows (team_id, template_id, next_at)
    values (${team_id}, ${template_id}, ${now}::timestamptz + ${took})
    on conflict (team_id, template_id) do update
    set next_at = greatest(template_rate_windows.next_at, ${now}::timestamptz) + ${took}
    returning next_at - ${took} as first_at`;
  return Date.parse(row.first_at);
}

/** Changes of a round to a journey that is locked. */
export interface MovedJourney {
  team_id: string;
  id: string;
  /** Set where it begins. */
  started_at: string | null;
  scheduled_steps: Record<string, Waiting>;
  decided_message_ids: readonly string[];
  next_due_at: string | null;
}

/** Their ids are named twice: a plan that was made while there were few would read all journeys. */
export async function writeMoved(sql: Sql, journeys: readonly MovedJourney[]): Promise<void> {
  const [teams, ids] = columnsOf(journeys);
  await sql`
    update journeys j
    set status = 'active', started_at = coalesce(j.started_at, moved.started_at),
      scheduled_steps = moved.scheduled_steps, decided_message_ids = moved.decided_message_ids,
      next_due_at = moved.next_due_at, lock_version = lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(journeys)}::text::jsonb) as moved (
      team_id uuid, id uuid, started_at timestamptz, scheduled_steps jsonb, decided_message_ids uuid[],
      next_due_at timestamptz)
    where j.team_id = moved.team_id and j.id = moved.id
      and j.team_id = any(${teams}::uuid[]) and j.id = any(${ids}::uuid[])`;
}

/** The first time at which a journey of a lane, named by its SQL, is due; parked ones are left out. */
const firstDue = (sql: Sql, lane: Fragment) => sql`(
  select j.next_due_at from journeys j
  where lane_of_contact(j.contact_id) = ${lane} and j.next_due_at is not null
    and not ${isParked(sql, journeyLoopName, 'j')}
  order by j.next_due_at
  limit 1)`;

/** When something of a lane is due next; null where nothing ever is by the clock. */
export async function findNextDue(sql: Sql, lane: number): Promise<string | null> {
  const [row] = await sql<[{ next_at: string | null }]>`
    select least(
      ${firstDue(sql, sql`${lane}`)},
      (select min(parked_until) from parked_rows where loop = ${journeyLoopName} and parked_until > now()),
      (select min(next_attempt_at) from message_sends where lane = ${lane})
    ) as next_at /* any team: lanes serve all */`;
  return row.next_at;
}

/**
 * Idle lanes with due work. Reads the first entry of each index only: a search for any due row could
 * read all journeys.
 */
export async function claimIdleLanes(sql: Sql): Promise<{ lane: number }[]> {
  const hasDueWork = sql`
    least(
        ${firstDue(sql, sql`l.lane`)},
        (select min(s.next_attempt_at) from message_sends s where s.lane = l.lane)) <= now()
      /* any team: lanes serve all */`;
  return claimLanesToSignal(sql, 'journey_lanes', hasDueWork);
}

/** For how long the first due journey of each lane has waited, where it waits; in seconds. */
export async function overdueLanes(sql: Sql): Promise<{ lane: number; seconds: number }[]> {
  return sql<{ lane: number; seconds: number }[]>`
    select l.lane::int as lane, extract(epoch from now() - due.at)::float8 as seconds
    from journey_lanes l
    cross join lateral (select ${firstDue(sql, sql`l.lane`)} as at) due
    where due.at <= now() /* any team: lanes serve all */`;
}
