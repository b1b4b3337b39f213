import type { Asked, FilterName } from '../declaration.ts';

/**
 * Conditions that apply the filters to rows with an alias, each beginning with `and`. The rows need
 * `team_id`, and the columns of the named filters: `template_id`, `contact_id` or `channel`.
 */
export function narrowed(
  { sql, teamId, filters }: Asked,
  alias: string,
  by: readonly FilterName[] = ['template', 'cohort'],
) {
  const { templateIds, cohortId, channel } = filters;
  const column = (name: string) => sql(`${alias}.${name}`);
  const ofTemplates =
    by.includes('template') && templateIds
      ? sql`and ${column('template_id')} = any(${templateIds}::uuid[])`
      : sql``;
  const ofCohort =
    by.includes('cohort') && cohortId !== undefined
      ? sql`and exists (
          select from cohort_members m
          where m.team_id = ${teamId} and m.cohort_id = ${cohortId}
            and m.contact_id = ${column('contact_id')})`
      : sql``;
  const ofChannel =
    by.includes('channel') && channel !== undefined
      ? sql`and ${column('channel')} = ${channel}`
      : sql``;
  return sql`${ofTemplates} ${ofCohort} ${ofChannel}`;
}

/** Rows of journeys j that began within the period, without the holdout. */
export function enrolledWithin(asked: Asked) {
  const { sql, teamId, period } = asked;
  return sql`
    j.team_id = ${teamId} and not j.is_holdout
    and j.enrolled_at >= ${period.start} and j.enrolled_at < ${period.end} ${narrowed(asked, 'j')}`;
}

/** Completions c within the period that count. */
export function completedWithin(asked: Asked) {
  const { sql, teamId, period } = asked;
  return sql`
    c.team_id = ${teamId} and c.voided_at is null
    and c.completed_at >= ${period.start} and c.completed_at < ${period.end} ${narrowed(asked, 'c')}`;
}

/** Engagement events e within the period that are not by machines. */
export function engagedWithin(asked: Asked, by: readonly FilterName[] = ['template', 'cohort']) {
  const { sql, teamId, period } = asked;
  return sql`
    e.team_id = ${teamId} and not e.is_machine
    and e.occurred_at >= ${period.start} and e.occurred_at < ${period.end}
    ${narrowed(asked, 'e', by)}`;
}

/** The bucket of a time, counted from 1. */
export function bucketOf({ sql, starts }: Asked, column: string) {
  return sql`width_bucket(${sql(column)}, ${starts}::timestamptz[])`;
}

export type WidgetKind =
  'journey' | 'enrollment' | 'opt_in' | 'card_on_file' | 'mobile_app' | 'secure_personalization';

/** Events e of widgets w of one kind within the period; who it was is `visitor`. */
export function widgetEvents(asked: Asked, kind: WidgetKind) {
  const { sql, teamId } = asked;
  return sql`
    select e.kind, e.contact_id, e.occurred_at, e.properties, w.id as widget_instance_id,
      coalesce(e.contact_id::text, e.properties ->> 'session_id') as visitor
    from engagement_events e
    join widget_instances w on w.team_id = ${teamId} and w.id = e.widget_instance_id
      and w.widget_kind = ${kind}
    where ${engagedWithin(asked)}`;
}

/**
 * Active contacts with a journey of a template that has an objective, by objective, as of the end of
 * the period; and whether they have completed it by then.
 */
export function eligibleContacts(asked: Asked) {
  const { sql, teamId, period } = asked;
  return sql`
    select pairs.objective_id, pairs.contact_id, done.contact_id is not null as has_completed
    from (
      select distinct o.objective_id, j.contact_id
      from (
        select distinct j.template_id, j.contact_id from journeys j
        where j.team_id = ${teamId} and not j.is_holdout and j.enrolled_at < ${period.end}
          ${narrowed(asked, 'j')}
      ) j
      join template_objectives o on o.team_id = ${teamId} and o.template_id = j.template_id
      join contacts t on t.team_id = ${teamId} and t.id = j.contact_id and t.status = 'active'
    ) pairs
    left join (
      select distinct c.objective_id, c.contact_id from objective_completions c
      where c.team_id = ${teamId} and c.voided_at is null and c.completed_at <= ${period.end}
    ) done on done.objective_id = pairs.objective_id and done.contact_id = pairs.contact_id`;
}
