import { toTimestamp } from '../../platform/time/rules.ts';
import { earliest } from '../dispatch/failure-counters.ts';
import type { StateRow } from '../dispatch/queries.ts';
import type { Waiting } from './queries.ts';

/** When the pause of an operator ends; null where it has ended, or there is none. */
export function pauseOf({ paused_until: until }: StateRow, asOf: string): string | null {
  return until !== null && Date.parse(until) > Date.parse(asOf) ? until : null;
}

/**
 * Interval of looks at a suspended subscription. After the suspension its row is overdue, so that the
 * reconciler signals the recovery.
 */
export const suspendedPauseMs = 600_000;

/** When the recovery has to act next; null when nothing waits. */
export function dueAt(state: StateRow, waiting: Waiting, maxAgeMs: number): string | null {
  if (waiting.waiting === 0) return state.paused_until;
  const { oldest_renewed_at: oldest } = waiting;
  const expiresAt = oldest === null ? null : toTimestamp(Date.parse(oldest) + maxAgeMs);
  const next = state.paused_until ?? state.probe_at ?? waiting.next_attempt_at;
  return earliest([next, waiting.asked_at, expiresAt]);
}
