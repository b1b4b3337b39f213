import type { DeliveryStatus, SkipReason } from '../message-deliveries/rules.ts';
import { refusalOfRecipient } from '../recipients/rules.ts';
import type { RecipientFacts } from '../recipients/rules.ts';

/** What is known of a queued delivery at the last moment before it is sent. */
export interface SendTimeFacts {
  journeyStatus: string | null;
  exitReason: string | null;
  templateStatus: string;
  scheduledMs: number;
  recipient: RecipientFacts;
  /** When the quiet hours end that the contact has now, if it respects them. */
  quietUntilMs: number | undefined;
}

/**
 * What is done with a delivery. drop: it is none of the queue's business any more. sent: its provider
 * has reported on it before we could write down that it was sent.
 */
export type SendCheck =
  | { kind: 'send' }
  | { kind: 'drop' }
  | { kind: 'sent' }
  | { kind: 'cancel' }
  | { kind: 'skip'; reason: SkipReason }
  /** withTemplate: so does all that is queued of its template. */
  | { kind: 'wait'; untilMs: number; withTemplate?: boolean };

/** What is done with a delivery that is queued no more: some reports show that it was sent. */
export function gateOfReported(status: DeliveryStatus | undefined): { kind: 'sent' | 'drop' } {
  const wasTaken = status === 'delayed' || status === 'delivered' || status === 'bounced';
  return { kind: wasTaken ? 'sent' : 'drop' };
}

/** What was due longer ago is stale: its template was paused, or the service away. */
const staleAfterMs = 7 * 86_400_000;

export const isStale = (dueMs: number, nowMs: number) => nowMs - dueMs > staleAfterMs;

/** How often somebody looks whether a pause is over. */
const lookAgainMs = 30_000;

/**
 * Whether a delivery that was queued still goes out: what ended or paused meanwhile, and what the
 * recipient has said since, is respected up to the moment at which a provider is handed the message.
 */
export function checkBeforeSend(facts: SendTimeFacts, nowMs: number): SendCheck {
  const withTemplate = facts.templateStatus === 'paused';
  const isPaused = facts.journeyStatus === 'paused' || withTemplate;
  const isOpen = facts.journeyStatus === 'active' || facts.journeyStatus === 'paused';
  const isRunning = facts.templateStatus === 'launched' || facts.templateStatus === 'paused';
  if (facts.exitReason === 'unsubscribed') return { kind: 'skip', reason: 'no_consent' };
  if (facts.exitReason === 'suppressed') return { kind: 'skip', reason: 'suppressed' };
  if (!isOpen || !isRunning) return { kind: 'cancel' };
  if (isStale(facts.scheduledMs, nowMs)) return { kind: 'skip', reason: 'template_paused_stale' };
  if (isPaused) return { kind: 'wait', untilMs: nowMs + lookAgainMs, withTemplate };
  const reason = refusalOfRecipient(facts.recipient);
  if (reason !== undefined) return { kind: 'skip', reason };
  if (facts.quietUntilMs !== undefined) return { kind: 'wait', untilMs: facts.quietUntilMs };
  return { kind: 'send' };
}
