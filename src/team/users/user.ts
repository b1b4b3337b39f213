import { Type } from 'typebox';
import { OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { Email } from '../../platform/schema/email.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const Role = OneOf(
  ['admin', 'editor', 'viewer'],
  'Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays',
);
const Status = OneOf(['active', 'invited', 'suspended']);

export const User = resource('user', {
  email: Email(),
  name: Type.Optional(Text(120)),
  role: Role,
  status: Status,
  mfa_enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether the sign-in that activated the user had a second factor, as the client has said. It is recorded only: the service signs no user in and asks for no second factor',
    }),
  ),
  invited_at: Timestamp('When the user was invited last'),
  invite_expires_at: Timestamp('Seven days after the latest invitation'),
  last_signed_in_at: Type.Optional(Timestamp()),
  suspended_at: Type.Optional(Timestamp()),
});

export type UserRow = RowOf<typeof User>;

export const UserActivate = Type.Object(
  { mfa_enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const userListFields = {
  email: { type: 'text', isAddress: true, filter: true, sort: true },
  role: { type: 'enum', values: Role.enum, filter: choice },
  status: { type: 'enum', values: Status.enum, filter: choice },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  last_signed_in_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
} as const satisfies Record<string, ListField>;
