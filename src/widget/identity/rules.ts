import type { ContactRow } from '../../partner/contacts/queries.ts';
import type { TemplateRow } from '../../partner/templates/queries.ts';

type Personalization = TemplateRow['secure_personalization'];
/** What a recipient can be asked: what is recorded of the contact, or a code that is sent to it. */
const recordedFactors = ['postal_code', 'date_of_birth', 'unique_id_last4'] as const;
const codeFactors = ['otp_sms', 'otp_email'] as const;
export const askedFactors = [...recordedFactors, ...codeFactors] as const;
export type CodeFactor = (typeof codeFactors)[number];
export type AskedFactor = (typeof askedFactors)[number];

export const channelOf = { otp_sms: 'sms', otp_email: 'email' } as const;

export function isCodeFactor(factor: AskedFactor): factor is CodeFactor {
  return codeFactors.some((name) => name === factor);
}

type Known = Pick<
  ContactRow,
  | 'postal_code'
  | 'unique_id'
  | 'sealed_date_of_birth'
  | 'phone'
  | 'email'
  | 'email_status'
  | 'status'
>;

/** States of an address that takes no e-mail. */
const deaf: readonly ContactRow['email_status'][] = ['bounced', 'complained', 'suppressed'];

const isRecorded: Readonly<Record<AskedFactor, (contact: Known) => boolean>> = {
  // A code without a letter or a digit would be answered by nothing.
  postal_code: ({ postal_code }) => postal_code !== null && bare(postal_code) !== '',
  date_of_birth: ({ sealed_date_of_birth }) => sealed_date_of_birth !== null,
  unique_id_last4: ({ unique_id }) => unique_id !== null && lastFour(unique_id).length === 4,
  otp_sms: ({ phone, status }) => phone !== null && status === 'active',
  otp_email: ({ email, email_status, status }) =>
    email !== null && status === 'active' && !deaf.includes(email_status),
};

/** The factors of a template that this contact can be asked, in the order of the template. */
export function offeredFactors(
  { enabled, factors }: Personalization,
  contact: Known | undefined,
): AskedFactor[] {
  if (!enabled || !contact) return [];
  const known = factors.flatMap((name) => askedFactors.find((factor) => factor === name) ?? []);
  return known.filter((factor) => isRecorded[factor](contact));
}

/** Letters and digits in lower case: how a code is spaced says nothing. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const lastFour = (text: string) => bare(text).slice(-4);
/** Of a ZIP+4 the first five suffice. */
const shortZip = (text: string) => (/^\d{9}$/.test(text) ? text.slice(0, 5) : text);

/** The form in which what is recorded and what is answered are compared. */
export const comparable: Readonly<Record<AskedFactor, (text: string) => string>> = {
  postal_code: (text) => shortZip(bare(text)),
  date_of_birth: (text) => text.trim(),
  unique_id_last4: lastFour,
  otp_sms: bare,
  otp_email: bare,
};

/** Wrong answers about a contact so far. */
export interface Failures {
  failed_count: number;
  last_failed_at: string;
  locked_until: string | null;
}

/** When the next answer is looked at, RFC 3339; undefined where it is now. */
export function lockedUntil(failures: Failures | undefined, nowMs: number): string | undefined {
  const until = failures?.locked_until ?? null;
  return until !== null && Date.parse(until) > nowMs ? until : undefined;
}

/**
 * Wrong answers that count: they begin anew after a lock, and once a lock would have been over, for
 * guessing slowly is no faster than guessing until locked.
 */
function countedOf(
  before: Failures | undefined,
  { lockout_minutes }: Personalization,
  nowMs: number,
): number {
  if (before?.locked_until !== null) return 0;
  const isRecent = Date.parse(before.last_failed_at) + lockout_minutes * 60_000 > nowMs;
  return isRecent ? before.failed_count : 0;
}

/** Wrong answers until the lock. */
export function attemptsLeft(
  before: Failures | undefined,
  rule: Personalization,
  nowMs: number,
): number {
  return Math.max(0, rule.max_attempts - countedOf(before, rule, nowMs));
}

/** The count after one more wrong answer. */
export function afterFailure(
  before: Failures | undefined,
  rule: Personalization,
  nowMs: number,
): Failures {
  const failed_count = countedOf(before, rule, nowMs) + 1;
  const until = new Date(nowMs + rule.lockout_minutes * 60_000).toISOString();
  return {
    failed_count,
    last_failed_at: new Date(nowMs).toISOString(),
    locked_until: failed_count >= rule.max_attempts ? until : null,
  };
}

/** Codes that were asked for about a contact, and when the first of them was. */
export interface CodesSent {
  codes_sent: number;
  codes_since: string | null;
}

/** Codes about a contact within so long: each costs a message, and somebody’s quiet. */
const codesAtMost = 5;
const codesWithinMs = 15 * 60_000;

/** When the next code may be asked for, RFC 3339; undefined where it is now. */
export function codesLockedUntil(before: CodesSent | undefined, nowMs: number): string | undefined {
  const untilMs = Date.parse(before?.codes_since ?? '') + codesWithinMs;
  const isLocked = (before?.codes_sent ?? 0) >= codesAtMost && untilMs > nowMs;
  return isLocked ? new Date(untilMs).toISOString() : undefined;
}

/** The count after one more code. */
export function afterCode(before: CodesSent | undefined, nowMs: number): CodesSent {
  const { codes_sent = 0, codes_since = null } = before ?? {};
  const isRecent = codes_since !== null && Date.parse(codes_since) + codesWithinMs > nowMs;
  if (isRecent) return { codes_sent: codes_sent + 1, codes_since };
  return { codes_sent: 1, codes_since: new Date(nowMs).toISOString() };
}
