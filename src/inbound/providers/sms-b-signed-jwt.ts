import { randomUUID } from 'node:crypto';
import { correlationIn } from '../correlation.ts';
import { contentId } from '../content-id.ts';
import { given, numberAt, textAt } from '../read-json.ts';
import type { Callback, NativeItem, SampleCallback } from '../receiver.ts';
import { signJwt } from '../signatures/signed-jwt.ts';
import { consentFields } from '../sms-keywords.ts';
import type { KeywordSettings } from '../sms-keywords.ts';

/** The other provider family of sms_b: callbacks of the Vonage Messages API. */

const statuses: Readonly<Record<string, string>> = {
  submitted: 'sent',
  delivered: 'delivered',
  rejected: 'sending_failed',
  undeliverable: 'delivery_failed',
};
const wordOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(statuses).map(([word, status]) => [status, word]),
);

/** Events of samples. */
export const signedJwtEvents: readonly string[] = [...Object.values(statuses), 'received'];

/** The provider leaves the plus of E.164 out. */
function numberIn(json: unknown, name: string): string | undefined {
  const digits = textAt(json, name);
  return digits !== undefined && /^\d{5,15}$/.test(digits) ? `+${digits}` : digits;
}

/** `name:value` pairs in the client_ref, which the provider echoes. */
function correlationInReference(reference: string | undefined): Record<string, string> {
  const pairs = (reference ?? '').split(/[\s,;]+/).map((pair) => pair.split(':', 2));
  return correlationIn(Object.fromEntries(pairs));
}

export function isSignedJwtEvent({ json }: Callback): boolean {
  return textAt(json, 'message_uuid') !== undefined;
}

export function readSignedJwtEvent({ json }: Callback, settings: KeywordSettings): NativeItem {
  const messageId = textAt(json, 'message_uuid');
  const channel = textAt(json, 'channel') ?? 'sms';
  if (channel !== 'sms') return { ignored: 'The event is not of an SMS.' };
  const word = textAt(json, 'status');
  const words = textAt(json, 'text');
  const isReply = word === undefined;
  if (isReply && textAt(json, 'message_type') !== 'text') {
    return { unrecognized: 'The body is neither a status nor a text.' };
  }
  if (word === 'read') return { ignored: 'The status "read" does not apply to an SMS.' };
  const status = isReply ? 'received' : statuses[word];
  if (status === undefined) return { unrecognized: 'The status is none that we know.' };
  const isOnItsWay = status === 'sent';
  return {
    payload: given({
      kind: 'sms_b',
      event_type: isReply ? 'message_received' : isOnItsWay ? 'message_sent' : 'message_finalized',
      status,
      // The event has no id of its own, and the token's id is not stored for a replay.
      sms_b_event_id: messageId === undefined ? contentId(json) : `${messageId}:${status}`,
      sms_b_message_id: messageId ?? '',
      occurred_at: textAt(json, 'timestamp'),
      to: numberIn(json, 'to'),
      from: numberIn(json, 'from'),
      text: isReply ? words : undefined,
      parts: numberAt(json, 'sms', isReply ? 'num_messages' : 'count_total'),
      error_code: textAt(json, 'error', 'title'),
      error_detail: textAt(json, 'error', 'detail'),
      ...(isReply && consentFields(words, settings)),
      ...correlationInReference(textAt(json, 'client_ref')),
    }),
  };
}

/** A callback as the provider signs it. */
export async function sampleSignedJwt(
  event: string,
  settings: { readonly signature_secret?: string },
  nowMs: number,
): Promise<SampleCallback> {
  const isReply = event === 'received';
  const contact = '14155550100';
  const ours = '14155550199';
  const reference = Object.entries(correlationIn(settings)).map(([name, id]) => `${name}:${id}`);
  const body = JSON.stringify({
    channel: 'sms',
    message_uuid: randomUUID(),
    to: isReply ? ours : contact,
    from: isReply ? contact : ours,
    timestamp: new Date(nowMs).toISOString(),
    ...(isReply
      ? { message_type: 'text', text: 'STOP', sms: { num_messages: '1' } }
      : { status: wordOf[event], sms: { count_total: '1' } }),
    ...(['sending_failed', 'delivery_failed'].includes(event) && {
      error: { type: 'https://developer.vonage.com/api-errors/messages#1010', title: '1010' },
    }),
    ...(reference.length > 0 && { client_ref: reference.join(' ') }),
  });
  const secret = settings.signature_secret ?? '';
  const token = await signJwt(secret, body, randomUUID(), nowMs);
  return {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  };
}
