import { snakeCase } from '../../naming.ts';
import type { Operation } from '../document.ts';
import { inModels, queryArguments } from './queries.ts';
import type { QueryArgument } from './queries.ts';
import { className, keywords } from './types.ts';
import type { PythonTypes } from './types.ts';

/** The same for every list, and done by its cursor. */
const paging = / A page holds 25 items unless .* is refused\./;

interface Method {
  name: string;
  operation: Operation;
  args: readonly string[];
  keywordArgs: readonly QueryArgument[];
  answer: string;
  isList: boolean;
}

/** The namespaces with their methods, for a client that blocks and for one that is awaited. */
export function writeResources(operations: readonly Operation[], types: PythonTypes): string {
  const groups = new Map<string, Method[]>();
  for (const operation of operations) {
    const group = groups.get(operation.namespace) ?? [];
    groups.set(operation.namespace, [...group, methodOf(operation, types)]);
  }
  const head = [
    'from __future__ import annotations\n',
    'from collections.abc import Mapping, Sequence',
    'from typing import TYPE_CHECKING, Any, Literal, TypedDict\n',
    'from .._core import Options, UploadBody',
    'from .._cursor import AsyncCursor, Cursor',
    'from .._resource import AsyncCaller, AsyncResource, Caller, Resource\n',
    'if TYPE_CHECKING:',
    '    from datetime import date, datetime\n',
    '    from typing_extensions import Unpack\n',
    '    from . import models as m\n\n',
    'class PageQuery(TypedDict, total=False):',
    '    """Which page of a list."""\n',
    '    size: int',
    '    """Items in a page, from 1 to 100."""',
    '    after: str',
    '    """`next_cursor` of a page."""',
    '    before: str',
    '    """`prev_cursor` of a page."""\n',
  ].join('\n');
  const kinds = ['', 'Async'].map((prefix) => {
    const classes = [...groups].map(([namespace, methods]) =>
      classOf(prefix + className(namespace), methods, prefix),
    );
    return [...classes, namespacesOf([...groups.keys()], prefix)].join('\n\n');
  });
  return [head, ...kinds].join('\n\n');
}

/** Facts of every operation at run time. */
export function writeOperations(operations: readonly Operation[]): string {
  const lines = operations.map(
    ({ id, verb, path, flags }) =>
      `        Operation(${[id, verb, path, flags].map((text) => JSON.stringify(text)).join(', ')}),\n`,
  );
  return [
    'from __future__ import annotations\n\nfrom .._core import Operation\n\n',
    'operations = {\n    one.id: one\n    for one in (\n',
    ...lines,
    '    )\n}\n',
  ].join('');
}

function methodOf(operation: Operation, types: PythonTypes): Method {
  const { method, pathParameters, body, flags } = operation;
  const name = snakeCase(method);
  const args = pathParameters.map(({ name: parameter, schema }) => {
    const type = types.typeOf(schema, 'body', className(operation.id) + className(parameter));
    return `${parameter}: ${type}`;
  });
  if (body) {
    const type = bodyOf(operation, types);
    args.push(body.isRequired ? `body: ${type}` : `body: ${type} | None = None`);
  }
  return {
    name: keywords.has(name) ? `${name}_` : name,
    operation,
    args,
    keywordArgs: queryArguments(operation, types),
    answer: answerOf(operation, types),
    isList: flags.includes('c'),
  };
}

function bodyOf({ id, body, flags }: Operation, types: PythonTypes): string {
  if (flags.includes('u')) return 'UploadBody';
  const all = (body?.types ?? []).map(([type, schema]) =>
    type.startsWith('text/') ? 'str | bytes' : types.typeOf(schema, 'body', `${className(id)}Body`),
  );
  // A receiver takes the bytes that a provider signed.
  const raw = id.startsWith('receive') ? ['bytes'] : [];
  return inModels(
    [...new Set([...all.flatMap((type) => type.split(' | ')), ...raw])].join(' | '),
    types,
  );
}

function answerOf({ id, answers, flags }: Operation, types: PythonTypes): string {
  if (flags.includes('r')) return 'bytes';
  const all = new Set(
    answers.map(([, schema]) => {
      if (!flags.includes('c')) return types.typeOf(schema, 'answer', className(id));
      const item = types.itemOf(schema);
      const type = item.properties?.['type']?.const;
      const hint = typeof type === 'string' ? type : `${id.replace(/^list/, '')}Item`;
      return types.typeOf(item, 'answer', className(hint));
    }),
  );
  return all.size === 0 ? 'None' : inModels([...all].join(' | '), types);
}

function classOf(name: string, methods: readonly Method[], prefix: string): string {
  const texts = methods.map((method) => textOf(method, prefix));
  return `class ${name}(${prefix}Resource):\n${texts.join('\n')}`;
}

function textOf(method: Method, prefix: string): string {
  const { name, operation, args, keywordArgs, answer, isList } = method;
  const isAsync = prefix !== '' && !isList;
  const given = keywordArgs.map(({ name: arg, type, isRequired }) =>
    isRequired ? `${arg}: ${type}` : `${arg}: ${type} | None = None`,
  );
  const separator = given.length > 0 ? ['*'] : [];
  const all = ['self', ...args, ...separator, ...given, '**options: Unpack[Options]'];
  const result = isList ? `${prefix}Cursor[${answer}]` : answer;
  const path = operation.pathParameters.map(({ name: parameter }) => `${parameter},`).join(' ');
  const query = keywordArgs.map(({ name: arg }) => `"${arg}": ${arg}`).join(', ');
  const values = [`"${operation.id}"`, `(${path.replace(/^(\w+),$/, '$1,')})`, 'options'];
  if (operation.body) values.push('body=body');
  if (keywordArgs.length > 0) values.push(`query={${query}}`);
  const way = isList ? '_list' : answer === 'None' ? '_run' : '_call';
  const call = `${isAsync ? 'await ' : ''}self.${way}(${values.join(', ')})`;
  const head = `    ${isAsync ? 'async ' : ''}def ${name}(`;
  const oneLine = `${head}${all.join(', ')}) -> ${result}:\n`;
  return [
    oneLine.length > 100
      ? `${head}\n${all.map((arg) => `        ${arg},\n`).join('')}    ) -> ${result}:\n`
      : oneLine,
    docOf(operation),
    `        ${way === '_run' ? '' : 'return '}${call}\n`,
  ].join('');
}

function docOf({ summary, description, scope, id }: Operation): string {
  const text = (description || summary).replace(paging, '').replaceAll('\\', '\\\\');
  const needs = scope === undefined ? '' : ` Scope: \`${scope}\`.`;
  return `        """${text}${needs} (\`${id}\`)"""\n`;
}

function namespacesOf(namespaces: readonly string[], prefix: string): string {
  const lines = namespaces.map(
    (namespace) =>
      `        self.${snakeCase(namespace)} = ${prefix}${className(namespace)}(caller)\n`,
  );
  return [
    `class ${prefix}Namespaces:\n`,
    '    """A namespace for each resource, with a method for each operation."""\n\n',
    `    def __init__(self, caller: ${prefix}Caller) -> None:\n`,
    ...lines,
  ].join('');
}
