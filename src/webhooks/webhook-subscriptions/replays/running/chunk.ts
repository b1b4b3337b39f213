import type { Sql } from '../../../../platform/database/sql.ts';
import { chunkOf } from '../../../../platform/replays/rules.ts';
import { signalJob } from '../../../../platform/jobs/queries.ts';
import { webhookRecoveryJob } from '../../../../../workflows/jobs.ts';
import { startOver } from '../../deliveries/queries.ts';
import { isHeldByRecovery } from '../../queries.ts';
import { findOffCause } from '../../../recovery/queries.ts';
import { webhookReplays } from '../queries.ts';
import type { ReplayRow } from '../queries.ts';
import { recordReplayEnd } from '../../../../platform/replays/record-end.ts';
import { advanceReplay, listNext, lockRunning } from './queries.ts';
import type { Found, Progress } from './queries.ts';

const pageSize = 500;

/**
 * Starts the next deliveries of a replay over, in the caller's transaction; lanes and recovery send
 * them. A subscription that accepts none any more cancels its replay. Returns undefined if the
 * replay is finished or another worker has claimed it.
 */
export async function replayChunk(
  sql: Sql,
  { teamId, replayId, token }: { teamId: string; replayId: string; token: number },
  most: number,
): Promise<ReplayRow | undefined> {
  const replay = await lockRunning(sql, teamId, replayId, token);
  if (!replay) return undefined;
  const nothing = { replayed: 0, skipped: 0, cursor: undefined };
  if ((await findOffCause(sql, teamId, replay.subscription_id)) !== null) {
    return advance(sql, replay, { ...nothing, status: 'canceled' });
  }
  const page = await listNext(sql, replay, pageSize);
  const chunk = chunkOf(page, most, Number.POSITIVE_INFINITY);
  const isLast = chunk.length === page.length && page.length < pageSize;
  const progress: Progress = {
    ...nothing,
    cursor: chunk.at(-1),
    status: isLast ? 'completed' : 'running',
  };
  const { subscription_id: id } = replay;
  for (const [day, ids] of byDay(chunk)) {
    const asked = { day, ids, trigger: 'replay', replayId } as const;
    progress.replayed += (await startOver(sql, teamId, id, asked)).length;
  }
  progress.skipped = chunk.length - progress.replayed;
  if (progress.replayed > 0 && (await isHeldByRecovery(sql, teamId, id))) {
    await signalJob(sql, webhookRecoveryJob, id, teamId);
  }
  return advance(sql, replay, progress);
}

async function advance(sql: Sql, replay: ReplayRow, progress: Progress): Promise<ReplayRow> {
  const row = await advanceReplay(sql, replay, progress);
  recordReplayEnd(sql, webhookReplays, row);
  return row;
}

/** Ids of what can be replayed, by day. */
function byDay(found: readonly Found[]): Map<string, string[]> {
  const days = new Map<string, string[]>();
  for (const { day, id, state } of found) {
    if (state === 'replayable') days.set(day, [...(days.get(day) ?? []), id]);
  }
  return days;
}
