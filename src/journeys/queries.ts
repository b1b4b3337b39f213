import type { Fragment, Sql } from '../platform/database/sql.ts';
import { fail } from '../platform/http/errors.ts';
import type { ListSource } from '../platform/lists/sql.ts';
import type { JourneyRow } from './journey.ts';

/** Those that have not ended, of a row of journeys with the alias t. */
export const isOpenRow = `t.status in ('scheduled', 'active', 'paused')`;

const rfc3339 = (stamp: string) =>
  `to_char(${stamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// The objectives of the version that the journey keeps, each with what completed it. What the contact
// completed before counts where the objective is completed once.
const objectives = `from template_versions v
  left join lateral unnest(v.objective_ids) with ordinality as listed (objective_id, place) on true
  left join objectives o on o.team_id = t.team_id and o.id = listed.objective_id
  left join lateral (
    select c.completed_at, c.value_cents from objective_completions c
    where c.team_id = t.team_id and c.objective_id = o.id and c.contact_id = t.contact_id
      and c.voided_at is null and (not o.is_repeatable or c.completed_at >= t.enrolled_at)
    order by c.completed_at limit 1
  ) as done on true
  where v.team_id = t.team_id and v.template_id = t.template_id and v.version = t.template_version`;

/** The resource, from a row of journeys with the alias t. */
const shownJourney = `t.*, 'journey' as type,
  coalesce((
    select jsonb_agg(jsonb_build_object('objective_id', o.id, 'key', o.key,
        'status', case when done.completed_at is null then 'pending' else 'completed' end,
        'completed_at', ${rfc3339('done.completed_at')}, 'value_cents', done.value_cents)
      order by listed.place) filter (where o.id is not null)
    ${objectives}
  ), '[]') as objectives,
  coalesce((
    select jsonb_build_object(
      'pages_viewed', (
        select count(distinct e.page_id) from engagement_events e
        where e.team_id = t.team_id and e.contact_id = t.contact_id and e.journey_id = t.id
          and e.kind = 'page.viewed'),
      'pages_total', max(v.page_count),
      'objectives_completed', count(done.completed_at), 'objectives_total', count(o.id))
    ${objectives}
    having count(*) > 0
  ), '{"pages_viewed": 0, "pages_total": 0, "objectives_completed": 0, "objectives_total": 0}')
    as progress,
  case when t.status = 'scheduled' and t.next_due_at is not null
    then jsonb_build_object('kind', 'start', 'due_at', ${rfc3339('t.next_due_at')})
    else (
      select jsonb_build_object('kind', 'message', 'message_id', step.key,
        'due_at', step.value ->> 'due_at')
      from jsonb_each(t.scheduled_steps) as step
      where ${isOpenRow}
      order by (step.value ->> 'due_at')::timestamptz limit 1
    ) end as next_action`;

/** The journeys of a team, of a template, or of a contact. */
export function journeySource(
  teamId: string,
  parent?: { column: 'template_id' | 'contact_id'; id: string },
): ListSource {
  const ofParent = parent ? ` and t.${parent.column} = $2::uuid` : '';
  return {
    from: 'journeys t',
    select: shownJourney,
    where: {
      text: `t.team_id = $1::uuid${ofParent}`,
      values: parent ? [teamId, parent.id] : [teamId],
    },
  };
}

/** Engagement events of a journey, read by its contact, who has few. */
export function timelineSource({ team_id, id, contact_id }: JourneyRow): ListSource {
  return {
    from: 'engagement_events t',
    select: `t.*, 'engagement_event' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid and t.journey_id = $3::uuid',
      values: [team_id, contact_id, id],
    },
  };
}

/** A journey that something happened to. */
export interface Happened {
  id: string;
  contact_id: string;
  template_id: string;
}

/** Journeys to which something happens now, for `insertJourneyEvents`. */
export function selectHappened(sql: Sql, kind: string, journeys: readonly Happened[]): Fragment {
  const column = (name: keyof Happened) => journeys.map((one) => one[name]);
  return sql`
    select id, contact_id, template_id, ${kind}::text as kind, clock_timestamp() as occurred_at
    from unnest(${column('id')}::uuid[], ${column('contact_id')}::uuid[],
      ${column('template_id')}::uuid[]) as h (id, contact_id, template_id)`;
}

export async function findJourneys(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<JourneyRow[]> {
  return sql<JourneyRow[]>`
    select ${sql.unsafe(shownJourney)} from journeys t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[])
    order by t.id`;
}

/** Throws 404. */
export async function requireJourney(sql: Sql, teamId: string, id: string): Promise<JourneyRow> {
  const [row] = await findJourneys(sql, teamId, [id]);
  return row ?? notFound();
}

/** Locks the journey until the end of the transaction. Throws 404. */
export async function lockJourney(sql: Sql, teamId: string, id: string): Promise<JourneyRow> {
  const [locked] = await sql`
    select from journeys where team_id = ${teamId} and id = ${id} for no key update`;
  return locked ? requireJourney(sql, teamId, id) : notFound();
}

/** Keeps a journey that is locked from going on; the times of its steps stay. */
export async function pauseRow(sql: Sql, { team_id, id }: JourneyRow): Promise<JourneyRow> {
  await sql`
    update journeys
    set status = 'paused', paused_at = now(), next_due_at = null, was_due_when_paused = false,
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return requireJourney(sql, team_id, id);
}

/** Lets a paused journey that is locked go on; one that had not begun begins. */
export async function resumeRow(sql: Sql, { team_id, id }: JourneyRow): Promise<JourneyRow> {
  await sql`
    update journeys
    set status = case when started_at is null then 'scheduled' else 'active' end, paused_at = null,
      next_due_at = case when started_at is null then now() else (
        select min((step.value ->> 'due_at')::timestamptz) from jsonb_each(scheduled_steps) as step) end,
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return requireJourney(sql, team_id, id);
}

/** Ends every link of a journey so far. */
export async function renewLink(sql: Sql, { team_id, id }: JourneyRow): Promise<JourneyRow> {
  await sql`
    update journeys
    set link_generation = link_generation + 1, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return requireJourney(sql, team_id, id);
}

/** The newest journeys of each contact. */
export async function findJourneysOf(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<JourneyRow[]> {
  return sql<JourneyRow[]>`
    select journey.*
    from unnest(${[...contactIds]}::uuid[]) as requested (id)
    cross join lateral (
      select ${sql.unsafe(shownJourney)} from journeys t
      where t.team_id = ${teamId} and t.contact_id = requested.id
      order by t.enrolled_at desc, t.id desc
      limit ${limit}
    ) as journey`;
}

function notFound(): never {
  throw fail('not_found', { detail: 'No such journey.', meta: { resource: 'journey' } });
}
