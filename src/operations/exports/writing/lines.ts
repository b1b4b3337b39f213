import type { TObject } from 'typebox';

/** Format of a row of a page: the expression of its line, from the relation `page`. */
export interface Line {
  expression: string;
  /** A join that the expression needs in addition to `page`. */
  join: string;
}

type Schema = { readonly [Key in 'type' | 'format']?: unknown } & object;

/** The rows as they are read again by an import: RFC 4180, with the fields of the resource. */
export function csvLine(item: TObject): Line {
  const cells = Object.entries(item.properties).map(([name, schema]) => cellOf(name, schema));
  return { expression: cells.join(` || ',' || `), join: '' };
}

/** The header of such rows. */
export function csvHeader(item: TObject): string {
  return Object.keys(item.properties).join(',');
}

/** The resource as responses show it, without null fields. */
export function jsonLine(item: TObject): Line {
  const fields = Object.entries(item.properties).map(
    ([name, schema]) => `${valueOf(name, schema)} as "${name}"`,
  );
  return {
    expression: 'json_strip_nulls(row_to_json(line))::text',
    join: `cross join lateral (select ${fields.join(', ')}) as line`,
  };
}

function valueOf(name: string, schema: Schema): string {
  const column = `page."${name}"`;
  return schema.format === 'date-time' ? `rfc3339(${column})` : column;
}

function cellOf(name: string, schema: Schema): string {
  const { type, format } = schema;
  const value = valueOf(name, schema);
  if (type === 'array') return `csv_list(${value}::text[])`;
  // Ids, times, numbers and enum values cannot be formulas, and need no quotes.
  const isText = type === 'object' || (type === 'string' && format !== 'uuid');
  if (isText && format !== 'date-time' && !('enum' in schema) && !('const' in schema)) {
    return `csv_cell(${value}::text)`;
  }
  return `coalesce(${value}::text, '')`;
}
