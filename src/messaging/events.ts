import { eventType } from '../platform/events/event-type.ts';
import { MessageDelivery } from './message-deliveries/message-delivery.ts';
import { SendingProvider } from './sending-providers/sending-provider.ts';

export const messageSent = eventType(
  'message.sent',
  'A provider accepted a message.',
  MessageDelivery,
  { previous: true },
);
export const messageDelayed = eventType(
  'message.delayed',
  'A provider delayed a message and retries it.',
  MessageDelivery,
  {
    previous: true,
  },
);
export const messageDelivered = eventType(
  'message.delivered',
  'A message was delivered.',
  MessageDelivery,
  { previous: true },
);
export const messageBounced = eventType('message.bounced', 'A message bounced.', MessageDelivery, {
  previous: true,
});
export const messageFailed = eventType(
  'message.failed',
  'A message could not be sent.',
  MessageDelivery,
  { previous: true },
);
export const messageSkipped = eventType(
  'message.skipped',
  'A message is not sent to a contact; skip_reason says why.',
  MessageDelivery,
  { since: '2026-11-25', previous: true },
);
export const messageOpened = eventType(
  'message.opened',
  'A recipient opened a message.',
  MessageDelivery,
  { previous: true },
);
export const messageClicked = eventType(
  'message.clicked',
  'A recipient clicked a link of a message.',
  MessageDelivery,
  {
    previous: true,
  },
);
export const messageComplained = eventType(
  'message.complained',
  'A recipient reported a message as spam.',
  MessageDelivery,
  {
    previous: true,
  },
);
export const messageUnsubscribed = eventType(
  'message.unsubscribed',
  'A recipient unsubscribed through a message.',
  MessageDelivery,
  {
    previous: true,
  },
);

export const messageEvents = [
  messageSent,
  messageDelayed,
  messageDelivered,
  messageBounced,
  messageFailed,
  messageSkipped,
  messageOpened,
  messageClicked,
  messageComplained,
  messageUnsubscribed,
];

export const sendingProviderCreated = eventType(
  'sending_provider.created',
  'A sending provider was added.',
  SendingProvider,
  { since: '2026-11-30' },
);
export const sendingProviderUpdated = eventType(
  'sending_provider.updated',
  'The settings or the secret of a sending provider were changed or approved.',
  SendingProvider,
  { since: '2026-11-30' },
);
export const sendingProviderDeleted = eventType(
  'sending_provider.deleted',
  'A sending provider was deleted.',
  SendingProvider,
  { since: '2026-11-30' },
);
export const sendingProviderHalted = eventType(
  'sending_provider.halted',
  'A sending provider rejects all messages: they are sent through the next one, or wait.',
  SendingProvider,
  { since: '2026-11-27' },
);
export const sendingProviderResumed = eventType(
  'sending_provider.resumed',
  'A sending provider that was halted accepts messages again.',
  SendingProvider,
  { since: '2026-11-27' },
);

export const sendingProviderEvents = [
  sendingProviderCreated,
  sendingProviderUpdated,
  sendingProviderDeleted,
  sendingProviderHalted,
  sendingProviderResumed,
];
