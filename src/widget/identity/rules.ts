import type { Assurance } from '../../platform/auth/principal.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import type { TeamRow } from '../../team/queries.ts';
import { isSmsAllowed } from '../../team/rules.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';

export type Personalization = TemplateRow['secure_personalization'];
/** Factors of a challenge: recorded data of the contact, or a code that is sent to it. */
const recordedFactors = ['postal_code', 'date_of_birth', 'unique_id_last4'] as const;
const codeFactors = ['otp_sms', 'otp_email'] as const;
export const askedFactors = [...recordedFactors, ...codeFactors] as const;
export type CodeFactor = (typeof codeFactors)[number];
export type AskedFactor = (typeof askedFactors)[number];

export const channelOf = { otp_sms: 'sms', otp_email: 'email' } as const;

export function isCodeFactor(factor: AskedFactor): factor is CodeFactor {
  return codeFactors.some((name) => name === factor);
}

/** Fields of a contact that verify an identity. */
export type Askable = Pick<
  ContactRow,
  | 'postal_code'
  | 'unique_id'
  | 'sealed_date_of_birth'
  | 'phone'
  | 'email'
  | 'email_status'
  | 'status'
>;

/** A number that the team sends no codes to counts as none. */
export function askable(
  contact: ContactRow | undefined,
  { sms_allowed_prefixes: prefixes }: Pick<TeamRow, 'sms_allowed_prefixes'>,
): Askable | undefined {
  const phone = contact?.phone ?? null;
  if (!contact || phone === null || isSmsAllowed(phone, prefixes)) return contact;
  return { ...contact, phone: null };
}

/** States of an address that accepts no e-mail. */
const deaf: readonly ContactRow['email_status'][] = ['bounced', 'complained', 'suppressed'];

const isRecorded: Readonly<Record<AskedFactor, (contact: Askable) => boolean>> = {
  // A code without a letter or a digit could never be answered.
  postal_code: ({ postal_code }) => postal_code !== null && bare(postal_code) !== '',
  date_of_birth: ({ sealed_date_of_birth }) => sealed_date_of_birth !== null,
  unique_id_last4: ({ unique_id }) => unique_id !== null && lastFour(unique_id).length === 4,
  otp_sms: ({ phone, status }) => phone !== null && status === 'active',
  otp_email: ({ email, email_status, status }) =>
    email !== null && status === 'active' && !deaf.includes(email_status),
};

/** The factors of a template that apply to this contact, in the order of the template. */
export function offeredFactors(
  { enabled, factors }: Personalization,
  contact: Askable | undefined,
): AskedFactor[] {
  if (!enabled || !contact) return [];
  const known = factors.flatMap((name) => askedFactors.find((factor) => factor === name) ?? []);
  return known.filter((factor) => isRecorded[factor](contact));
}

/** Recorded data can be guessed or known to others, so it proves less than a code. */
export const assuranceBy = (factor: AskedFactor) =>
  isCodeFactor(factor) ? ('verified' as const) : ('recognized' as const);

/** The factors that would raise an assurance. */
export function raisingFactors(
  assurance: Assurance,
  personalization: Personalization,
  contact: Askable | undefined,
): AskedFactor[] {
  const offered = offeredFactors(personalization, contact);
  if (assurance === 'none') return offered;
  return assurance === 'recognized' ? offered.filter(isCodeFactor) : [];
}

/**
 * Whether pages that require an identity challenge open: `recognized` suffices only without a code.
 */
export function opensProtectedPages(
  assurance: Assurance,
  personalization: Personalization,
  contact: Askable | undefined,
): boolean {
  if (assurance === 'none') return false;
  return raisingFactors(assurance, personalization, contact).length === 0;
}

/** Letters and digits in lower case: the spacing of a code is insignificant. */
const bare = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, plainDigit)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The digit from 0 to 9 of one in any script: keyboards write those of their language. */
function plainDigit(written: string): string {
  const code = written.codePointAt(0) ?? 0;
  // Unicode has the digits of a script in a row that begins with its zero.
  const isDigit = (at: number) => /\p{Nd}/u.test(String.fromCodePoint(at));
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  return String(value);
}

const lastFour = (text: string) => Array.from(bare(text)).slice(-4).join('');
/** The first five digits of a ZIP+4 suffice. */
const shortZip = (text: string) => text.replace(/^(\d{5})\d{4}$/, '$1');

/** The form in which recorded data and answers are compared. */
export const comparable: Readonly<Record<AskedFactor, (text: string) => string>> = {
  postal_code: (text) => shortZip(bare(text)),
  date_of_birth: (text) => text.trim(),
  unique_id_last4: lastFour,
  otp_sms: bare,
  otp_email: bare,
};
