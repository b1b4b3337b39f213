import { Context } from '@temporalio/activity';
import type { Database } from '../database/client.ts';
import { createLeaseKeeper, releaseLease } from '../database/leases.ts';
import type { Lane } from '../database/leases.ts';
import type { WorkListener } from '../database/notify.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Processes one batch of a lane: whether there was any work, and a pause after it. */
export type Round = () => Promise<{ worked: boolean; restMs?: number }>;

export interface LaneRun {
  database: Database;
  /** Wakes a loop that waits for work. */
  listener: Pick<WorkListener, 'wait'>;
  lane: Lane;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
  /** Sent with each heartbeat, for operators. */
  details: () => unknown;
}

/** Lease of a lane, longer than one batch; afterwards another worker can claim the lane. */
export const leaseMs = 8_000;
const heartbeatMs = 1_000;
/** A lane ends after this long without work; the outbox relay starts it again for new work. */
const idleTimeoutMs = 10_000;
/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;
const minPauseMs = 20;
const maxPauseMs = 250;

/**
 * Repeats the rounds of a lane, each in a loop of its own, until all have been idle for a while or
 * the worker stops. `finish` completes what the rounds left in flight, before the lease ends. If one
 * loop fails, the others end as well, and the lease expires.
 */
export async function runLane(
  { database, listener, lane, stopping, details }: LaneRun,
  rounds: readonly Round[],
  finish: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const failing = new AbortController();
  const signals = [stopping, Context.current().cancellationSignal, failing.signal];
  const isStopping = AbortSignal.any(signals);
  const lastWork = { atMs: performance.now() };
  // One loop extends the lease, since the transactions of the others may lock the row of the lane.
  const [first, ...others] = rounds;
  const extend = createLeaseKeeper(database, lane, leaseMs);
  const withExtension = first && (() => extend().then(first));
  const loops = [...(withExtension ? [withExtension] : []), ...others];
  const work = async () => {
    try {
      await Promise.all(loops.map((round) => poll(round, isStopping, listener, lastWork)));
      await finish();
    } finally {
      failing.abort();
    }
    await database.read((sql) => releaseLease(sql, lane));
  };
  await withHeartbeat(work, details, heartbeatMs);
}

/** Repeats one round. The loops of a lane share the time of the last work, so they end together. */
async function poll(
  round: Round,
  stopping: AbortSignal,
  listener: LaneRun['listener'],
  lastWork: { atMs: number },
): Promise<void> {
  const beganAtMs = performance.now();
  const sleep = (ms: number) => listener.wait(ms, () => stopping.aborted);
  let pauseMs = minPauseMs;
  while (!stopping.aborted) {
    const now = performance.now();
    if (now - lastWork.atMs > idleTimeoutMs || now - beganAtMs > budgetMs) return;
    const { worked, restMs = 0 } = await round();
    if (!worked) {
      await sleep(pauseMs);
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      continue;
    }
    lastWork.atMs = performance.now();
    pauseMs = minPauseMs;
    if (restMs > 0) await sleep(restMs);
  }
}
