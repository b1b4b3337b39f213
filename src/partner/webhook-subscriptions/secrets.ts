import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A fresh secret in the form of Standard Webhooks: 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The key bytes of a secret. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
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
  const content = `${eventId}.${String(timestampSeconds)}.${body}`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
