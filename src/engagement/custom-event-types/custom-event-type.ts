import { Type } from 'typebox';
import { DataSchemaField } from '../../platform/schema/data-schema.ts';
import { Text, resource } from '../../platform/schema/fields.ts';

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
  schema: DataSchemaField('JSON Schema of the data of its events'),
});
