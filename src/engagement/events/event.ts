import { Type } from 'typebox';
import type { Static } from 'typebox';
import { contactReference } from '../../contacts/lookup/contact-reference.ts';
import { Text, Timestamp } from '../../platform/schema/fields.ts';
import { CustomEventName } from '../custom-event-types/custom-event-type.ts';

/** Events of one request at most. */
export const maxPublished = 500;
/** Objects and lists in the data of one request: each is compared with all properties of its schema. */
export const maxDataObjects = 10_000;

const SentEvent = Type.Object(
  {
    unique_id: Text(
      255,
      'The partner’s own id of the event; repeats of it in the team are dropped',
    ),
    type: CustomEventName('Name of a custom event type of the team'),
    occurred_at: Type.Optional(Timestamp('Now if absent; at most 25 months ago')),
    contact_id: contactReference.contact_id,
    contact_unique_id: contactReference.contact_unique_id,
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'At most 8 KB of JSON, by the schema of the event type; an empty object if absent',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SentEvent = Static<typeof SentEvent>;

export const EventBatch = Type.Object(
  {
    events: Type.Array(SentEvent, {
      minItems: 1,
      description: `At most ${String(maxPublished)}; published all or none`,
    }),
  },
  { additionalProperties: false },
);
