import { Type } from 'typebox';
import { eventType } from '../platform/events/event-type.ts';
import { Id } from '../platform/schema/fields.ts';
import { WebhookSubscription } from './webhook-subscriptions/webhook-subscription.ts';

const Ping = Type.Object({
  id: Id('The subscription'),
  type: Type.Literal('webhook_subscription'),
});

export const webhookPing = eventType(
  'webhook.ping',
  'A test event, sent to one subscription only.',
  Ping,
);
export const webhookSubscriptionFailing = eventType(
  'webhook_subscription.failing',
  'Deliveries of another subscription of the team keep failing.',
  WebhookSubscription,
);
export const webhookSubscriptionDisabled = eventType(
  'webhook_subscription.disabled',
  'Another subscription of the team was disabled because of its failures.',
  WebhookSubscription,
);
export const webhookSubscriptionEnabled = eventType(
  'webhook_subscription.enabled',
  'A disabled subscription was enabled again by a client.',
  WebhookSubscription,
);
export const webhookSubscriptionRecovered = eventType(
  'webhook_subscription.recovered',
  'Another subscription of the team accepts deliveries again.',
  WebhookSubscription,
);

export const webhookEvents = [
  webhookPing,
  webhookSubscriptionFailing,
  webhookSubscriptionDisabled,
  webhookSubscriptionEnabled,
  webhookSubscriptionRecovered,
];
