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

/**
 * The secret for a name, with 128 bits of proof. It proves the name for one `audience`, which is not
 * in it: the host that it is sent to; by default every one.
 */
export function signName(
  keyring: Keyring,
  { prefix, purpose }: SignedKind,
  bytes: Buffer,
  audience = '',
): string {
  const name = bytes.toString('base64url');
  const [keyId = ''] = keyring.keyIds(purpose);
  const proof = proofOf(keyring, purpose, signedText(name, audience), keyId).toString('base64url');
  return `${prefix}~${keyId}~${name}~${proof}`;
}

/** A text in the form of a secret for a name of so many bytes, which proves nothing. */
export function blankName(
  keyring: Keyring,
  { prefix, purpose }: SignedKind,
  bytes: number,
): string {
  const [keyId = ''] = keyring.keyIds(purpose);
  const [name, proof] = [bytes, proofBytes].map((size) => Buffer.alloc(size).toString('base64url'));
  return `${prefix}~${keyId}~${name ?? ''}~${proof ?? ''}`;
}

/** The name of a secret; undefined for an invalid one. */
export function readSignedName(
  keyring: Keyring,
  { prefix, purpose }: SignedKind,
  token: string,
  audience = '',
): Buffer | undefined {
  const [kind, keyId = '', name = '', proof = '', ...rest] = token.split('~');
  if (kind !== prefix || rest.length > 0) return undefined;
  if (!keyring.keyIds(purpose).includes(keyId)) return undefined;
  const given = Buffer.from(proof, 'base64url');
  if (given.length !== proofBytes) return undefined;
  if (!timingSafeEqual(given, proofOf(keyring, purpose, signedText(name, audience), keyId)))
    return undefined;
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

/** No base64url contains the separator. */
const signedText = (name: string, audience: string) =>
  audience === '' ? name : `${name}~${audience}`;

const proofOf = (keyring: Keyring, purpose: DigestPurpose, text: string, keyId: string) =>
  keyring.digest(purpose, text, keyId).digest.subarray(0, proofBytes);
