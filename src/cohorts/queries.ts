import { Type } from 'typebox';
import type { Sql } from '../platform/database/sql.ts';
import { collectValues } from '../platform/lists/statement.ts';
import { notFound } from '../platform/http/errors.ts';
import type { ListSource } from '../platform/lists/sql.ts';
import { table } from '../platform/resources/table.ts';
import type { RowIn } from '../platform/resources/table.ts';
import { Id, Timestamp } from '../platform/schema/fields.ts';
import { Cohort } from './cohort.ts';
import { clockOf, leafText, predicateOf } from './definition/predicate.ts';
import type { Leaf, Rule } from './definition/tree.ts';

export const cohorts = table('cohorts', Cohort, {
  derived: { is_archived: 't.archived_at is not null' },
  hidden: {
    next_evaluation_at: Type.Optional(Timestamp()),
    // The client that last set the definition; absent in rows from before it was remembered.
    set_by_client_id: Type.Optional(Id()),
    // Whether no transaction is left that may write without noting it for the cohort.
    is_caught_up: Type.Boolean(),
  },
  required: ['name', 'kind'],
  optional: ['description', 'definition', 'evaluation_mode', 'refresh_interval_seconds'],
  fixed: ['kind'],
  unique: { field: 'name', index: 'cohorts_name', isFolded: true, code: 'name_taken' },
  archivedListedBy: ['is_archived'],
});
export type CohortRow = RowIn<typeof cohorts>;

/** The cohorts that a contact is a member of. */
export function cohortsOfContact(teamId: string, contactId: string): ListSource {
  return {
    from: 'cohorts t',
    select: cohorts.columns,
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
    select cohort.*, requested.id as contact_id
    from unnest(${[...contactIds]}::uuid[]) as requested (id)
    cross join lateral (
      select ${sql.unsafe(cohorts.columns)}
      from cohort_members m
      join cohorts t on t.team_id = m.team_id and t.id = m.cohort_id
      where m.team_id = ${teamId} and m.contact_id = requested.id
        and t.deleted_at is null and t.archived_at is null
      order by t.inserted_at desc, t.id desc
      limit ${limit}
    ) as cohort`;
}

/** Locks the cohort until the end of the transaction, but not against new members. Throws 404. */
export async function lockCohort(sql: Sql, teamId: string, id: string): Promise<CohortRow> {
  const [row] = await sql<CohortRow[]>`
    select ${sql.unsafe(cohorts.columns)} from cohorts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for no key update of t`;
  if (!row) throw notFound('cohort');
  return row;
}

/** Locks cohorts in the order of their ids; those that are not there are left out. */
export async function findCohortsLocked(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<CohortRow[]> {
  return sql<CohortRow[]>`
    select ${sql.unsafe(cohorts.columns)} from cohorts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null
    order by t.id
    for no key update of t`;
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
