import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { withJson } from '../../platform/database/json-columns.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { Lifecycle, TemplateStatus } from './rules.ts';
import type { Template, TemplateStatusRollup } from './template.ts';

type Fields = Static<typeof Template>;

export interface TemplateRow extends Lifecycle {
  id: string;
  type: 'template';
  team_id: string;
  name: string;
  use_case: string | null;
  description: string | null;
  is_archived: boolean;
  template_version: number;
  holdout_percent: number | null;
  send_rate_per_minute: number | null;
  exit_on_objectives: boolean;
  exit_on_leaving_cohort: boolean;
  entry: Fields['entry'];
  reentry: Fields['reentry'];
  reentry_interval: string | null;
  target_cohort_ids: string[];
  exclusion_cohort_ids: string[];
  secure_personalization: Fields['secure_personalization'];
  locked_by: string | null;
  enrolled_count: number;
  active_journey_count: number;
  objective_ids: string[];
  page_ids: string[];
  message_ids: string[];
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

/** Columns of `templates` that are written. */
export type TemplateColumns = Omit<
  TemplateRow,
  | 'id'
  | 'type'
  | 'team_id'
  | 'is_archived'
  | 'is_locked'
  | 'objective_ids'
  | 'page_ids'
  | 'message_ids'
  | 'enrolled_count'
  | 'active_journey_count'
  | 'lock_version'
  | 'inserted_at'
  | 'updated_at'
>;

// The resource, from a row of templates that is named t.
const columns = `t.*, 'template' as type,
  coalesce((
    select sum(c.enrolled)::bigint from template_journey_counts c
    where c.team_id = t.team_id and c.template_id = t.id
  ), 0) as enrolled_count,
  coalesce((
    select sum(c.open)::bigint from template_journey_counts c
    where c.team_id = t.team_id and c.template_id = t.id
  ), 0) as active_journey_count,
  array(
    select o.objective_id from template_objectives o
    where o.team_id = t.team_id and o.template_id = t.id order by o.position
  ) as objective_ids,
  array(
    select p.id from pages p
    where p.team_id = t.team_id and p.template_id = t.id and p.deleted_at is null
    order by p.position, p.id
  ) as page_ids,
  array(
    select m.id from messages m
    where m.team_id = t.team_id and m.template_id = t.id and m.deleted_at is null
      and m.status <> 'archived'
    order by m.position, m.id
  ) as message_ids`;

export function templateSource(teamId: string): ListSource {
  return {
    from: 'templates t',
    select: columns,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.is_archived', unless: ['status', 'is_archived'] },
  };
}

async function findTemplate(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<TemplateRow[]>`
    select ${sql.unsafe(columns)} from templates t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

export async function requireTemplate(sql: Sql, teamId: string, id: string): Promise<TemplateRow> {
  return (await findTemplate(sql, teamId, id)) ?? notFound();
}

/**
 * Blocks enrollments in a template until the transaction is over, or (shared) blocks its pause, end
 * and edits. Waiters are served in their order, so that a stream of enrollments does not block a
 * pause. To be called before the template is read.
 */
export async function lockEnrollmentRules(
  sql: Sql,
  id: string,
  { isShared }: { isShared: boolean },
): Promise<void> {
  const lock = sql.unsafe(isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(hashtextextended('template ' || ${id}::uuid, 0))`;
}

/**
 * Locks a template and reads it: in two statements, since the lists of a row that had to be waited
 * for would be those from before the wait.
 */
export async function findTemplateForUpdate(sql: Sql, teamId: string, id: string) {
  await lockEnrollmentRules(sql, id, { isShared: false });
  const [locked] = await sql`
    select from templates
    where team_id = ${teamId} and id = ${id} and deleted_at is null
    for update`;
  return locked && findTemplate(sql, teamId, id);
}

export function notFound(): never {
  throw fail('not_found', { detail: 'No such template.', meta: { resource: 'template' } });
}

/** All six statuses, those without a template too; what they sum up to is `total`. */
export async function rollUpStatuses(
  sql: Sql,
  teamId: string,
): Promise<Static<typeof TemplateStatusRollup>> {
  const [row] = await sql<[Record<TemplateStatus | 'total', number> & { computed_at: string }]>`
    select
      count(*) filter (where status = 'draft')::int as draft,
      count(*) filter (where status = 'scheduled')::int as scheduled,
      count(*) filter (where status = 'launched')::int as launched,
      count(*) filter (where status = 'paused')::int as paused,
      count(*) filter (where status = 'archived')::int as archived,
      count(*) filter (where status = 'expired')::int as expired,
      count(*)::int as total,
      now()::timestamptz(3) as computed_at
    from templates
    where team_id = ${teamId} and deleted_at is null`;
  const { total, computed_at, ...by_status } = row;
  return { team_id: teamId, by_status, total, computed_at };
}

const jsonColumns = ['secure_personalization'];

export async function insertTemplate(
  sql: Sql,
  teamId: string,
  template: Partial<TemplateColumns> & { name: string },
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into templates ${sql(withJson(sql, { team_id: teamId, ...template }, jsonColumns))}
    returning id`;
  return row.id;
}

/** Writes at least one column, and counts the version up. */
export async function updateTemplate(
  sql: Sql,
  teamId: string,
  id: string,
  changes: Partial<TemplateColumns>,
): Promise<TemplateRow> {
  await sql`
    update templates
    set ${sql(withJson(sql, changes, jsonColumns))}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
  return requireTemplate(sql, teamId, id);
}

/** Counts the version up where something that the template lists has changed. */
export async function touchTemplate(sql: Sql, teamId: string, id: string): Promise<TemplateRow> {
  await sql`
    update templates
    set lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
  return requireTemplate(sql, teamId, id);
}

export async function deleteTemplateRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update templates
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Makes these the objectives of a template, in this order. */
export async function setObjectives(
  sql: Sql,
  teamId: string,
  templateId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from template_objectives where team_id = ${teamId} and template_id = ${templateId}`;
  await sql`
    insert into template_objectives (team_id, template_id, objective_id, position)
    select ${teamId}, ${templateId}, id, place - 1
    from unnest(${[...ids]}::uuid[]) with ordinality as listed (id, place)`;
}

/** Templates by id. */
export async function findTemplates(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<TemplateRow[]> {
  return sql<TemplateRow[]>`
    select ${sql.unsafe(columns)} from templates t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null`;
}

/** Templates whose time has come a while ago and that nobody has touched since: their timer is lost. */
export async function listOverdueTemplates(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  const pause = overdueMs / 1_000;
  return sql<{ team_id: string; id: string }[]>`
    select team_id, id from templates t
    where due_at < now() - make_interval(secs => ${pause})
      and not exists (select from teams m where m.id = t.team_id and m.suspended_at is not null)
      and updated_at < now() - make_interval(secs => ${pause})
      and deleted_at is null
    order by due_at
    limit ${limit} /* any team: the repair of lost timers */`;
}
