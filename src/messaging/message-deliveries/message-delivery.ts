import { Type } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { channels } from '../../campaigns/messages/message.ts';
import { deliveryStatuses, skipReasons } from './rules.ts';

export const providers = [
  'email_a',
  'email_b',
  'email_c',
  'sms_a',
  'sms_b',
  'push_a',
  'push_b',
  'generic_hmac',
  'smtp',
  'mailbox',
] as const;

/** One send of one message to one contact; written by the sender and by what providers report. */
export const MessageDelivery = resource('message_delivery', {
  message_id: Id(),
  template_id: Id(),
  journey_id: Type.Optional(Id()),
  contact_id: Id(),
  topic_id: Type.Optional(Id('The topic of the message when the delivery was decided')),
  channel: OneOf([...channels]),
  status: OneOf([...deliveryStatuses], 'Never goes back; opens and clicks do not change it'),
  provider: Type.Optional(OneOf([...providers])),
  provider_message_id: Type.Optional(Text(255)),
  to_masked: Type.Optional(Type.String({ description: 'The address, most of it hidden' })),
  variant_key: Type.Optional(Type.String()),
  skip_reason: Type.Optional(OneOf([...skipReasons])),
  bounce: Type.Optional(
    Type.Object({
      class: Type.Optional(Type.String()),
      code: Type.Optional(Type.String()),
      diagnostic: Type.Optional(Type.String()),
    }),
  ),
  scheduled_at: Type.Optional(Timestamp()),
  sent_at: Type.Optional(Timestamp()),
  delivered_at: Type.Optional(Timestamp()),
  first_opened_at: Type.Optional(Timestamp('By a person')),
  first_clicked_at: Type.Optional(Timestamp()),
  failed_at: Type.Optional(Timestamp()),
  unsubscribed_at: Type.Optional(Timestamp()),
  complained_at: Type.Optional(Timestamp()),
  open_count: Count('By a person'),
  click_count: Count(),
  machine_open_count: Count('By programs that fetch mail ahead'),
});

export type MessageDeliveryRow = RowOf<typeof MessageDelivery>;

export const DeliveryExplanation = Type.Object(
  {
    delivery_id: Id(),
    status: MessageDelivery.properties.status,
    summary: Type.String(),
    timeline: Type.Array(Type.Object({ what: Type.String(), at: Timestamp() })),
  },
  { title: 'message_delivery_explanation' },
);

export const messageDeliveryFields: ListDeclaration['fields'] = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  sent_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  status: { type: 'enum', values: deliveryStatuses, filter: true },
  channel: { type: 'enum', values: channels, filter: true },
  message_id: { type: 'id', filter: true },
  template_id: { type: 'id', filter: true },
  contact_id: { type: 'id', filter: true },
  topic_id: { type: 'id', filter: true },
  journey_id: { type: 'id', filter: true },
  skip_reason: { type: 'enum', values: skipReasons, filter: true },
};
