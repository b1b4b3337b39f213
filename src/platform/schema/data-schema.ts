import { Type } from 'typebox';

/** A JSON Schema of a client for data of its own. */
export type DataSchema = Readonly<Record<string, unknown>>;

/** Field with such a schema; `http/data-schema.ts` finds its problems. */
export const DataSchemaField = (about: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      `${about}, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an ` +
      'object. Keywords: type, title, description, properties, required, additionalProperties ' +
      '(true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ' +
      'minLength, maxLength, minItems, maxItems',
    examples: [
      {
        type: 'object',
        properties: { order_id: { type: 'string' }, amount_cents: { type: 'integer' } },
        required: ['order_id'],
      },
    ],
  });
