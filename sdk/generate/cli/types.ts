import type { Document, Schema } from '../document.ts';
import { nameOf } from '../document.ts';

/** A schema behind its references and without "or null". */
export interface Form {
  schema: Schema;
  isNullable: boolean;
  description: string | undefined;
}

const maxListed = 10;
const formats: Readonly<Record<string, string>> = {
  'date-time': 'time, such as 2026-01-31T09:30:00Z',
  date: 'date, such as 2026-01-31',
  uuid: 'id',
  uri: 'URL',
  email: 'e-mail address',
  'idn-email': 'e-mail address',
  phone: 'phone number, such as +14155550100',
  locale: 'locale, such as en-US',
  timezone: 'time zone, such as Europe/Berlin',
};

export function formOf(schema: Schema, document: Document): Form {
  const { $ref, anyOf = [], description } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[nameOf($ref)] ?? {};
    return { ...formOf(named, document), ...(description !== undefined && { description }) };
  }
  const forms = anyOf.filter(({ type }) => type !== 'null');
  const [only, ...more] = forms;
  if (!only || more.length > 0) return { schema, isNullable: hasNull(schema), description };
  const inner = formOf(only, document);
  const isNullable = inner.isNullable || hasNull(schema);
  return { ...inner, isNullable, description: description ?? inner.description };
}

const hasNull = ({ anyOf = [] }: Schema) => anyOf.some(({ type }) => type === 'null');

/** Whether `name=text` writes a value; all others need `name:=json`. */
export function isText({ type, enum: values, const: constant, anyOf = [] }: Schema): boolean {
  if (typeof constant === 'string' || type === 'string') return true;
  return values === undefined ? anyOf.some(isText) : values.every((one) => typeof one === 'string');
}

/** The values that a schema allows, in a few words. */
export function typeText(form: Form, document: Document): string {
  const { schema, isNullable } = form;
  const type = plainType(schema, document);
  if (!isNullable) return type;
  return `${type}${type.includes(', ') ? ',' : ''} or null`;
}

function plainType(schema: Schema, document: Document): string {
  const { type, format = '', enum: values, const: constant, items, anyOf } = schema;
  if (constant !== undefined) return String(constant);
  if (values) return listed(values);
  if (anyOf) {
    const kinds = anyOf.filter((one) => one.type !== 'null').map((one) => plainType(one, document));
    return [...new Set(kinds)].join(' or ');
  }
  if (type === 'array') return listType(items ?? {}, document, schema.maxItems);
  if (type === 'integer') return `whole number${rangeOf(schema)}`;
  if (type === 'number') return `number${rangeOf(schema)}`;
  if (type === 'boolean') return 'true | false';
  if (type === 'object') return objectType(schema, document);
  if (type === 'string') return formats[format] ?? `text${lengthOf(schema)}`;
  return 'JSON';
}

function objectType({ properties = {}, required = [] }: Schema, document: Document): string {
  const names = Object.entries(properties)
    .filter(([, property]) => formOf(property, document).schema.readOnly !== true)
    .map(([name]) => (required.includes(name) ? `${name}*` : name));
  return names.length === 0 ? 'object' : `object with ${listed(names, ', ')}`;
}

function listType(items: Schema, document: Document, maxItems: number | undefined): string {
  const { schema } = formOf(items, document);
  const bound = maxItems === undefined ? '' : `, at most ${maxItems.toLocaleString('en-US')}`;
  const item = plainType(schema, document)
    .replace(/ (?:up to|of [\d,]+ to) [\d,]+ characters$/, '')
    .replace(/^object/, 'objects')
    .replace(/^id$/, 'ids')
    .replace(/^JSON$/, 'JSON values');
  return `list of ${item}${bound}`;
}

function listed(values: readonly string[], between = ' | '): string {
  const shown = values.length <= maxListed ? values : values.slice(0, maxListed - 2);
  const rest = values.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${String(rest)} more`] : [])].join(between);
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) {
    return ` from ${String(minimum)} to ${String(maximum)}`;
  }
  if (minimum !== undefined) return ` from ${String(minimum)}`;
  return maximum === undefined ? '' : ` up to ${String(maximum)}`;
}

function lengthOf({ minLength = 0, maxLength }: Schema): string {
  if (maxLength === undefined) return '';
  const count = maxLength.toLocaleString('en-US');
  return minLength > 1
    ? ` of ${String(minLength)} to ${count} characters`
    : ` up to ${count} characters`;
}
