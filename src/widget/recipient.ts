import type { Principal, Recipient } from '../platform/auth/principal.ts';

/** The recipient of a caller of the widget surface; the pipeline rejects other callers. */
export function recipientOf({ recipient }: Principal): Recipient {
  if (!recipient) throw new Error('the caller stands for no recipient');
  return recipient;
}

/** Bodies of recipients are small. */
export const widgetBodyLimitBytes = 65_536;
