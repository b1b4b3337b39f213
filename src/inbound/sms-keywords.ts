import type { Projection } from './receiver.ts';

const stop = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const start = new Set(['START', 'UNSTOP']);

/** Consent that the whole text of a reply expresses. */
export function smsConsentIn(text: string | undefined): 'subscribed' | 'unsubscribed' | undefined {
  const word =
    text
      ?.trim()
      .replace(/[.!]+$/, '')
      .toUpperCase() ?? '';
  if (stop.has(word)) return 'unsubscribed';
  return start.has(word) ? 'subscribed' : undefined;
}

/** A reply by SMS; it is an opt-out if the provider reports one, independent of its text. */
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
