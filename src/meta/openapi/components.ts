import { isDeepStrictEqual } from 'node:util';
import { errorCatalog } from '../../platform/http/error-catalog.ts';
import { exampleValue } from '../../platform/events/example.ts';

export type Json = Record<string, unknown>;

/** Named parts of the document, collected while its operations are built. */
export interface Components {
  schemas: Json;
  examples: Json;
}

export const schemaReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Puts a schema among the components, its titled parts as well, and returns the reference to it. */
export function nameSchema({ schemas }: Components, schema: object, name: string): Json {
  const plain = hoist(schema, schemas);
  if (isJson(plain) && '$ref' in plain) return plain;
  addSchema(schemas, name, plain);
  return schemaReference(name);
}

/** A schema whose titled parts are references. */
export const hoistTitled = ({ schemas }: Components, schema: object) => hoist(schema, schemas);

/** A media type with its named schema, and with an example of a whole value. */
export function mediaOf(
  components: Components,
  schema: object,
  name: string,
  purpose: 'request' | 'answer',
  example?: Readonly<Record<string, unknown>>,
): Json {
  const reference = nameSchema(components, schema, name);
  const key = String(reference['$ref']).replace(/^.*\//, '');
  components.examples[key] ??= { value: example ?? exampleValue(schema, '', purpose) };
  return {
    schema: reference,
    examples: { example: { $ref: `#/components/examples/${key}` } },
  };
}

/** Replaces every titled object schema by a reference, so that generated clients get named types. */
function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => hoist(item, schemas));
  if (!isJson(value)) return value;
  const plain = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('~'))
      .map(([key, item]: [string, unknown]) => [key, hoist(item, schemas)]),
  );
  if (isWords(plain['enum']) && !('type' in plain)) return { type: 'string', ...plain };
  if (value['type'] !== 'object' || typeof value['title'] !== 'string') return plain;
  addSchema(schemas, value['title'], plain);
  return schemaReference(value['title']);
}

/** Without `type`, generators of clients take an enum for a value of any kind. */
const isWords = (values: unknown) =>
  Array.isArray(values) && values.every((value) => typeof value === 'string');

function addSchema(schemas: Json, name: string, schema: unknown): void {
  const known = schemas[name];
  if (known !== undefined && !isDeepStrictEqual(known, schema)) {
    throw new Error(`two schemas have the name ${name}`);
  }
  schemas[name] = schema;
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** CreateContact is ContactCreate, UpdateContact is ContactPatch, anything else …Request. */
export function bodyName(operationId: string): string {
  const [, verb, noun] = /^(create|update)([A-Z]\w*)$/.exec(operationId) ?? [];
  if (noun === undefined) return `${pascal(operationId)}Request`;
  return `${noun}${verb === 'create' ? 'Create' : 'Patch'}`;
}

export const answerName = (operationId: string) => `${pascal(operationId)}Response`;

const pascal = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The body of every refusal. */
export function errorSchema(): Json {
  return {
    type: 'object',
    title: 'error',
    required: ['errors'],
    properties: { errors: { type: 'array', minItems: 1, items: schemaReference('error_item') } },
  };
}

/** Refusals of the token endpoints also have the members of RFC 6749 §5.2. */
export function oauthErrorSchema(): Json {
  return {
    type: 'object',
    title: 'oauth_error',
    required: ['error', 'error_description', 'errors'],
    properties: {
      error: { type: 'string', description: 'Error code of RFC 6749 §5.2' },
      error_description: { type: 'string' },
      errors: { type: 'array', minItems: 1, items: schemaReference('error_item') },
    },
  };
}

export function errorItemSchema(): Json {
  return {
    type: 'object',
    title: 'error_item',
    required: ['code', 'title', 'detail', 'meta'],
    properties: {
      code: schemaReference('error_code_name'),
      title: { type: 'string', description: 'Constant text of the code' },
      detail: { type: 'string', description: 'Names the part at fault, the rule and the fix' },
      meta: {
        type: 'object',
        required: ['request_id', 'docs_url'],
        properties: {
          request_id: { type: 'string', description: 'X-Request-Id of the request' },
          docs_url: { type: 'string', description: 'Page that says what to do about the code' },
          pointer: { type: 'string', description: 'JSON Pointer into the body' },
          parameter: { type: 'string', description: 'Query, path or header parameter' },
        },
        additionalProperties: true,
      },
    },
  };
}

export const errorCodeSchema = (): Json => ({
  type: 'string',
  title: 'error_code_name',
  description: 'Every code, with its meaning and remedy, is listed at GET /v2/meta/error-codes.',
  enum: Object.keys(errorCatalog),
});
