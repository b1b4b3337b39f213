import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';

const kind = { prefix: 'doc', purpose: 'confirmation' } as const;
const testRecipientKind = { prefix: 'dot', purpose: 'confirmation' } as const;
/**
 * Begins the names of test recipients. The proof does not include the prefix, so without it a link
 * of one kind would prove the same ids in the other.
 */
const testRecipientMark = Buffer.from('test');

/** A confirmation as its link names it, with the digest of the address that it was sent to. */
export interface SentConfirmation {
  team_id: string;
  id: string;
  digest: Buffer;
}

/** The address at which a recipient confirms a consent. */
export function confirmationUrl(
  publicBaseUrl: string,
  keyring: Keyring,
  { team_id, id, digest }: SentConfirmation,
): string {
  const token = signName(keyring, kind, Buffer.concat([packIds(team_id, id), digest]));
  return `${publicBaseUrl}/confirm/${token}`;
}

/** The confirmation of a token; undefined where it is not one of ours. */
export function readConfirmationToken(
  keyring: Keyring,
  token: string,
): SentConfirmation | undefined {
  const bytes = readSignedName(keyring, kind, token);
  return (
    bytes && { team_id: unpackId(bytes, 0), id: unpackId(bytes, 1), digest: bytes.subarray(32) }
  );
}

/** The address at which the owner of an address confirms a test recipient. */
export function testRecipientUrl(
  publicBaseUrl: string,
  keyring: Keyring,
  recipient: { team_id: string; id: string },
): string {
  const ids = packIds(recipient.team_id, recipient.id);
  const token = signName(keyring, testRecipientKind, Buffer.concat([testRecipientMark, ids]));
  return `${publicBaseUrl}/confirm/${token}`;
}

/** The test recipient of a token; undefined for an invalid one. */
export function readTestRecipientToken(
  keyring: Keyring,
  token: string,
): { team_id: string; id: string } | undefined {
  const bytes = readSignedName(keyring, testRecipientKind, token);
  const { length } = testRecipientMark;
  if (!bytes?.subarray(0, length).equals(testRecipientMark)) return undefined;
  const ids = bytes.subarray(length);
  return { team_id: unpackId(ids, 0), id: unpackId(ids, 1) };
}

/** The token of the path of a confirmation. */
export function readConfirmationPath(path: string): { page: 'confirm'; token: string } | undefined {
  const [, token] = /^\/confirm\/([\w~-]+)$/.exec(path) ?? [];
  return token === undefined ? undefined : { page: 'confirm', token };
}
