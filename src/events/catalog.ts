import { Type } from 'typebox';
import { Id } from '../fields.ts';
import { WebhookSubscription } from '../partner/webhook-subscriptions/webhook-subscription.ts';
import { eventType } from './event-type.ts';
import type { EventType } from './event-type.ts';

const Ping = Type.Object({
  id: Id('The subscription'),
  type: Type.Literal('webhook_subscription'),
});

/** Every outbound event type; adding one here is all it takes. DECISIONS 32. */
export const eventTypes = {
  'webhook.ping': eventType('A test of one subscription, sent to it alone.', Ping),
  'webhook_subscription.failing': eventType(
    'Deliveries of another subscription of the team keep failing.',
    WebhookSubscription,
  ),
  'webhook_subscription.disabled': eventType(
    'Another subscription of the team was disabled for its failures.',
    WebhookSubscription,
  ),
  'webhook_subscription.enabled': eventType(
    'A disabled subscription was enabled again by a client.',
    WebhookSubscription,
  ),
  'webhook_subscription.recovered': eventType(
    'Another subscription of the team takes deliveries again.',
    WebhookSubscription,
  ),
} as const satisfies Record<string, EventType>;

export type EventName = keyof typeof eventTypes;

/** Everything that a subscription may list to get an event: its name, "prefix.*" and "*". */
export function patternsOf(name: EventName): string[] {
  const parts = name.split('.');
  const prefixes = parts.slice(0, -1).map((_, at) => `${parts.slice(0, at + 1).join('.')}.*`);
  return [name, ...prefixes, '*'];
}

/** Whether an entry of `event_types` names anything. */
export function isEventPattern(pattern: string): boolean {
  if (pattern === '*') return true;
  const names = Object.keys(eventTypes);
  if (!pattern.endsWith('.*')) return names.includes(pattern);
  return names.some((name) => name.startsWith(pattern.slice(0, -1)));
}

/** The prefixes that "prefix.*" may use. */
export function eventPrefixes(): string[] {
  return [
    ...new Set(Object.keys(eventTypes).map((name) => `${name.split('.')[0] ?? ''}.*`)),
  ].sort();
}
