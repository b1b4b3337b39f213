import { jobId } from '../../../platform/jobs/shape.ts';
import { Type } from 'typebox';
import { readScopeOf, stillHeld } from '../../read-scopes.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { thinEvent } from '../../../platform/events/thin.ts';
import { checkScopes } from '../../../platform/http/authorize.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { listEndpoint } from '../../../platform/lists/list-endpoint.ts';
import { windowOf } from '../../../platform/lists/window.ts';
import { signalJob } from '../../../platform/jobs/queries.ts';
import { webhookRecoveryJob } from '../../../../workflows/jobs.ts';
import { checkOn, isHeldByRecovery, requireSubscription } from '../queries.ts';
import {
  attemptSource,
  countDeliveries,
  deliverySource,
  findEvent,
  listAttempts,
  measureAttempts,
  requireDelivery,
  startOver,
} from './queries.ts';
import type { AttemptRow } from './queries.ts';
import { deliveryStatuses, sumCounts } from './rules.ts';
import {
  WebhookAttempt,
  WebhookCounts,
  WebhookCountsQuery,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from './webhook-delivery.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions/{id}/deliveries';

export const listWebhookDeliveries = listEndpoint({
  id: 'listWebhookDeliveries',
  path,
  summary: 'List the deliveries of a subscription',
  description:
    'Returns the deliveries of a subscription, the latest first. Each has the number of ' +
    'attempts, the status of the last one and the time of the next.',
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

const includes = ['attempts', 'event'];
const attemptsShown = 100;

export const getWebhookDelivery = endpoint({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: `${path}/{delivery_id}`,
  summary: 'Get a delivery; include=attempts,event adds the requests and responses',
  description:
    'Returns one delivery with its status and its next attempt. include=attempts adds the ' +
    'attempts, and include=event adds the body that was sent. The body needs the scope ' +
    'partner:webhooks:write.',
  errors: ['invalid_include'],
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'read',
  query: Type.Object({
    include: Type.Optional(Type.String({ description: 'attempts, event or both, by comma' })),
  }),
  response: WebhookDeliveryDetails,
  async handle({ sql, teamId, params, query, principal }) {
    const included = query.include === undefined ? [] : query.include.split(',');
    if (included.some((name) => !includes.includes(name))) {
      throw fail('invalid_include', {
        detail: 'include takes attempts and event.',
        meta: { parameter: 'include', allowed: includes },
      });
    }
    // The body requires the scope to subscribe, which would give access to it anyway.
    if (included.includes('event')) checkScopes(principal, 'partner:webhooks:write');
    const subscription = await requireSubscription(sql, teamId, params.id);
    const { id } = subscription;
    const delivery = await requireDelivery(sql, teamId, id, params.delivery_id);
    const isOpen = delivery.status === 'pending' || delivery.status === 'retrying';
    const isHeld = isOpen && (await isHeldByRecovery(sql, teamId, id));
    const withAttempts = included.includes('attempts');
    const event = included.includes('event') && (await findEvent(sql, teamId, delivery));
    // As it is sent, limited to the scopes of the caller.
    const scope = readScopeOf(delivery.event_type) ?? '';
    const isRead = mayReadEvent(principal, delivery.event_type);
    const isFull = stillHeld(subscription).includes(scope) && isRead;
    const attempts = withAttempts && (await listAttempts(sql, teamId, delivery, attemptsShown));
    return {
      ...delivery,
      ...(isHeld && { workflow_id: jobId(webhookRecoveryJob, id) }),
      ...(attempts && { attempts: isRead ? attempts : attempts.map(withoutAnswer) }),
      ...(event && { event: isFull ? event : thinEvent(event) }),
    };
  },
});

export const getWebhookDeliveryCounts = endpoint({
  id: 'getWebhookDeliveryCounts',
  method: 'GET',
  path: `${path}/counts`,
  summary: 'Count the deliveries of a subscription, by default of the last 24 hours',
  description:
    'Returns the number of deliveries by status, and the latency of their attempts. The ' +
    'window is the last 24 hours unless the parameters name another one. It has no side ' +
    'effects.',
  errors: ['invalid_filter_value'],
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'read',
  query: WebhookCountsQuery,
  response: WebhookCounts,
  async handle({ sql, teamId, params, query }) {
    const window = windowOf(query, 'inserted_at', Date.now());
    const { id } = await requireSubscription(sql, teamId, params.id);
    const counts = await countDeliveries(sql, teamId, id, window);
    const latency = await measureAttempts(sql, teamId, id, window);
    const computed_at = new Date().toISOString();
    return { subscription_id: id, window, ...sumCounts(counts, latency), computed_at };
  },
});

export const retryWebhookDelivery = endpoint({
  id: 'retryWebhookDelivery',
  method: 'POST',
  path: `${path}/{delivery_id}/retry`,
  summary: 'Retry a delivery now, with the full retry schedule if it fails',
  description:
    'Starts a delivery over: one attempt now, and the full retry schedule if it fails. An ' +
    'event that is no longer stored is refused with 410. An inactive or disabled subscription ' +
    'is refused with 409. Receivers recognize the repeat by its webhook-id.',
  errors: ['subscription_disabled', 'subscription_inactive', 'payload_expired'],
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'execute',
  status: 202,
  response: WebhookDelivery,
  audit: 'webhook_delivery.retried',
  async handle({ sql, teamId, params }) {
    const subscription = await requireSubscription(sql, teamId, params.id);
    checkOn(subscription);
    const { id } = subscription;
    const before = await requireDelivery(sql, teamId, id, params.delivery_id);
    if (!(await findEvent(sql, teamId, before))) {
      throw fail('payload_expired', { detail: 'The event of this delivery has been deleted.' });
    }
    const chosen = { day: before.day, ids: [before.id], trigger: 'manual' } as const;
    const [delivery] = await startOver(sql, teamId, id, chosen);
    if (await isHeldByRecovery(sql, teamId, id))
      await signalJob(sql, webhookRecoveryJob, id, teamId);
    return delivery ?? before;
  },
});

export const listWebhookAttempts = listEndpoint({
  id: 'listWebhookAttempts',
  path: `${path}/{delivery_id}/attempts`,
  summary: 'List the attempts of a delivery, with requests and responses',
  description:
    'Returns the attempts of a delivery with the status. The headers and the beginning of the ' +
    'answer are shown to tokens with the read scope of the event type.',
  tag,
  scope: 'partner:webhooks:read',
  item: WebhookAttempt,
  fields: {
    number: { type: 'integer', filter: true, sort: true },
    requested_at: { type: 'timestamp', filter: true, sort: true },
  },
  defaultSort: 'number',
  async source({ sql, teamId, params, principal }) {
    const { id } = await requireSubscription(sql, teamId, params['id'] ?? '');
    const delivery = await requireDelivery(sql, teamId, id, params['delivery_id'] ?? '');
    const isRead = mayReadEvent(principal, delivery.event_type);
    return attemptSource(teamId, delivery, { isRead });
  },
});

/** A receiver may answer with what it got or knows, so the answer is as open as the event. */
const mayReadEvent = ({ scopes }: Principal, eventType: string) =>
  scopes.has(readScopeOf(eventType) ?? '');

const withoutAnswer = (attempt: AttemptRow): AttemptRow => ({
  ...attempt,
  response_headers: null,
  response_body: null,
});

export const webhookDeliveryEndpoints = [
  listWebhookDeliveries,
  getWebhookDeliveryCounts,
  getWebhookDelivery,
  retryWebhookDelivery,
  listWebhookAttempts,
];
