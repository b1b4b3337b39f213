import type { Document, Operation, Parameter, Schema } from '../../../sdk/generate/document.ts';

type Example = string | number | boolean | null | object;
interface Media {
  schema: Schema;
  example?: Example;
  examples?: Record<string, { value?: Example; $ref?: string }>;
}

/** Mistakes of a client, whatever the examples are about. */
export const mistakes =
  /^( |unexpected_answer|connection_failed|timed_out|route_not_found|method_not_allowed|not_acceptable|unsupported_media_type|invalid_(?!client |event_type )|idempotency_|validation_failed|token_missing|credentials_missing|scope_missing|internal_error)/;

/** Where fields depend on each other, which the examples of the document do not show. */
const bodies: Readonly<Record<string, object>> = {
  createToken: { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret' },
  createSuppression: { channel: 'email', address: 'ada@example.com', reason: 'manual' },
  createCohort: { name: 'Test', kind: 'static' },
  createContentBlock: { name: 'Text', key: 'text', kind: 'rich_text', body: { html: '<p></p>' } },
  previewContentBlock: { kind: 'rich_text', body: { html: '<p></p>' } },
  createSftpCredentials: { name: 'Files', generate_key_pair: true },
  createFileSource: {
    ...{ name: 'Files', source_kind: 'https', server_id: 'inbox', purpose: 'contacts' },
    ...{ host: 'files.example.com', bearer_token: 'b3f19c2e' },
  },
  executeOperation: { input: { unique_id: 'one' } },
};

/**
 * A program that calls every operation as its types ask for, with the examples of the document, and
 * prints the outcome of each: a status, or the code of an error.
 */
export function writeProgram(document: Document, operations: readonly Operation[]): string {
  const calls = operations.map(
    (operation) => `  ['${operation.id}', () => ${callOf(document, operation)}],`,
  );
  return [
    "import { OnwardError, Onward } from '@onward/sdk';",
    "import { operations } from '@onward/sdk/operations';",
    'const [baseUrl = "", clientId = "", clientSecret = ""] = process.argv.slice(2);',
    'const onward = new Onward({ baseUrl, clientId, clientSecret, maxRetries: 1 });',
    'const calls: [string, () => { withResponse(): Promise<{ response: Response }> }][] = [',
    ...calls,
    '];',
    'const outcomes: Record<string, string> = {};',
    'const run = async ([id, call]: (typeof calls)[number]) => {',
    '  try {',
    '    outcomes[id] = String((await call().withResponse()).response.status);',
    '  } catch (error) {',
    '    const { problems, code } = error instanceof OnwardError ? error : { problems: [], code: "" };',
    '    outcomes[id] = `${code} ${problems.map(({ detail }) => detail).join(" ")}` || String(error);',
    '  }',
    '};',
    'while (calls.length > 0) await Promise.all(calls.splice(0, 10).map(run));',
    'console.log(JSON.stringify({ outcomes, known: operations.length }));',
  ].join('\n');
}

function callOf(document: Document, operation: Operation): string {
  const { namespace, method, pathParameters, body, query } = operation;
  const args = pathParameters.map((parameter) => pathValue(parameter));
  if (body) args.push(bodyOf(document, operation));
  if (query.length > 0) args.push(queryOf(query));
  return `onward.${namespace}.${method}(${args.join(', ')})`;
}

export function pathValue({ schema, name }: Parameter): string {
  if (schema.enum) return JSON.stringify(schema.enum[0]);
  if (schema.type === 'integer') return '1';
  return JSON.stringify(name === 'operation_kind' ? 'contacts.upsert' : exampleId);
}

const exampleId = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';

function bodyOf(document: Document, operation: Operation): string {
  if (operation.flags.includes('u')) return "'unique_id\\none\\n'";
  return JSON.stringify(exampleOf(document, operation));
}

/** A body that the service accepts. */
export function exampleOf({ paths, components }: Document, { id, path, verb }: Operation): Example {
  if (bodies[id] !== undefined) return bodies[id];
  const found = paths[path]?.[verb.toLowerCase()]?.requestBody?.content ?? {};
  const [media] = Object.values(found) as Media[];
  const [first] = Object.values(media?.examples ?? {});
  const { examples } = components as { examples?: Record<string, { value?: Example }> };
  const named = first?.$ref?.split('/').at(-1) ?? '';
  const value = media?.example ?? first?.value ?? examples?.[named]?.value;
  if (value === undefined) throw new Error(`${verb} ${path} has no example of its body`);
  return value;
}

/** A page of one, sorted and filtered by the first field. */
function queryOf(query: readonly Parameter[]): string {
  const fields: Record<string, Example> = {};
  for (const { name, schema } of query) {
    if (name === 'sort') fields['sort'] = schema.items?.enum?.[0] ?? '';
    if (name === 'page[size]') fields['page'] = { size: 1 };
    if (name === 'include' && schema.items) fields['include'] = [schema.items.enum?.[0] ?? ''];
    if (name === 'meta') fields['meta'] = 'count';
    if (name === 'period') fields['period'] = 'P7D';
    const [, field] = /^filter\[(\w+)\]$/.exec(name) ?? [];
    if (field !== undefined) fields['filter'] ??= { [field]: valueOf(field, schema) };
  }
  return JSON.stringify(fields);
}

function valueOf(name: string, { type, format, enum: values }: Schema): Example {
  if (values) return values[0] ?? '';
  if (type === 'boolean') return true;
  if (type === 'integer') return 1;
  if (format === 'date-time') return '2026-01-31T09:30:00Z';
  return format === 'uuid' || name.endsWith('_id') ? exampleId : 'text';
}
