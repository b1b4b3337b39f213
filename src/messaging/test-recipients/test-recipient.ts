import { Type } from 'typebox';
import { OneOf, Text, Timestamp, createBody, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { channels } from '../../campaigns/messages/message.ts';

const Channel = OneOf([...channels]);
const Status = OneOf(
  ['pending', 'confirmed'],
  'confirmed after the owner of the address has opened the link and pressed the button',
);

/** An address that test sends may go to. The address is write-only. */
export const TestRecipient = resource('test_recipient', {
  channel: Channel,
  name: Type.Optional(Text(120)),
  status: Status,
  to_masked: Type.String({ description: 'Most of the address is hidden' }),
  link_expires_at: Type.Optional(
    Timestamp('End of the link, 7 days after the latest message with it; absent once confirmed'),
  ),
  confirmed_at: Type.Optional(Timestamp()),
});

export type TestRecipientRow = RowOf<typeof TestRecipient>;

const Written = Type.Object({
  ...TestRecipient.properties,
  address: Text(4_096, 'E-mail address, E.164 number or push token; never shown'),
});

export const TestRecipientCreate = createBody(Written, ['channel', 'address'], ['name']);

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const testRecipientListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  channel: { type: 'enum', values: Channel.enum, filter: choice },
  status: { type: 'enum', values: Status.enum, filter: choice },
} as const satisfies Record<string, ListField>;

/** Test recipients of a team, also those that are pending. */
export const maxTestRecipients = 100;
