/** Retries of webhook deliveries as pure functions; times are epoch milliseconds. */

export interface RetryPolicy {
  /** Pause before each attempt; its length is the number of attempts. ADR 29. */
  scheduleMs: readonly number[];
  /** Share by which each pause varies, 0 to 1. */
  jitter: number;
}

export type Failure = 'retry' | 'permanent' | 'gone';

/** Only 2xx is success; redirects are failures like any other. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Effect of a failed attempt on the delivery; "gone" also disables the subscription. */
export function classifyFailure(errorCode: string): Failure {
  if (errorCode === 'gone') return 'gone';
  return errorCode === 'target_not_allowed' ? 'permanent' : 'retry';
}

/** The error code of an HTTP status. */
export function errorCodeOf(status: number): string {
  if (status === 410) return 'gone';
  if (status === 429) return 'throttled';
  return `http_${String(Math.floor(status / 100))}xx`;
}

/** A pause that varies, so that what failed at the same time is not tried at the same time. */
export function variedPause(pauseMs: number, jitter: number, random: number): number {
  return Math.round(pauseMs * (1 - jitter + 2 * jitter * random));
}

/**
 * When the next attempt is due after `step` attempts of the schedule (1 after the first), or
 * undefined when the schedule is used up. `random` is in [0, 1).
 */
export function nextAttemptAt(
  { scheduleMs, jitter }: RetryPolicy,
  step: number,
  atMs: number,
  retryAfterMs: number,
  random: number,
): number | undefined {
  const pause = scheduleMs[step];
  if (pause === undefined) return undefined;
  return Math.round(atMs + Math.max(variedPause(pause, jitter, random), retryAfterMs));
}

/** Attempts of the first round of a recovery: few at first. */
export const firstRound = 2;
const largestRound = 32;

/**
 * Number of attempts of the next round. It doubles while at most a quarter fails, which is an
 * occasional error. It is halved once most fail, which is an overload. It is small if all fail.
 */
export function nextRound(
  size: number,
  { made, failed }: { made: number; failed: number },
): number {
  if (failed === made) return firstRound;
  if (failed * 2 > made) return Math.max(Math.floor(size / 2), firstRound);
  return failed * 4 > made ? size : Math.min(size * 2, largestRound);
}

/** Counts of permanent failures at which the team's other subscriptions are notified. ADR 30. */
const noticeCounts: readonly number[] = [5, 7, 9];

export function crossesFailureThreshold(before: number, after: number): boolean {
  return noticeCounts.some((count) => before < count && after >= count);
}

export function mustDisable(permanentFailures: number, disableAfter: number): boolean {
  return permanentFailures >= disableAfter;
}
