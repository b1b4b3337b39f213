import { Type } from 'typebox';
import type { TObject, TProperties } from 'typebox';
import { deprecated } from '../platform/http/deprecation.ts';
import type { Deprecation } from '../platform/http/deprecation.ts';
import { Id, Timestamp } from '../platform/schema/fields.ts';
import { createSerializer } from '../platform/http/response-serializer.ts';
import type { Cleaner } from '../platform/http/response-serializer.ts';

/** A kind of event that subscribers can receive: its words, its payload and who may match it. */
export interface EventType {
  description: string;
  /** Schema of the whole body that is sent. */
  schema: TObject;
  /** Schema of `data`. */
  data: TObject;
  /** Keeps of a row what `data` shows. */
  clean: Cleaner;
  /** Date since which it is sent. */
  since: string;
  /** Sent only to who names it, and not by `*` or a prefix. */
  isOptIn: boolean;
  deprecation?: Deprecation;
  /** Names that are sent instead to subscriptions that match them. */
  replacedBy?: readonly string[];
}

interface Options {
  previous?: boolean;
  isOptIn?: boolean;
  since?: string;
  deprecation?: Deprecation;
}

/**
 * Declares an event type whose `data` is a resource as the API returns it. Bodies above 256 KB are
 * sent thin: `data` is then {id, type, truncated: true}.
 */
export function eventType(
  description: string,
  data: TObject,
  { previous = false, isOptIn = false, since = '2026-11-21', deprecation }: Options = {},
): EventType {
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
  const about = { description, schema, data, clean: createSerializer(data), since, isOptIn };
  return { ...about, ...(deprecation && { deprecation }) };
}

/**
 * Declares a name that others have replaced. A subscription that lists it, and matches none of the
 * names that replaced it, gets the event under the old name until the sunset.
 */
export function replacedEventType(
  description: string,
  data: TObject,
  replacedBy: readonly [string, ...string[]],
  about: Pick<Deprecation, 'deprecated_at' | 'sunset_at' | 'reason'>,
): EventType {
  const deprecation = deprecated({ ...about, replacement: { event_type: replacedBy[0] } });
  return { ...eventType(description, data, { isOptIn: true, deprecation }), replacedBy };
}
