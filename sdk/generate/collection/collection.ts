import type { Document, Operation, Parameter } from '../document.ts';
import { readOperations } from '../document.ts';
import { pathOf, placeholders, startValue } from './paths.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const description =
  'Set client_id and client_secret in the variables, then send "Get an access token" of the folder ' +
  'Access: it stores the token, and every other request sends it. A request that creates something ' +
  'stores its id in a variable such as contact_id, which the requests after it use.';

/** Stores the token of an answer in the variable. */
const storeToken = (variable: string) => [
  'if (pm.response.code < 300) {',
  `  pm.collectionVariables.set('${variable}', pm.response.json().access_token);`,
  '}',
];

const tokens: Readonly<Record<string, string>> = {
  createToken: 'token',
  createWidgetToken: 'widget_token',
};

const storeId = [
  "if (pm.request.method === 'POST' && pm.response.code < 300) {",
  "  const isJson = (pm.response.headers.get('Content-Type') || '').startsWith('application/json');",
  '  const { id, type } = isJson ? pm.response.json() : {};',
  '  if (id && type) pm.collectionVariables.set(`${type}_id`, id);',
  '}',
];

/** A collection of every operation in the form of Postman 2.1, which Bruno and others import too. */
export function writeCollection(document: Document): string {
  const operations = readOperations(document);
  const folders = new Map<string, object[]>(document.tags.map(({ name }) => [name, []]));
  // Deletions last, so that a folder can be sent from top to bottom.
  const ends = ({ verb }: Operation) => (verb === 'DELETE' ? 1 : 0);
  for (const operation of operations.toSorted((one, other) => ends(one) - ends(other))) {
    folders.set(operation.tag, [...(folders.get(operation.tag) ?? []), requestOf(operation)]);
  }
  const variables = [
    { key: 'base_url', value: 'http://127.0.0.1:3000' },
    ...['client_id', 'client_secret', 'token', 'widget_token'].map((key) => ({ key, value: '' })),
    ...placeholders(operations).map((key) => ({ key, value: startValue })),
  ];
  const collection = {
    info: { name: 'Onward', description, schema },
    auth: bearer('token'),
    event: [script(storeId)],
    variable: variables.map((variable) => ({ ...variable, type: 'string' })),
    item: [...folders].flatMap(([name, item]) => (item.length > 0 ? [{ name, item }] : [])),
  };
  return `${JSON.stringify(collection, undefined, 1)}\n`;
}

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
});

const basic = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{client_id}}', type: 'string' },
    { key: 'password', value: '{{client_secret}}', type: 'string' },
  ],
};

const script = (exec: readonly string[]) => ({
  listen: 'test',
  script: { type: 'text/javascript', exec },
});

function requestOf(operation: Operation): object {
  const { id, summary, verb, description: text, scope } = operation;
  const auth = authOf(operation);
  const body = bodyOf(operation);
  const stored = tokens[id];
  return {
    name: summary,
    ...(stored !== undefined && { event: [script(storeToken(stored))] }),
    request: {
      method: verb,
      description: scope === undefined ? text : `${text} Scope: ${scope}.`,
      ...(auth !== undefined && { auth }),
      header: headersOf(operation),
      url: urlOf(operation),
      ...(body !== undefined && { body }),
    },
    response: [],
  };
}

/** Undefined for the token of the collection. */
function authOf({ id, tag, scope, flags }: Operation): object | undefined {
  if (id === 'revokeAccessToken') return basic;
  if (tag === 'Recipients') return bearer('widget_token');
  return scope === undefined || flags.includes('o') ? { type: 'noauth' } : undefined;
}

function headersOf({ id, headers, body, verb }: Operation): object[] {
  const [type] = body?.types[0] ?? [];
  const key = headers.find(({ name }) => name === 'Idempotency-Key');
  // Some of the operations that it executes need a key.
  const needsKey = key?.required === true || id === 'executeOperation';
  return [
    ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
    ...(needsKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
    ...headers
      .filter(({ name }) => name !== 'Idempotency-Key' && verb !== 'GET')
      .map(({ name, example }) => ({ key: name, value: String(example ?? ''), disabled: true })),
  ];
}

function urlOf(operation: Operation): object {
  const { path, variables } = pathOf(operation);
  const query = operation.query.filter(({ name }) => !/\]\[\w+\]$/.test(name) && name !== 'filter');
  return {
    raw: `{{base_url}}${path}`,
    host: ['{{base_url}}'],
    path: path.slice(1).split('/'),
    ...(variables.length > 0 && { variable: variables }),
    ...(query.length > 0 && { query: query.map(queryOf) }),
  };
}

/** An optional one is there to be switched on. */
function queryOf({
  name,
  required,
  schema: { items, default: usual, ...type },
}: Parameter): object {
  const value = usual ?? type.enum?.[0] ?? items?.enum?.[0] ?? examples[name] ?? '';
  return { key: name, value: String(value), ...(required !== true && { disabled: true }) };
}

const examples: Readonly<Record<string, string>> = { period: 'last_30_days', timezone: 'UTC' };

function bodyOf({ body, example, flags }: Operation): object | undefined {
  if (!body || example === undefined) return undefined;
  if (flags.includes('f')) return { mode: 'urlencoded', urlencoded: formOf(example) };
  const raw = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
  const language = typeof example === 'string' ? 'text' : 'json';
  return { mode: 'raw', raw: withVariables(raw), options: { raw: { language } } };
}

function formOf(example: unknown): object[] {
  const fields = Object.entries(typeof example === 'object' && example ? example : {});
  const credentials = [
    { key: 'client_id', value: '{{client_id}}' },
    { key: 'client_secret', value: '{{client_secret}}' },
  ];
  const isGrant = fields.some(([key]) => key === 'grant_type');
  return [
    ...fields.map(([key, value]) => ({ key, value: String(value) })),
    ...(isGrant ? credentials : []),
  ];
}

/** Ids of the examples are those of what earlier requests created. */
function withVariables(body: string): string {
  return body.replaceAll(/"(\w+_id)": "[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"$1": "{{$1}}"');
}
