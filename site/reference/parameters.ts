import { isJson } from '../../src/meta/openapi/components.ts';
import type { Json } from '../../src/meta/openapi/components.ts';
import { meaningOf, resolve, typeOf } from './fields.ts';
import { code, details, table } from './text.ts';

/** Tables of the parameters of an operation, its filters in a table of their own. */
export function parameterTables(document: Json, parameters: readonly Json[]): string[] {
  const isFilter = ({ name }: Json) => String(name).startsWith('filter[');
  const rows = parameters.filter((one) => !isFilter(one)).map((one) => rowOf(document, one));
  const filters = parameters.filter(isFilter);
  return [
    ...(rows.length > 0 ? [`### Parameters\n\n${table(['Parameter', 'Meaning'], rows)}`] : []),
    ...(filters.length > 0 ? [filterTable(document, filters)] : []),
  ];
}

const places: Readonly<Record<string, string>> = { header: 'header, ', path: 'in the path, ' };

function rowOf(document: Json, parameter: Json): string[] {
  const schema = resolve(document, parameter['schema']);
  const { in: place, name, required, description } = parameter;
  const mark = required === true ? ', <strong>required</strong>' : '';
  const where = places[String(place)] ?? '';
  return [
    `${code(String(name))} <span class="type">${where}${typeOf(document, schema)}${mark}</span>`,
    meaningOf(document, { ...schema, ...(description !== undefined && { description }) }),
  ];
}

/** A row for each field, with the operators that it takes. */
function filterTable(document: Json, filters: readonly Json[]): string {
  const fields = new Map<string, { operators: string[]; schema: Json }>();
  for (const { name, schema } of filters) {
    const [, field = '', operator] = /^filter\[(.+?)\](?:\[(\w+)\])?$/.exec(String(name)) ?? [];
    const known = fields.get(field) ?? { operators: [], schema: isJson(schema) ? schema : {} };
    fields.set(field, known);
    if (operator !== undefined) known.operators.push(operator);
  }
  const rows = [...fields].map(([field, { operators, schema }]) => [
    `${code(field)} <span class="type">${typeOf(document, schema)}</span>`,
    [
      operators.length > 0 ? operators.map(code).join(', ') : 'equal only',
      meaningOf(document, { ...schema, description: undefined }),
    ]
      .filter((part) => part !== '')
      .join('. '),
  ]);
  const text = [
    `Write ${code('filter[field]=value')} or ${code('filter[field][operator]=value')}. [Operators and their meaning](/api-conventions#lists)`,
    table(['Field', 'Operators'], rows),
  ].join('\n\n');
  return details(`Filters: ${String(fields.size)} fields`, text);
}
