import type { Sql } from '../../platform/database/sql.ts';
import { groupRows } from '../../platform/lists/group-rows.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { includeLimit } from '../../platform/lists/list-endpoint.ts';
import { table } from '../../platform/resources/table.ts';
import { Objective, standardObjectives } from './objective.ts';
import type { ObjectiveRow } from './objective.ts';

export const objectives = table('objectives', Objective, {
  derived: {
    completion_count: `coalesce((
      select sum(c.count)::bigint
      from objective_completion_counts c
      where c.team_id = t.team_id and c.objective_id = t.id
    ), 0)`,
  },
  required: ['name', 'key'],
  optional: [
    'description',
    'category',
    'value_cents',
    'attribution_window_days',
    'attribution_model',
    'is_repeatable',
    'product_kind',
    'is_active',
  ],
  fixed: ['key'],
  unique: { field: 'key', index: 'objectives_key', code: 'key_taken' },
  archivedListedBy: ['is_active', 'archived_at'],
});

/** The active objective with a key, locked against changes until the end of the transaction. */
export async function holdObjectiveByKey(
  sql: Sql,
  teamId: string,
  key: string,
): Promise<ObjectiveRow | undefined> {
  const [row] = await sql<ObjectiveRow[]>`
    select ${sql.unsafe(objectives.columns)} from objectives t
    where t.team_id = ${teamId} and t.key = ${key} and t.is_active and t.archived_at is null
      and t.deleted_at is null
    for share of t`;
  return row;
}

/** Objectives by id, archived ones as well. */
export async function findObjectives(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<ObjectiveRow[]> {
  return sql<ObjectiveRow[]>`
    select ${sql.unsafe(objectives.columns)} from objectives t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null`;
}

/** Objectives that the opening of an account of these kinds completes; locked as above. */
export async function holdObjectivesOfProducts(
  sql: Sql,
  teamId: string,
  productKinds: readonly string[],
): Promise<ObjectiveRow[]> {
  return sql<ObjectiveRow[]>`
    select ${sql.unsafe(objectives.columns)} from objectives t
    where t.team_id = ${teamId} and t.product_kind = any(${[...productKinds]}::text[])
      and t.is_active and t.archived_at is null and t.deleted_at is null
    order by t.id
    for share of t`;
}

/** Objectives by their ids and keys, in any state; locked as above. */
export async function holdObjectives(
  sql: Sql,
  teamId: string,
  { ids, keys }: { ids: readonly string[]; keys: readonly string[] },
): Promise<ObjectiveRow[]> {
  return sql<ObjectiveRow[]>`
    select ${sql.unsafe(objectives.columns)} from objectives t
    where t.team_id = ${teamId} and t.deleted_at is null
      and (t.id = any(${[...ids]}::uuid[]) or t.key = any(${[...keys]}::text[]))
    order by t.id
    for share of t`;
}

export async function listObjectiveKeys(sql: Sql, teamId: string): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from objectives where team_id = ${teamId} and deleted_at is null`;
  return rows.map(({ key }) => key);
}

/** Whether a template lists the objective or a contact has completed it; exact while it is locked. */
export async function isObjectiveUsed(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const [row] = await sql<[{ used: boolean }]>`
    select exists (
      select
      from template_objectives o
      join templates t on t.team_id = o.team_id and t.id = o.template_id
      where o.team_id = ${teamId} and o.objective_id = ${id} and t.deleted_at is null
    ) or exists (
      select from objective_completions where team_id = ${teamId} and objective_id = ${id}
    ) as used`;
  return row.used;
}

/** Gives a new team the standard objectives; those that it has are left alone. */
export async function seedObjectives(sql: Sql, teamId: string): Promise<void> {
  const rows = standardObjectives.map((objective) => ({
    team_id: teamId,
    ...objective,
    is_standard: true,
  }));
  await sql`insert into objectives ${sql(rows)} on conflict do nothing /* team_id is in the rows */`;
}

/** The ids that are no objective of the team. */
export async function unknownObjectives(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const unknown = new Set(ids);
  if (ids.length === 0) return unknown;
  const rows = await sql<{ id: string }[]>`
    select id from objectives
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`;
  for (const { id } of rows) unknown.delete(id);
  return unknown;
}

/** The first objectives of each of these templates, by template. */
export async function loadTemplateObjectives(
  sql: Sql,
  teamId: string,
  templates: readonly ListRow[],
): Promise<Map<string, object[]>> {
  const rows = await sql<{ template_id: string }[]>`
    select ${sql.unsafe(objectives.columns)}, listed.template_id
    from (
      select template_id, objective_id,
        row_number() over (partition by template_id order by position) as place
      from template_objectives
      where team_id = ${teamId} and template_id = any(${templates.map(({ id }) => id)}::uuid[])
    ) listed
    join objectives t on t.team_id = ${teamId} and t.id = listed.objective_id
    where place <= ${includeLimit + 1}
    order by listed.template_id, place`;
  return groupRows(rows, (row) => row.template_id);
}
