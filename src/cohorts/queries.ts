import type { Sql } from '../platform/database/sql.ts';
import { withJson } from '../platform/database/json-columns.ts';
import { fail } from '../platform/http/errors.ts';
import { collectValues } from '../platform/lists/statement.ts';
import type { ListSource } from '../platform/lists/sql.ts';
import { clockOf, leafText, predicateOf } from './definition/predicate.ts';
import type { Leaf, Rule } from './definition/tree.ts';
import type { Schedule } from './rules.ts';

export interface CohortRow extends Schedule {
  id: string;
  type: 'cohort';
  team_id: string;
  name: string;
  description: string | null;
  definition: object | null;
  definition_version: number;
  evaluation_status: 'never' | 'queued' | 'evaluating' | 'ready' | 'failed';
  member_count: number;
  last_evaluated_at: string | null;
  last_evaluation_ms: number | null;
  last_error: string | null;
  next_evaluation_at: string | null;
  /** Client that last set the definition; null for a row from before it was remembered. */
  set_by_client_id: string | null;
  /** Whether no transaction is left that may write without noting it for the cohort. */
  is_caught_up: boolean;
  is_archived: boolean;
  archived_at: string | null;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

/** The resource, from a row of cohorts with the alias t. */
export const shownCohort = `t.*, 'cohort' as type, t.archived_at is not null as is_archived`;

export function cohortSource(teamId: string): ListSource {
  return {
    from: 'cohorts t',
    select: shownCohort,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_archived'] },
  };
}

/** The cohorts that a contact is a member of. */
export function cohortsOfContact(teamId: string, contactId: string): ListSource {
  return {
    from: 'cohorts t',
    select: shownCohort,
    where: {
      text: `t.team_id = $1 and t.deleted_at is null and exists (
        select from cohort_members m
        where m.team_id = t.team_id and m.contact_id = $2::uuid and m.cohort_id = t.id)`,
      values: [teamId, contactId],
    },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_archived'] },
  };
}

/** The newest cohorts of each of some contacts, archived ones apart. */
export async function findCohortsOf(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<(CohortRow & { contact_id: string })[]> {
  return sql<(CohortRow & { contact_id: string })[]>`
    select cohort.*, wanted.id as contact_id
    from unnest(${[...contactIds]}::uuid[]) as wanted (id)
    cross join lateral (
      select ${sql.unsafe(shownCohort)}
      from cohort_members m
      join cohorts t on t.team_id = m.team_id and t.id = m.cohort_id
      where m.team_id = ${teamId} and m.contact_id = wanted.id
        and t.deleted_at is null and t.archived_at is null
      order by t.inserted_at desc, t.id desc
      limit ${limit}
    ) as cohort`;
}

/** Throws 404. */
export async function requireCohort(sql: Sql, teamId: string, id: string): Promise<CohortRow> {
  return (await findCohort(sql, teamId, id)) ?? notFound();
}

export async function findCohort(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<CohortRow | undefined> {
  const [row] = await sql<CohortRow[]>`
    select ${sql.unsafe(shownCohort)} from cohorts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

/** Locks the cohort until the end of the transaction. Throws 404. */
export async function lockCohort(sql: Sql, teamId: string, id: string): Promise<CohortRow> {
  const [row] = await sql<CohortRow[]>`
    select ${sql.unsafe(shownCohort)} from cohorts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for no key update of t`;
  return row ?? notFound();
}

/** Locks cohorts in the order of their ids; those that are not there are left out. */
export async function findCohortsLocked(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<CohortRow[]> {
  return sql<CohortRow[]>`
    select ${sql.unsafe(shownCohort)} from cohorts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null
    order by t.id
    for no key update of t`;
}

export type CohortContent = Schedule &
  Pick<CohortRow, 'name' | 'description' | 'kind' | 'definition' | 'set_by_client_id'>;

/** Undefined if the name is in use. */
export async function insertCohort(
  sql: Sql,
  teamId: string,
  content: CohortContent,
): Promise<CohortRow | undefined> {
  const [row] = await sql<CohortRow[]>`
    with t as (
      insert into cohorts ${sql(withJson(sql, { team_id: teamId, ...content }, ['definition']))}
      on conflict (team_id, folded(name)) where deleted_at is null do nothing
      returning *
    )
    select ${sql.unsafe(shownCohort)} from t`;
  return row;
}

export async function findCohortByName(sql: Sql, teamId: string, name: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from cohorts
    where team_id = ${teamId} and folded(name) = folded(${name})
      and deleted_at is null`;
  return row;
}

/** Writes some columns of a cohort that is locked. */
export async function updateCohortRow(
  sql: Sql,
  { team_id, id }: CohortRow,
  changes: Partial<
    CohortContent &
      Pick<
        CohortRow,
        | 'definition_version'
        | 'evaluation_status'
        | 'next_evaluation_at'
        | 'archived_at'
        | 'is_caught_up'
      >
  >,
): Promise<CohortRow> {
  const [row] = await sql<[CohortRow]>`
    update cohorts t
    set ${sql(withJson(sql, changes, ['definition']))}, lock_version = lock_version + 1,
      updated_at = now()
    where t.team_id = ${team_id} and t.id = ${id}
    returning ${sql.unsafe(shownCohort)}`;
  return row;
}

/** Deletes the members of the cohort and marks the cohort as deleted. */
export async function deleteCohortRow(sql: Sql, { team_id, id }: CohortRow): Promise<void> {
  await sql`delete from cohort_members where team_id = ${team_id} and cohort_id = ${id}`;
  await sql`
    update cohorts set deleted_at = now(), next_evaluation_at = null, updated_at = now(),
      lock_version = lock_version + 1
    where team_id = ${team_id} and id = ${id}`;
}

/** Definitions of cohorts, as far as there are such. */
export async function findDefinitions(sql: Sql, teamId: string, ids: readonly string[]) {
  return sql<{ id: string; definition: object | null }[]>`
    select id, definition from cohorts
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`;
}

/** Those of some ids that are no cohorts of the team, or are archived. */
export async function unknownCohorts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const known = await sql<{ id: string }[]>`
    select id from cohorts
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null
      and archived_at is null`;
  const found = new Set(known.map(({ id }) => id));
  return new Set(ids.filter((id) => !found.has(id)));
}

/** Those of some cohorts whose members are known: lists, and definitions that were evaluated. */
export async function findReadyCohorts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from cohorts
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and deleted_at is null
      and archived_at is null
      and (kind = 'static' or last_evaluated_at is not null and evaluation_status <> 'failed')`;
  return new Set(rows.map(({ id }) => id));
}

/** A template that is launched or to be launched and names the cohort. */
export async function findTemplateInNeed(sql: Sql, { team_id, id }: CohortRow) {
  const [row] = await sql<{ id: string }[]>`
    select id from templates
    where team_id = ${team_id} and status in ('scheduled', 'launched', 'paused')
      and deleted_at is null
      and (target_cohort_ids @> array[${id}::uuid] or exclusion_cohort_ids @> array[${id}::uuid])
    limit 1`;
  return row;
}

/** Archived contacts are members of nothing. */
export const isKept = `t.status <> 'archived'`;

/** Number of contacts that match a rule, and a sample of their ids. */
export async function previewRule(sql: Sql, teamId: string, rule: Rule, asOf: string) {
  const { values, bind } = collectValues([teamId]);
  const meant = `from contacts t where t.team_id = $1 and ${isKept} and ${predicateOf(rule, bind, asOf)}`;
  const [counted] = await sql.unsafe<[{ count: number }]>(
    `select count(*)::int as count ${meant}`,
    values,
  );
  const sample = await sql.unsafe<{ id: string }[]>(`select t.id ${meant} limit 25`, values);
  return { count: counted.count, ids: sample.map(({ id }) => id) };
}

/** Whether each leaf, and the whole rule, is true for a contact; all false if it does not exist. */
export async function evaluateContact(
  sql: Sql,
  teamId: string,
  contactId: string,
  rule: Rule,
  leaves: readonly Leaf[],
  asOf: string,
): Promise<{ belongs: boolean; holds: readonly boolean[] }> {
  const { values, bind } = collectValues([teamId]);
  const contact = bind(contactId, 'uuid');
  const clock = clockOf(bind, asOf);
  const texts = leaves.map((leaf) => `(${leafText(leaf, bind, clock)})`);
  const whole = predicateOf(rule, bind, asOf);
  const [row] = await sql.unsafe<{ belongs: boolean; holds: boolean[] }[]>(
    `select (${isKept} and ${whole}) as belongs, array[${texts.join(', ')}]::boolean[] as holds
    from contacts t where t.team_id = $1 and t.id = ${contact}`,
    values,
  );
  return row ?? { belongs: false, holds: leaves.map(() => false) };
}

function notFound(): never {
  throw fail('not_found', { detail: 'No such cohort.', meta: { resource: 'cohort' } });
}
