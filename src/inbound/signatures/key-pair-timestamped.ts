import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, checkAge, missing, unixSeconds } from './freshness.ts';
import { strictBase64 } from './same-text.ts';

/** A scheme that signs a timestamp of a header and the raw bytes with a private key. */
export interface KeyPairScheme {
  signatureHeader: string;
  timestampHeader: string;
  /** Between timestamp and body. */
  separator: string;
  digest: 'sha256' | null;
  /** Throws when the text is no such key. */
  readKey(text: string): KeyObject;
  defaultMaxAgeSeconds: number;
}

/** ECDSA on P-256 over timestamp and body; the key is base64 SPKI, with or without PEM armour. */
export const ecdsaP256Timestamped: KeyPairScheme = {
  signatureHeader: 'x-twilio-email-event-webhook-signature',
  timestampHeader: 'x-twilio-email-event-webhook-timestamp',
  separator: '',
  digest: 'sha256',
  readKey(text) {
    const der = Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not P-256');
    return key;
  },
  // The provider sends again for a day with the first timestamp.
  defaultMaxAgeSeconds: 86_400,
};

/** Ed25519 over timestamp, a bar and body; the key is the base64 of its 32 bytes. */
export const ed25519Timestamped: KeyPairScheme = {
  signatureHeader: 'telnyx-signature-ed25519',
  timestampHeader: 'telnyx-timestamp',
  separator: '|',
  digest: null,
  readKey(text) {
    const bytes = strictBase64(text.trim());
    if (bytes?.length !== 32) throw new Error('not 32 bytes');
    const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
    return createPublicKey({ key, format: 'jwk' });
  },
  defaultMaxAgeSeconds: 300,
};

/** The bytes that the scheme signs. */
export function signedBytes(
  { separator }: KeyPairScheme,
  timestamp: string,
  body: Buffer | string,
): Buffer {
  return Buffer.concat([Buffer.from(timestamp + separator), Buffer.from(body)]);
}

function readKey(scheme: KeyPairScheme, text: string | undefined): KeyObject | undefined {
  if (text === undefined) return undefined;
  try {
    return scheme.readKey(text);
  } catch {
    return undefined;
  }
}

export function verifyKeyPair(
  scheme: KeyPairScheme,
  { headers, bytes, receivedAtMs }: Callback,
  settings: { readonly public_key?: string; readonly max_age_seconds?: number },
): Verification {
  const signatureText = headers[scheme.signatureHeader];
  if (signatureText === undefined) return missing;
  const signature = strictBase64(signatureText);
  if (signature === undefined) return invalid('The signature is not base64.');
  const timestamp = headers[scheme.timestampHeader] ?? '';
  const seconds = unixSeconds(timestamp);
  if (seconds === undefined) return invalid('The timestamp must be in Unix seconds.');
  const key = readKey(scheme, settings.public_key);
  if (key === undefined) return invalid('The receiver has no public_key that can be read.');
  if (!verify(scheme.digest, signedBytes(scheme, timestamp, bytes), key, signature)) {
    return invalid('The signature does not match the bytes of the body.');
  }
  return checkAge(seconds, receivedAtMs, settings.max_age_seconds ?? scheme.defaultMaxAgeSeconds);
}
