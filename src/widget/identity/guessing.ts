import { challengeLimits } from '../../campaigns/templates/template.ts';
import { isCodeFactor } from './rules.ts';
import type { AskedFactor, Personalization } from './rules.ts';
import { toTimestamp } from '../../platform/time/rules.ts';

/** Bounds of guessing that no template widens. */
export const guessLimits = {
  /** Wrong answers about recorded data of one contact, from all networks. */
  knowledgePerDay: 10,
  knowledgeSincePassed: 30,
  /** Days after which the second total starts again, without a passed challenge. */
  knowledgeRestDays: 90,
  /** Codes for one network within a quarter of an hour. */
  codes: 5,
  /** Wrong codes since the last passed challenge, after which codes get longer. */
  shortCodes: 30,
};
const minuteMs = 60_000;
const dayMs = 86_400_000;
const codesWithinMs = 15 * minuteMs;

/** Wrong answers about a contact, from all networks. */
export interface Totals {
  knowledge_failed: number;
  knowledge_today: number;
  today_since: string | null;
  codes_failed: number;
  last_failed_at: string;
}

/** Wrong answers and codes of one network about a contact. */
export interface Source {
  failed_count: number;
  last_failed_at: string | null;
  locked_until: string | null;
  lock_count: number;
  codes_sent: number;
  codes_since: string | null;
}

export interface Guesses {
  totals: Totals;
  source: Source;
}

export const noGuesses: Source = {
  failed_count: 0,
  last_failed_at: null,
  locked_until: null,
  lock_count: 0,
  codes_sent: 0,
  codes_since: null,
};

/** The end of a network's lock, RFC 3339; undefined if it may answer. */
export function lockedUntil({ source }: Guesses, nowMs: number): string | undefined {
  return later(source.locked_until, 0, nowMs);
}

/** The time when questions about recorded data are available again; undefined if they are now. */
export function knowledgeEndedUntil({ totals }: Guesses, nowMs: number): string | undefined {
  if (totals.knowledge_failed >= guessLimits.knowledgeSincePassed) {
    return later(totals.last_failed_at, guessLimits.knowledgeRestDays * dayMs, nowMs);
  }
  if (totals.knowledge_today < guessLimits.knowledgePerDay) return undefined;
  return later(totals.today_since, dayMs, nowMs);
}

/** Remaining wrong answers of one network about a contact, or of all about recorded data. */
export function attemptsLeft(
  guesses: Guesses,
  rule: Personalization,
  factor: AskedFactor,
  nowMs: number,
): number {
  const left = [triesOf(rule) - recentFailures(guesses, nowMs)];
  if (!isCodeFactor(factor)) {
    const { knowledge_failed, knowledge_today } = currentTotals(guesses, nowMs);
    left.push(guessLimits.knowledgePerDay - knowledge_today);
    left.push(guessLimits.knowledgeSincePassed - knowledge_failed);
  }
  return Math.max(0, Math.min(...left));
}

/** Counts after one more wrong answer. */
export function afterFailure(
  guesses: Guesses,
  rule: Personalization,
  factor: AskedFactor,
  nowMs: number,
): Guesses {
  const now = new Date(nowMs).toISOString();
  const failed_count = recentFailures(guesses, nowMs) + 1;
  const locks = recentLocks(guesses, nowMs);
  const isLock = failed_count >= triesOf(rule);
  const source = {
    ...guesses.source,
    failed_count,
    last_failed_at: now,
    locked_until: isLock ? toTimestamp(nowMs + lockMs(rule, locks)) : null,
    lock_count: isLock ? locks + 1 : locks,
  };
  const totals = { ...currentTotals(guesses, nowMs), last_failed_at: now };
  if (isCodeFactor(factor)) totals.codes_failed += 1;
  else {
    totals.knowledge_failed += 1;
    totals.knowledge_today += 1;
    totals.today_since ??= now;
  }
  return { totals, source };
}

/**
 * Totals after a passed challenge. Those of a day continue, so that passing allows no further
 * guesses.
 */
export function afterPassed({ totals }: Guesses): Totals {
  return { ...totals, knowledge_failed: 0, codes_failed: 0 };
}

/** Whether a challenge has used up its attempts, from all networks. */
export const isUsedUp = (failedCount: number, rule: Personalization) =>
  failedCount >= triesOf(rule);

/** The time when a network may request another code, RFC 3339; undefined if it may now. */
export function codesLockedUntil({ source }: Guesses, nowMs: number): string | undefined {
  if (source.codes_sent < guessLimits.codes) return undefined;
  return later(source.codes_since, codesWithinMs, nowMs);
}

/** The count after one more code. */
export function afterCode({ source }: Guesses, nowMs: number): Source {
  if (later(source.codes_since, codesWithinMs, nowMs) !== undefined) {
    return { ...source, codes_sent: source.codes_sent + 1 };
  }
  return { ...source, codes_sent: 1, codes_since: new Date(nowMs).toISOString() };
}

/** Digits of the next code: longer after many guesses, so that no recipient must be locked out. */
export const codeDigits = ({ totals }: Guesses) =>
  totals.codes_failed < guessLimits.shortCodes ? 6 : 8;

/** Templates from older rules may allow more attempts and a shorter lock. */
const triesOf = ({ max_attempts }: Personalization) =>
  Math.min(max_attempts, challengeLimits.tries);

function lockMs({ lockout_minutes }: Personalization, lockCount: number): number {
  const first = Math.max(lockout_minutes, challengeLimits.lockMinutes);
  const doubled = first * 2 ** Math.min(lockCount, 10);
  return Math.min(doubled, challengeLimits.maxLockMinutes) * minuteMs;
}

/** Wrong answers count for a day, and start again after a lock. */
function recentFailures({ source }: Guesses, nowMs: number): number {
  if (source.locked_until !== null) return 0;
  return later(source.last_failed_at, dayMs, nowMs) === undefined ? 0 : source.failed_count;
}

/** Locks are forgotten after a day without a wrong answer that follows the last one. */
function recentLocks({ source }: Guesses, nowMs: number): number {
  const since = source.locked_until ?? source.last_failed_at;
  return later(since, dayMs, nowMs) === undefined ? 0 : source.lock_count;
}

/** Totals without those of a day, and of guesses long ago, that are over. */
function currentTotals({ totals }: Guesses, nowMs: number): Totals {
  const isToday = later(totals.today_since, dayMs, nowMs) !== undefined;
  const restMs = guessLimits.knowledgeRestDays * dayMs;
  const isRested = later(totals.last_failed_at, restMs, nowMs) === undefined;
  return {
    ...totals,
    ...(!isToday && { knowledge_today: 0, today_since: null }),
    ...(isRested && { knowledge_failed: 0 }),
  };
}

/** The time so long after another, RFC 3339, while it is in the future. */
function later(since: string | null, afterMs: number, nowMs: number): string | undefined {
  if (since === null) return undefined;
  const untilMs = Date.parse(since) + afterMs;
  return untilMs > nowMs ? toTimestamp(untilMs) : undefined;
}
