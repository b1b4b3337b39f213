import { isDeepStrictEqual } from 'node:util';
import type { Document, Schema } from './document.ts';
import { nameOf } from './document.ts';

type Schemas = Document['components']['schemas'];

const embedded = ['relationships', 'truncated_relationships'];
/** Parts of answers that the SDK turns into errors. */
const unnamed: ReadonlySet<string> = new Set(['error', 'oauth_error']);

const paged =
  '/** One page of a list. */\n' +
  'export interface Paged<Item> { data: Item[]; page: ListPage; meta?: ListMeta }\n';

/** TypeScript of every schema that is neither an event nor the body of an error. */
export function writeSchemas({ components: { schemas } }: Document): string {
  const names = Object.keys(schemas).filter(
    (name) => !name.startsWith('event.') && !unnamed.has(name),
  );
  const taken = new Map(names.map((name) => [typeName(name), name]));
  if (taken.size !== names.length) throw new Error('Two schemas have the same name.');
  const types = names.map((name) => {
    const schema = schemas[name] ?? {};
    const text = comment(schema.description) + `export type ${typeName(name)} = `;
    return `${text}${listOf(schema, schemas) ?? typeOf(schema)};\n`;
  });
  return `${paged}${types.join('')}`;
}

/** `contact_details` is `ContactDetails`. */
function typeName(name: string): string {
  return name.replaceAll(/(?:^|[_.])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A list whose items repeat a schema, which is named instead. */
function listOf(schema: Schema, schemas: Schemas): string | undefined {
  const { data, page } = schema.properties ?? {};
  const { items } = data ?? {};
  if (!items) return undefined;
  const item = itemOf(items, schemas);
  return page ? `Paged<${item}>` : `{ data: ${array(item)} }`;
}

function itemOf(items: Schema, schemas: Schemas): string {
  const { properties = {} } = items;
  const isEmbedded = ([name]: [string, unknown]) => embedded.includes(name);
  const entries = Object.entries(properties);
  const plain = Object.fromEntries(entries.filter((entry) => !isEmbedded(entry)));
  const base = Object.entries(schemas).find(([, { properties: known }]) =>
    isDeepStrictEqual(known, plain),
  );
  if (items.$ref !== undefined || !base || entries.length === 0) return typeOf(items);
  const more = Object.fromEntries(entries.filter(isEmbedded));
  return `${typeName(base[0])} & ${typeOf({ type: 'object', properties: more })}`;
}

/** TypeScript of a schema; shared ones by their names, after `prefix`. */
export function typeOf(schema: Schema, prefix = ''): string {
  const { $ref, anyOf, const: constant, enum: values, type } = schema;
  if ($ref !== undefined) return prefix + typeName(nameOf($ref));
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, prefix)))].join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  switch (type) {
    case 'array':
      return array(typeOf(schema.items ?? {}, prefix));
    case 'object':
      return objectOf(schema, prefix);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

function array(item: string): string {
  return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectOf(schema: Schema, prefix: string): string {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  // The service ignores them in bodies.
  const written = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true);
  const fields = written.map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${comment(property.description)}${key}${mark}: ${typeOf(property, prefix)};`;
  });
  const others = [
    ...Object.values(patternProperties ?? {}),
    ...(additionalProperties === true ? [{}] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  // Next to named fields of other types, only `unknown` is sound.
  const value =
    fields.length > 0 ? 'unknown' : others.map((one) => typeOf(one, prefix)).join(' | ');
  if (others.length > 0) fields.push(`[key: string]: ${value};`);
  return fields.length === 0 ? 'Record<string, unknown>' : `{ ${fields.join(' ')} }`;
}

export function comment(text: string | undefined): string {
  return text === undefined
    ? ''
    : `
/** ${text.replaceAll('*/', '* /')} */
`;
}
