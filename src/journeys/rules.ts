import type { JourneyStatus } from '../cohorts/definition/journey-statuses.ts';

/** State transitions of journeys, without I/O or clock. */

export const exitReasons = [
  'objectives_completed',
  'unsubscribed',
  'suppressed',
  'left_cohort',
  'canceled_by_user',
  'template_archived',
  'deadline',
  'contact_archived',
  'error',
] as const;
export type ExitReason = (typeof exitReasons)[number];

/** Actions of clients, by the states that allow them. */
const transitions = {
  pause: ['scheduled', 'active'],
  resume: ['paused'],
  cancel: ['scheduled', 'active', 'paused'],
} as const satisfies Record<string, readonly JourneyStatus[]>;
export type JourneyAction = keyof typeof transitions;

export function isOpen(status: JourneyStatus): boolean {
  return mayAct(status, 'cancel');
}

export function mayAct(status: JourneyStatus, action: JourneyAction): boolean {
  return transitions[action].some((from) => from === status);
}

/** Actions that a client may take in a state, for `meta.allowed_actions`. */
export function allowedActions(status: JourneyStatus): string[] {
  return Object.entries(transitions).flatMap(([action, from]) =>
    from.some((one) => one === status) ? [action] : [],
  );
}

/** Ways to end, each with its reasons. */
export interface Ending {
  status: 'completed' | 'exited' | 'expired' | 'canceled' | 'failed';
  reason: ExitReason;
}

/** Ending of the open journeys of a template in this status; undefined if they continue. */
export function endingOf(templateStatus: string): Ending | undefined {
  if (templateStatus === 'expired') return { status: 'expired', reason: 'deadline' };
  if (templateStatus === 'archived') return { status: 'exited', reason: 'template_archived' };
  return undefined;
}

/** Reasons to refuse an enrollment, in the order of the checks. */
export const refusals = [
  'template_not_launched',
  'contact_archived',
  'already_enrolled',
  'reentry_never',
  'reentry_interval',
  'excluded',
] as const;
export type Refusal = (typeof refusals)[number];

/** Why, for people. */
export const refusalWords: Readonly<Record<Refusal, string>> = {
  template_not_launched: 'Only a launched template takes recipients.',
  contact_archived: 'The contact is archived.',
  already_enrolled: 'The contact has an open journey in the template.',
  reentry_never: 'The contact has been in the template, which lets nobody in again.',
  reentry_interval: 'The reentry_interval since the contact’s latest enrollment has not gone by.',
  excluded: 'The contact is a member of an exclusion cohort of the template.',
};
