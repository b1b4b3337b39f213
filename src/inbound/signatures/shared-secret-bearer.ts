import { hash } from 'node:crypto';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, missing } from './freshness.ts';
import { isSameText } from './same-text.ts';

/** The beginning of the secrets that we make for this scheme. */
export const receiverTokenPrefix = 'dors_';
export const receiverTokenHeader = 'x-do-receiver-token';

/**
 * Verifies a secret that the provider repeats in a header. Hashes are compared, so that lengths
 * leak nothing. Other bearer tokens are not for this scheme to verify.
 */
export function verifySharedSecret(
  { headers }: Callback,
  secrets: readonly string[],
): Verification {
  const bearer = /^bearer (.*)$/is.exec(headers['authorization'] ?? '')?.[1];
  const own = headers[receiverTokenHeader];
  const shown = own ?? (bearer?.startsWith(receiverTokenPrefix) ? bearer : undefined);
  if (shown === undefined) return missing;
  const live = secrets.filter((secret) => secret !== '');
  if (live.length === 0) return invalid('The receiver has no token.');
  const digest = hash('sha256', shown);
  const isGood = live.map((secret) => isSameText(digest, hash('sha256', secret))).includes(true);
  return isGood ? { status: 'valid' } : invalid('The token is not the receiver’s.');
}
