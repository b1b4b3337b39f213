import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Node } from '../../contract/json-schema.ts';

interface Schema extends Node {
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  maximum?: number;
  minLength?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
}

/** Values that a JSON Schema of the service admits, including difficult ones. */
export function valuesOf(schema: Schema): Arbitrary<unknown> {
  const { anyOf, type, properties, patternProperties } = schema;
  if (anyOf) return fc.oneof(...anyOf.map(valuesOf));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: -5, max: 2 ** 31 - 1 }).map((n) => within(n, schema));
    case 'number':
      return fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 4);
    case 'string':
      return textsOf(schema);
    case 'array':
      return fc.uniqueArray(valuesOf(schema.items ?? {}), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      });
    case 'object':
      if (patternProperties) {
        const [value = {}] = Object.values(patternProperties);
        return fc.dictionary(fc.constantFrom('a', 'key_1', 'z9'), valuesOf(value));
      }
      return properties ? objectsOf(schema, properties) : fc.constant({});
    default:
      return fc.constantFrom(null, true, 'text', 1.5, [], ['a'], {}, { a: null });
  }
}

const within = (n: number, { minimum = -Infinity, maximum = Infinity }: Schema) =>
  Math.min(Math.max(n, minimum), maximum);

function objectsOf(
  { required = [], minProperties = 0, maxProperties = Infinity }: Schema,
  properties: Readonly<Record<string, Schema>>,
): Arbitrary<unknown> {
  const names = Object.keys(properties);
  if (maxProperties === 1) {
    return fc
      .constantFrom(...names)
      .chain((name) => valuesOf(properties[name] ?? {}).map((value) => ({ [name]: value })));
  }
  const values = Object.fromEntries(names.map((name) => [name, valuesOf(properties[name] ?? {})]));
  return fc
    .record(values, { requiredKeys: [...required] })
    .filter((made) => Object.keys(made).length >= minProperties);
}

function textsOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid({ version: 4 });
    case 'date-time':
      return fc
        .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'date':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
    case 'idn-email':
      return fc.nat(99_999).map((n) => `Person${String(n)}@Example.com`);
    case 'phone':
      return fc.nat(9_999).map((n) => `+1415555${String(n).padStart(4, '0')}`);
    case 'uri':
    case 'app-uri':
      return fc.webUrl();
    case 'timezone':
      return fc.constantFrom('Europe/Berlin', 'UTC', 'America/New_York');
    case 'locale':
      return fc.constantFrom('en', 'en-US', 'zh-Hant-TW');
    default:
      if (pattern !== undefined) return fc.nat(999).map((n) => `text-${String(n)}`);
      return fc
        .oneof(
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }),
          fc.constantFrom("'", '"', '\\', '{}', '%', '\u202e', '=1+1', 'null', '🙂', ' '),
        )
        .map((text) => text.replaceAll('\0', '').slice(0, maxLength))
        .filter((text) => text.length >= minLength && text.isWellFormed());
  }
}
