import type { Problem } from '../platform/http/errors.ts';
import type {
  Attributes,
  AttributesPatch,
  Consent,
  Consents,
  ConsentsPatch,
  ContactPatch,
} from './contact.ts';

/** Channels that a contact consents to. */
export const consentChannels = ['email', 'sms', 'push'] as const;

/** The fields of a contact that a client writes, except the date of birth, which is sealed. */
export interface ContactContent {
  unique_id: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  preferred_name: string | null;
  phone: string | null;
  locale: string | null;
  timezone: string | null;
  postal_code: string | null;
  tags: string[];
  attributes: Attributes;
  consents: Consents;
}

/** A contact as it is written: its date of birth is sealed. */
export interface NewContact extends ContactContent {
  sealed_date_of_birth: string | null;
}

export const blankContact: ContactContent = {
  unique_id: null,
  email: null,
  first_name: null,
  last_name: null,
  preferred_name: null,
  phone: null,
  locale: null,
  timezone: null,
  postal_code: null,
  tags: [],
  attributes: {},
  consents: { email: { status: 'never' }, sms: { status: 'never' }, push: { status: 'never' } },
};

/** Bytes of the attributes of one resource, as JSON. */
const maxAttributesBytes = 16_384;
const maxAttributes = 100;

/**
 * The contact after a body, whose address is in its stored form: absent keeps, null clears. `at` is
 * the RFC 3339 time of the change.
 */
export function writeContact(
  before: ContactContent,
  body: ContactPatch,
  at: string,
): ContactContent {
  return {
    unique_id: given(body.unique_id, before.unique_id),
    email: given(body.email, before.email),
    first_name: given(body.first_name, before.first_name),
    last_name: given(body.last_name, before.last_name),
    preferred_name: given(body.preferred_name, before.preferred_name),
    phone: given(body.phone, before.phone),
    locale: given(body.locale, before.locale),
    timezone: given(body.timezone, before.timezone),
    postal_code: given(body.postal_code, before.postal_code),
    tags: given(body.tags, before.tags) ?? [],
    attributes: mergeAttributes(before.attributes, body.attributes),
    consents: mergeConsents(before.consents, body.consents ?? {}, at),
  };
}

/** Everything that is wrong with a change; empty where it may be written. */
export function contactProblems(before: ContactContent, after: ContactContent): Problem[] {
  return [
    ...identityProblems(after),
    ...attributesProblems(after.attributes),
    ...consentProblems(before.consents, after.consents),
  ];
}

export interface ConsentChange {
  channel: 'email' | 'sms' | 'push';
  consent: Consent;
  previous: Consent;
}

/** The channels whose consent differs; an unchanged consent is the same object. */
export function changedConsents(before: Consents, after: Consents): ConsentChange[] {
  return consentChannels
    .filter((channel) => before[channel] !== after[channel])
    .map((channel) => ({ channel, consent: after[channel], previous: before[channel] }));
}

/** Merges by key: absent keys stay, null removes one, null as a whole removes all. */
export function mergeAttributes(
  before: Attributes,
  patch: AttributesPatch | null | undefined,
): Attributes {
  if (patch === null) return {};
  const merged: Attributes = {};
  for (const [key, value] of Object.entries({ ...before, ...patch })) {
    if (value !== null) merged[key] = value;
  }
  return merged;
}

export function attributesProblems(attributes: Attributes): Problem[] {
  const pointer = '/attributes';
  const count = Object.keys(attributes).length;
  if (count === 0) return [];
  if (count > maxAttributes) {
    const detail = `attributes would have more than ${String(maxAttributes)} keys.`;
    const meta = { pointer, rule: 'max_length', expected: maxAttributes };
    return [{ code: 'validation_failed', detail, meta }];
  }
  const json = JSON.stringify(attributes);
  // No character has more than three bytes.
  const mayBeLonger = json.length * 3 > maxAttributesBytes;
  if (mayBeLonger && new TextEncoder().encode(json).length > maxAttributesBytes) {
    const detail = `attributes would be longer than ${String(maxAttributesBytes)} bytes of JSON.`;
    const meta = { pointer, rule: 'max_length', expected: maxAttributesBytes };
    return [{ code: 'validation_failed', detail, meta }];
  }
  return [];
}

function identityProblems({ unique_id, email, phone }: ContactContent): Problem[] {
  if (unique_id !== null || email !== null || phone !== null) return [];
  return [
    {
      code: 'validation_failed',
      detail: 'A contact needs at least one of unique_id, email and phone.',
      meta: { pointer: '', rule: 'identity_required', expected: ['unique_id', 'email', 'phone'] },
    },
  ];
}

/** Merges by channel; a consent that repeats the stored one keeps its timestamp. */
function mergeConsents(before: Consents, patch: ConsentsPatch, at: string): Consents {
  // Spread first, for the order of its keys: what is the same must compare the same.
  return {
    ...before,
    email: writeConsent(before.email, patch.email, at),
    sms: writeConsent(before.sms, patch.sms, at),
    push: writeConsent(before.push, patch.push, at),
  };
}

function writeConsent(before: Consent, body: Consent | undefined, at: string): Consent {
  if (body === undefined || isSameConsent(before, body)) return before;
  const { status, source, evidence } = body;
  return {
    status,
    ...(source !== undefined && { source }),
    ...(evidence !== undefined && { evidence }),
    updated_at: at,
  };
}

function isSameConsent(before: Consent, body: Consent): boolean {
  return (
    before.status === body.status &&
    before.source === body.source &&
    before.evidence === body.evidence
  );
}

/** A consent is proof: it needs a source, and no client returns it to the status `never`. */
function consentProblems(before: Consents, after: Consents): Problem[] {
  const problems: Problem[] = [];
  for (const channel of consentChannels) {
    if (before[channel] === after[channel]) continue;
    const { status, source } = after[channel];
    const pointer = `/consents/${channel}`;
    if (status === 'never') {
      problems.push({
        code: 'validation_failed',
        detail: `consents.${channel}.status cannot be set to never. Leave the channel out, or send unsubscribed to take a consent back.`,
        meta: {
          pointer: `${pointer}/status`,
          rule: 'enum',
          expected: ['pending', 'subscribed', 'unsubscribed'],
        },
      });
    } else if (source === undefined) {
      problems.push({
        code: 'validation_failed',
        detail: `consents.${channel}.source is required.`,
        meta: { pointer: `${pointer}/source`, rule: 'required' },
      });
    }
  }
  return problems;
}

function given<Value>(value: Value | undefined, kept: Value): Value {
  return value === undefined ? kept : value;
}
