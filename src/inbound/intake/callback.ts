import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { readForeignJson, readForeignJsonInTurns } from '../../platform/http/foreign-json.ts';
import { parseForm } from '../../platform/http/body.ts';
import { textAt } from '../read-json.ts';
import { isForm } from '../receiver.ts';
import type { Callback, ReceiverDefinition } from '../receiver.ts';
import { cutText } from '../../platform/cut-text.ts';

type Request = [
  publicBaseUrl: string,
  /** That of the request, with its query. */
  path: string,
  sent: IncomingHttpHeaders | Record<string, string>,
  bytes: Buffer,
  receivedAtMs: number,
];

/** Makes a callback for verification and reading, in turns of the event loop. */
export async function readCallback(...request: Request): Promise<Callback> {
  const callback = withoutJson(...request);
  if (isForm(callback.headers['content-type'])) return callback;
  return { ...callback, json: await readForeignJsonInTurns(callback.bytes) };
}

/** The same at once. */
export function makeCallback(...request: Request): Callback {
  const callback = withoutJson(...request);
  if (isForm(callback.headers['content-type'])) return callback;
  return { ...callback, json: readForeignJson(callback.bytes) };
}

function withoutJson(...[publicBaseUrl, path, sent, bytes, receivedAtMs]: Request): Callback {
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value?.toString()]),
  );
  return {
    url: publicBaseUrl + path,
    headers,
    bytes,
    json: undefined,
    form: isForm(headers['content-type']) ? fieldsOf(bytes) : undefined,
    receivedAtMs,
  };
}

/** Fields of a form: providers send less than a hundred, and to read more takes too long. */
const maxFields = 2_000;

/** The fields of a form; undefined where there are more than any provider sends. */
function fieldsOf(bytes: Buffer): URLSearchParams | undefined {
  let fields = 1;
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > maxFields) return undefined;
  }
  return parseForm(bytes);
}

const keptHeaders = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'x-request-id',
  'webhook-id',
  'webhook-timestamp',
  'svix-id',
  'svix-timestamp',
  'telnyx-timestamp',
  'x-twilio-email-event-webhook-timestamp',
  'i-twilio-idempotency-token',
  'x-amz-sns-message-type',
  'x-amz-sns-message-id',
  'x-amz-sns-topic-arn',
  'x-amz-sns-rawdelivery',
]);
const maxHeaderLength = 512;

/** The headers of a callback that are stored; headers with signatures are redacted. */
export function shownHeaders({ headers }: Callback, { authenticationHeaders }: ReceiverDefinition) {
  const hidden = new Set([
    'authorization',
    ...authenticationHeaders.map((name) => name.toLowerCase()),
  ]);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (keptHeaders.has(name)) shown[name] = cutText(value, maxHeaderLength);
    else if (hidden.has(name)) shown[name] = '[redacted]';
  }
  return shown;
}

/** Seal context of the bytes of a callback. */
export function rawSealContext(teamId: string, id: string): string[] {
  return ['inbound_raw', 'sealed_callback', teamId, id];
}

interface Raw {
  /** Path and query of the request. */
  path: string;
  content_type: string | undefined;
  encoding: 'utf8' | 'base64';
  body: string;
}

/** Seals what a callback can be read from again: bytes, path with query, media type. */
export function sealRaw(keyring: Keyring, callback: Callback, teamId: string, id: string): string {
  const text = callback.bytes.toString('utf8');
  const isText = Buffer.byteLength(text) === callback.bytes.length && !text.includes('\uFFFD');
  const raw: Raw = {
    path: callback.url.slice(new URL(callback.url).origin.length),
    content_type: callback.headers['content-type'],
    encoding: isText ? 'utf8' : 'base64',
    body: isText ? text : callback.bytes.toString('base64'),
  };
  return keyring.seal(JSON.stringify(raw), rawSealContext(teamId, id));
}

const isRaw = (value: unknown): value is Raw =>
  textAt(value, 'path') !== undefined && textAt(value, 'encoding') !== undefined;

/** Opens bytes that `sealRaw` sealed. */
export function openRaw(keyring: Keyring, sealed: string, teamId: string, id: string): Raw {
  const raw: unknown = JSON.parse(keyring.open(sealed, rawSealContext(teamId, id)));
  if (!isRaw(raw)) throw new Error('sealed bytes are not in the form of a callback');
  return raw;
}

/** The callback of sealed bytes, to be read again; without its signature, which was verified before. */
export function callbackOf(publicBaseUrl: string, raw: Raw, receivedAtMs: number): Callback {
  const { path, content_type, encoding, body } = raw;
  const headers: Record<string, string> = { ...(content_type && { 'content-type': content_type }) };
  return makeCallback(publicBaseUrl, path, headers, Buffer.from(body, encoding), receivedAtMs);
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
