import { createHmac, randomBytes } from 'node:crypto';

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

/** Where a secret is sealed to: it opens for no other subscription. */
export function secretPlace(teamId: string, subscriptionId: string): string[] {
  return ['webhook_secrets', 'sealed_secret', teamId, subscriptionId];
}

/** Headers of Standard Webhooks; during a rotation one signature per live secret. */
export function signedHeaders(
  keys: readonly Buffer[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  const timestamp = String(timestampSeconds);
  const signatures = keys.map((key) => signatureOf(key, eventId, timestamp, body));
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
