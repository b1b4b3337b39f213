import type { Sql } from '../../platform/database/sql.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { contactsLeftCohort } from '../hooks.ts';
import type { CohortRow } from '../queries.ts';
import { hasMemberSubscription, recordMoves } from './events.ts';
import { addToCount, deleteMembers, insertMembers } from './queries.ts';

export type MemberChange = 'add' | 'remove';

export const isDynamic = {
  code: 'cohort_is_dynamic',
  detail: 'The members of the cohort follow its definition.',
} as const satisfies Problem;

/** Adds to or removes from a static cohort that is locked; returns the contacts that changed. */
export async function changeMembers(
  sql: Sql,
  cohort: CohortRow,
  verb: MemberChange,
  contactIds: readonly string[],
): Promise<{ ids: ReadonlySet<string>; count: number }> {
  const isAdding = verb === 'add';
  const moved = isAdding
    ? await insertMembers(sql, cohort, contactIds)
    : await deleteMembers(sql, cohort, contactIds);
  const ids = new Set(moved.map(({ contact_id }) => contact_id));
  if (ids.size === 0) return { ids, count: cohort.member_count };
  const changed = await addToCount(sql, cohort, isAdding ? ids.size : -ids.size);
  if (await hasMemberSubscription(sql, cohort.team_id)) {
    recordMoves(sql, changed, { came: isAdding ? moved : [], went: isAdding ? [] : moved });
  }
  if (!isAdding) {
    const left = { cohortId: cohort.id, contactIds: [...ids] };
    await contactsLeftCohort(sql, cohort.team_id, left);
  }
  return { ids, count: changed.member_count };
}
