import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { groupRows } from '../../platform/lists/group-rows.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { includeLimit } from '../../platform/lists/list-endpoint.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { standardObjectives } from './objective.ts';
import type { Objective } from './objective.ts';

type Fields = Static<typeof Objective>;

export interface ObjectiveRow extends Omit<Fields, 'description' | 'product_kind' | 'archived_at'> {
  description: string | null;
  product_kind: Fields['product_kind'] | null;
  archived_at: string | null;
  lock_version: number;
}

export type NewObjective = Pick<
  ObjectiveRow,
  | 'name'
  | 'key'
  | 'description'
  | 'category'
  | 'value_cents'
  | 'attribution_window_days'
  | 'attribution_model'
  | 'is_repeatable'
  | 'product_kind'
  | 'is_active'
>;

/** The resource, from a row of objectives with the alias t. */
const shown = `t.*, 'objective' as type, coalesce((
    select sum(c.count)::bigint
    from objective_completion_counts c
    where c.team_id = t.team_id and c.objective_id = t.id
  ), 0) as completion_count`;

export function objectiveSource(teamId: string): ListSource {
  return {
    from: 'objectives t',
    select: shown,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_active', 'archived_at'] },
  };
}

export async function requireObjective(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ObjectiveRow> {
  const [row] = await sql<ObjectiveRow[]>`
    select ${sql.unsafe(shown)} from objectives t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row ?? notFound();
}

/** Locks the objective until the end of the transaction. Throws 404. */
export async function lockObjective(sql: Sql, teamId: string, id: string): Promise<ObjectiveRow> {
  const [row] = await sql<ObjectiveRow[]>`
    select ${sql.unsafe(shown)} from objectives t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  return row ?? notFound();
}

/** The active objective with a key, locked against changes until the end of the transaction. */
export async function holdObjectiveByKey(
  sql: Sql,
  teamId: string,
  key: string,
): Promise<ObjectiveRow | undefined> {
  const [row] = await sql<ObjectiveRow[]>`
    select ${sql.unsafe(shown)} from objectives t
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
    select ${sql.unsafe(shown)} from objectives t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null`;
}

/** Objectives that the opening of an account of these kinds completes; locked as above. */
export async function holdObjectivesOfProducts(
  sql: Sql,
  teamId: string,
  productKinds: readonly string[],
): Promise<ObjectiveRow[]> {
  return sql<ObjectiveRow[]>`
    select ${sql.unsafe(shown)} from objectives t
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
    select ${sql.unsafe(shown)} from objectives t
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

export function objectiveNotFound() {
  return fail('not_found', { detail: 'No such objective.', meta: { resource: 'objective' } });
}

function notFound(): never {
  throw objectiveNotFound();
}

export async function updateObjectiveRow(
  sql: Sql,
  teamId: string,
  id: string,
  changes: Omit<NewObjective, 'key'> | { archived_at: string | null },
): Promise<ObjectiveRow> {
  const [row] = await sql<[ObjectiveRow]>`
    update objectives t
    set ${sql(changes)}, lock_version = t.lock_version + 1, updated_at = now()
    where t.team_id = ${teamId} and t.id = ${id}
    returning ${sql.unsafe(shown)}`;
  return row;
}

export async function deleteObjectiveRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update objectives
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
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

export async function findObjectiveByKey(sql: Sql, teamId: string, key: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from objectives
    where team_id = ${teamId} and key = ${key} collate "C" and deleted_at is null`;
  return row;
}

/** Undefined if the key is in use. */
export async function insertObjective(
  sql: Sql,
  teamId: string,
  objective: NewObjective,
): Promise<ObjectiveRow | undefined> {
  const [row] = await sql<ObjectiveRow[]>`
    with t as (
      insert into objectives ${sql({ team_id: teamId, ...objective })}
      on conflict do nothing
      returning *
    )
    select ${sql.unsafe(shown)} from t`;
  return row;
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
    select ${sql.unsafe(shown)}, listed.template_id
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
