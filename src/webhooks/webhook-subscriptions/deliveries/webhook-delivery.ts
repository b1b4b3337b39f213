import { Type } from 'typebox';
import { Count, Id, OneOf, Timestamp, resource } from '../../../platform/schema/fields.ts';
import { deliveryStatuses } from './rules.ts';

/** One event on its way to one subscription. */
export const WebhookDelivery = resource('webhook_delivery', {
  subscription_id: Id(),
  event_id: Id('Also the webhook-id header'),
  event_type: Type.String(),
  status: OneOf([...deliveryStatuses]),
  trigger: OneOf(['event', 'test', 'replay', 'manual']),
  attempt_count: Count(),
  next_attempt_at: Type.Optional(Timestamp()),
  last_attempt_at: Type.Optional(Timestamp()),
  http_status: Type.Optional(Type.Integer({ description: 'Status of the last attempt' })),
  error_code: Type.Optional(
    Type.String({ description: 'Why the last attempt failed, or why it was not made' }),
  ),
  completed_at: Type.Optional(Timestamp()),
});

const countOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Count()]));
const Rate = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });
const Milliseconds = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const WebhookCountsQuery = Type.Object({
  'filter[inserted_at][gte]': Type.Optional(
    Timestamp('Start, inclusive; 24 hours before the end if absent'),
  ),
  'filter[inserted_at][lt]': Type.Optional(Timestamp('End, exclusive; now if absent')),
});

/** Counts of the deliveries of a window, by result. */
export const WebhookCounts = Type.Object(
  {
    subscription_id: Id(),
    window: Type.Object({ start: Timestamp('Inclusive'), end: Timestamp('Exclusive') }),
    total: Count('Deliveries that were recorded in the window'),
    by_status: Type.Object(countOf(deliveryStatuses), { description: 'As they stand now' }),
    by_event_type: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
    success_rate: Rate(
      'Share of delivered among deliveries that were delivered or failed permanently; null where none are',
    ),
    attempts: Count('Attempts for these deliveries, whenever they were made'),
    p50_ms: Milliseconds(
      'Half of the attempts took no longer, of the newest 10,000 deliveries; null where none were made',
    ),
    p95_ms: Milliseconds('The same of 95 %'),
    computed_at: Timestamp(),
  },
  { title: 'webhook_delivery_counts' },
);

/** One attempt of a delivery, as it was sent; without the signature. */
export const WebhookAttempt = Type.Object(
  {
    id: Id(),
    type: Type.Literal('webhook_attempt'),
    team_id: Id(),
    subscription_id: Id(),
    number: Count('1, 2, 3 … without gaps'),
    trigger: OneOf(['scheduled', 'probe', 'test', 'replay', 'manual']),
    url: Type.String(),
    remote_ip: Type.Optional(Type.String()),
    requested_at: Timestamp(),
    responded_at: Type.Optional(Timestamp()),
    duration_ms: Count(),
    http_status: Type.Optional(Type.Integer()),
    response_headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    response_body: Type.Optional(Type.String()),
    response_truncated: Type.Boolean(),
    error_code: Type.Optional(Type.String()),
    error_detail: Type.Optional(Type.String()),
    next_attempt_at: Type.Optional(Timestamp()),
  },
  { title: 'webhook_attempt' },
);

/** One delivery by itself. */
export const WebhookDeliveryDetails = Type.Object(
  {
    ...WebhookDelivery.properties,
    workflow_id: Type.Optional(
      Type.String({ description: 'While it is in trouble: the workflow that looks after it' }),
    ),
    attempts: Type.Optional(
      Type.Array(WebhookAttempt, { description: 'With include=attempts; the newest 100' }),
    ),
    event: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'With include=event, for partner:webhooks:write: the body as it is sent',
      }),
    ),
  },
  { title: 'webhook_delivery_details' },
);
