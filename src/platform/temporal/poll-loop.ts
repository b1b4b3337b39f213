import type { WorkListener } from '../database/notify.ts';

/** Repeated work of a lane. */
export interface LaneWork {
  /** Extends the lease of the lane. */
  keep(): Promise<unknown>;
  /** One portion of work: whether there was any, and how long the lane is to rest behind it. */
  round(): Promise<{ worked: boolean; restMs?: number }>;
}

export interface PollOptions {
  stopping: AbortSignal;
  listener: WorkListener;
  /** Longest time between two extensions of the lease. */
  keepEveryMs: number;
  /** When any loop of the lane worked last; loops that share it end together. */
  quiet?: { sinceMs: number };
}

/** It ends after this long without work; what comes then is seen by the relay. */
const idleTimeoutMs = 10_000;
/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;
const shortestPauseMs = 20;
const maxPauseMs = 250;

/** Works through a lane until it has been quiet for a while, or is to stop. */
export async function pollUntilIdle(
  { stopping, listener, keepEveryMs, quiet = { sinceMs: performance.now() } }: PollOptions,
  { keep, round }: LaneWork,
): Promise<void> {
  const beganAtMs = performance.now();
  const sleep = (ms: number) => listener.wait(ms, () => stopping.aborted);
  let keptAtMs = -keepEveryMs;
  let pauseMs = shortestPauseMs;
  while (!stopping.aborted) {
    const now = performance.now();
    if (now - quiet.sinceMs > idleTimeoutMs || now - beganAtMs > budgetMs) return;
    if (now - keptAtMs > keepEveryMs) {
      await keep();
      keptAtMs = now;
    }
    const { worked, restMs = 0 } = await round();
    if (!worked) {
      await sleep(pauseMs);
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      continue;
    }
    quiet.sinceMs = performance.now();
    pauseMs = shortestPauseMs;
    if (restMs > 0) await sleep(restMs);
  }
}
