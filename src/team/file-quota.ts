import type { Sql } from '../platform/database/sql.ts';
import { failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { fileQuotaRefusals } from '../platform/http/metrics.ts';
import { tiers } from '../platform/http/rate-limit.ts';
import { findFileBytes } from './queries.ts';

/** Bytes of the files of a team of the standard tier: uploads, files by SFTP and exports. */
export const maxFileBytes = 5_000_000_000;

/**
 * Why the files of a team have no room for `more` bytes; undefined where they have. Within a
 * transaction that has added parts it is exact: the count of the team is locked until the end.
 */
export async function fileQuotaProblem(
  sql: Sql,
  teamId: string,
  more: number,
): Promise<Problem | undefined> {
  const { bytes: used, tier } = await findFileBytes(sql, teamId);
  const limit = maxFileBytes * (tiers[tier] ?? 1);
  if (used + more <= limit) return undefined;
  fileQuotaRefusals.inc();
  return {
    code: 'quota_exceeded',
    detail: `The files of the team may total ${String(limit)} bytes together. Delete uploads or exports, or wait until they expire.`,
    meta: { quota: 'file_bytes', limit },
  };
}

/** Throws 422 `quota_exceeded` where the files of a team have no room for `more` bytes. */
export async function requireFileRoom(sql: Sql, teamId: string, more: number): Promise<void> {
  const problem = await fileQuotaProblem(sql, teamId, more);
  if (problem) throw failAll([problem]);
}
