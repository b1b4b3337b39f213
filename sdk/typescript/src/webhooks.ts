import type { Events } from './generated/events.ts';
import { OnwardError } from './errors.ts';
import { readJson } from './json.ts';

/** In place of data that is too large, or that the subscription may not read. */
export interface ThinData {
  id: string;
  type: string;
  truncated: true;
}

interface Envelope<Type extends string> {
  /** The same in every attempt: store it to recognize a repeat. */
  id: string;
  type: Type;
  timestamp: string;
  team_id: string;
  api_version: 'v2';
  /** Rises with every event of a resource; a smaller one is stale. */
  sequence: number;
}

type TypeOf<Key extends string> = Key extends 'custom.*' ? `custom.${string}` : Key;

export type EventType = TypeOf<keyof Events>;

/** An event of the service; its `type` determines the type of its `data`. */
export type WebhookEvent = {
  [Key in keyof Events]: Envelope<TypeOf<Key>> &
    Omit<Events[Key], 'data'> & { data: Events[Key]['data'] | ThinData };
}[keyof Events];

/** The event of one type: `EventOf<'contact.created'>`. */
export type EventOf<Type extends EventType> = Extract<WebhookEvent, { type: Type }>;

/** Whether an event has only the id of its resource, which is then to be read. */
export function isThin(data: object): data is ThinData {
  return 'truncated' in data;
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Bound on the age of an attempt, and on how far ahead it is; 300 seconds by default. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock by default. */
  nowMs?: number;
}

/**
 * The event of a webhook whose signature one of the secrets made (`whsec_…`, or the public key
 * `whpk_…` of `v1a`). Pass the body as received: another order of its fields has another signature.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const sentAtMs = Number(timestamp) * 1_000;
  if (!/^\d+$/.test(timestamp)) throw invalid('webhook-timestamp is not a number of seconds.');
  if (Math.abs(nowMs - sentAtMs) > toleranceSeconds * 1_000) {
    throw invalid(`webhook-timestamp is more than ${String(toleranceSeconds)} seconds away.`);
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    for (const signature of signatures) {
      if (await isSignedBy(secret, signature, signed)) return eventOf(bytes);
    }
  }
  throw invalid('No signature was made with the secret of the subscription.');
}

async function isSignedBy(secret: string, signature: string, signed: Uint8Array<ArrayBuffer>) {
  const [version, text = ''] = signature.split(',');
  const wanted = secret.startsWith('whpk_') ? 'v1a' : 'v1';
  const bytes = version === wanted ? fromBase64(text) : undefined;
  if (!bytes) return false;
  const key = await importKey(secret);
  return crypto.subtle.verify(key.algorithm, key, bytes, signed);
}

/** Signs as the service does; for tests. */
export async function signWith(secret: string, id: string, seconds: number, body: string) {
  const signed = new TextEncoder().encode(`${id}.${String(seconds)}.${body}`);
  const key = await importKey(secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, signed);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

async function importKey(secret: string, usage: 'sign' | 'verify' = 'verify') {
  const [, prefix = '', text = secret] = /^(whsec_|whpk_)(.*)$/.exec(secret) ?? [];
  const bytes = fromBase64(text);
  if (!bytes) throw invalid('The secret is not of the form whsec_<base64>.');
  const algorithm = prefix === 'whpk_' ? 'Ed25519' : { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, [usage]);
}

function eventOf(bytes: Uint8Array<ArrayBuffer>): WebhookEvent {
  try {
    return readJson<WebhookEvent>(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw invalid('The body is not JSON.', cause);
  }
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`The header ${name} is missing.`);
}

function findHeader(headers: Exclude<HeadersLike, Headers>, name: string): unknown {
  const entry = Object.entries(headers).find(([known]) => known.toLowerCase() === name);
  return entry?.[1];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function invalid(message: string, cause?: unknown): OnwardError {
  return new OnwardError('webhook_invalid', message, { cause });
}
