import { Check, Errors } from 'typebox/schema';
import type { Problem } from './errors.ts';
import type { SchemaError } from './long-lists.ts';
import { describeErrors } from './validate.ts';

/** Names that an object may have stand behind it in an enum, apart from the values of the schema. */
const namesOnly = Object.freeze({});

/**
 * Turns a schema of a client into a function that lists the problems of a value. The schema is
 * interpreted: it never becomes code, and needs no memory after the request.
 */
export function interpretedProblems(
  schema: Record<string, unknown>,
): (value: unknown) => readonly Problem[] {
  const interpreted = withNames(schema);
  return (value) => {
    if (Check(interpreted, value)) return [];
    const [, errors] = Errors(interpreted, value);
    return describeErrors(errors.flatMap((error) => unknownNames(error) ?? error));
  };
}

/** `additionalProperties` would make an expression of all names again for each object. */
function withNames({ additionalProperties, ...schema }: Record<string, unknown>): object {
  const { properties, items } = schema;
  const known = isRecord(properties) ? Object.entries(properties) : [];
  return {
    ...schema,
    ...(known.length > 0 && {
      properties: Object.fromEntries(
        known.map(([name, of]) => [name, isRecord(of) ? withNames(of) : of]),
      ),
    }),
    ...(isRecord(items) && { items: withNames(items) }),
    ...(additionalProperties === false && {
      propertyNames: { enum: [namesOnly, ...known.map(([name]) => name)] },
    }),
  };
}

/** An error of names as one of unknown fields; none for each name alone. */
function unknownNames({ keyword, params, ...error }: SchemaError): SchemaError[] | undefined {
  const { allowedValues, propertyNames } = params;
  if (Array.isArray(allowedValues) && allowedValues[0] === namesOnly) return [];
  if (keyword !== 'propertyNames') return undefined;
  const about = { additionalProperties: propertyNames };
  return [{ ...error, keyword: 'additionalProperties', params: about }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
