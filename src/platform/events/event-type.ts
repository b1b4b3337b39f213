import { Type } from 'typebox';
import type { TObject, TProperties } from 'typebox';
import { deprecated } from '../http/deprecation.ts';
import type { Deprecation } from '../http/deprecation.ts';
import { Id, Timestamp } from '../schema/fields.ts';
import { createSerializer } from '../http/response-serializer.ts';
import type { Cleaner } from '../http/response-serializer.ts';

/** A kind of event that subscribers can receive: its words, its payload and who may match it. */
export interface EventType<Name extends string = string> {
  name: Name;
  description: string;
  /** Schema of the whole body that is sent. */
  schema: TObject;
  /** Schema of `data`. */
  data: TObject;
  /** Reduces a row to the fields of `data`. */
  clean: Cleaner;
  /** Date since which it is sent. */
  since: string;
  /** Sent only to who names it, and not by `*` or a prefix. */
  isOptIn: boolean;
  deprecation?: Deprecation;
  /** The type that subscriptions get which list it and do not match this type. */
  replaces?: EventType;
}

interface Options {
  previous?: boolean;
  isOptIn?: boolean;
  since?: string;
  deprecation?: Deprecation;
  replaces?: EventType;
}

/**
 * Declares an event type whose `data` is a resource as the API returns it. Bodies above 256 KB are
 * sent thin: `data` is then {id, type, truncated: true}.
 */
export function eventType<const Name extends string>(
  name: Name,
  description: string,
  data: TObject,
  { previous = false, isOptIn = false, since = '2026-11-21', deprecation, replaces }: Options = {},
): EventType<Name> {
  const fields: TProperties = {
    id: Id('Also the webhook-id header; the same for retries, replays and all subscriptions'),
    type: Type.String(),
    timestamp: Timestamp('When the event was recorded'),
    team_id: Id(),
    api_version: Type.Literal('v2'),
    sequence: Type.Integer({
      description: 'Rises with every event of one resource; a smaller one is stale',
    }),
    data,
  };
  if (previous) {
    fields['previous'] = Type.Record(Type.String(), Type.Unknown(), {
      description: 'The changed fields as they were; null where there was no value',
    });
  }
  const schema = Type.Object(fields);
  const about = { name, description, schema, data, clean: createSerializer(data), since, isOptIn };
  return { ...about, ...(deprecation && { deprecation }), ...(replaces && { replaces }) };
}

/**
 * Declares a deprecated name, which its successors name in `replaces`. A subscription that lists
 * it, and does not match its successor, gets the event under the old name until the sunset.
 * `replacement` is the successor that the deprecation names.
 */
export function replacedEventType<const Name extends string>(
  name: Name,
  description: string,
  data: TObject,
  replacement: string,
  about: Pick<Deprecation, 'deprecated_at' | 'sunset_at' | 'reason'>,
): EventType<Name> {
  const deprecation = deprecated({ ...about, replacement: { event_type: replacement } });
  return eventType(name, description, data, { isOptIn: true, deprecation });
}

/** Event types by their names, in the same order. */
export function byName<Type extends EventType>(
  types: readonly Type[],
): { readonly [One in Type as One['name']]: One };
export function byName(types: readonly EventType[]): Readonly<Record<string, EventType>> {
  return Object.fromEntries(types.map((type) => [type.name, type]));
}
