import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { CompletionsCounts, ObjectiveCompletion } from './completion.ts';

type Optional =
  'journey_id' | 'template_id' | 'message_id' | 'account_id' | 'unique_id' | 'void_reason';

export interface CompletionRow extends Omit<ObjectiveCompletion, Optional | 'voided_at'> {
  journey_id: string | null;
  template_id: string | null;
  message_id: string | null;
  account_id: string | null;
  unique_id: string | null;
  voided_at: string | null;
  void_reason: string | null;
  lock_version: number;
}

export type NewCompletion = Omit<
  CompletionRow,
  | 'id'
  | 'type'
  | 'team_id'
  | 'voided_at'
  | 'void_reason'
  | 'lock_version'
  | 'inserted_at'
  | 'updated_at'
>;

/** The completions of a team, of one objective or of one contact. */
export function completionSource(
  teamId: string,
  parent?: { column: 'objective_id' | 'contact_id'; id: string },
): ListSource {
  const ofParent = parent ? ` and t.${parent.column} = $2::uuid` : '';
  return {
    from: 'objective_completions t',
    select: `t.*, 'objective_completion' as type`,
    where: {
      text: `t.team_id = $1::uuid${ofParent}`,
      values: parent ? [teamId, parent.id] : [teamId],
    },
  };
}

/** Throws 404. */
export async function requireCompletion(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<CompletionRow> {
  const [row] = await sql<CompletionRow[]>`
    select *, 'objective_completion' as type
    from objective_completions
    where team_id = ${teamId} and id = ${id}`;
  if (!row) throw notFound('objective_completion');
  return row;
}

/** Locks the completion until the end of the transaction. Throws 404. */
export async function lockCompletion(sql: Sql, teamId: string, id: string): Promise<CompletionRow> {
  const [row] = await sql<CompletionRow[]>`
    select *, 'objective_completion' as type
    from objective_completions
    where team_id = ${teamId} and id = ${id}
    for update`;
  if (!row) throw notFound('objective_completion');
  return row;
}

/** A completion to be recorded; `repeat_key` is empty where the objective is completed once. */
export interface KeyedCompletion extends NewCompletion {
  repeat_key: string;
}

/**
 * The completions that stand in the way of others, by their place: those with the same repeat key,
 * or any where the objective is completed once.
 */
export async function findCompletions(
  sql: Sql,
  teamId: string,
  requested: readonly Pick<KeyedCompletion, 'objective_id' | 'contact_id' | 'repeat_key'>[],
): Promise<Map<number, CompletionRow>> {
  const rows = await sql<(CompletionRow & { place: number })[]>`
    select c.*, 'objective_completion' as type, w.place::int as place
    from unnest(${requested.map(({ objective_id }) => objective_id)}::uuid[],
      ${requested.map(({ contact_id }) => contact_id)}::uuid[],
      ${requested.map(({ repeat_key }) => repeat_key)}::text[])
      with ordinality as w (objective_id, contact_id, repeat_key, place)
    cross join lateral (
      (select * from objective_completions
       where team_id = ${teamId} and objective_id = w.objective_id and contact_id = w.contact_id
         and repeat_key = w.repeat_key and w.repeat_key <> '' and voided_at is null
       limit 1)
      union all
      (select * from objective_completions
       where team_id = ${teamId} and objective_id = w.objective_id and contact_id = w.contact_id
         and w.repeat_key = '' and voided_at is null
       order by completed_at, id
       limit 1)
      limit 1
    ) c`;
  return new Map(rows.map((row) => [row.place - 1, row]));
}

/**
 * Returns what was inserted; the rest exists already, also when another transaction is recording it
 * right now. In the order of keys, so that two sets do not lock each other out.
 */
export async function insertCompletions(
  sql: Sql,
  teamId: string,
  completions: readonly KeyedCompletion[],
): Promise<(CompletionRow & { repeat_key: string })[]> {
  return sql<(CompletionRow & { repeat_key: string })[]>`
    insert into objective_completions
      (team_id, objective_id, contact_id, completed_at, value_cents, source, attribution,
       journey_id, template_id, message_id, account_id, unique_id, repeat_key)
    select ${teamId}, objective_id, contact_id, completed_at, value_cents, source, attribution,
      journey_id, template_id, message_id, account_id, unique_id, repeat_key
    from json_to_recordset(${JSON.stringify(completions)}::text::json) as w (
      objective_id uuid, contact_id uuid, completed_at timestamptz, value_cents bigint, source text,
      attribution text, journey_id uuid, template_id uuid, message_id uuid, account_id uuid,
      unique_id text, repeat_key text)
    order by objective_id, contact_id, repeat_key collate "C"
    on conflict (team_id, objective_id, contact_id, repeat_key) where voided_at is null do nothing
    returning *, 'objective_completion' as type`;
}

export async function voidCompletionRow(
  sql: Sql,
  teamId: string,
  id: string,
  reason: string,
): Promise<CompletionRow> {
  const [row] = await sql<[CompletionRow]>`
    update objective_completions
    set voided_at = now(), void_reason = ${reason}, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, 'objective_completion' as type`;
  return row;
}

/** Adds to the numbers of completions that the objectives show; once for each time one stands here. */
export async function addToCounts(
  sql: Sql,
  teamId: string,
  objectiveIds: readonly string[],
  delta: 1 | -1,
): Promise<void> {
  await sql`
    insert into objective_completion_counts as c (team_id, objective_id, slot, count)
    select ${teamId}, objective_id, (select free_counter_shard()), count(*) * ${delta}::int
    from unnest(${[...objectiveIds]}::uuid[]) as completed (objective_id)
    group by objective_id
    order by objective_id
    on conflict (team_id, objective_id, slot) do update set count = c.count + excluded.count`;
}

type Counts = Static<typeof CompletionsCounts>['by_objective'];

/** Counts completions in [start, end) by objective; active objectives are always included. */
export async function countCompletions(
  sql: Sql,
  teamId: string,
  { start, end }: { start: string; end: string },
): Promise<Counts> {
  return sql<Counts>`
    with counted as (
      select objective_id, count(*) as completions,
        count(distinct contact_id) as unique_contacts,
        to_safe_integer(sum(value_cents)) as value_cents,
        count(*) filter (where attribution = 'journey') as attributed_completions,
        to_safe_integer(coalesce(sum(value_cents) filter (where attribution = 'journey'), 0))
          as attributed_value_cents
      from objective_completions
      where team_id = ${teamId} and completed_at >= ${start} and completed_at < ${end}
        and voided_at is null
      group by objective_id
    )
    select o.id as objective_id, o.key, o.name, coalesce(c.completions, 0) as completions,
      coalesce(c.unique_contacts, 0) as unique_contacts,
      coalesce(c.value_cents, 0) as value_cents,
      coalesce(c.attributed_completions, 0) as attributed_completions,
      coalesce(c.attributed_value_cents, 0) as attributed_value_cents
    from objectives o
    left join counted c on c.objective_id = o.id
    where o.team_id = ${teamId} and o.deleted_at is null
      and (c.objective_id is not null or (o.is_active and o.archived_at is null))
    order by completions desc, o.id`;
}
