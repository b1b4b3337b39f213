import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const prefix = 'whsec_';

/** A fresh secret in the form of Standard Webhooks: 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The key bytes of a secret, with or without its prefix. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

/** One signature of Standard Webhooks, `v1,…`; the timestamp is that of the header, as text. */
export function signatureOf(
  key: Buffer,
  id: string,
  timestamp: string,
  body: string | Buffer,
): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** A pair of keys for signatures that can be verified without a secret, as stored texts. */
export interface SigningPair {
  /** Standard Webhooks: whpk_ and the 32 bytes in base64. */
  publicKey: string;
  /** PKCS #8 in base64. */
  privateKey: string;
}

/** A fresh pair of Ed25519. */
export function newSigningPair(): SigningPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** The private key of a pair, to sign with. */
export function openSigningPair(privateKey: string): KeyObject {
  return createPrivateKey({
    key: Buffer.from(privateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
}

/** Seal context of a secret: it opens for no other subscription. */
export function secretSealContext(teamId: string, subscriptionId: string): string[] {
  return ['webhook_secrets', 'sealed_secret', teamId, subscriptionId];
}

/**
 * Headers of Standard Webhooks; during a rotation one signature per live secret, and one more,
 * `v1a,…`, by the private key where there is one.
 */
export function signedHeaders(
  keys: readonly Buffer[],
  eventId: string,
  timestampSeconds: number,
  body: string,
  privateKey?: KeyObject,
): Record<string, string> {
  const timestamp = String(timestampSeconds);
  const signatures = keys.map((key) => signatureOf(key, eventId, timestamp, body));
  if (privateKey) {
    const content = Buffer.from(`${eventId}.${timestamp}.${body}`);
    signatures.push(`v1a,${sign(null, content, privateKey).toString('base64')}`);
  }
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
