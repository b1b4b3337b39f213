import { Type } from 'typebox';
import {
  Count,
  Text,
  Timestamp,
  Uri,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';

export const WebhookSubscription = resource('webhook_subscription', {
  name: Type.Optional(Text(120)),
  description: Type.Optional(Text(2_000)),
  target_url: Uri(
    'https URL that receives the events by POST. A change removes the headers of the delivery settings',
  ),
  event_types: Type.Array(Text(128), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Exact event types, "prefix.*" or "*"',
  }),
  is_active: Type.Boolean(),
  is_disabled_for_failures: Type.Boolean({
    description: 'Set by the service; PATCH false enables the subscription again',
  }),
  consecutive_permanent_failures: Count(
    'Deliveries that failed permanently since the last success',
  ),
  last_delivered_at: Type.Optional(Timestamp()),
  thin_event_types: Type.Array(
    Type.Object({ event_type: Type.String(), required_scope: Type.String() }),
    {
      description:
        'Event types of `event_types` that are sent without their data, since the client that last ' +
        'set `event_types` or `target_url` lacked the scope that reads the resource',
    },
  ),
  deprecated_event_types: Type.Array(
    Type.Object({
      event_type: Type.String(),
      sunset_at: Timestamp(),
      replacement: Type.Optional(Type.String({ description: 'The event type to list instead' })),
      reason: Type.String(),
    }),
    { description: 'Event types of `event_types` that are sent only until their `sunset_at`' },
  ),
});

/** The resource with its secret, the response of create and rotate: the secret is shown once. */
export const CreatedWebhookSubscription = Type.Object(
  {
    ...WebhookSubscription.properties,
    signing_secret: Type.String({ description: 'whsec_… (Standard Webhooks); shown only here' }),
  },
  { title: 'created_webhook_subscription' },
);

export const WebhookSubscriptionCreate = createBody(
  WebhookSubscription,
  ['target_url', 'event_types'],
  ['name', 'description', 'is_active'],
);

export const WebhookSubscriptionPatch = patchBody(WebhookSubscription, [
  'name',
  'description',
  'target_url',
  'event_types',
  'is_active',
  'is_disabled_for_failures',
]);

/** Webhook subscriptions of a team. */
export const maxWebhookSubscriptions = 50;
