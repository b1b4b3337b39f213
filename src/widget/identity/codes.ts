import type { Sql } from '../../platform/database/sql.ts';
import type { Services } from '../../platform/http/services.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { addressDigests, isDigestOf } from '../../messaging/notices/address-digests.ts';
import type { NoticeAddress } from '../../messaging/notices/address-digests.ts';
import { newCode, openCode, sealCode } from '../../messaging/notices/code.ts';
import { insertNotice } from '../../messaging/notices/queries.ts';
import { afterCode, codeDigits, codesLockedUntil } from './guessing.ts';
import type { Guesses } from './guessing.ts';
import { keepCode, writeSource } from './queries.ts';
import type { ChallengeRow, Guessed } from './queries.ts';
import { locked } from './locks.ts';
import { channelOf, isCodeFactor } from './rules.ts';
import type { CodeFactor } from './rules.ts';

/** The code of a challenge, and where it is to go. */
interface WantedCode {
  challenge: ChallengeRow;
  to: NoticeAddress;
  guessed: Guessed;
  guesses: Guesses;
}

/** Sends the code of a challenge. Throws 423 if the network has requested too many. */
export async function sendCode(
  sql: Sql,
  { keyring }: Services,
  { challenge, to, guessed, guesses }: WantedCode,
): Promise<void> {
  const { teamId, contactId: contact_id } = guessed;
  const nowMs = Date.now();
  const retryAt = codesLockedUntil(guesses, nowMs);
  if (retryAt !== undefined)
    throw locked(retryAt, 'Too many codes were requested from this network.');
  const digestsOf = await addressDigests(sql, keyring, [to.address]);
  const [digest] = digestsOf(to);
  const sealed = sealCode(keyring, challenge, { code: newCode(codeDigits(guesses)), digest });
  await keepCode(sql, teamId, challenge.id, sealed);
  const notice = { id: challenge.id, notice: 'identity_code', channel: to.channel } as const;
  await insertNotice(sql, teamId, { ...notice, recipient_id: contact_id });
  await writeSource(sql, guessed, afterCode(guesses, nowMs));
}

type Addresses = Pick<ContactRow, 'email' | 'phone'>;

/** Where a code of this factor goes to. */
export const addressFor = (factor: CodeFactor, contact: Addresses | undefined): string | null =>
  (factor === 'otp_sms' ? contact?.phone : contact?.email) ?? null;

/** A code proves nothing for another address than the one that it was sent to. */
export async function isOfAddress(
  sql: Sql,
  { keyring }: Services,
  challenge: ChallengeRow,
  contact: Addresses | undefined,
): Promise<boolean> {
  const { factor, sealed_code: sealed } = challenge;
  if (!isCodeFactor(factor) || sealed === null) return true;
  const { digest } = openCode(keyring, challenge, sealed);
  const address = addressFor(factor, contact);
  return isDigestOf(sql, keyring, digest, { channel: channelOf[factor], address });
}
