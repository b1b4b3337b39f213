import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';
import { dueTime } from '../timing/due-time.ts';
import type { DueJourney } from './queries.ts';
import type { Waiting } from './rules.ts';
import { toTimestamp } from '../../platform/time/rules.ts';

/** A message of a journey whose time has come. */
export interface Step {
  journey: DueJourney;
  message: MessageRow;
  waiting: Waiting;
}

/** Kinds of triggers that a journey begins with; the others wait for something to happen. */
const startedByEnrollment: ReadonlySet<string> = new Set([
  'on_enroll',
  'delay',
  'date',
  'on_objective_incomplete',
]);

/**
 * The steps of a journey whose time is known at its start, and those that wait already. A step with
 * a date before the enrollment is left out.
 */
export function firstSteps(
  { messages }: VersionContent,
  journey: Pick<DueJourney, 'enrolled_at' | 'scheduled_steps' | 'decided_message_ids'>,
  nowMs: number,
  timezone: string,
): Record<string, Waiting> {
  const scheduled = { ...journey.scheduled_steps };
  for (const { id, trigger } of messages) {
    if (!startedByEnrollment.has(trigger.kind) || journey.decided_message_ids.includes(id))
      continue;
    const dueMs = dueTime(trigger, nowMs, timezone);
    const isOver = trigger.kind === 'date' && dueMs < Date.parse(journey.enrolled_at);
    if (!isOver) scheduled[id] ??= { due_at: toTimestamp(dueMs) };
  }
  return scheduled;
}

/** Those that are due by now, the earliest first; what the version does not know is forgotten. */
export function dueSteps(
  { messages }: VersionContent,
  journey: DueJourney,
  scheduled: Readonly<Record<string, Waiting>>,
  nowMs: number,
): Step[] {
  return Object.entries(scheduled)
    .flatMap(([id, one]) => {
      const message = messages.find((known) => known.id === id);
      const isDue = Date.parse(one.due_at) <= nowMs;
      return message && isDue ? [{ journey, message, waiting: one }] : [];
    })
    .sort((one, other) => Date.parse(one.waiting.due_at) - Date.parse(other.waiting.due_at));
}
