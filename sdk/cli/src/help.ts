import type { Operation } from '../../typescript/src/operations.ts';
import { factsOf } from './facts.ts';
import type { Facts, Field } from './facts.ts';
import { pad, widthOf, wrap } from './width.ts';

const maxFields = 60;
const widestName = 30;
const longestDescription = 160;

/** The part of the help that names fields, filters, an example and the page of the reference. */
export function describeOperation(
  { id, pathParameters, body, isList }: Operation,
  command: string,
  { docsUrl, columns }: { docsUrl: string; columns: number },
): string {
  const facts = factsOf(id);
  const { example } = facts;
  const path = pathParameters.map((name) => ` <${name}>`).join('');
  return [
    '',
    ...(body === 'file' ? [] : fieldLines(facts.fields, columns)),
    ...(isList ? listLines(facts, columns) : nameLines('Query:', facts.queries, columns)),
    ...(example === '' ? [] : ['Example:', `  ${command}${path} ${example}`, '']),
    `Reference: ${docsUrl}/reference#${id}`,
  ].join('\n');
}

function fieldLines(fields: readonly Field[], columns: number): string[] {
  if (fields.length === 0) return [];
  const shown = fields.slice(0, maxFields);
  const nested = fields.some(({ typed, isRequired }) => isRequired && typed.includes('.'));
  const stars = fields.some(({ isRequired }) => isRequired)
    ? [`* is required${nested ? '; in an object, where the object is given' : ''}`]
    : [];
  const legend = ['name=text, name:=json', ...stars].join(', ');
  const width = Math.min(widestName, Math.max(...shown.map(({ typed }) => typed.length)));
  return [
    ...wrap(`Fields (${legend}):`, columns, 0),
    ...shown.flatMap((field) => linesOf(field, width, columns)),
    ...(fields.length > maxFields
      ? [`  and ${String(fields.length - maxFields)} more, which the reference has`]
      : []),
    '',
  ];
}

/** The name, then the type and the description next to it. */
function linesOf(field: Field, width: number, columns: number): string[] {
  const { typed, isRequired, type, description } = field;
  const about = description.length > longestDescription ? '' : description;
  const indent = width + 6;
  const text = wrap(about === '' ? type : `${type}. ${about}.`, columns, indent);
  const head = `  ${isRequired ? '*' : ' '} ${pad(typed, width)}`;
  const [first = '', ...rest] = text;
  return widthOf(typed) > width
    ? [head, ...text]
    : [`${head}  ${first.trimStart()}`.trimEnd(), ...rest];
}

function listLines({ filters, sorts, includes, queries }: Facts, columns: number): string[] {
  return [
    ...nameLines('Filter (field=value, field[gte]=value):', filters, columns),
    ...nameLines('Sort:', sorts, columns),
    ...nameLines('Include:', includes, columns),
    ...nameLines('Query:', queries, columns),
  ];
}

function nameLines(title: string, names: readonly string[], columns: number): string[] {
  return names.length === 0 ? [] : [title, ...wrap(names.join(', '), columns, 2), ''];
}
