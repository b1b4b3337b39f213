import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { channels } from '../../campaigns/messages/message.ts';
import { providers } from '../message-deliveries/message-delivery.ts';

/** Proof that a message was sent; it has the id of its delivery. */
export const ArchivedMessage = resource('archived_message', {
  contact_id: Id(),
  message_id: Id(),
  template_id: Id(),
  template_version: Type.Integer({ minimum: 1, description: 'The version that was rendered' }),
  journey_id: Type.Optional(Id()),
  channel: OneOf([...channels]),
  provider: OneOf([...providers]),
  provider_message_id: Type.Optional(Text(255)),
  sender: Type.Optional(Type.String({ description: 'Address, number or name that it was from' })),
  to_masked: Type.Optional(Type.String({ description: 'The address, most of it hidden' })),
  consent_status: Type.Optional(
    OneOf(
      ['never', 'pending', 'subscribed', 'unsubscribed'],
      'Consent for the channel right before the message was sent',
    ),
  ),
  content_status: OneOf(
    ['stored', 'unavailable', 'erased'],
    'unavailable: the process ended before it was stored',
  ),
  sent_at: Timestamp('Time when the provider took it'),
  expires_at: Timestamp('It is deleted after this time, unless a legal hold stands'),
  erased_at: Type.Optional(Timestamp('Time when content and address were erased')),
});

export type ArchivedMessageRow = RowOf<typeof ArchivedMessage>;

/** A message as the provider got it; which fields there are depends on the channel. */
const ArchivedContent = Type.Object(
  {
    from_name: Type.Optional(Type.String()),
    from_email: Type.Optional(Type.String()),
    reply_to: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    unsubscribe_url: Type.Optional(Type.String({ description: 'As in the header of the e-mail' })),
    sender: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    body: Type.Optional(Type.String()),
    image_url: Type.Optional(Type.String()),
    deep_link: Type.Optional(Type.String()),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'archived_content' },
);
export type ArchivedContent = Static<typeof ArchivedContent>;

export const ArchivedMessageDetails = Type.Object(
  {
    ...ArchivedMessage.properties,
    addresses: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The e-mail address or number, or the tokens of the devices',
      }),
    ),
    content: Type.Optional(ArchivedContent),
  },
  { title: 'archived_message_details' },
);

const few = ['eq', 'in'] as const;

export const archivedMessageFields: ListDeclaration['fields'] = {
  sent_at: { type: 'timestamp', filter: ['lt', 'lte', 'gt', 'gte'], sort: true },
  contact_id: { type: 'id', filter: few },
  message_id: { type: 'id', filter: few },
  channel: { type: 'enum', values: channels, filter: few },
};
