import { endpoint } from '../../../http/endpoint.ts';
import { listEndpoint } from '../../../listing/list-endpoint.ts';
import { requireSubscription } from '../queries.ts';
import { attemptSource, deliverySource, requireDelivery } from './queries.ts';
import { WebhookAttempt, WebhookDelivery, deliveryStatuses } from './webhook-delivery.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions/{id}/deliveries';

export const listWebhookDeliveries = listEndpoint({
  id: 'listWebhookDeliveries',
  path,
  summary: 'List the deliveries of a subscription',
  tag,
  scope: 'partner:webhooks:read',
  item: WebhookDelivery,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    last_attempt_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
    next_attempt_at: { type: 'timestamp', filter: true },
    status: { type: 'enum', values: deliveryStatuses, filter: true },
    event_type: { type: 'text', filter: true },
    event_id: { type: 'id', filter: true },
    http_status: { type: 'integer', filter: true },
    error_code: { type: 'text', filter: true },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params }) {
    const subscription = await requireSubscription(sql, teamId, params['id'] ?? '');
    return deliverySource(teamId, subscription.id);
  },
});

export const getWebhookDelivery = endpoint({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: `${path}/{delivery_id}`,
  summary: 'Get one delivery',
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'read',
  response: WebhookDelivery,
  async handle({ sql, teamId, params }) {
    await requireSubscription(sql, teamId, params.id);
    return requireDelivery(sql, teamId, params.id, params.delivery_id);
  },
});

export const listWebhookAttempts = listEndpoint({
  id: 'listWebhookAttempts',
  path: `${path}/{delivery_id}/attempts`,
  summary: 'List what was sent for a delivery and what came back',
  tag,
  scope: 'partner:webhooks:read',
  item: WebhookAttempt,
  fields: {
    number: { type: 'integer', filter: true, sort: true },
    requested_at: { type: 'timestamp', filter: true, sort: true },
  },
  defaultSort: 'number',
  async source({ sql, teamId, params }) {
    const { id } = await requireSubscription(sql, teamId, params['id'] ?? '');
    const delivery = await requireDelivery(sql, teamId, id, params['delivery_id'] ?? '');
    return attemptSource(teamId, delivery);
  },
});

export const webhookDeliveryEndpoints = [
  listWebhookDeliveries,
  getWebhookDelivery,
  listWebhookAttempts,
];
