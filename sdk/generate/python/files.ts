import { errorCatalog } from '../../../src/platform/http/error-catalog.ts';
import { readDocument, readOperations, nameOf } from '../document.ts';
import type { Document, Schema } from '../document.ts';
import { writeOperations, writeResources } from './resources.ts';
import { PythonTypes, className, literal } from './types.ts';

const generatedFolder = 'sdk/python/src/onward/_generated';

/** Text of each generated file of the Python SDK by its path. */
export function generatePythonFiles(): Map<string, string> {
  const document = readDocument();
  const operations = readOperations(document);
  const types = new PythonTypes(document.components.schemas);
  // Schemas that are answers have their names before others get theirs.
  for (const { answers, flags } of operations) {
    for (const [, schema] of flags.includes('c') ? [] : answers) types.typeOf(schema, 'answer', '');
  }
  const resources = writeResources(operations, types);
  types.typeOf({ $ref: '#/components/schemas/error_item' }, 'answer', 'ErrorItem');
  addEvents(document, types);
  const texts = {
    '__init__.py': '',
    'resources.py': resources,
    'models.py': writeModels(types),
    'operations.py': writeOperations(operations),
    'errors.py': writeErrors(),
  };
  return new Map(
    Object.entries(texts).map(([name, text]) => [
      `${generatedFolder}/${name}`,
      `"""Written by \`npm run generate -- sdk\` from the OpenAPI document."""\n${text === '' ? '' : `\n${text}`}`,
    ]),
  );
}

const envelope = ['id', 'timestamp', 'team_id', 'api_version', 'sequence'];

function addEvents({ webhooks, components: { schemas } }: Document, types: PythonTypes): void {
  const bodies = Object.entries(webhooks).map(([type, { post }]) => {
    const reference = post.requestBody?.content?.['application/json']?.schema.$ref ?? '';
    return [type, schemas[nameOf(reference)] ?? {}] as const;
  });
  const isShared = ([name]: [string, Schema]) => envelope.includes(name);
  const shared = Object.entries(bodies[0]?.[1].properties ?? {}).filter(isShared);
  const base = types.typeOf(
    { type: 'object', required: envelope, properties: Object.fromEntries(shared) },
    ...(['answer', 'EventEnvelope'] as const),
  );
  const names = bodies.map(([type, { properties = {} }]) => {
    // The type of a custom event is one that the team has defined.
    const isCustom = type.endsWith('*');
    const name = `${className(isCustom ? 'custom' : type)}Event`;
    const { data = {}, previous } = properties;
    const fields = [
      `type: ${isCustom ? 'str' : literal([type])}`,
      `data: ${types.typeOf(data, 'answer', `${name}Data`)}`,
    ];
    if (previous) fields.push(`previous: ${types.typeOf(previous, 'answer', `${name}Previous`)}`);
    return types.addClass(name, fields, base);
  });
  types.addAlias('Event', names.filter((name) => name !== 'CustomEvent').join(' | '));
}

function writeModels(types: PythonTypes): string {
  const exported = types.names().map((name) => `    "${name}",\n`);
  return [
    'from __future__ import annotations\n\n',
    'from collections.abc import Mapping, Sequence\n',
    'from datetime import date, datetime\n',
    'from typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n',
    'if TYPE_CHECKING:\n    from typing_extensions import NotRequired, TypeAlias\n\n\n',
    types.write(),
    `\n\n__all__ = [\n${exported.join('')}]\n`,
  ].join('');
}

function writeErrors(): string {
  const codes = Object.entries(errorCatalog);
  const classes = codes.map(([code, [, title, remedy]]) => {
    const text = `${title}. ${remedy}`.replaceAll('"', "'");
    return `class ${className(code)}(OnwardError):\n    """${text}"""\n`;
  });
  const names = codes.map(([code]) => className(code)).sort();
  return [
    'from __future__ import annotations\n\nfrom .._errors import OnwardError\n\n\n',
    classes.join('\n\n'),
    '\n\nclasses: dict[str, type[OnwardError]] = {\n',
    ...codes.map(([code]) => `    "${code}": ${className(code)},\n`),
    '}\n\n__all__ = [\n',
    ...names.map((name) => `    "${name}",\n`),
    ']\n',
  ].join('');
}
