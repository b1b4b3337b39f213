import type { WorkListener } from '../database/notify.ts';

/** What a lane does again and again. */
export interface LaneWork {
  /** Says that the lane is drained for a while longer. */
  keep(): Promise<unknown>;
  /** One portion of work: whether there was any, and how long the lane is to rest behind it. */
  round(): Promise<{ worked: boolean; restMs?: number }>;
}

export interface PollOptions {
  stopping: AbortSignal;
  listener: WorkListener;
  /** The lane is said to be drained at least this often. */
  keepEveryMs: number;
  /** When any loop of the lane worked last; loops that share it end together. */
  quiet?: { sinceMs: number };
}

/** It ends after this long without work; what comes then is seen by the relay. */
const idleTimeoutMs = 10_000;
/** An hour of uninterrupted work is one activity; a pause ends it sooner. */
const budgetMs = 3_600_000;
const shortestPauseMs = 20;
const longestPauseMs = 250;

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
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      continue;
    }
    quiet.sinceMs = performance.now();
    pauseMs = shortestPauseMs;
    if (restMs > 0) await sleep(restMs);
  }
}
