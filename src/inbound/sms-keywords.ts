import type { Projection } from './receiver.ts';

const stop = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const start = new Set(['START', 'UNSTOP']);

/** What the whole text of a reply says about consent. */
export function smsConsentIn(text: string | undefined): 'subscribed' | 'unsubscribed' | undefined {
  const word =
    text
      ?.trim()
      .replace(/[.!]+$/, '')
      .toUpperCase() ?? '';
  if (stop.has(word)) return 'unsubscribed';
  return start.has(word) ? 'subscribed' : undefined;
}

/** A reply by SMS; what the provider took for an opt-out is one, whatever its words. */
export function projectReply(
  text: string | undefined,
  isOptOut: boolean | undefined,
): Pick<Projection, 'kind' | 'smsConsent'> {
  const smsConsent = isOptOut ? 'unsubscribed' : smsConsentIn(text);
  return {
    kind: smsConsent === 'unsubscribed' ? 'message.unsubscribed' : 'contact.replied',
    ...(smsConsent !== undefined && { smsConsent }),
  };
}
