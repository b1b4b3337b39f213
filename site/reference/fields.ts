import { isJson } from '../../src/meta/openapi/components.ts';
import type { Json } from '../../src/meta/openapi/components.ts';
import { code, prose, table } from './text.ts';

interface Field {
  name: string;
  schema: Json;
  isRequired: boolean;
}

/** Deeper fields are in the OpenAPI document. */
const maxDepth = 3;
/** Longer lists of allowed values are in the OpenAPI document. */
const maxValues = 40;

/** The part of a document that a reference such as `#/components/schemas/contact` names. */
export function resolve(document: Json, value: unknown): Json {
  if (!isJson(value)) return {};
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  let found: unknown = document;
  for (const name of reference.split('/').slice(1)) found = isJson(found) ? found[name] : undefined;
  return resolve(document, found);
}

/** A table of the fields of an object, those of its objects included. */
export function fieldTable(document: Json, schema: Json, purpose: 'body' | 'answer'): string {
  const rows = fieldsOf(document, schema, purpose, '', 1).map((field) => rowOf(document, field));
  return rows.length === 0 ? '' : table(['Field', 'Meaning'], rows);
}

function fieldsOf(
  document: Json,
  given: Json,
  purpose: 'body' | 'answer',
  prefix: string,
  depth: number,
): Field[] {
  const schema = withoutNull(document, given);
  const alternatives = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (alternatives.length > 0 && !isJson(schema['properties'])) {
    const known = new Map<string, Field>();
    for (const one of alternatives.flatMap((part) =>
      fieldsOf(document, resolve(document, part), purpose, prefix, depth),
    )) {
      if (!known.has(one.name)) known.set(one.name, { ...one, isRequired: false });
    }
    return [...known.values()];
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const own = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  return own.flatMap(([key, value]) => {
    const field = resolve(document, value);
    // A body may bring what it got; the service ignores it.
    if (purpose === 'body' && (field['readOnly'] === true || field['const'] !== undefined))
      return [];
    const name = `${prefix}${key}`;
    const isRequired = purpose === 'body' && required.includes(key);
    const described = isJson(value) ? { ...field, ...describing(value) } : field;
    const here = { name, schema: described, isRequired };
    if (depth >= maxDepth) return [here];
    const inner = withoutNull(document, field);
    const items = inner['type'] === 'array' ? resolve(document, inner['items']) : inner;
    const path = inner['type'] === 'array' ? `${name}[].` : `${name}.`;
    return [here, ...fieldsOf(document, items, purpose, path, depth + 1)];
  });
}

const describing = ({ description }: Json) => (description === undefined ? {} : { description });

/** `anyOf` of a type and null is the type. */
function withoutNull(document: Json, schema: Json): Json {
  const parts = listOf(schema['anyOf']).map((part) => resolve(document, part));
  const others = parts.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (only === undefined || others.length !== 1 || others.length === parts.length) return schema;
  return {
    ...only,
    ...describing(schema),
    ...('default' in schema && { default: schema['default'] }),
  };
}

function rowOf(document: Json, { name, schema, isRequired }: Field): string[] {
  const mark = isRequired ? ', <strong>required</strong>' : '';
  return [
    `${code(name)} <span class="type">${typeOf(document, schema)}${mark}</span>`,
    meaningOf(document, schema),
  ];
}

/** Description, allowed values, limits and default. */
export function meaningOf(document: Json, given: Json): string {
  const schema = withoutNull(document, given);
  const inner = schema['type'] === 'array' ? resolve(document, schema['items']) : schema;
  const sentences = [
    typeof schema['description'] === 'string' ? sentence(prose(schema['description'])) : '',
    valuesOf(inner),
    limitsOf(schema),
    ...('default' in schema ? [`Default: ${code(JSON.stringify(schema['default']))}.`] : []),
  ];
  return sentences.filter((one) => one !== '').join(' ');
}

const sentence = (text: string) => (/[.!?:]$/.test(text.trim()) ? text : `${text}.`);

function valuesOf({ enum: values, const: constant }: Json): string {
  if (constant !== undefined) return `Always ${code(show(constant))}.`;
  if (!Array.isArray(values)) return '';
  const shown = values.slice(0, maxValues).map((value) => code(show(value)));
  const more = values.length > maxValues ? ` and ${String(values.length - maxValues)} more` : '';
  return `One of ${shown.join(', ')}${more}.`;
}

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function limitsOf(schema: Json): string {
  const { type, minLength, maxLength, minItems, maxItems, maxProperties } = schema;
  const { minimum, maximum } = schema;
  const parts = [
    rangeOf(minLength === 0 ? undefined : minLength, maxLength, 'characters'),
    rangeOf(minItems === 0 ? undefined : minItems, maxItems, 'items'),
    rangeOf(undefined, maxProperties, 'entries'),
    type === 'integer' || type === 'number' ? rangeOf(minimum, maximum, '') : '',
  ].filter((one) => one !== '');
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function rangeOf(least: unknown, most: unknown, unit: string): string {
  const noun = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${show(least)} to ${show(most)}${noun}`;
  if (most !== undefined && Math.abs(Number(most)) < Number.MAX_SAFE_INTEGER) {
    return `At most ${show(most)}${noun}`;
  }
  return least === undefined || Number(least) <= -Number.MAX_SAFE_INTEGER
    ? ''
    : `At least ${show(least)}${noun}`;
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time',
  date: 'date',
  'idn-email': 'e-mail address',
  'idn-hostname': 'host name',
  uri: 'URL',
  phone: 'phone number',
  timezone: 'time zone',
  locale: 'language tag',
  currency: 'currency',
  cidr: 'network',
  binary: 'file',
};

/** A type in words: `list of string`, `string or null`. */
export function typeOf(document: Json, given: Json): string {
  const schema = resolve(document, given);
  const { type, format, items, const: constant, enum: values } = schema;
  const parts = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (parts.length > 0) {
    return [...new Set(parts.map((part) => typeOf(document, resolve(document, part))))].join(
      ' or ',
    );
  }
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (type === 'array') return `list of ${typeOf(document, resolve(document, items))}`;
  if (typeof format === 'string') return formats[format] ?? format;
  if (typeof type === 'string') return type;
  if (constant !== undefined) return typeof constant;
  return Array.isArray(values) ? typeof values[0] : 'any';
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : []).filter(isJson);
