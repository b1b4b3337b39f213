import { keyOf, signatureOf, signedHeaders } from '../../webhooks/webhook-subscriptions/secrets.ts';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, checkAge, missing, unixSeconds } from './freshness.ts';
import { isSameText } from './same-text.ts';

type Signed = Pick<Callback, 'headers' | 'bytes' | 'receivedAtMs'>;

/** More signatures than any rotation has; what follows them is not looked at. */
const maxSignatures = 16;
const minKeyBytes = 16;

export const standardWebhookHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies a signature of Standard Webhooks: HMAC-SHA256 over id, timestamp and the raw bytes. Any
 * live secret and any of the listed signatures will do. A dot in the id is refused: it would let
 * bytes move between id, timestamp and body.
 */
export function verifyStandardWebhook(
  { headers, bytes, receivedAtMs }: Signed,
  secrets: readonly string[],
  maxAgeSeconds?: number,
): Verification {
  const family = headers['webhook-signature'] === undefined ? 'svix' : 'webhook';
  const signatures = headers[`${family}-signature`];
  if (signatures === undefined) return missing;
  const id = headers[`${family}-id`];
  const timestamp = headers[`${family}-timestamp`];
  if (id === undefined || id === '' || id.includes('.')) {
    return invalid(`${family}-id is missing, empty or has a dot.`);
  }
  const seconds = unixSeconds(timestamp ?? '');
  if (timestamp === undefined || seconds === undefined) {
    return invalid(`${family}-timestamp must be in Unix seconds.`);
  }
  const keys = secrets.map(keyOf).filter((key) => key.length >= minKeyBytes);
  if (keys.length === 0) return invalid('The receiver has no secret for this signature.');
  const expected = keys.map((key) => signatureOf(key, id, timestamp, bytes));
  const isGood = signatures
    .split(' ', maxSignatures)
    .some((signature) => expected.some((one) => isSameText(signature, one)));
  if (!isGood) return invalid('The signature does not match the bytes of the body.');
  return checkAge(seconds, receivedAtMs, maxAgeSeconds);
}

/** The headers that a sender with this secret would send. */
export function signStandardWebhook(
  secret: string,
  id: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  return signedHeaders([keyOf(secret)], id, Math.floor(nowMs / 1_000), body);
}
