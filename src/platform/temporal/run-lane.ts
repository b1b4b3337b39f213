import { Context } from '@temporalio/activity';
import type { Database } from '../database/client.ts';
import { createLeaseKeeper, releaseLease } from '../database/leases.ts';
import type { Lane } from '../database/leases.ts';
import type { WorkListener } from '../database/notify.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Processes one batch of a lane: whether there was any work, and a pause after it. */
export type Round = () => Promise<{ worked: boolean; restMs?: number }>;

/** A round that is repeated at once when there is work of this name, and polled otherwise. */
export interface WokenRound {
  round: Round;
  work: string;
}

export interface LaneRun {
  database: Database;
  /** Wakes a loop that waits for work. */
  listener: Pick<WorkListener, 'wait' | 'subscribe'>;
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
  rounds: readonly (Round | WokenRound)[],
  finish: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const failing = new AbortController();
  const signals = [stopping, Context.current().cancellationSignal, failing.signal];
  const isStopping = AbortSignal.any(signals);
  const lastWork = { atMs: performance.now() };
  // One loop extends the lease, since the transactions of the others may lock the row of the lane.
  const extend = createLeaseKeeper(database, lane, leaseMs);
  const loops = rounds.map((one, at): Partial<WokenRound> & { round: Round } => {
    const loop = typeof one === 'function' ? { round: one } : one;
    return at > 0 ? loop : { ...loop, round: () => extend().then(loop.round) };
  });
  const work = async () => {
    try {
      await Promise.all(loops.map((loop) => poll(loop, isStopping, listener, lastWork)));
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
  { round, work }: Partial<WokenRound> & { round: Round },
  stopping: AbortSignal,
  listener: LaneRun['listener'],
  lastWork: { atMs: number },
): Promise<void> {
  const beganAtMs = performance.now();
  const isOurs = (name: string) => name === work;
  // Work that is announced during a round may have come too late for it.
  let announced = 0;
  const subscription = listener.subscribe(isOurs, () => {
    announced += 1;
  });
  const sleep = (ms: number) => listener.wait(ms, (name) => stopping.aborted || isOurs(name));
  let pauseMs = minPauseMs;
  try {
    while (!stopping.aborted) {
      const now = performance.now();
      if (now - lastWork.atMs > idleTimeoutMs || now - beganAtMs > budgetMs) return;
      const before = announced;
      const { worked, restMs = 0 } = await round();
      if (worked) {
        lastWork.atMs = performance.now();
        pauseMs = minPauseMs;
        if (restMs > 0) await sleep(restMs);
      } else if (announced === before) {
        await sleep(pauseMs);
        pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      }
    }
  } finally {
    subscription.leave();
  }
}
