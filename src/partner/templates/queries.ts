import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { fail } from '../../http/errors.ts';
import type { ListSource } from '../../listing/sql.ts';
import type { MessageRow } from '../messages/queries.ts';
import type { PageRow } from '../pages/queries.ts';
import type { Lifecycle, TemplateAction, TemplateStatus } from './rules.ts';
import type { TemplateStatusRollup } from './template.ts';

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
  | 'lock_version'
  | 'inserted_at'
  | 'updated_at'
>;

// The resource, from a row of templates that is named t.
const columns = `t.*, 'template' as type,
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

export async function findTemplate(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<TemplateRow[]>`
    select ${sql.unsafe(columns)} from templates t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

export async function requireTemplate(sql: Sql, teamId: string, id: string): Promise<TemplateRow> {
  return (await findTemplate(sql, teamId, id)) ?? notFound();
}

/**
 * Locks a template and reads it: in two statements, since the lists of a row that had to be waited
 * for would be those from before the wait.
 */
export async function findTemplateForUpdate(sql: Sql, teamId: string, id: string) {
  const [locked] = await sql`
    select from templates
    where team_id = ${teamId} and id = ${id} and deleted_at is null
    for update`;
  return locked && findTemplate(sql, teamId, id);
}

export function notFound(): never {
  throw fail('not_found', { detail: 'No such template.', meta: { resource: 'template' } });
}

export async function countTemplates(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from templates
    where team_id = ${teamId} and deleted_at is null`;
  return row.count;
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

export async function insertTemplate(
  sql: Sql,
  teamId: string,
  template: Partial<TemplateColumns> & { name: string },
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into templates ${sql({ team_id: teamId, ...template })}
    returning id`;
  return row.id;
}

/** Writes columns and counts the version up, even where no column is given. */
export async function updateTemplate(
  sql: Sql,
  teamId: string,
  id: string,
  changes: Partial<TemplateColumns>,
): Promise<TemplateRow> {
  const assignments = Object.keys(changes).length > 0 ? sql`${sql(changes)},` : sql``;
  await sql`
    update templates
    set ${assignments} lock_version = lock_version + 1, updated_at = now()
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

export interface VersionContent {
  use_case: string | null;
  holdout_percent: number | null;
  exit_on_objectives: boolean;
  objective_ids: string[];
  pages: PageRow[];
  messages: MessageRow[];
}

/**
 * Keeps the content of a template as its next version, unless the newest one says the same.
 * Returns the number of the newest.
 */
export async function keepVersion(
  sql: Sql,
  { team_id, id, name, template_version }: TemplateRow,
  content: VersionContent,
): Promise<number> {
  const json = JSON.stringify(content);
  const [kept] = await sql<{ version: number }[]>`
    insert into template_versions (team_id, template_id, version, name, content)
    select ${team_id}, ${id}, ${template_version + 1}, ${name}, ${json}::text::jsonb
    where not exists (
      select from template_versions
      where team_id = ${team_id} and template_id = ${id} and version = ${template_version}
        and content = ${json}::text::jsonb
    )
    returning version`;
  return kept?.version ?? template_version;
}

export function versionSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'template_versions t',
    select: `t.id, 'template_version' as type, t.team_id, t.template_id, t.version, t.name,
      t.inserted_at`,
    where: { text: 't.team_id = $1 and t.template_id = $2', values: [teamId, templateId] },
  };
}

interface VersionRow {
  id: string;
  type: 'template_version';
  team_id: string;
  template_id: string;
  version: number;
  name: string;
  inserted_at: string;
  content: VersionContent;
}

export async function findVersion(sql: Sql, teamId: string, templateId: string, version: number) {
  const [row] = await sql<VersionRow[]>`
    select *, 'template_version' as type from template_versions
    where team_id = ${teamId} and template_id = ${templateId} and version = ${version}`;
  return row && { ...row.content, ...row };
}

export interface StatusChange {
  from_status: TemplateStatus | null;
  action: TemplateAction | 'create' | 'duplicate';
  cause: 'api' | 'timer';
  client_id: string | null;
  occurred_at: string;
}

/** Adds to the history how the template came to the status that it has now. */
export async function insertStatusChange(
  sql: Sql,
  { team_id, id, status, lock_version }: TemplateRow,
  change: StatusChange,
): Promise<void> {
  const row = { team_id, template_id: id, to_status: status, sequence: lock_version, ...change };
  await sql`insert into template_status_changes ${sql(row)} /* team_id is in the row */`;
}

export function statusChangeSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'template_status_changes t',
    select: `t.*, 'template_status_change' as type`,
    where: { text: 't.team_id = $1 and t.template_id = $2', values: [teamId, templateId] },
  };
}

/** Templates whose time has come a while ago and that nobody has touched since: their timer is lost. */
export async function listOverdueTemplates(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ team_id: string; id: string }[]> {
  const pause = overdueMs / 1_000;
  return sql<{ team_id: string; id: string }[]>`
    select team_id, id from templates
    where due_at < now() - make_interval(secs => ${pause})
      and updated_at < now() - make_interval(secs => ${pause})
      and deleted_at is null
    order by due_at
    limit ${limit} /* any team: the repair of lost timers */`;
}
