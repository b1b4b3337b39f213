import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/database/sql.ts';
import { withJson } from '../../../platform/database/json-columns.ts';
import { fail } from '../../../platform/http/errors.ts';
import { groupRows } from '../../../platform/lists/group-rows.ts';
import { includeLimit } from '../../../platform/lists/list-endpoint.ts';
import type { ListRow } from '../../../platform/lists/list-endpoint.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';

/**
 * The shared definition of pages and messages as ordered steps of a template. `position` counts
 * from 0 without gaps. A writer of a step must lock its template.
 */
export interface StepKind {
  table: 'pages' | 'messages';
  type: 'page' | 'message';
  /** The template's field that lists them. */
  list: 'page_ids' | 'message_ids';
  /** Steps at most of a template. */
  max: number;
  jsonColumns: readonly string[];
  /** Condition on a row that is part of the order; others are archived, and come behind it. */
  listed: string;
}

/** A row of either table, as far as both are alike. */
export interface StepRow {
  id: string;
  template_id: string;
  position: number;
  lock_version: number;
}

/** The steps of a team, or of one template. */
export function stepSource(
  { table, type, listed }: StepKind,
  teamId: string,
  templateId?: string,
  more = '',
): ListSource {
  return {
    from: `${table} t`,
    select: `t.*, '${type}' as type${more}`,
    where:
      templateId === undefined
        ? { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] }
        : {
            text: 't.team_id = $1 and t.template_id = $2 and t.deleted_at is null',
            values: [teamId, templateId],
          },
    defaultHidden: { text: `not (${listed})`, unless: ['status'] },
  };
}

/** Throws 404. */
export async function requireStep<Row extends StepRow>(
  sql: Sql,
  { table, type }: StepKind,
  teamId: string,
  id: string,
): Promise<Row> {
  const [row] = await sql<Row[]>`
    select *, ${type}::text as type from ${sql(table)}
    where team_id = ${teamId} and id = ${id} and deleted_at is null`;
  if (row) return row;
  throw fail('not_found', { detail: `No such ${type}.`, meta: { resource: type } });
}

/** The steps of a template in their order. */
export async function listSteps<Row extends StepRow>(
  sql: Sql,
  { table, type, listed }: StepKind,
  teamId: string,
  templateId: string,
): Promise<Row[]> {
  return sql<Row[]>`
    select *, ${type}::text as type from ${sql(table)}
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and ${sql.unsafe(listed)}
    order by position, id`;
}

/** Puts a step at a place in the order. */
export async function insertStep<Row extends StepRow>(
  sql: Sql,
  kind: StepKind,
  { teamId, templateId }: { teamId: string; templateId: string },
  step: object,
  position: number,
): Promise<Row> {
  await shift(sql, kind, teamId, templateId, position, 1);
  const columns = { team_id: teamId, template_id: templateId, ...step, position };
  const [row] = await sql<[Row]>`
    insert into ${sql(kind.table)} ${sql(withJson(sql, columns, kind.jsonColumns))}
    /* team_id is in the row */
    returning *, ${kind.type}::text as type`;
  return row;
}

/** Moves the steps from a place on. */
async function shift(
  sql: Sql,
  { table }: StepKind,
  teamId: string,
  templateId: string,
  from: number,
  by: number,
): Promise<void> {
  await sql`
    update ${sql(table)}
    set position = position + ${by}::int, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and position >= ${from}`;
}

/** Writes at least one column of a step. */
export async function updateStep<Row extends StepRow>(
  sql: Sql,
  kind: StepKind,
  teamId: string,
  id: string,
  changes: object,
): Promise<Row> {
  const [row] = await sql<[Row]>`
    update ${sql(kind.table)}
    set ${sql(withJson(sql, changes, kind.jsonColumns))}, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, ${kind.type}::text as type`;
  return row;
}

/** Makes room for a step at another place; its own row is the caller's to write. */
export async function moveOthers(
  sql: Sql,
  { table }: StepKind,
  teamId: string,
  { template_id, id, position: from }: StepRow,
  to: number,
): Promise<void> {
  if (from === to) return;
  await sql`
    update ${sql(table)}
    set position = position + ${from < to ? -1 : 1}::int, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${teamId} and template_id = ${template_id} and deleted_at is null
      and id <> ${id} and position between ${Math.min(from, to)} and ${Math.max(from, to)}`;
}

/** Deletes a step; the steps behind it move up. */
export async function deleteStep(
  sql: Sql,
  kind: StepKind,
  teamId: string,
  { id, template_id, position }: StepRow,
): Promise<void> {
  await sql`
    update ${sql(kind.table)}
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
  await shift(sql, kind, teamId, template_id, position + 1, -1);
}

/** Deletes all steps of a template that is deleted. */
export async function deleteSteps(
  sql: Sql,
  { table }: StepKind,
  teamId: string,
  templateId: string,
): Promise<void> {
  await sql`
    update ${sql(table)} set deleted_at = now(), updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null`;
}

/** Gives the steps of a template the order of these ids, which are all that are listed. */
export async function reorderSteps(
  sql: Sql,
  { table }: StepKind,
  teamId: string,
  templateId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update ${sql(table)} s
    set position = requested.place - 1, lock_version = lock_version + 1, updated_at = now()
    from unnest(${[...ids]}::uuid[]) with ordinality as requested (id, place)
    where s.team_id = ${teamId} and s.template_id = ${templateId} and s.id = requested.id
      and s.position <> requested.place - 1`;
}

/** Copies the listed steps of one template to another; returns the new ids by the old ones. */
export async function copySteps(
  sql: Sql,
  kind: StepKind,
  teamId: string,
  fromId: string,
  toId: string,
): Promise<Map<string, string>> {
  const steps = await listSteps(sql, kind, teamId, fromId);
  const copies = new Map(steps.map(({ id }) => [id, randomUUID()]));
  const fresh = { template_id: toId, lock_version: 1, version: 1, status: 'draft' };
  await sql`
    insert into ${sql(kind.table)}
    select copy.*
    from unnest(${[...copies.keys()]}::uuid[], ${[...copies.values()]}::uuid[]) as ids (old, new)
    join ${sql(kind.table)} s on s.team_id = ${teamId} and s.id = ids.old
    cross join lateral jsonb_populate_record(s, jsonb_build_object(
      'id', ids.new, 'inserted_at', now(), 'updated_at', now()
    ) || ${sql.json(fresh)}::jsonb) as copy`;
  return copies;
}

/** The first steps of each of these templates, by template. */
export async function loadSteps(
  sql: Sql,
  { table, type, listed }: StepKind,
  teamId: string,
  templates: readonly ListRow[],
): Promise<Map<string, object[]>> {
  const rows = await sql<StepRow[]>`
    select * from (
      select *, ${type}::text as type,
        row_number() over (partition by template_id order by position, id) as place
      from ${sql(table)}
      where team_id = ${teamId} and deleted_at is null and ${sql.unsafe(listed)}
        and template_id = any(${templates.map(({ id }) => id)}::uuid[])
    ) ordered
    where place <= ${includeLimit + 1}
    order by template_id, place`;
  return groupRows(rows, (row) => row.template_id);
}
