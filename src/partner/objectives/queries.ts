import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { fail } from '../../http/errors.ts';
import { groupRows } from '../../listing/group-rows.ts';
import type { ListRow } from '../../listing/list-endpoint.ts';
import { includeLimit } from '../../listing/list-endpoint.ts';
import type { ListSource } from '../../listing/sql.ts';
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

export function objectiveSource(teamId: string): ListSource {
  return {
    from: 'objectives t',
    select: `t.*, 'objective' as type`,
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
    select t.*, 'objective' as type from objectives t
    where team_id = ${teamId} and id = ${id} and deleted_at is null`;
  if (row) return row;
  throw fail('not_found', { detail: 'No such objective.', meta: { resource: 'objective' } });
}

export async function findObjectiveByKey(sql: Sql, teamId: string, key: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from objectives
    where team_id = ${teamId} and key = ${key} collate "C" and deleted_at is null`;
  return row;
}

export async function countObjectives(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from objectives
    where team_id = ${teamId} and deleted_at is null`;
  return row.count;
}

/** Undefined when the key is taken. */
export async function insertObjective(
  sql: Sql,
  teamId: string,
  objective: NewObjective,
): Promise<ObjectiveRow | undefined> {
  const [row] = await sql<ObjectiveRow[]>`
    insert into objectives ${sql({ team_id: teamId, ...objective })}
    on conflict do nothing
    returning *, 'objective' as type`;
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

/** Of these ids, those that are no objective of the team. */
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
    select o.*, 'objective' as type, listed.template_id
    from (
      select template_id, objective_id,
        row_number() over (partition by template_id order by position) as place
      from template_objectives
      where team_id = ${teamId} and template_id = any(${templates.map(({ id }) => id)}::uuid[])
    ) listed
    join objectives o on o.team_id = ${teamId} and o.id = listed.objective_id
    where place <= ${includeLimit + 1}
    order by listed.template_id, place`;
  return groupRows(rows, (row) => row.template_id);
}
