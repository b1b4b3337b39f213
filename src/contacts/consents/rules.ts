import type { Consent, Consents, ConsentsPatch } from '../contact.ts';
import { consentChannels } from '../rules.ts';

// An opt-out of a recipient belongs to the address: it holds for every contact of the team that has
// the address now or later, until the recipient, or proof of a new consent, lifts it.

/** As consents that were given or taken back on the page of preferences name it. */
export const pageSource = 'preference_center';
/** The same of those that were taken back by the unsubscribe link. */
export const linkSource = 'unsubscribe_link';
/** The same of those that a provider reported by a receiver of this kind. */
export const inboundSource = (kind: string) => `${reported}${kind}`;
const reported = 'inbound:';

/** The same of those that came by a link of a journey or a session in a widget. */
export const sessionSource = (widgetId: string | null) =>
  widgetId === null ? journeyLinkSource : `${ofWidget}${widgetId}`;
const journeyLinkSource = 'recipient link';
const ofWidget = 'widget ';

/** Whole sources, and beginnings of sources, of what recipients said themselves. */
export const ofRecipients = {
  sources: [pageSource, linkSource, journeyLinkSource],
  beginnings: [reported, ofWidget],
};

const isOfRecipient = (source = '') =>
  ofRecipients.sources.includes(source) ||
  ofRecipients.beginnings.some((beginning) => source.startsWith(beginning));

/** Whether a recipient took the consent back, not the team. */
export const isOptOut = ({ status, source }: Pick<Consent, 'status' | 'source'>) =>
  status === 'unsubscribed' && isOfRecipient(source);

/** The consents of a body but those that would lift an opt-out of the recipient without proof. */
export function withoutLifts(before: Consents, patch: ConsentsPatch): ConsentsPatch {
  const kept = consentChannels.filter((channel) => {
    const next = patch[channel];
    const isLift = next !== undefined && next.status !== 'unsubscribed';
    return !(isLift && isOptOut(before[channel]) && next.evidence === undefined);
  });
  return Object.fromEntries(kept.map((channel) => [channel, patch[channel]]));
}

/**
 * The consents of a contact that gets an address whose recipient has left: the opt-out stays, unless the
 * consent was given just now with proof, or the recipient is being asked. `at` is the time of the change.
 */
export function withOptOuts(
  before: Consents,
  after: Consents,
  optOuts: ConsentsPatch,
  at: string,
): Consents {
  const consents = { ...after };
  for (const channel of consentChannels) {
    const { [channel]: optOut } = optOuts;
    const given = after[channel];
    const isLift = given.status !== 'unsubscribed';
    const isProven = isLift && given !== before[channel] && given.evidence !== undefined;
    if (optOut && !isProven && given.status !== 'pending' && !isOptOut(given))
      consents[channel] = { ...optOut, updated_at: at };
  }
  return consents;
}

interface Addresses {
  email: string | null;
  phone: string | null;
}

/** An address or number that a contact has no longer after a change. */
export interface FormerAddress {
  channel: 'email' | 'sms';
  address: string;
}

/** In another letter case an address is the same; `folded` gives the form in which it is compared. */
export function formerAddresses(
  before: Addresses,
  after: Addresses,
  folded: (text: string) => string,
): FormerAddress[] {
  const isFormer = (one: string, other: string | null) =>
    other === null || folded(one) !== folded(other);
  const { email, phone } = before;
  return [
    ...(email !== null && isFormer(email, after.email)
      ? [{ channel: 'email' as const, address: email }]
      : []),
    ...(phone !== null && isFormer(phone, after.phone)
      ? [{ channel: 'sms' as const, address: phone }]
      : []),
  ];
}

/**
 * The consents of a contact but those that were given for a former address: nobody was asked for the
 * new one. What the change itself states counts, and so does an opt-out.
 */
export function withoutFormer(
  consents: Consents,
  former: readonly FormerAddress[],
  stated: readonly (keyof Consents)[],
): Consents {
  const ended = former.filter(
    ({ channel }) =>
      ['subscribed', 'pending'].includes(consents[channel].status) && !stated.includes(channel),
  );
  const never = { status: 'never' as const };
  return { ...consents, ...Object.fromEntries(ended.map(({ channel }) => [channel, never])) };
}
