import type { Sql } from '../../../platform/database/sql.ts';
import { markStarted } from '../../sftp/upload-status.ts';
import { recordRunEvent } from '../finish.ts';
import { lockCounts, requireRun } from '../queries.ts';
import type { StoredRun } from '../queries.ts';
import { after, maxRunning } from '../rules.ts';
import { countAhead, lockOpenRun, takeOver } from './queries.ts';

/**
 * Claims an open run, so that the previous owner can write nothing more; one that is queued
 * begins, or stays as it is where others of the team come first. Undefined where it has ended.
 */
export async function claimRun(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<{ run: StoredRun; ahead: number } | undefined> {
  const run = await lockOpenRun(sql, teamId, id);
  if (!run) return undefined;
  if (run.status === 'queued') {
    await lockCounts(sql, teamId);
    const ahead = await countAhead(sql, run);
    if (ahead >= maxRunning) return { run, ahead };
    await markStarted(sql, run);
  }
  const isUnread = run.total_count === null;
  const status = after(run.status, isUnread ? 'plan' : 'start') ?? run.status;
  const taken = await takeOver(sql, run, status);
  if (run.status === 'queued') {
    recordRunEvent(sql, await requireRun(sql, teamId, run.surface, id), 'started');
  }
  return { run: taken, ahead: 0 };
}
