import type { DeliveryStatus, SkipReason } from '../message-deliveries/rules.ts';
import { refusalOfRecipient } from '../recipients/rules.ts';
import type { RecipientFacts } from '../recipients/rules.ts';

/** Facts about a queued delivery right before it is sent. */
export interface SendTimeFacts {
  /** Requested by a client, without a journey. */
  isRequested: boolean;
  journeyStatus: string | null;
  exitReason: string | null;
  templateStatus: string;
  isTeamSuspended: boolean;
  scheduledMs: number;
  recipient: RecipientFacts;
  /** Whether its team may send from its address or number; true where it has none of its own. */
  isSenderAllowed: boolean;
  /** When the quiet hours end that the contact has now, if it respects them. */
  quietUntilMs: number | undefined;
}

/**
 * Decision about a delivery. drop: the queue is no longer responsible for it. sent: its provider
 * reported on it before the send was stored.
 */
export type SendCheck =
  | { kind: 'send' }
  | { kind: 'drop' }
  | { kind: 'sent' }
  | { kind: 'cancel' }
  | { kind: 'skip'; reason: SkipReason }
  /** withTemplate: so does all that is queued of its template. */
  | { kind: 'wait'; untilMs: number; withTemplate?: boolean };

/** Decision about a delivery that is no longer queued: some reports show that it was sent. */
export function gateOfReported(status: DeliveryStatus | undefined): { kind: 'sent' | 'drop' } {
  const wasTaken = status === 'delayed' || status === 'delivered' || status === 'bounced';
  return { kind: wasTaken ? 'sent' : 'drop' };
}

/**
 * Deliveries that were due longer ago are stale: the template was paused, or the service
 * unavailable.
 */
const staleAfterMs = 7 * 86_400_000;

export const isStale = (dueMs: number, nowMs: number) => nowMs - dueMs > staleAfterMs;

/** Interval of checks whether a pause or a suspension has ended. */
export const lookAgainMs = 30_000;

/**
 * Decides whether a queued delivery is still sent. It respects pauses, ends and choices of the
 * recipient until the message is passed to a provider.
 */
export function checkBeforeSend(facts: SendTimeFacts, nowMs: number): SendCheck {
  const withTemplate = facts.templateStatus === 'paused' || facts.isTeamSuspended;
  const isPaused = facts.journeyStatus === 'paused' || withTemplate;
  const { isRequested, journeyStatus } = facts;
  const isOpen = isRequested || journeyStatus === 'active' || journeyStatus === 'paused';
  const isRunning = facts.templateStatus === 'launched' || facts.templateStatus === 'paused';
  if (facts.exitReason === 'unsubscribed') return { kind: 'skip', reason: 'no_consent' };
  if (facts.exitReason === 'suppressed') return { kind: 'skip', reason: 'suppressed' };
  if (!isOpen || !isRunning) return { kind: 'cancel' };
  if (isStale(facts.scheduledMs, nowMs)) return { kind: 'skip', reason: 'template_paused_stale' };
  if (isPaused) return { kind: 'wait', untilMs: nowMs + lookAgainMs, withTemplate };
  const reason = refusalOfRecipient(facts.recipient);
  if (reason !== undefined) return { kind: 'skip', reason };
  if (!facts.isSenderAllowed) return { kind: 'skip', reason: 'sender_not_verified' };
  if (facts.quietUntilMs !== undefined) return { kind: 'wait', untilMs: facts.quietUntilMs };
  return { kind: 'send' };
}
