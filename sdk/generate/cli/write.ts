import type { Document, Operation, Schema } from '../document.ts';
import { filterFields, partsOf } from '../query-parts.ts';
import { fieldsOf } from './fields.ts';
import { formOf } from './types.ts';

const maxColumns = 7;

/**
 * Columns for people of a list that declares none: what identifies a row, how it stands, counts and
 * a time. Ids of other resources come last, since they say little.
 */
function columnsOf(operation: Operation, document: Document): string[] {
  const properties = Object.entries(itemOf(operation, document)?.properties ?? {});
  const kinds = properties.map(([name, schema]) => ({
    name,
    kind: kindOf(name, schema, document),
  }));
  const pick = (kind: Kind, count: number) =>
    kinds.flatMap((one) => (one.kind === kind ? [one.name] : [])).slice(0, count);
  const times = pick('time', 20);
  const time = times.includes('inserted_at') ? 'inserted_at' : times[0];
  const chosen = [
    ...[...pick('id', 2), ...pick('text', 2), ...pick('state', 2), ...pick('number', 2)],
    ...[...pick('flag', 1), ...(time === undefined ? [] : [time]), ...pick('reference', 1)],
  ];
  return chosen.slice(0, maxColumns);
}

type Kind = 'id' | 'text' | 'state' | 'number' | 'flag' | 'time' | 'reference' | 'other';

function kindOf(name: string, property: Schema, document: Document): Kind {
  const { type, format, enum: values, const: constant } = formOf(property, document).schema;
  if (name === 'id' || name === 'index') return 'id';
  if (name === 'team_id' || constant !== undefined) return 'other';
  if (values) return 'state';
  if (format === 'uuid') return 'reference';
  if (format === 'date-time') return 'time';
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'flag' : 'other';
}

/** The schema of a row of a list; undefined for other answers. */
export function itemOf({ answers }: Operation, document: Document): Schema | undefined {
  const [answer] = answers.flatMap(([type, schema]) =>
    type === 'application/json' ? [formOf(schema, document).schema] : [],
  );
  const { data } = answer?.properties ?? {};
  const { items } = data ? formOf(data, document).schema : {};
  return items && formOf(items, document).schema;
}

/** The example of a body as arguments of the command line. */
function exampleOf({ body, flags, example }: Operation): string {
  if (flags.includes('u')) return 'contacts.csv';
  return body !== undefined && isObject(example) ? argumentsOf(example, '').join(' ') : '';
}

function argumentsOf(object: Record<string, unknown>, prefix: string): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const place = prefix + name;
    if (typeof value === 'string') return [quoted(`${place}=${value}`)];
    // A dot would be read as the name of an inner field.
    const isPlain = isObject(value) && Object.keys(value).every((key) => /^\w+$/.test(key));
    if (isPlain && depthOf(value) <= 2) return argumentsOf(value, `${place}.`);
    return [quoted(`${place}:=${JSON.stringify(value)}`)];
  });
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** As a shell reads it. */
const quoted = (text: string) =>
  /^[\w.=:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Help and columns of each operation for the command line, as one text that is parsed where it is needed: a
 * line with its id, then lines that begin with a letter for what they hold.
 */
export function writeFacts(operations: readonly Operation[], document: Document): string {
  const lines = operations.flatMap((operation) => linesOf(operation, document));
  const text = lines.join('\n').replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
  return `export const facts = \`\n${text}\n\`;\n`;
}

function linesOf(operation: Operation, document: Document): string[] {
  const example = exampleOf(operation);
  const fields = fieldsOf(operation, document).map(({ typed, isRequired, type, description }) =>
    ['f', typed, isRequired ? '*' : '', type, description].join('\t').trimEnd(),
  );
  const { inFilter, plain } = partsOf(operation.query);
  const { fields: filters, isOpen } = filterFields(inFilter);
  const filtered = [...filters.keys(), ...(isOpen ? ['attributes.<name>'] : [])];
  const sorted = plain.find(({ name }) => name === 'sort')?.schema.items?.enum ?? [];
  const others = plain.flatMap(({ name }) =>
    ['sort', 'include', 'meta'].includes(name) ? [] : [name],
  );
  const included = plain.find(({ name }) => name === 'include')?.schema.items?.enum ?? [];
  const columns = columnsOf(operation, document);
  const line = (letter: string, values: readonly string[]) =>
    values.length === 0 ? [] : [[letter, ...values].join('\t')];
  const facts = [
    ...line('e', example === '' ? [] : [example]),
    ...fields,
    ...line('w', filtered),
    ...line(
      's',
      sorted.filter((name) => !name.startsWith('-')),
    ),
    ...line('i', included),
    ...line('q', others),
    ...line('c', columns),
  ];
  return facts.length === 0 ? [] : [operation.id, ...facts];
}
