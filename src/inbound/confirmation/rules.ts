/** The law of confirmations, without I/O or clock: the intake and the workflow of a receiver ask here. */

/** A receiver that pins the first topic by itself does so on its first day only. */
const firstDayMs = 86_400_000;

/** Whether a topic that asks is to be confirmed: it is pinned, or may be the first one to be. */
export function isWanted(
  { topic_arns: pinned, auto_confirm }: Readonly<Record<string, unknown>>,
  topicArn: unknown,
  receiverAgeMs: number,
): boolean {
  if (Array.isArray(pinned) && pinned.length > 0) return pinned.includes(topicArn);
  return auto_confirm === true && receiverAgeMs < firstDayMs;
}
