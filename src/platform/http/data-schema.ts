import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { DataSchema } from '../schema/data-schema.ts';
import { OneOf } from '../schema/fields.ts';
import { withPointerPrefix } from './errors.ts';
import type { Problem } from './errors.ts';
import { problemFinder } from './validate.ts';

/** Levels of a schema. */
const maxSchemaDepth = 5;
/** Bytes of a schema as JSON. */
const maxSchemaBytes = 8_192;
/** Properties of one object of a schema. */
const maxSchemaProperties = 50;
const maxEnumValues = 100;
const maxDescriptionLength = 2_000;

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const Size = () => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
const Bound = () => Type.Optional(Type.Number());
const Words = () => Type.Optional(Type.String({ maxLength: maxDescriptionLength }));
const name = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' });

/**
 * The accepted part of JSON Schema. Without references, unions, patterns, formats and `uniqueItems`
 * a value is checked in time that grows with its size only.
 */
function schemaOfLevels(levels: number): TSchema {
  const nested = levels > 1 ? schemaOfLevels(levels - 1) : undefined;
  return Type.Object(
    {
      type: OneOf(types),
      title: Words(),
      description: Words(),
      enum: Type.Optional(
        Type.Array(
          Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean(), Type.Null()]),
          { minItems: 1, maxItems: maxEnumValues },
        ),
      ),
      minimum: Bound(),
      maximum: Bound(),
      exclusiveMinimum: Bound(),
      exclusiveMaximum: Bound(),
      minLength: Size(),
      maxLength: Size(),
      minItems: Size(),
      maxItems: Size(),
      required: Type.Optional(Type.Array(name, { maxItems: maxSchemaProperties })),
      additionalProperties: Type.Optional(Type.Boolean()),
      ...(nested && {
        properties: Type.Optional(
          Type.Record(name, nested, {
            maxProperties: maxSchemaProperties,
            additionalProperties: false,
          }),
        ),
        items: Type.Optional(nested),
      }),
    },
    { additionalProperties: false },
  );
}

const findProblems = problemFinder(schemaOfLevels(maxSchemaDepth));

/** Problems of a schema of a client at a pointer of the body. */
export function schemaProblems(schema: DataSchema, pointer: string): Problem[] {
  const found = findProblems(schema);
  const problems = found.length > 0 ? found : furtherProblems(schema);
  return problems.map((problem) => withPointerPrefix(problem, pointer));
}

function furtherProblems(schema: DataSchema): Problem[] {
  if (new TextEncoder().encode(JSON.stringify(schema)).length > maxSchemaBytes) {
    const detail = `The schema is longer than ${String(maxSchemaBytes)} bytes of JSON.`;
    return [problem('', 'max_length', detail, maxSchemaBytes)];
  }
  if (schema['type'] !== 'object') {
    return [problem('/type', 'enum', 'The data is an object.', ['object'])];
  }
  return [...inheritedNames(schema, '')].map((pointer) =>
    problem(pointer, 'pattern', 'A property cannot have this name.'),
  );
}

/** Properties with the name of a member of every object, which the data would seem to have. */
function* inheritedNames(schema: unknown, pointer: string): Generator<string> {
  if (!isRecord(schema)) return;
  const { properties, items, required } = schema;
  yield* inheritedNames(items, `${pointer}/items`);
  if (Array.isArray(required)) {
    for (const [at, one] of required.entries()) {
      if (Reflect.has({}, String(one))) yield `${pointer}/required/${String(at)}`;
    }
  }
  for (const [own, of] of Object.entries(isRecord(properties) ? properties : {})) {
    const place = `${pointer}/properties/${own}`;
    if (Reflect.has({}, own)) yield place;
    yield* inheritedNames(of, place);
  }
}

function problem(pointer: string, rule: string, detail: string, expected?: unknown): Problem {
  const meta = { pointer, rule, ...(expected !== undefined && { expected }) };
  return { code: 'validation_failed', detail, meta };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
