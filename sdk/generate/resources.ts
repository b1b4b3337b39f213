import type { Document, Operation, Schema } from './document.ts';
import { nameOf } from './document.ts';
import { collectOperatorSets, queryOf } from './queries.ts';
import type { OperatorSets } from './queries.ts';
import { comment, typeOf } from './schemas.ts';

/** The same for every list, and done by its iterator. */
const paging = / A page holds 25 items unless .* is refused\./;

/** Runtime facts of every operation, one line each, in groups by namespace. */
export function writeTable(operations: readonly Operation[]): string {
  const lines = [...byNamespace(operations)].map(([namespace, group]) =>
    [namespace, ...group.map(lineOf)].join('\n'),
  );
  return `export const table = \`${lines.join('\n')}\`;\n`;
}

function lineOf({ method, id, verb, path, flags }: Operation): string {
  return [method, id, verb, path, flags].filter(Boolean).join(' ');
}

function byNamespace(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.namespace) ?? [];
    groups.set(operation.namespace, [...group, operation]);
  }
  return groups;
}

/** The interface of every namespace with its methods. */
export function writeResources(operations: readonly Operation[]): string {
  const sets = collectOperatorSets();
  const groups = [...byNamespace(operations)].map(([namespace, group]) => {
    const methods = group.map((operation) => methodOf(operation, sets));
    return `${namespace}: {\n${methods.join('')}};\n`;
  });
  return [
    "import type * as S from './schemas.ts';\n",
    "import type { ApiPromise, AttributeOperator, Filter, ListPromise, Operators, PageQuery, RequestOptions, Sort, Time, UploadBody } from '../types.ts';\n\n",
    sets.write(),
    `export interface Resources {\n${groups.join('')}}\n`,
  ].join('');
}

function methodOf(operation: Operation, sets: OperatorSets): string {
  const { method, pathParameters, body, query, summary, description, scope, id } = operation;
  const args = pathParameters.map(({ name, schema }) => `${name}: ${typeOf(schema)}`);
  if (body) args.push(`body${body.isRequired ? '' : '?'}: ${bodyOf(operation)}`);
  if (query.length > 0) {
    const isRequired = query.some(({ required }) => required === true);
    args.push(`query${isRequired ? '' : '?'}: ${queryOf(operation, sets)}`);
  }
  args.push('options?: RequestOptions');
  const needs = scope === undefined ? '' : ` Scope: \`${scope}\`.`;
  const text = `${(description || summary).replace(paging, '')}${needs} (\`${id}\`)`;
  return `${comment(text)}${method}(${args.join(', ')}): ${answerOf(operation)};\n`;
}

function bodyOf({ body, flags }: Operation): string {
  if (flags.includes('u')) return 'UploadBody';
  const types = (body?.types ?? []).map(([, schema]) => typeOf(schema, 'S.'));
  return [...new Set(types)].join(' | ');
}

function answerOf({ answers, flags }: Operation): string {
  if (flags.includes('r')) return 'ApiPromise<Response>';
  const types = [...new Set(answers.map(([, schema]) => typeOf(schema, 'S.')))];
  if (types.length === 0) return 'ApiPromise<void>';
  if (flags.includes('c')) return `ListPromise<${types.join(' | ')}>`;
  return `ApiPromise<${types.join(' | ')}>`;
}

/** The events of webhooks by their types. */
export function writeEvents({ webhooks, components: { schemas } }: Document): string {
  const lines = Object.entries(webhooks).map(([type, { post }]) => {
    const reference = post.requestBody?.content?.['application/json']?.schema.$ref ?? '';
    const { data, previous }: Record<string, Schema> = schemas[nameOf(reference)]?.properties ?? {};
    const more = previous ? `; previous: ${typeOf(previous, 'S.')}` : '';
    return `${comment(post.summary)}'${type}': { data: ${typeOf(data ?? {}, 'S.')}${more} };\n`;
  });
  return `import type * as S from './schemas.ts';\n\nexport interface Events {\n${lines.join('')}}\n`;
}

/** One line about each operation, for the help of the command line. */
export function writeSummaries(operations: readonly Operation[]): string {
  const lines = operations.map(({ id, summary }) => `${id}: ${JSON.stringify(summary)},\n`);
  return `export const summaries: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`;
}
