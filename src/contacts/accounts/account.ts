import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  Cents,
  Id,
  OneOf,
  Text,
  Timestamp,
  createBody,
  itemFields,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { Attributes, AttributesPatch } from '../contact.ts';

export const accountKinds = ['deposit', 'loan', 'credit', 'investment', 'other'] as const;
const Kind = Type.Enum([...accountKinds]);
const Status = OneOf(['pending', 'open', 'closed'], 'Follows from opened_at and closed_at');

export const Account = resource('account', {
  contact_id: Id(),
  unique_id: Type.Optional(Text(255, 'The partner’s own key; unique among those of the contact')),
  name: Type.Optional(Text(120)),
  kind: Kind,
  product_id: Type.Optional(Id()),
  status: Status,
  opened_at: Type.Optional(Timestamp()),
  closed_at: Type.Optional(Timestamp('Not before opened_at')),
  balance_cents: Type.Optional(Cents('Amount in cents of the currency of the account')),
  currency: Type.String({ description: 'ISO 4217; the team’s when the account was created' }),
  is_primary: Type.Boolean(),
  attributes: Type.Optional(Attributes),
});

const Written = Type.Object({
  ...Account.properties,
  attributes: Type.Optional(AttributesPatch),
});

const optional = [
  'unique_id',
  'name',
  'product_id',
  'opened_at',
  'closed_at',
  'balance_cents',
  'is_primary',
  'attributes',
] as const;

export const AccountCreate = createBody(Written, ['kind'], optional);
export const AccountPatch = patchBody(Written, ['kind', ...optional]);
export type AccountPatch = Static<typeof AccountPatch>;

/** One item of accounts.sync, but for its contact. */
export const AccountItem = {
  ...itemFields(Written, optional),
  kind: Kind,
  unique_id: Text(255, 'The partner’s own key: of an account of the contact, or of a new one'),
};

export const AccountClose = Type.Object(
  { closed_at: Type.Optional(Timestamp('Now if absent')) },
  { additionalProperties: false },
);

const equality = ['eq', 'neq', 'in', 'nin', 'present', 'missing'] as const;

export const accountListFields = {
  contact_id: { type: 'id', filter: ['eq', 'neq', 'in', 'nin'] },
  unique_id: { type: 'text', filter: equality },
  kind: { type: 'enum', values: Kind.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  product_id: { type: 'id', filter: true },
  status: { type: 'enum', values: Status.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  opened_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  closed_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  balance_cents: { type: 'integer', filter: true, sort: true, nullable: true },
  inserted_at: { type: 'timestamp', sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
} as const satisfies Record<string, ListField>;
