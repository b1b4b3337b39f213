/**
 * Rules of circuit breakers as pure functions: when a circuit opens, and when the next probe is due.
 * `in-memory.ts` and the rows of webhook subscriptions apply them. Times are epoch milliseconds.
 */

/** Attempts and failures of the current minute, which open the circuit. ADR 34. */
export interface BreakerWindow {
  startedAtMs: number;
  tries: number;
  failures: number;
}

const windowMs = 60_000;
const failingShare = 0.8;
/** Failures in a row, each of which may have another cause, that open a circuit together. */
const maxFaultsInARow = 5;

/** The window with some more attempts; a new one when the minute is over. */
export function countTries(
  window: BreakerWindow | undefined,
  nowMs: number,
  tries: number,
  failures: number,
): BreakerWindow {
  if (!window || nowMs - window.startedAtMs > windowMs) {
    return { startedAtMs: nowMs, tries, failures };
  }
  const { startedAtMs } = window;
  return { startedAtMs, tries: window.tries + tries, failures: window.failures + failures };
}

/** Whether the share of failures opens the circuit, so that one probe replaces all attempts. */
export function opensByShare({ tries, failures }: BreakerWindow, threshold: number): boolean {
  return tries >= threshold && failures >= tries * failingShare;
}

/** Whether so many failures in a row open the circuit. */
export function opensInARow(faults: number): boolean {
  return faults >= maxFaultsInARow;
}

/** The pause before the next probe: the first one, then doubling up to the longest. */
export function doubledPause(
  policy: { firstPauseMs: number; maxPauseMs: number },
  pauseMs: number | null,
): number {
  if (pauseMs === null) return policy.firstPauseMs;
  return Math.min(pauseMs * 2, policy.maxPauseMs);
}

/** The pause after so many failed probes of a schedule, of which the last pause repeats. */
export function scheduledPause(scheduleMs: readonly number[], probes: number): number {
  return scheduleMs[probes] ?? scheduleMs.at(-1) ?? 0;
}
