import { nameOperation, snakeCase } from '../sdk/naming.ts';
import { javaScriptOf, pythonOf } from './literals.ts';

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** One operation of the OpenAPI document, with its references resolved. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  security: readonly Readonly<Record<string, unknown>>[];
  needsKey: boolean;
  /** Its answer has pages. */
  isList: boolean;
  /** The first media type of the body, with its example. */
  body?: { mediaType: string; example: unknown };
}

const sampleId = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';
/** Values of path parameters that are no ids. */
const pathValues: Readonly<Record<string, string>> = {
  channel: 'email',
  operation_kind: 'contacts.upsert',
  version: '1',
};

/** The request of an operation with curl, with both SDKs and on the command line. */
export function codeSamplesOf(operation: Operation): CodeSample[] {
  return [
    { lang: 'shell', label: 'curl', source: curlOf(operation) },
    { lang: 'typescript', label: 'TypeScript', source: typeScriptOf(operation) },
    { lang: 'python', label: 'Python', source: pythonCallOf(operation) },
    { lang: 'shell', label: 'Command line', source: commandOf(operation) },
  ];
}

const valueOf = (parameter: string) => pathValues[parameter] ?? sampleId;
const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function curlOf({ method, path, security, needsKey, body }: Operation): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
  const isDefault = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl${isDefault ? '' : ` -X ${method}`} "$ONWARD_BASE_URL${address}"`,
    ...(path.startsWith('/oauth2/') ? ['-u "$ONWARD_CLIENT_ID:$ONWARD_CLIENT_SECRET"'] : []),
    ...authorizationOf(security),
    ...(needsKey ? [`-H "Idempotency-Key: sample-$(date +%s)"`] : []),
    ...(body ? bodyOf(body) : []),
  ].join(' \\\n  ');
}

function authorizationOf(security: Operation['security']): string[] {
  const names = namesOf(security);
  if (names.has('oauth2')) return ['-H "Authorization: Bearer $TOKEN"'];
  return names.has('widget_token') ? ['-H "Authorization: Bearer $WIDGET_TOKEN"'] : [];
}

const namesOf = (security: Operation['security']) =>
  new Set(security.flatMap((one) => Object.keys(one)));

/** Whether a recipient calls it, with the token of a widget. */
function isForRecipients({ security }: Operation): boolean {
  const names = namesOf(security);
  return names.has('widget_token') && !names.has('oauth2');
}

function bodyOf({ mediaType, example }: NonNullable<Operation['body']>): string[] {
  if (mediaType === 'application/x-www-form-urlencoded' && isRecord(example)) {
    return Object.entries(example).map(
      ([name, value]) => `-d ${quote(`${name}=${String(value)}`)}`,
    );
  }
  const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
  return [`-H 'Content-Type: ${mediaType}'`, `--data-binary ${quote(text)}`];
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const client = `clientId: process.env.ONWARD_CLIENT_ID,
  clientSecret: process.env.ONWARD_CLIENT_SECRET`;
const visitor = 'accessToken: process.env.WIDGET_TOKEN';

function typeScriptOf(operation: Operation): string {
  const { id, path, body, isList } = operation;
  const { namespace, method } = nameOperation(id, path);
  const values = parametersOf(path).map((name) => javaScriptOf(valueOf(name)));
  const given = [...values, ...(body ? [javaScriptOf(body.example)] : [])];
  const call = `onward.${namespace}.${method}(${given.join(', ')})`;
  return `import { Onward } from '@onward/sdk';

const onward = new Onward({
  baseUrl: process.env.ONWARD_BASE_URL,
  ${isForRecipients(operation) ? visitor : client},
});
${isList ? `for await (const item of ${call}) console.log(item);` : `console.log(await ${call});`}`;
}

function pythonCallOf(operation: Operation): string {
  const { id, path, body, isList } = operation;
  const { namespace, method } = nameOperation(id, path);
  const values = parametersOf(path).map((name) => pythonOf(valueOf(name)));
  const given = [...values, ...(body ? [pythonOf(body.example)] : [])];
  const call = `onward.${snakeCase(namespace)}.${snakeCase(method)}(${given.join(', ')})`;
  const [imports, token] = isForRecipients(operation)
    ? ['import os\n\n', 'access_token=os.environ["WIDGET_TOKEN"]']
    : ['', ''];
  return `${imports}from onward import Onward

onward = Onward(${token})
${isList ? `for item in ${call}:\n    print(item)` : `print(${call})`}`;
}

function commandOf(operation: Operation): string {
  const { id, path, body } = operation;
  const { namespace, method } = nameOperation(id, path);
  const words = [namespace, method].map(kebabCase).join(' ');
  return [
    ['onward', words, ...parametersOf(path).map(valueOf)].join(' '),
    ...(isForRecipients(operation) ? ['--access-token "$WIDGET_TOKEN"'] : []),
    ...(body ? [fieldsOf(body)] : []),
  ].join(' \\\n  ');
}

const kebabCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A body of a few texts as fields, another one as JSON, a file by its name. */
function fieldsOf({ example }: NonNullable<Operation['body']>): string {
  if (!isRecord(example)) return 'records.csv';
  const fields = Object.entries(example);
  const isPlain = fields.every(([, value]) => typeof value === 'string' && !value.includes('\n'));
  if (!isPlain || fields.length === 0 || fields.length > 4) {
    return `--data ${quote(JSON.stringify(example, undefined, 2))}`;
  }
  return fields.map(([name, value]) => word(`${name}=${String(value)}`)).join(' ');
}

const word = (text: string) => (/^[\w@:./=+-]+$/.test(text) ? text : quote(text));

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
