import { createHash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { isUuid } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import { parseJsonInTurns, storable, storableText } from '../../platform/http/json.ts';
import { bodyValidator, fitChecker } from '../../platform/http/validate.ts';
import { isRecord } from '../read-json.ts';
import type { Callback, NativeItem, ReceiverDefinition } from '../receiver.ts';
import { receivers } from '../receivers.ts';
import type { Origin } from './authenticate.ts';
import { cutText } from '../../platform/cut-text.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** One event of a callback on its way into the store. */
export interface Item {
  id: string;
  status: 'accepted' | 'failed' | 'ignored' | 'pending_confirmation';
  payload: Payload | undefined;
  /** The provider's own identity of the event, if it has one. */
  key: string | undefined;
  eventType: string | undefined;
  providerEventId: string | undefined;
  error: { code: string; detail: string } | undefined;
  /** Duplicates that came with it. */
  repeats: number;
}

/** An event that is known by its own key, or by its content. The second with a key is a duplicate. */
export type KeyedItem = Item & { key: string };

const maxPayloads = 1_000;
const maxKeyLength = 200;
const maxWordLength = 255;

const checks = new Map(
  Object.values(receivers).map((definition) => {
    const { payload, takesMany, kind } = definition;
    const many = Type.Array(payload, { minItems: 1, maxItems: maxPayloads });
    return [
      kind,
      {
        isPayload: fitChecker(payload),
        one: bodyValidator(payload),
        many: takesMany ? bodyValidator(many) : undefined,
      },
    ];
  }),
);

/**
 * The events of a proven callback, in turns of the event loop. A native body that is not understood
 * gives items that say so; a normalized one throws 400 or 422.
 */
export async function readItems(
  definition: ReceiverDefinition,
  callback: Callback,
  { mode, settings }: Pick<Origin, 'mode' | 'settings'>,
): Promise<KeyedItem[]> {
  if (mode === 'native') return readNativeItems(definition, callback, settings);
  const payloads = await readNormalized(definition, callback);
  const items = payloads.map((sent) => {
    const payload = definition.complete?.(sent, settings) ?? sent;
    return eventItem(definition, payload, definition.dedupKey(payload));
  });
  return keyed(callback, items);
}

/** The same for a native body, at once. */
export function readNativeItems(
  definition: ReceiverDefinition,
  callback: Callback,
  settings: Payload,
): KeyedItem[] {
  return keyed(callback, nativeItems(definition, callback, settings));
}

function keyed(callback: Callback, items: readonly Item[]): KeyedItem[] {
  const contentOf = contentsOf(callback, items.length);
  return items.map((item, at) => ({ ...item, key: item.key ?? contentKey(contentOf(at)) }));
}

function nativeItems(
  definition: ReceiverDefinition,
  callback: Callback,
  settings: Payload,
): Item[] {
  const items = readNative(definition, callback, settings);
  if (items.length > 0) return items;
  return isList(callback.json)
    ? [ignored('The callback holds no event.')]
    : [unrecognized('The body is not a list of events.')];
}

const isList = (json: unknown): json is unknown[] => Array.isArray(json);

/** Content that identifies an item without a key: its element of a list, else the whole body. */
function contentsOf({ json, bytes }: Callback, count: number): (at: number) => Buffer | string {
  if (isList(json) && json.length === count) return (at) => JSON.stringify(json[at]);
  return (at) => (count === 1 ? bytes : `${String(at)}:${bytes.toString('base64')}`);
}

export function readNative(
  definition: ReceiverDefinition,
  callback: Callback,
  settings: Payload,
): Item[] {
  let found: NativeItem[];
  try {
    found = definition.read(callback, settings);
  } catch {
    return [unrecognized('The body cannot be read.')];
  }
  return found.map((item) => {
    if ('ignored' in item) return ignored(item.ignored);
    if ('unrecognized' in item) return unrecognized(item.unrecognized);
    if ('confirmation' in item) return confirmation(item.confirmation);
    const payload = storable(item.payload);
    const isUnderstood = checks.get(definition.kind)?.isPayload(payload) === true;
    return isUnderstood && isRecord(payload)
      ? eventItem(definition, payload, item.key ?? definition.dedupKey(payload))
      : unrecognized('The event lacks what its kind must have, or has it in another form.');
  });
}

async function readNormalized(
  { kind }: ReceiverDefinition,
  { bytes, form }: Callback,
): Promise<Payload[]> {
  if (form) {
    throw fail('unsupported_media_type', {
      detail: 'A normalized body is JSON; send Content-Type: application/json.',
      meta: { expected: 'application/json' },
    });
  }
  const json = await parseJsonInTurns(bytes);
  const check = checks.get(kind);
  if (!check) throw new Error(`nothing checks ${kind}`);
  const payloads: unknown[] =
    Array.isArray(json) && check.many ? check.many(json) : [check.one(json)];
  // The envelope carried the signature; it stays with the raw bytes.
  return payloads
    .filter(isRecord)
    .map((payload) =>
      Object.fromEntries(Object.entries(payload).filter(([name]) => name !== 'raw_topic_envelope')),
    );
}

function eventItem(
  definition: ReceiverDefinition,
  payload: Payload,
  key: string | undefined,
): Item {
  const providerEventId = definition.providerEventId(payload);
  return {
    ...blank(),
    status: 'accepted',
    payload,
    key: keyOf(key),
    eventType: wordOf(definition.eventType(payload)),
    providerEventId: providerEventId === undefined ? undefined : wordOf(providerEventId),
  };
}

/** Providers' ids have no bound, an index has: a long key is known by its digest. */
function keyOf(key: string | undefined): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (key.length <= maxKeyLength) return storableText(key);
  return `sha256:${digestOf(key)}`;
}

/** A repeat of an event without a key has the same content. */
const contentKey = (content: Buffer | string) => `content:${digestOf(content)}`;

const digestOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** A short text of a provider, for a column. */
const wordOf = (text: string) => cutText(storableText(text), maxWordLength);

const blank = (): Item => ({
  id: randomUUID(),
  status: 'ignored',
  payload: undefined,
  key: undefined,
  eventType: undefined,
  providerEventId: undefined,
  error: undefined,
  repeats: 0,
});

function unrecognized(detail: string): Item {
  return { ...blank(), status: 'failed', error: { code: 'payload_unrecognised', detail } };
}

function ignored(detail: string): Item {
  return { ...blank(), status: 'ignored', error: { code: 'ignored', detail } };
}

function confirmation(request: { topicArn: string; messageId: string }): Item {
  return {
    ...blank(),
    status: 'pending_confirmation',
    payload: {
      topic_arn: storableText(request.topicArn),
      message_id: storableText(request.messageId),
    },
    key: keyOf(request.messageId),
    eventType: 'subscription_confirmation',
    providerEventId: wordOf(request.messageId),
  };
}

/** Our ids that a payload echoes; what is no id is left in the payload alone. */
export function echoedIds(payload: Payload | undefined) {
  const id = (name: string) => {
    const value = payload?.[name];
    return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null;
  };
  return {
    do_message_id: id('do_message_id'),
    do_contact_id: id('do_contact_id'),
    do_journey_id: id('do_journey_id'),
  };
}
