import { readFileSync } from 'node:fs';
import { nameOperation } from '../naming.ts';

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  title?: string;
  format?: string;
  enum?: readonly string[];
  const?: string | number;
  description?: string;
  readOnly?: boolean;
  default?: string | number | boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  required?: readonly string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  description?: string;
  example?: string | number;
  schema: Schema;
}

/** An example, or the one of the components that it names. */
interface Example {
  $ref?: string;
  value?: unknown;
}

interface Content {
  content?: Record<string, { schema: Schema; examples?: Record<string, Example> }>;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

export interface Document {
  tags: readonly { name: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Content>;
    examples: Record<string, Example>;
  };
}

const documentFile = 'test/contract/openapi.json';

export function readDocument(): Document {
  const document: unknown = JSON.parse(readFileSync(documentFile, 'utf8'));
  trust(document);
  return document;
}

/** The tests of the contract check it. */
function trust(_document: unknown): asserts _document is Document {}

/** An operation with what the SDK and the command line need of it. */
export interface Operation {
  id: string;
  namespace: string;
  method: string;
  verb: string;
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** The scope that it needs, none for what needs no token of a client. */
  scope: string | undefined;
  pathParameters: readonly Parameter[];
  query: readonly Parameter[];
  headers: readonly Parameter[];
  /** Schemas of the body by content type, the usual one first. */
  body: { isRequired: boolean; types: readonly (readonly [string, Schema])[] } | undefined;
  /** An example of the body in its usual content type. */
  example: unknown;
  /** Content types and schemas of the successful responses. */
  answers: readonly (readonly [string, Schema])[];
  /** Letters for what distinguishes the operation: see `flagsOf`. */
  flags: string;
}

export function readOperations(document: Document): Operation[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, found]) => operationOf(document, verb, path, found)),
  );
  const names = all.map(({ namespace, method }) => `${namespace}.${method}`);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`Two operations are named ${twice.join(', ')}`);
  return all;
}

function operationOf(
  document: Document,
  verb: string,
  path: string,
  found: DocumentedOperation,
): Operation {
  const { operationId: id, summary, description = '', requestBody, security = [] } = found;
  const parameters = found.parameters ?? [];
  const inside = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const types = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => [type, schema] as const,
  );
  const operation = {
    id,
    ...nameOperation(id, path),
    verb: verb.toUpperCase(),
    path,
    summary,
    description,
    tag: found.tags[0] ?? '',
    scope: security.flatMap((way) => way['oauth2'] ?? [])[0],
    pathParameters: inside('path'),
    query: inside('query'),
    headers: inside('header'),
    body: requestBody && { isRequired: requestBody.required === true, types },
    example: exampleOf(document, requestBody),
    answers: answersOf(document, found),
  };
  return { ...operation, flags: flagsOf(operation, security) };
}

function exampleOf({ components }: Document, body: Content | undefined): unknown {
  const [content] = Object.values(body?.content ?? {});
  const [example] = Object.values(content?.examples ?? {});
  const named = example?.$ref === undefined ? example : components.examples[nameOf(example.$ref)];
  return named?.value;
}

function answersOf(document: Document, { responses }: DocumentedOperation) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => {
      const named = response.$ref === undefined ? undefined : nameOf(response.$ref);
      const { content = {} } =
        named === undefined ? response : (document.components.responses[named] ?? {});
      return Object.entries(content).map(([type, { schema }]) => [type, schema] as const);
    });
}

/**
 * One letter for each: k accepts an Idempotency-Key, c pages by cursor, j has a JSON body, f a form,
 * u a file, q a query, r answers with a file, t needs a token, o uses one if there is one.
 */
function flagsOf(
  operation: Omit<Operation, 'flags'>,
  security: readonly Record<string, readonly string[]>[],
): string {
  const { headers, query, body, answers } = operation;
  const bodyType = body?.types[0]?.[0] ?? '';
  const isPublic = security.length === 0;
  const isOptional = security.some((way) => Object.keys(way).length === 0);
  const flags: [string, boolean][] = [
    ['k', headers.some(({ name }) => name === 'Idempotency-Key')],
    ['c', query.some(({ name }) => name === 'page[after]')],
    ['j', bodyType === 'application/json'],
    ['f', bodyType === 'application/x-www-form-urlencoded'],
    ['u', bodyType === 'text/csv'],
    ['q', query.length > 0],
    ['r', answers.some(([type]) => type !== 'application/json')],
    ['t', !isPublic && !isOptional],
    ['o', isOptional],
  ];
  return flags.flatMap(([letter, isSet]) => (isSet ? [letter] : [])).join('');
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
