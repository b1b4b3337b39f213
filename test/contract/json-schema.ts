import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';

export type Json = Record<string, unknown>;

/** A node of a body schema, read as the plain JSON Schema that it is. */
export interface Node {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Node[];
  items?: Node;
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  readOnly?: boolean;
  minimum?: number;
  minItems?: number;
  maxLength?: number;
  pattern?: string;
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNode(value: unknown): value is Node {
  return isJson(value);
}

/** The JSON body that an endpoint accepts; undefined for none. */
export function bodySchema({ body, bodyKind }: Endpoint): Node | undefined {
  return bodyKind !== 'form' && isNode(body) ? body : undefined;
}

export interface BodyFields {
  /** Fields that clients write, without the optional `type`. */
  writable: [name: string, schema: Node][];
  required: readonly string[];
  /** Server-owned fields: accepted and ignored. */
  ignored: string[];
}

export function fieldsOf(endpoint: Endpoint): BodyFields {
  const { properties = {}, required = [] } = bodySchema(endpoint) ?? {};
  const all = Object.entries(properties);
  return {
    writable: all.filter(([name, { readOnly }]) => readOnly !== true && name !== 'type'),
    required,
    ignored: all.filter(([, { readOnly }]) => readOnly === true).map(([name]) => name),
  };
}

let counter = 0;

/** A value that the schema admits; text is different each time. */
export function valueOf(schema: Node): unknown {
  const { anyOf, type, minimum = 1, minItems = 0, maxLength = 40 } = schema;
  if (anyOf) return valueOf(anyOf.find((branch) => branch.type !== 'null') ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  counter += 1;
  switch (type) {
    case 'string':
      return textOf(schema).slice(0, maxLength);
    case 'integer':
    case 'number':
      return Math.max(minimum, 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: minItems }, () => valueOf(schema.items ?? {}));
    case 'object':
      return objectOf(schema);
    default:
      return {};
  }
}

function objectOf({ properties = {}, required = [] }: Node): Json {
  return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {})]));
}

function textOf({ format, pattern }: Node): string {
  const number = String(counter);
  switch (format) {
    case 'uuid':
      return randomUUID();
    case 'date-time':
      return '2026-01-31T09:30:00.000Z';
    case 'date':
      return '1990-01-31';
    case 'idn-email':
      return `person${number}@example.com`;
    case 'idn-hostname':
      return `mail${number}.example.com`;
    case 'uri':
    case 'app-uri':
      return `https://hooks.example.com/${number}`;
    case 'phone':
      return `+1415555${number.padStart(4, '0')}`;
    case 'timezone':
      return 'Europe/Berlin';
    case 'locale':
      return 'en-US';
    default:
      // Every pattern of the service so far admits a word with a number.
      return pattern === undefined ? `text ${number}` : `text-${number}`;
  }
}

/** A value of another JSON type than the schema admits; undefined where it admits every type. */
export function wrongValueOf(schema: Node): unknown {
  const types = typesOf(schema);
  if (types.length === 0) return undefined;
  if (!types.includes('boolean')) return true;
  if (!types.includes('string')) return 'text';
  return types.includes('object') ? undefined : {};
}

function typesOf({ anyOf, type, enum: values, const: only }: Node): string[] {
  if (anyOf) return anyOf.flatMap(typesOf);
  if (type !== undefined) return [type];
  if (values) return ['string'];
  return only === undefined ? [] : [typeof only];
}
