import type { Sql } from '../database/sql.ts';
import { fail } from '../http/errors.ts';

interface Quota {
  /** As `meta.quota` of the error names it: the table, for a quota of all rows. */
  name: string;
  /** The counted resources, for people; as the name, unless given. */
  of?: string;
  limit: number;
  /** Current number; exact, since no other request can add one until this one commits. */
  count(sql: Sql, teamId: string): Promise<number>;
}

/** Locks the team and makes sure that it may have one more; throws 422 `quota_exceeded`. */
export async function checkQuota(
  sql: Sql,
  teamId: string,
  { name, of = name.replaceAll('_', ' '), limit, count }: Quota,
): Promise<void> {
  await sql`
    select from teams
    where id = ${teamId} /* team_id is this id */
    for no key update`;
  if ((await count(sql, teamId)) < limit) return;
  throw fail('quota_exceeded', {
    detail: `A team has at most ${String(limit)} ${of}.`,
    meta: { quota: name, limit },
  });
}
