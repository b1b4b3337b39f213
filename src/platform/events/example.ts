import { randomUUID } from 'node:crypto';
import type { TObject } from 'typebox';
import type { EventType } from './event-type.ts';
import { isNamedByPartners } from './registered-types.ts';
import { cutText } from '../cut-text.ts';

/** A node of a schema, read as the plain JSON Schema that it is. */
interface Node {
  type?: string;
  readOnly?: boolean;
  required?: readonly string[];
  minItems?: number;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly unknown[];
  allOf?: readonly object[];
  items?: unknown;
  properties?: Readonly<Record<string, unknown>>;
  examples?: readonly unknown[];
  minimum?: number;
  maxLength?: number;
}

const byFormat: Readonly<Record<string, unknown>> = {
  uuid: '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11',
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '1990-01-31',
  'idn-email': 'ada@example.com',
  'idn-hostname': 'bank.example',
  uri: 'https://www.example.com/welcome',
  phone: '+14155550123',
  timezone: 'Europe/Berlin',
  locale: 'en-US',
  currency: 'USD',
  cidr: '203.0.113.0/24',
};

/** Values for fields whose schema declares no more than "text". */
const byName: Readonly<Record<string, string>> = {
  at_local_time: '09:30',
  currency: 'USD',
  delay: 'P1D',
  description: 'Everything that a new customer needs in the first month',
  detail: 'The value is too long.',
  domains: 'example.com',
  end: '08:00',
  event_id_at: '/id',
  event_type: 'order.completed',
  event_type_at: '/type',
  event_types: 'contact.created',
  first_name: 'Ada',
  id_header: 'X-Event-Id',
  last_name: 'Lovelace',
  name: 'Welcome of new customers',
  postal_code: '94107',
  sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  signature_header: 'X-Signature',
  start: '21:00',
  subject: 'Welcome to Example Bank',
  timestamp_header: 'X-Timestamp',
  title: 'Welcome to Example Bank',
  to: 'ada@example.com',
  topic_account_id: '123456789012',
  topic_arns: 'arn:aws:sns:us-east-1:123456789012:email-events',
  unique_id: 'crm-4711',
  url: 'https://www.example.com/welcome',
};

/** A body of this type as a subscriber gets it: made up, the same each time, with every field. */
export function exampleOf(type: EventType): Record<string, unknown> {
  // A name that partners choose.
  const name = type.name.replace(/\.\*$/, '.order_placed');
  return { ...valuesOf(type.schema), type: name, ...previousOf(type) };
}

/** Sample data of a resource that does not exist: of the team, with a new id. */
export function sampleOf(of: EventType, teamId: string) {
  const data = { ...valuesOf(of.data), id: randomUUID(), ...ownKindOf(of) };
  return { data: 'team_id' in data ? { ...data, team_id: teamId } : data, ...previousOf(of) };
}

/** The kind of an event whose type partners name is that name. */
function ownKindOf({ name }: EventType): { kind?: string } {
  return isNamedByPartners(name) ? { kind: name } : {};
}

function valuesOf({ properties }: TObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueOf(field, name)]),
  );
}

/** The first field that may be without a value has got one. */
function previousOf({ schema, data }: EventType): { previous?: Record<string, unknown> } {
  const changed = Object.keys(data.properties).find((name) => !data.required.includes(name));
  if (!('previous' in schema.properties) || changed === undefined) return {};
  return { previous: { [changed]: null } };
}

/** A value that the schema admits. A request has the fields that are required, or the first one. */
export function exampleValue(
  schema: unknown,
  name: string,
  purpose: 'request' | 'answer',
): unknown {
  if (purpose === 'answer' || !isNode(schema) || schema.examples) return valueOf(schema, name);
  if (schema.anyOf) return exampleValue(schema.anyOf[0], name, purpose);
  if (schema.type === 'array') {
    return schema.minItems === 0 ? [] : [exampleValue(schema.items, name, purpose)];
  }
  if (schema.type !== 'object') return valueOf(schema, name);
  const { properties = {}, required = [] } = schema;
  const [first] = Object.keys(properties).filter((key) => isWritten(key, properties[key]));
  const names = required.length > 0 || first === undefined ? required : [first];
  return Object.fromEntries(names.map((key) => [key, exampleValue(properties[key], key, purpose)]));
}

const isWritten = (name: string, field: unknown) =>
  name !== 'type' && isNode(field) && field.readOnly !== true;

function valueOf(schema: unknown, name: string): unknown {
  if (!isNode(schema)) return undefined;
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf[0], name);
  if (schema.allOf) return valueOf(Object.assign({}, ...schema.allOf), name);
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 1, 1) }, () =>
        valueOf(schema.items, name),
      );
    case 'object':
      // A map of any keys has no properties, and may be empty.
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, valueOf(field, key)]),
      );
    default:
      return null;
  }
}

function textOf({ format, maxLength }: Node, name: string): unknown {
  if (format !== undefined) return byFormat[format];
  const text = byName[name] ?? name.replaceAll('_', ' ');
  return maxLength === undefined ? text : cutText(text, maxLength);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
