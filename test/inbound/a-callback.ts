import { parseInner } from '../../src/inbound/read-json.ts';
import type { Callback, VerificationTools, SampleCallback } from '../../src/inbound/receiver.ts';

export const nowMs = Date.parse('2026-03-01T12:00:00Z');
export const nowSeconds = nowMs / 1_000;
export const receiveUrl =
  'https://api.example.com/v2/webhooks/inbound/kind/11111111-1111-4111-8111-111111111111';

/** A callback as the intake hands it over. */
export function callbackOf(
  { headers, body, query = '' }: SampleCallback,
  changes: Partial<Callback> = {},
): Callback {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const bytes = changes.bytes ?? Buffer.from(body);
  const isForm = lower['content-type']?.startsWith('application/x-www-form-urlencoded');
  return {
    url: receiveUrl + query,
    headers: lower,
    bytes,
    json: isForm ? undefined : parseInner(bytes),
    form: isForm ? new URLSearchParams(bytes.toString()) : undefined,
    receivedAtMs: nowMs,
    ...changes,
  };
}

/** For schemes without network access. */
export const noTools: VerificationTools = {
  trustedRoots: [],
  fetchCertificate: () => Promise.reject(new Error('not asked for')),
  fetchKeySet: () => Promise.reject(new Error('not asked for')),
};

/** The text with one character changed into another that may stand there. */
export function withChange(text: string, at: number): string {
  const place = at % text.length;
  const other = text[place] === 'a' ? 'b' : 'a';
  return text.slice(0, place) + other + text.slice(place + 1);
}
