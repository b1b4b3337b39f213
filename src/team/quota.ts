import type { Sql } from '../platform/database/sql.ts';
import { fail } from '../platform/http/errors.ts';
import { lockTeam } from './queries.ts';

interface Quota {
  /** As `meta.quota` of the error names it. */
  name: string;
  /** Name of the counted resource, for people. */
  of: string;
  limit: number;
  /** Current number; exact, since no other request can add one until this one commits. */
  count(sql: Sql, teamId: string): Promise<number>;
}

/** Locks the team and makes sure that it may have one more; throws 422 `quota_exceeded`. */
export async function checkQuota(
  sql: Sql,
  teamId: string,
  { name, of, limit, count }: Quota,
): Promise<void> {
  await lockTeam(sql, teamId);
  if ((await count(sql, teamId)) < limit) return;
  throw fail('quota_exceeded', {
    detail: `A team has at most ${String(limit)} ${of}.`,
    meta: { quota: name, limit },
  });
}
