import { Type } from 'typebox';
import { Count, Id, OneOf, Timestamp, resource } from '../../../fields.ts';

export const deliveryStatuses = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'suppressed',
  'canceled',
] as const;

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
  http_status: Type.Optional(Type.Integer({ description: 'Of the last attempt' })),
  error_code: Type.Optional(
    Type.String({ description: 'Why the last attempt failed, or why it was not made' }),
  ),
  completed_at: Type.Optional(Timestamp()),
});

/** One try to deliver, as it went over the wire; without the signature. */
export const WebhookAttempt = Type.Object(
  {
    id: Id('The delivery'),
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
