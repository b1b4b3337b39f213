import { randomInt } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';

/** So many random digits, each code as likely as any other. */
export function newCode(digits: number): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** A code, and the digest of the address that it was sent to. */
export interface SentCode {
  code: string;
  digest: Buffer;
}

export const sealCode = (
  keyring: Keyring,
  challenge: Challenge,
  { code, digest }: SentCode,
): string => keyring.seal(`${code} ${digest.toString('base64url')}`, codeSealContext(challenge));

export function openCode(keyring: Keyring, challenge: Challenge, sealed: string): SentCode {
  const [code = '', digest = ''] = keyring.open(sealed, codeSealContext(challenge)).split(' ');
  return { code, digest: Buffer.from(digest, 'base64url') };
}

interface Challenge {
  team_id: string;
  id: string;
}

/** Seal context of the code of a challenge. */
export function codeSealContext({ team_id, id }: Challenge): string[] {
  return ['identity_challenges', 'code', team_id, id];
}
