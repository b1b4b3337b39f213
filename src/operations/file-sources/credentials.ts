import { fail } from '../../platform/http/errors.ts';
import { newKeyPair, readPrivateKey } from '../sftp-credentials/key-pairs.ts';
import type { FileSourceCreate } from './file-source.ts';
import type { Authentication } from './rules.ts';

/** Login of a source. */
export interface Credential {
  authentication: Authentication;
  secret: string;
  /** Public half of a private key. */
  publicKey: string | null;
}

type Sent = Pick<
  FileSourceCreate,
  'password' | 'private_key' | 'generate_key_pair' | 'bearer_token'
>;

/** The credential in a body; undefined where it has none. Throws 422. */
export function readCredential(body: Sent): Credential | undefined {
  const { password, private_key, generate_key_pair, bearer_token } = body;
  const sent = Object.entries({ password, private_key, bearer_token }).flatMap(([name, text]) =>
    typeof text === 'string' && text !== '' ? [{ name, text }] : [],
  );
  const [first, second] = sent;
  if (second ?? (first && generate_key_pair)) {
    const name = second?.name ?? 'generate_key_pair';
    throw refused(name, 'unknown_field', 'contradicts another credential: send one of them.');
  }
  if (generate_key_pair) {
    const { key, privateKey } = newKeyPair();
    return { authentication: 'private_key', secret: privateKey, publicKey: key.public_key };
  }
  if (!first) return undefined;
  if (first.name !== 'private_key') {
    const authentication = first.name === 'password' ? 'password' : 'bearer_token';
    return { authentication, secret: first.text, publicKey: null };
  }
  const read = readPrivateKey(first.text);
  if ('problem' in read) throw refused('private_key', read.rule, `${read.problem}.`);
  return { authentication: 'private_key', secret: first.text, publicKey: read.public_key };
}

export function refused(field: string, rule: string, says: string) {
  return fail('validation_failed', {
    detail: `${field} ${says}`,
    meta: { pointer: `/${field}`, rule },
  });
}
