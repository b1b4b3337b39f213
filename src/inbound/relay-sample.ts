import { randomUUID } from 'node:crypto';
import { textsAt } from './read-json.ts';
import type { NativeItem, SampleCallback } from './receiver.ts';
import { signStandardWebhook } from './signatures/standard-webhooks.ts';

/** The normalized body of a native sample, as a relay would send it with the receiver's own secret. */
export function relaySample(
  [item]: readonly NativeItem[],
  settings: unknown,
  nowMs: number,
): SampleCallback {
  const [secret = ''] = textsAt(settings, 'relay_secrets');
  const body = JSON.stringify(item !== undefined && 'payload' in item ? item.payload : {});
  const headers = signStandardWebhook(secret, `msg_${randomUUID()}`, nowMs, body);
  return { headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** A native body as its receiver would get it, to be read without having been sent. */
export function asCallback(body: string, url: string, nowMs: number) {
  const json: unknown = JSON.parse(body);
  const bytes = Buffer.from(body);
  return { url, headers: {}, bytes, json, form: undefined, receivedAtMs: nowMs };
}
