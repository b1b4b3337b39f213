import { budgetId } from '../../platform/auth/budget-id.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { fail } from '../../platform/http/errors.ts';
import { knowledgeEndedUntil, lockedUntil } from './guessing.ts';
import type { Guesses } from './guessing.ts';
import type { Guessed } from './queries.ts';
import { isCodeFactor } from './rules.ts';
import type { AskedFactor } from './rules.ts';

/** The contact of the challenge, and the network of the answers. */
export function guessedOf(
  keyring: Keyring,
  { team_id: teamId, contact_id: contactId }: { team_id: string; contact_id: string },
  address: string,
): Guessed {
  const sourceId = budgetId(keyring, `identity ${contactId} ${networkOf(address)}`);
  return { teamId, contactId, sourceId };
}

/** The factors that wrong answers have not ended. Throws 423 while the network is locked. */
export function openFactors(guesses: Guesses, offered: readonly AskedFactor[]): AskedFactor[] {
  const nowMs = Date.now();
  const retryAt = lockedUntil(guesses, nowMs);
  if (retryAt !== undefined) throw locked(retryAt);
  const isEnded = knowledgeEndedUntil(guesses, nowMs) !== undefined;
  return offered.filter((factor) => !isEnded || isCodeFactor(factor));
}

/** The 423 of questions about recorded data that too many wrong answers have ended. */
export function knowledgeEnded(guesses: Guesses, open: readonly AskedFactor[]) {
  const retryAt = knowledgeEndedUntil(guesses, Date.now()) ?? new Date().toISOString();
  const detail = 'Too many wrong answers were given about this recipient.';
  if (open.length === 0) return locked(retryAt, detail);
  return locked(retryAt, `${detail} Ask for a code instead: ${open.join(', ')}.`, open);
}

/** The 423 with the end of a lock, and the factors that are available meanwhile. */
export function locked(
  retryAt: string,
  detail = 'Too many wrong answers were given about this recipient from here.',
  offered_factors: readonly AskedFactor[] = [],
) {
  const seconds = Math.max(1, Math.ceil((Date.parse(retryAt) - Date.now()) / 1_000));
  return fail('identity_locked', {
    detail,
    meta: { retry_at: retryAt, offered_factors },
    headers: { 'Retry-After': String(seconds) },
  });
}
