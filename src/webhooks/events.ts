import { Type } from 'typebox';
import { eventType } from '../platform/events/event-type.ts';
import { Id } from '../platform/schema/fields.ts';
import { WebhookReplay } from './webhook-subscriptions/replays/webhook-replay.ts';
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
export const webhookReplayCompleted = eventType(
  'webhook_replay.completed',
  'A replay has started all of its deliveries over; their attempts follow.',
  WebhookReplay,
  { since: '2026-11-30' },
);
export const webhookReplayCanceled = eventType(
  'webhook_replay.canceled',
  'A replay was stopped, or its subscription was switched off; what was started over stays.',
  WebhookReplay,
  { since: '2026-11-30' },
);
export const webhookReplayFailed = eventType(
  'webhook_replay.failed',
  'A replay was given up after many attempts; what was started over stays.',
  WebhookReplay,
  { since: '2026-11-30' },
);

export const webhookEvents = [
  webhookReplayCompleted,
  webhookReplayCanceled,
  webhookReplayFailed,
  webhookPing,
  webhookSubscriptionFailing,
  webhookSubscriptionDisabled,
  webhookSubscriptionEnabled,
  webhookSubscriptionRecovered,
];
