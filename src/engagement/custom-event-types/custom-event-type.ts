import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Text, createBody, patchBody, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';

/** Custom event types of a team. */
export const maxCustomEventTypes = 200;

/** The name of an event type of a team, as `custom.order_placed` or `custom.card.declined`. */
export type CustomEventName = `custom.${string}`;

// As long as `event_kind` of a trigger may be.
export const CustomEventName = (description: string) =>
  Type.Unsafe<CustomEventName>(
    Type.String({
      pattern: '^custom(\\.[a-z0-9]+(_[a-z0-9]+)*)+$',
      maxLength: 64,
      examples: ['custom.order_placed'],
      description,
    }),
  );

export const CustomEventType = resource('custom_event_type', {
  name: CustomEventName(
    'Unique in the team, and fixed: "custom." and words of lower-case letters, digits and ' +
      'underscores, joined by dots',
  ),
  description: Type.Optional(Text(2_000)),
  schema: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 ' +
      'levels and 50 properties of an object. Keywords: type, title, description, properties, ' +
      'required, additionalProperties (true or false), items, enum, minimum, maximum, ' +
      'exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems',
    examples: [
      {
        type: 'object',
        properties: { order_id: { type: 'string' }, amount_cents: { type: 'integer' } },
        required: ['order_id'],
      },
    ],
  }),
});
export type CustomEventTypeRow = RowOf<typeof CustomEventType>;

export const CustomEventTypeCreate = createBody(
  CustomEventType,
  ['name'],
  ['description', 'schema'],
);
export const CustomEventTypePatch = patchBody(CustomEventType, ['name', 'description', 'schema']);
export type DataSchema = Static<typeof CustomEventType>['schema'];
