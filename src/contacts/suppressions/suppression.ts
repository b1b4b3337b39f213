import { Type } from 'typebox';
import { Id, OneOf, Text, createBody, resource } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const Channel = OneOf(
  ['email', 'sms', 'all'],
  'email and sms stop an address, all stops a contact altogether',
);
const Reason = OneOf(['manual', 'hard_bounce', 'soft_bounces', 'complaint', 'unsubscribe']);
const Source = OneOf(['api', 'inbound']);

/** An e-mail address, a phone number or a whole contact to which nothing is sent. */
export const Suppression = resource('suppression', {
  channel: Channel,
  address: Type.Optional(Text(254, 'E-mail address or E.164 number; with channel email or sms')),
  contact_id: Type.Optional(Id('With channel all')),
  reason: Reason,
  note: Type.Optional(Text(2_000)),
  source: Source,
});

const Written = Type.Object({
  ...Suppression.properties,
  reason: Type.Optional(Reason),
});

export const SuppressionCreate = createBody(
  Written,
  ['channel'],
  ['address', 'contact_id', 'reason', 'note'],
);

export const suppressionListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  channel: { type: 'enum', values: Channel.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  address: { type: 'text', isAddress: true, filter: ['eq', 'in'] },
  contact_id: { type: 'id', filter: ['eq', 'in'] },
  reason: { type: 'enum', values: Reason.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  source: { type: 'enum', values: Source.enum, filter: ['eq', 'neq', 'in', 'nin'] },
} as const satisfies Record<string, ListField>;
