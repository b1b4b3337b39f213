/** Rules of topic confirmations, without I/O or clock, for the intake and the workflow of a receiver. */

/** A receiver that pins the first topic by itself does so on its first day only. */
const firstDayMs = 86_400_000;

/**
 * Whether a topic may be confirmed: it is pinned, or is the first one of the account that the
 * receiver names. Without an account, anyone who has the address could be first.
 */
export function isConfirmable(
  { topic_arns: pinned, topic_account_id, auto_confirm }: Readonly<Record<string, unknown>>,
  topicArn: unknown,
  receiverAgeMs: number,
): boolean {
  if (Array.isArray(pinned) && pinned.length > 0) return pinned.includes(topicArn);
  if (auto_confirm !== true || receiverAgeMs >= firstDayMs) return false;
  if (typeof topicArn !== 'string' || typeof topic_account_id !== 'string') return false;
  return accountOf(topicArn) === topic_account_id;
}

/** The account in arn:aws:sns:<region>:<account>:<name>. */
export const accountOf = (topicArn: string): string | undefined => topicArn.split(':')[4];
