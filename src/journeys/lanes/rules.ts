import type { SkipReason } from '../../messaging/message-deliveries/rules.ts';

/** The law of whether a step is sent, without I/O or clock. */

/** What is known of a step that is due, as far as its rules ask. */
export interface StepFacts {
  isHoldout: boolean;
  /** RFC 3339. */
  deadlineAt: string | null;
  dueMs: number;
  /** Whether the objective is completed that the step waits for not to be. */
  isObjectiveCompleted: boolean;
  isConditionMet: boolean;
  recipient: RecipientFacts;
  isCapped: boolean;
}

/** What is known of whom it goes to; looked at again right before it is sent. */
export interface RecipientFacts {
  hasAddress: boolean;
  isSuppressed: boolean;
  purpose: 'marketing' | 'transactional' | 'servicing';
  channel: 'email' | 'sms' | 'push';
  consent: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
}

/** What was due longer ago is stale: its template was paused, or the service away. */
const staleAfterMs = 7 * 86_400_000;

export const isStale = (dueMs: number, nowMs: number) => nowMs - dueMs > staleAfterMs;
const isPast = (deadlineAt: string | null, nowMs: number) =>
  deadlineAt !== null && Date.parse(deadlineAt) <= nowMs;

/** Why a step is not sent: the first rule that refuses, in the order of docs/sending.md. */
export function refusalOf(facts: StepFacts, nowMs: number): SkipReason | undefined {
  if (facts.isHoldout) return 'holdout';
  if (isPast(facts.deadlineAt, nowMs)) return 'deadline_passed';
  if (isStale(facts.dueMs, nowMs)) return 'template_paused_stale';
  if (facts.isObjectiveCompleted) return 'objective_completed';
  if (!facts.isConditionMet) return 'condition_false';
  return refusalOfRecipient(facts.recipient) ?? (facts.isCapped ? 'frequency_cap' : undefined);
}

/** Why nothing is sent to somebody, whatever the step. */
export function refusalOfRecipient(recipient: RecipientFacts): SkipReason | undefined {
  if (!recipient.hasAddress) return 'missing_address';
  if (recipient.isSuppressed) return 'suppressed';
  return mayReceive(recipient) ? undefined : 'no_consent';
}

/** Marketing needs a consent. STOP ends every text message; an e-mail that is no marketing goes. */
function mayReceive({ purpose, channel, consent }: RecipientFacts): boolean {
  if (purpose === 'marketing') return consent === 'subscribed';
  return channel !== 'sms' || consent !== 'unsubscribed';
}

/** How much marketing a contact has had, in the last day and in the last seven. */
export interface SendCounts {
  day: number;
  week: number;
}

export function isCapped(
  { day, week }: SendCounts,
  cap: { per_day: number; per_week: number },
): boolean {
  return day >= cap.per_day || week >= cap.per_week;
}

/** A step whose time is known. */
export interface Waiting {
  /** RFC 3339. */
  due_at: string;
  /** When quiet hours moved it for the first time. */
  quiet_since?: string;
  /** The pace of its template grants it the time that it has now. */
  is_granted?: boolean;
}

/** The earliest time of all; null where nothing waits. */
export function earliestOf(scheduled: Readonly<Record<string, Waiting>>): string | null {
  const times = Object.values(scheduled).map(({ due_at }) => Date.parse(due_at));
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

/** Quiet hours may keep a step for a day at most, and not behind its deadline. */
export function mayWaitUntil(
  untilMs: number,
  quietSinceMs: number,
  deadlineAt: string | null,
): boolean {
  return untilMs - quietSinceMs <= 86_400_000 && !isPast(deadlineAt, untilMs);
}
