import type { Problem } from '../../platform/http/errors.ts';
import { isOptOut } from '../consents/rules.ts';
import type { Consent, Consents } from '../contact.ts';
import type { ContactContent } from '../rules.ts';

const maxTags = 50;

/**
 * The content of the contact that stays: its own values, and of the other what it lacks. `folded`
 * gives the form in which texts are compared, `at` is the time of the merge.
 */
export function mergeContent(
  winner: ContactContent,
  loser: ContactContent,
  at: string,
  folded: (text: string) => string,
): ContactContent {
  const content: ContactContent = {
    unique_id: winner.unique_id ?? loser.unique_id,
    email: winner.email ?? loser.email,
    first_name: winner.first_name ?? loser.first_name,
    last_name: winner.last_name ?? loser.last_name,
    preferred_name: winner.preferred_name ?? loser.preferred_name,
    phone: winner.phone ?? loser.phone,
    locale: winner.locale ?? loser.locale,
    timezone: winner.timezone ?? loser.timezone,
    postal_code: winner.postal_code ?? loser.postal_code,
    tags: [...new Set([...winner.tags, ...loser.tags])],
    attributes: { ...loser.attributes, ...winner.attributes },
    consents: winner.consents,
  };
  return { ...content, consents: mergeConsents(winner, loser, content, at, folded) };
}

/**
 * The stricter of two consents for each channel. One that allows something was given for an address
 * or number, so it comes along only with that; a device comes along in any case.
 */
function mergeConsents(
  winner: ContactContent,
  loser: ContactContent,
  { email, phone }: ContactContent,
  at: string,
  folded: (text: string) => string,
): Consents {
  const isSame = (one: string | null, other: string | null) =>
    one === other || (one !== null && other !== null && folded(one) === folded(other));
  const merge = (channel: keyof Consents, isSameAddress: boolean) =>
    stricter(winner.consents[channel], loser.consents[channel], isSameAddress, at);
  return {
    ...winner.consents,
    email: merge('email', isSame(email, loser.email)),
    sms: merge('sms', isSame(phone, loser.phone)),
    push: merge('push', true),
  };
}

/** An explicit consent outranks a missing one; the more restrictive one outranks the other. */
const strictness = { never: 0, subscribed: 1, pending: 2, unsubscribed: 3 } as const;

function stricter(ours: Consent, theirs: Consent, isSameAddress: boolean, at: string): Consent {
  // The team may lift what it took back itself, but not what the recipient did.
  if (isOptOut(theirs) && !isOptOut(ours)) return { ...theirs, updated_at: at };
  if (strictness[theirs.status] <= strictness[ours.status]) return ours;
  if (theirs.status !== 'unsubscribed' && !isSameAddress) return ours;
  return { ...theirs, updated_at: at };
}

/** Nothing is dropped silently: what does not fit is the caller's to decide. */
export function tagProblems({ tags }: ContactContent): Problem[] {
  if (tags.length <= maxTags) return [];
  return [
    {
      code: 'validation_failed',
      detail: `The two have more than ${String(maxTags)} tags together; remove some first.`,
      meta: { pointer: '/tags', rule: 'max_length', expected: maxTags },
    },
  ];
}
