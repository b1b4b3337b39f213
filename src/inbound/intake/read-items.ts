import { createHash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { isUuid } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import { parseJson, storable } from '../../platform/http/json.ts';
import { bodyValidator, shapeChecker } from '../../platform/http/validate.ts';
import { isRecord } from '../read-json.ts';
import type { Callback, NativeItem, ReceiverDefinition } from '../receiver.ts';
import { receivers } from '../receivers.ts';
import type { Origin } from './authenticate.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** One event of a callback on its way into the store. */
export interface Item {
  id: string;
  status: 'accepted' | 'failed' | 'ignored' | 'pending_confirmation';
  payload: Payload | undefined;
  /** The second of two items with the same key is a duplicate; undefined is never one. */
  key: string | undefined;
  eventType: string | undefined;
  providerEventId: string | undefined;
  error: { code: string; detail: string } | undefined;
  /** Duplicates that came with it. */
  repeats: number;
}

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
        isPayload: shapeChecker(payload),
        one: bodyValidator(payload),
        many: takesMany ? bodyValidator(many) : undefined,
      },
    ];
  }),
);

/**
 * The events of a proven callback. A native body that is not understood gives items that say so;
 * a normalised one throws 400 or 422.
 */
export function readItems(
  definition: ReceiverDefinition,
  callback: Callback,
  { mode, settings }: Pick<Origin, 'mode' | 'settings'>,
): Item[] {
  if (mode !== 'native') {
    return readNormalised(definition, callback).map((payload) =>
      eventItem(definition, payload, definition.dedupKey(payload)),
    );
  }
  const items = readNative(definition, callback, settings);
  return items.length > 0 ? items : [ignored('The callback holds no event.')];
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
    return [unrecognised('The body cannot be read.')];
  }
  return found.map((item) => {
    if ('ignored' in item) return ignored(item.ignored);
    if ('unrecognised' in item) return unrecognised(item.unrecognised);
    if ('confirmation' in item) return confirmation(item.confirmation);
    const payload = storable(item.payload);
    const isUnderstood = checks.get(definition.kind)?.isPayload(payload).length === 0;
    return isUnderstood && isRecord(payload)
      ? eventItem(definition, payload, item.key ?? definition.dedupKey(payload))
      : unrecognised('The event lacks what its kind must have, or has it in another form.');
  });
}

function readNormalised({ kind }: ReceiverDefinition, { bytes, form }: Callback): Payload[] {
  if (form) {
    throw fail('unsupported_media_type', {
      detail: 'A normalised body is JSON: send Content-Type: application/json.',
      meta: { expected: 'application/json' },
    });
  }
  const json = parseJson(bytes);
  const check = checks.get(kind);
  if (!check) throw new Error(`nothing checks ${kind}`);
  const payloads: unknown[] =
    Array.isArray(json) && check.many ? check.many(json) : [check.one(json)];
  // The envelope was the proof; it stays with the raw bytes.
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
  return {
    ...blank(),
    status: 'accepted',
    payload,
    key: keyOf(key),
    eventType: definition.eventType(payload).slice(0, maxWordLength),
    providerEventId: definition.providerEventId(payload)?.slice(0, maxWordLength),
  };
}

/** Providers' ids have no bound, an index has: a long key is known by its digest. */
function keyOf(key: string | undefined): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (key.length <= maxKeyLength) return key;
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

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

function unrecognised(detail: string): Item {
  return { ...blank(), status: 'failed', error: { code: 'payload_unrecognised', detail } };
}

function ignored(detail: string): Item {
  return { ...blank(), status: 'ignored', error: { code: 'ignored', detail } };
}

function confirmation(asked: { topicArn: string; messageId: string }): Item {
  return {
    ...blank(),
    status: 'pending_confirmation',
    payload: { topic_arn: asked.topicArn, message_id: asked.messageId },
    key: keyOf(asked.messageId),
    eventType: 'subscription_confirmation',
    providerEventId: asked.messageId.slice(0, maxWordLength),
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
