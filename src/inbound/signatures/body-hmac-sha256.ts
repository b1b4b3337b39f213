import { createHmac } from 'node:crypto';
import { textAt } from '../read-json.ts';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, checkAge, missing, unixSeconds } from './freshness.ts';
import { isSameText } from './same-text.ts';

/** The provider sends again for some eight hours. */
export const bodyHmacMaxAgeSeconds = 28_800;

function fieldsOf({ json, form }: Callback) {
  const field = (name: string) => textAt(json, 'signature', name) ?? form?.get(name) ?? undefined;
  return { timestamp: field('timestamp'), token: field('token'), signature: field('signature') };
}

export function bodyHmac(signingKey: string, timestamp: string, token: string): string {
  return createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest('hex');
}

/**
 * Verifies an HMAC over timestamp and token that stands in the body. It covers nothing else: the
 * token of the signature must be let in once only. Ten digits and no fewer, or one signed text could be
 * cut into other timestamps and tokens.
 */
export function verifyBodyHmac(
  callback: Callback,
  settings: { readonly signing_key?: string; readonly max_age_seconds?: number },
): Verification {
  const { timestamp, token, signature } = fieldsOf(callback);
  if (signature === undefined) return missing;
  const seconds = timestamp?.length === 10 ? unixSeconds(timestamp) : undefined;
  if (timestamp === undefined || seconds === undefined) {
    return invalid('The timestamp must be in Unix seconds.');
  }
  if (token === undefined || !/^[\w-]{16,128}$/.test(token)) {
    return invalid('The token is missing or malformed.');
  }
  if (!settings.signing_key) return invalid('The receiver has no signing_key.');
  if (!isSameText(signature, bodyHmac(settings.signing_key, timestamp, token))) {
    return invalid('The signature does not match timestamp and token.');
  }
  const verification = checkAge(
    seconds,
    callback.receivedAtMs,
    settings.max_age_seconds ?? bodyHmacMaxAgeSeconds,
  );
  return verification.status === 'valid'
    ? { ...verification, token: { token, signature } }
    : verification;
}
