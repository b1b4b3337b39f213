import type { SkipReason } from '../../messaging/message-deliveries/rules.ts';
import { refusalOfRecipient } from '../../messaging/recipients/rules.ts';
import type { RecipientFacts } from '../../messaging/recipients/rules.ts';
import { isStale } from '../../messaging/send-queue/rules.ts';
import { toTimestamp } from '../../platform/time/rules.ts';

/** Rules of whether a step is sent, without I/O or clock. */

/** The facts about a due step that its rules need. */
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
  return times.length === 0 ? null : toTimestamp(Math.min(...times));
}

/** Quiet hours may keep a step for a day at most, and not behind its deadline. */
export function mayWaitUntil(
  untilMs: number,
  quietSinceMs: number,
  deadlineAt: string | null,
): boolean {
  return untilMs - quietSinceMs <= 86_400_000 && !isPast(deadlineAt, untilMs);
}
