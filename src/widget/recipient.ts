import type { Principal, Recipient } from '../platform/auth/principal.ts';

/** Whom a caller of the widget surface stands for; the pipeline lets nobody else in. */
export function recipientOf({ recipient }: Principal): Recipient {
  if (!recipient) throw new Error('the caller stands for no recipient');
  return recipient;
}

/** What a recipient sends is small. */
export const widgetBodyLimitBytes = 65_536;
