import type { Payload, PayloadCodec } from '@temporalio/common';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Keyring } from '../auth/keyring.ts';

/** Values of the metadata, as in the examples of Temporal, so that its UI shows a lock. */
const encoding = Buffer.from('binary/encrypted');
const keyIdName = 'encryption-key-id';

/** The form of a payload in JSON, with bytes in base64, as the UI and CLI of Temporal send it. */
export const PayloadJson = Type.Object({
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  data: Type.Optional(Type.String()),
});
type PayloadJson = Static<typeof PayloadJson>;
const compiled = Compile(PayloadJson);

/**
 * Encrypts what Temporal stores of arguments, results, memos and details with AES-256-GCM, if
 * `encrypts` is set. It always reads plain payloads and those of every key, so that encryption can
 * be switched on and off while workflows run.
 */
export function createPayloadCodec(
  keyring: Pick<Keyring, 'sealPayload' | 'openPayload'>,
  encrypts: boolean,
): PayloadCodec {
  return {
    encode: (payloads) =>
      Promise.resolve(encrypts ? payloads.map((payload) => encrypt(keyring, payload)) : payloads),
    // Inside the promise, so that a failure rejects it.
    decode: async (payloads) =>
      Promise.all(payloads.map((payload) => Promise.resolve(decrypt(keyring, payload)))),
  };
}

function encrypt(keyring: Pick<Keyring, 'sealPayload'>, payload: Payload): Payload {
  if (isEncrypted(payload)) return payload;
  const { keyId, sealed } = keyring.sealPayload(Buffer.from(JSON.stringify(toJson(payload))));
  return { metadata: { encoding, [keyIdName]: Buffer.from(keyId) }, data: sealed };
}

function decrypt(keyring: Pick<Keyring, 'openPayload'>, payload: Payload): Payload {
  if (!isEncrypted(payload)) return payload;
  const keyId = Buffer.from(payload.metadata?.[keyIdName] ?? []).toString();
  const plain: unknown = JSON.parse(
    keyring.openPayload(keyId, Buffer.from(payload.data ?? [])).toString(),
  );
  if (!compiled.Check(plain)) throw new Error('an encrypted payload has another form');
  return fromJson(plain);
}

function isEncrypted({ metadata }: Payload): boolean {
  return encoding.equals(Buffer.from(metadata?.['encoding'] ?? []));
}

export function toJson({ metadata, data }: Payload): PayloadJson {
  const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return { metadata: mapValues(metadata ?? {}, toText), ...(data && { data: toText(data) }) };
}

/** Throws when a text is not base64. */
export function fromJson({ metadata, data }: PayloadJson): Payload {
  return {
    metadata: mapValues(metadata ?? {}, bytesOf),
    ...(data !== undefined && { data: bytesOf(data) }),
  };
}

function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Error('a payload is not in base64');
  return bytes;
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
