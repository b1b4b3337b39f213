import type { FieldKind, FieldOp } from './tree.ts';

/** Fields of a contact, an account and an engagement event that rules can test. */

type Fields = Readonly<Record<string, FieldKind>>;

export const contactFields = {
  unique_id: 'text',
  email: 'address',
  email_status: 'text',
  first_name: 'text',
  last_name: 'text',
  preferred_name: 'text',
  phone: 'text',
  locale: 'text',
  timezone: 'text',
  postal_code: 'text',
  status: 'text',
  tags: 'texts',
  last_engaged_at: 'timestamp',
  inserted_at: 'timestamp',
  updated_at: 'timestamp',
  'attributes.<key>': 'attribute',
} as const satisfies Fields;

export const accountFields = {
  unique_id: 'text',
  name: 'text',
  kind: 'text',
  product_id: 'id',
  status: 'text',
  currency: 'text',
  balance_cents: 'number',
  is_primary: 'boolean',
  opened_at: 'timestamp',
  closed_at: 'timestamp',
  inserted_at: 'timestamp',
  'attributes.<key>': 'attribute',
} as const satisfies Fields;

export const eventFields = {
  channel: 'text',
  source: 'text',
  url: 'text',
  template_id: 'id',
  message_id: 'id',
  page_id: 'id',
  landing_page_id: 'id',
  widget_instance_id: 'id',
  objective_id: 'id',
  account_id: 'id',
  is_machine: 'boolean',
  value_cents: 'number',
  occurred_at: 'timestamp',
  'properties.<key>': 'attribute',
} as const satisfies Fields;

const keyPattern = /^[a-z][a-z0-9_]{0,63}$/;

/** The field of a name, with the key where it is one of a custom attribute. */
export function findField(
  fields: Fields,
  name: string,
): { kind: FieldKind; key?: string } | undefined {
  if (Object.hasOwn(fields, name) && !name.includes('<')) {
    const kind = fields[name];
    return kind && { kind };
  }
  const dot = name.indexOf('.');
  const key = name.slice(dot + 1);
  const whole = `${name.slice(0, dot)}.<key>`;
  const kind = dot > 0 && Object.hasOwn(fields, whole) ? fields[whole] : undefined;
  return kind && keyPattern.test(key) ? { kind, key } : undefined;
}

const presence = ['present', 'missing'] as const;
const equality = ['eq', 'neq', 'in', 'nin', ...presence] as const;
const order = ['lt', 'lte', 'gt', 'gte'] as const;
const parts = ['contains', 'starts_with', 'ends_with'] as const;

/** The operators of each kind of field. */
export const opsOfKind: Readonly<Record<FieldKind, readonly FieldOp[]>> = {
  text: [...equality, ...parts],
  address: [...equality, ...parts],
  id: equality,
  number: [...equality, ...order],
  boolean: ['eq', 'neq', ...presence],
  timestamp: [
    ...equality,
    ...order,
    ...([
      'within_last',
      'not_within_last',
      'older_than',
      'in_next',
      'anniversary_in_next',
    ] as const),
  ],
  texts: ['contains', ...presence],
  attribute: [...equality, ...order, ...parts],
};
