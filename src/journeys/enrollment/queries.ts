import type { Fragment, Sql } from '../../platform/database/sql.ts';
import type { EnrollmentSource, JourneyRow } from '../journey.ts';
import type { Waiting } from '../lanes/rules.ts';
import { isOpenRow } from '../queries.ts';
import type { Refusal } from '../rules.ts';

/** The fields of a template that decide about enrollment. */
export interface EnrollmentRules {
  id: string;
  team_id: string;
  template_version: number;
  holdout_percent: number | null;
  reentry: 'never' | 'after_exit' | 'after_interval';
  reentry_interval: string | null;
  exclusion_cohort_ids: readonly string[];
  deadline_at: string | null;
}

// The group of a contact in a template never changes: it is computed from the MD5 of both ids.
const isHeldOut = (sql: Sql, { id, holdout_percent }: EnrollmentRules, contact: string) => sql`
  ('x' || left(md5(${id}::uuid::text || ${sql.unsafe(contact)}::text), 8))::bit(32)::bigint % 10000
    < ${(holdout_percent ?? 0) * 100}`;

/** The reason why a contact c is refused, with the journeys of the contact as h. */
function refusalOf(sql: Sql, rules: EnrollmentRules, since: string | null) {
  const { reentry, reentry_interval, exclusion_cohort_ids } = rules;
  return sql`
    case when h.open_id is not null then 'already_enrolled'
      when h.last_id is not null and ${reentry} = 'never' then 'reentry_never'
      when h.last_at >= ${since}::timestamptz then 'already_enrolled'
      when ${reentry} = 'after_interval'
        and h.last_at + ${reentry_interval ?? 'P0D'}::interval > now() then 'reentry_interval'
      when exists (
        select from cohort_members m
        where m.team_id = ${rules.team_id} and m.contact_id = c.id
          and m.cohort_id = any(${[...exclusion_cohort_ids]}::uuid[])) then 'excluded' end`;
}

// By the contact, whose journeys are few, in the order of their index: a plan that was made while there
// were few journeys reads all of the team, or of the template, for each contact else.
function journeysOf(sql: Sql, { team_id, id }: EnrollmentRules) {
  return sql`
    left join lateral (
      select max(t.seq) as seq, max(t.enrolled_at) as last_at,
        (array_agg(t.id order by t.enrolled_at desc, t.seq desc))[1] as last_id,
        (array_agg(t.id) filter (where ${sql.unsafe(isOpenRow)}))[1] as open_id
      from (
        select * from journeys
        where team_id = ${team_id} and contact_id between c.id and c.id
        order by contact_id, enrolled_at desc, id desc
        offset 0
      ) as t
      where t.template_id = ${id}
    ) as h on true`;
}

export interface Evaluated {
  contact_id: string;
  /** The journey that was begun, or else the one that stands in the way, if any. */
  journey_id: string | null;
  refusal: Refusal | null;
  /** Enrolled with its first steps known. */
  has_begun: boolean;
}

/** Start of journeys of contacts of a timezone, at the time of enrollment. */
export interface Start {
  timezone: string;
  scheduled_steps: Readonly<Record<string, Waiting>>;
  next_due_at: string | null;
}

/** The timezones of contacts, with the time of the transaction. */
export async function listTimezones(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<{ timezone: string; now: string }[]> {
  return sql<{ timezone: string; now: string }[]>`
    select distinct coalesce(c.timezone, t.timezone) as timezone, now() as now
    from contacts c join teams t on t.id = c.team_id
    where c.team_id = ${teamId} and c.id = any(${[...contactIds]}::uuid[])`;
}

/**
 * Enrolls those of some contacts whom no rule refuses, in one statement, and returns the outcome of
 * each. They cannot be archived meanwhile. A concurrent enrollment of a contact is waited for.
 * `since`: contacts enrolled from then on are not enrolled again. `starts`: a lane begins the
 * journeys of contacts in none of these timezones. `record` inserts the events of the journeys, as a
 * part of the statement.
 */
export async function insertJourneys(
  sql: Sql,
  rules: EnrollmentRules,
  { contactIds, via, cohortId, since, starts = [] }: EnrollmentRequest,
  record: (journeys: Fragment) => Fragment,
): Promise<Evaluated[]> {
  const { team_id, id, template_version, deadline_at } = rules;
  // A millisecond apart, so that lists have the start after the enrollment.
  const happened = sql`
    select e.id, e.contact_id, e.template_id, of.kind, of.occurred_at
    from enrolled e
    join (values ('journey.enrolled', now()), ('journey.started', now() + interval '1 ms'))
      as of (kind, occurred_at) on of.kind = 'journey.enrolled' or e.status = 'active'`;
  return sql<Evaluated[]>`
    with c as materialized (
      select id, timezone from contacts
      where team_id = ${team_id} and id = any(${[...contactIds]}::uuid[]) and status <> 'archived'
      order by id
      for key share
    ),
    evaluated as materialized (
      select c.id as contact_id, c.timezone, h.seq, coalesce(h.open_id, h.last_id) as journey_id,
        ${refusalOf(sql, rules, since ?? null)} as refusal
      from c ${journeysOf(sql, rules)}
    ),
    enrolled as (
      insert into journeys (team_id, template_id, template_version, contact_id, seq, enrolled_via,
        cohort_id, is_holdout, deadline_at, status, started_at, scheduled_steps, next_due_at)
      select ${team_id}, ${id}, ${template_version}, contact_id, coalesce(seq, 0) + 1, ${via},
        ${cohortId ?? null}::uuid, ${isHeldOut(sql, rules, 'contact_id')},
        ${deadline_at}::timestamptz,
        case when s.timezone is null then 'scheduled' else 'active' end,
        case when s.timezone is not null then now() end, coalesce(s.scheduled_steps, '{}'),
        case when s.timezone is null then now() else s.next_due_at end
      from evaluated
      left join jsonb_to_recordset(${JSON.stringify(starts)}::text::jsonb)
        as s (timezone text, scheduled_steps jsonb, next_due_at timestamptz)
        on s.timezone = coalesce(
          evaluated.timezone, (select timezone from teams where id = ${team_id}))
      where refusal is null
      order by contact_id
      on conflict do nothing
      returning id, contact_id, template_id, status
    ),
    recorded as (${record(happened)})
    select asked.id as contact_id, coalesce(e.id, j.journey_id) as journey_id,
      case when j.contact_id is null then 'contact_archived' when e.id is not null then null
        else coalesce(j.refusal, 'already_enrolled') end as refusal,
      coalesce(e.status = 'active', false) as has_begun
    from (select distinct unnest(${[...contactIds]}::uuid[]) as id) as asked
    left join evaluated j on j.contact_id = asked.id
    left join enrolled e on e.contact_id = asked.id`;
}

/** Contacts to enroll, and the source of the enrollment. */
export interface EnrollmentRequest {
  contactIds: readonly string[];
  via: EnrollmentSource;
  cohortId?: string | null;
  since?: string;
  starts?: readonly Start[];
}

/**
 * Result of the enrollment rules for one contact, without enrollment; `refusal` is the first of
 * `all`.
 */
export interface EntryEvaluation {
  is_archived: boolean;
  is_open: boolean;
  has_been: boolean;
  is_too_soon: boolean;
  is_excluded: boolean;
  is_holdout: boolean;
  latest_id: string | null;
}

export async function evaluateContact(
  sql: Sql,
  rules: EnrollmentRules,
  contactId: string,
): Promise<EntryEvaluation> {
  const { team_id, reentry_interval, exclusion_cohort_ids } = rules;
  const [row] = await sql<[EntryEvaluation]>`
    select c.status = 'archived' as is_archived, h.open_id is not null as is_open,
      h.last_id is not null as has_been, coalesce(h.open_id, h.last_id) as latest_id,
      coalesce(h.last_at + ${reentry_interval ?? 'P0D'}::interval > now(), false) as is_too_soon,
      exists (
        select from cohort_members m
        where m.team_id = ${team_id} and m.contact_id = c.id
          and m.cohort_id = any(${[...exclusion_cohort_ids]}::uuid[])) as is_excluded,
      coalesce(
        (select t.is_holdout from journeys t where t.team_id = ${team_id} and t.id = h.open_id),
        ${isHeldOut(sql, rules, 'c.id')}) as is_holdout
    from contacts c ${journeysOf(sql, rules)}
    where c.team_id = ${team_id} and c.id = ${contactId}`;
  return row;
}

/** The open journeys of contacts in a template, by contact. */
export async function findOpenJourneys(
  sql: Sql,
  { team_id, id }: EnrollmentRules,
  contactIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<Pick<JourneyRow, 'id' | 'contact_id'>[]>`
    select t.id, t.contact_id from journeys t
    where t.team_id = ${team_id} and t.template_id = ${id}
      and t.contact_id = any(${[...contactIds]}::uuid[]) and ${sql.unsafe(isOpenRow)}`;
  return new Map(rows.map((row) => [row.contact_id, row.id]));
}

/** State of the messages of a version in a journey. */
export interface StepProgress {
  message_id: string;
  name: string;
  state: 'waiting' | 'decided' | 'not_due';
  due_at: string | null;
  delivery_id: string | null;
  delivery_status: string | null;
  skip_reason: string | null;
}

/** The same with its message, for operators. */
export interface Step extends StepProgress {
  channel: string;
  trigger_kind: string;
  /** Whole days from the enrollment to `due_at`. */
  day: number | null;
}

export async function listSteps(
  sql: Sql,
  { team_id, id }: Pick<JourneyRow, 'team_id' | 'id'>,
): Promise<Step[]> {
  return sql<Step[]>`
    select m.id as message_id, m.name, m.channel, m.trigger ->> 'kind' as trigger_kind,
      sent.id as delivery_id, sent.status as delivery_status, sent.skip_reason, due.due_at,
      floor(extract(epoch from due.due_at - t.enrolled_at) / 86400)::int as day,
      case when t.scheduled_steps ? m.id::text then 'waiting'
        when m.id = any(t.decided_message_ids) or sent.id is not null then 'decided'
        else 'not_due' end as state
    from journeys t
    join template_versions v on v.team_id = t.team_id and v.template_id = t.template_id
      and v.version = t.template_version
    cross join lateral jsonb_to_recordset(v.content -> 'messages')
      as m (id uuid, name text, channel text, trigger jsonb, position int)
    cross join lateral (
      select (t.scheduled_steps -> m.id::text ->> 'due_at')::timestamptz as due_at) as due
    left join lateral (
      select d.id, d.status, d.skip_reason from message_deliveries d
      where d.team_id = ${team_id} and d.journey_id = t.id and d.message_id = m.id
      order by d.inserted_at desc limit 1
    ) as sent on true
    where t.team_id = ${team_id} and t.id = ${id}
    order by m.position, m.id`;
}
