import type { Sql } from '../../../database/client.ts';
import type { Problem } from '../../../http/errors.ts';
import type { CohortRow } from '../queries.ts';
import { addToCount, deleteMembers, insertMembers } from './queries.ts';

export type MemberChange = 'add' | 'remove';

export const isDynamic = {
  code: 'cohort_is_dynamic',
  detail: 'The definition of the cohort decides over its members.',
} as const satisfies Problem;

/** Adds to or takes out of a static cohort that is locked; tells whom it changed something for. */
export async function changeMembers(
  sql: Sql,
  cohort: CohortRow,
  verb: MemberChange,
  contactIds: readonly string[],
): Promise<{ ids: ReadonlySet<string>; count: number }> {
  const ids =
    verb === 'add'
      ? await insertMembers(sql, cohort, contactIds)
      : await deleteMembers(sql, cohort, contactIds);
  if (ids.size === 0) return { ids, count: cohort.member_count };
  return { ids, count: await addToCount(sql, cohort, verb === 'add' ? ids.size : -ids.size) };
}
