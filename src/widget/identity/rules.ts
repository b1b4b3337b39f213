import type { ContactRow } from '../../partner/contacts/queries.ts';
import type { TemplateRow } from '../../partner/templates/queries.ts';

type Personalization = TemplateRow['secure_personalization'];
/** What a recipient can be asked; codes by message are offered once something sends them. */
export const askedFactors = ['postal_code', 'date_of_birth', 'unique_id_last4'] as const;
export type AskedFactor = (typeof askedFactors)[number];

type Known = Pick<ContactRow, 'postal_code' | 'unique_id' | 'sealed_date_of_birth'>;

const isRecorded: Readonly<Record<AskedFactor, (contact: Known) => boolean>> = {
  // A code without a letter or a digit would be answered by nothing.
  postal_code: ({ postal_code }) => postal_code !== null && bare(postal_code) !== '',
  date_of_birth: ({ sealed_date_of_birth }) => sealed_date_of_birth !== null,
  unique_id_last4: ({ unique_id }) => unique_id !== null && lastFour(unique_id).length === 4,
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
