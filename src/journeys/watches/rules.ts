import type { JourneyStatus } from '../../cohorts/definition/journey-statuses.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { isOpen } from '../rules.ts';

/** Rules of watches, without I/O or clock, for endpoints, activity and workflow. */

/** A watch that somebody requests ends after this, or with its journey. */
export const watchDays = 30;
/** Watches of a team at a time: each is a workflow. */
export const maxWatches = 100;

/** A step is overdue when it is this late: lanes are seconds late at most. */
export const overdueMinutes = 10;
/** Overdue journeys that are watched at a time, of all teams: an outage concerns all of them. */
export const maxOverdueWatches = 20;

/** Why a journey is watched. */
export type WatchReason = 'requested' | 'overdue';

/** The next step of a journey: no contact, no address, no content. */
export type NextStep =
  | { kind: 'start'; atMs: number }
  | {
      kind: 'message';
      atMs: number;
      messageId: string;
      name: string;
      channel: string;
      /** Whole days since the enrollment. */
      day: number;
    };

/** The parts of a journey that decide what happens next. */
export interface Prospect {
  status: JourneyStatus;
  templateStatus: string;
  isHoldout: boolean;
  next: NextStep | null;
  /** Messages that wait for an event of the contact, or for a page. */
  awaiting: number;
  deadlineAtMs: number | null;
}

/** The next events of a journey, in sentences that the Temporal UI shows as Markdown. */
export function describeProspect(prospect: Prospect): string {
  const { status, templateStatus, isHoldout, next, awaiting, deadlineAtMs } = prospect;
  if (!isOpen(status)) return 'It has ended: nothing more is sent.';
  const sentences = [next ? describeStep(next) : 'No step is scheduled.'];
  if (awaiting > 0) {
    const messages = awaiting === 1 ? '1 message waits' : `${String(awaiting)} messages wait`;
    sentences.push(`${messages} for an event or a page.`);
  }
  if (status === 'paused') sentences.push('It is paused: nothing is sent before it is resumed.');
  else if (templateStatus !== 'launched') {
    sentences.push(`No step is made while its template is ${templateStatus}.`);
  }
  if (isHoldout) sentences.push('It is held back for comparison: its messages are skipped.');
  if (deadlineAtMs !== null) sentences.push(`It expires at ${toTimestamp(deadlineAtMs)}.`);
  return sentences.join(' ');
}

function describeStep(next: NextStep): string {
  const at = toTimestamp(next.atMs);
  if (next.kind === 'start') return `The next step is due at ${at}: the journey begins.`;
  const { channel, name, messageId, day } = next;
  const days = day === 1 ? '1 day' : `${String(day)} days`;
  return (
    `The next step is due at ${at}: the ${channel} message ${inCode(name)} (${messageId}), ` +
    `${days} after the enrollment.`
  );
}

/** A team writes names: in code, no character of them is Markdown. */
const inCode = (name: string) => `\`${name.replaceAll(/[`\p{Cc}\u2028\u2029]/gu, ' ')}\``;
