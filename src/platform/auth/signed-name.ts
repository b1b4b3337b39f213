import { timingSafeEqual } from 'node:crypto';
import type { DigestPurpose, Keyring } from './keyring.ts';

const proofBytes = 16;

/** A kind of secrets that name something and prove it, so that nothing secret is stored. */
export interface SignedKind {
  /** Identifies the kind, for people and for programs. */
  prefix: string;
  /** Chooses the key: a name of one kind proves nothing in another. */
  purpose: DigestPurpose;
}

/** The secret for a name, with 128 bits of proof. */
export function signName(keyring: Keyring, { prefix, purpose }: SignedKind, bytes: Buffer): string {
  const name = bytes.toString('base64url');
  const [keyId = ''] = keyring.keyIds(purpose);
  const proof = proofOf(keyring, purpose, name, keyId).toString('base64url');
  return `${prefix}~${keyId}~${name}~${proof}`;
}

/** The name of a secret; undefined for an invalid one. */
export function readSignedName(
  keyring: Keyring,
  { prefix, purpose }: SignedKind,
  token: string,
): Buffer | undefined {
  const [kind, keyId = '', name = '', proof = '', ...rest] = token.split('~');
  if (kind !== prefix || rest.length > 0) return undefined;
  if (!keyring.keyIds(purpose).includes(keyId)) return undefined;
  const given = Buffer.from(proof, 'base64url');
  if (given.length !== proofBytes) return undefined;
  if (!timingSafeEqual(given, proofOf(keyring, purpose, name, keyId))) return undefined;
  return Buffer.from(name, 'base64url');
}

/** Ids of 16 bytes each, one behind the other. */
export function packIds(...ids: readonly string[]): Buffer {
  return Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
}

/** The id at a place among packed ones. */
export function unpackId(bytes: Buffer, place: number): string {
  const hex = bytes.subarray(place * 16, place * 16 + 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const proofOf = (keyring: Keyring, purpose: DigestPurpose, name: string, keyId: string) =>
  keyring.digest(purpose, name, keyId).digest.subarray(0, proofBytes);
