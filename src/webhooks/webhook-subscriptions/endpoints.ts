import { countRows } from '../../platform/database/count-rows.ts';
import { Type } from 'typebox';
import type { WebhookConfig } from '../../platform/config.ts';
import { Deprecation } from '../../platform/http/deprecation.ts';
import { checkTargetUrl } from '../../platform/egress/address-rules.ts';
import { eventPrefixes, listEventTypes } from '../../platform/events/registered-types.ts';
import { readScopeOf } from '../read-scopes.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { webhookSubscriptionEnabled } from '../events.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { webhookRecoveryJob } from '../../../workflows/jobs.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { dropHeaders } from './delivery-settings/queries.ts';
import {
  deleteSubscription,
  holdForRecovery,
  insertSecret,
  insertSubscription,
  lockSubscription,
  nextEventSequence,
  probeNow,
  requireSubscription,
  resetFailures,
  subscriptionSource,
  updateSubscription,
  describeEvents,
} from './queries.ts';
import type { StoredSubscription } from './queries.ts';
import { findUnknownPatterns } from './event-patterns.ts';
import { recordEventTypes, rightsOf } from './rights.ts';
import {
  CreatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionCreate,
  WebhookSubscriptionPatch,
  maxWebhookSubscriptions,
} from './webhook-subscription.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions';
const writable = ['name', 'description', 'target_url', 'event_types', 'is_active'] as const;

export const listWebhookSubscriptions = listEndpoint({
  id: 'listWebhookSubscriptions',
  path,
  summary: 'List webhook subscriptions',
  description:
    'Returns the webhook subscriptions of the team. Signing secrets are never returned. ' +
    'is_disabled_for_failures marks one that the service has switched off.',
  tag,
  scope: 'partner:webhooks:read',
  item: WebhookSubscription,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    last_delivered_at: {
      type: 'timestamp',
      column: 's.last_delivered_at',
      filter: true,
      sort: true,
      nullable: true,
    },
    name: { type: 'text', filter: true, sort: true, nullable: true },
    target_url: { type: 'text', filter: true },
    event_types: { type: 'text_array', filter: true },
    is_active: { type: 'boolean', filter: true },
    is_disabled_for_failures: { type: 'boolean', filter: true },
  },
  defaultSort: '-inserted_at',
  source: ({ teamId }) => subscriptionSource(teamId),
  present: (row: StoredSubscription) => describeEvents(row),
});

export const createWebhookSubscription = endpoint({
  id: 'createWebhookSubscription',
  method: 'POST',
  path,
  summary: 'Subscribe a URL to events; the answer shows the signing secret once',
  description:
    'Subscribes a URL to events. The signing secret is shown in this answer only: store it, ' +
    'and verify each delivery with it. The URL must be a public https address. A team has at ' +
    'most 50 subscriptions. Send a test with the operation testWebhookSubscription next.',
  errors: ['invalid_event_type', 'target_not_allowed', 'quota_exceeded'],
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  bodyExample: {
    target_url: 'https://hooks.example.com/onward',
    event_types: ['contact.created', 'template.*'],
  },
  body: WebhookSubscriptionCreate,
  status: 201,
  response: CreatedWebhookSubscription,
  location: `${path}/{id}`,
  showsSecret: true,
  audit: 'webhook_subscription.created',
  async handle({ sql, teamId, principal, body, services, request }) {
    checkFields(body, await findUnknownPatterns(sql, teamId, body), services.config.webhooks);
    await checkQuota(sql, teamId, {
      name: 'webhook_subscriptions',
      limit: maxWebhookSubscriptions,
      count: countRows('webhook_subscriptions'),
    });
    const id = await insertSubscription(sql, teamId, {
      name: body.name ?? null,
      description: body.description ?? null,
      target_url: body.target_url,
      event_types: body.event_types,
      is_active: body.is_active ?? true,
      ...rightsOf(principal),
    });
    const signing_secret = await insertSecret(sql, services.keyring, teamId, id, 0);
    const made = await requireSubscription(sql, teamId, id);
    await recordEventTypes(sql, principal, request.trace, made);
    return { ...made, signing_secret };
  },
});

export const getWebhookSubscription = endpoint({
  id: 'getWebhookSubscription',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a webhook subscription',
  description:
    'Returns one webhook subscription with its failures and the state of its deliveries. The ' +
    'signing secret is never returned.',
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'read',
  response: WebhookSubscription,
  handle: ({ sql, teamId, params }) => requireSubscription(sql, teamId, params.id),
});

export const updateWebhookSubscription = endpoint({
  id: 'updateWebhookSubscription',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update, disable or enable a webhook subscription',
  description:
    'Changes the fields that the body names. Set is_disabled_for_failures to false to enable ' +
    'a subscription that the service has disabled. With is_active false, deliveries wait. ' +
    'Another target_url removes the custom headers, because their values are credentials for ' +
    'the old receiver; an unchanged one is not checked again.',
  errors: ['invalid_event_type', 'target_not_allowed'],
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: WebhookSubscriptionPatch,
  response: WebhookSubscription,
  audit: 'webhook_subscription.updated',
  async handle(call) {
    const { sql, teamId, params, principal, body, checkPrecondition, services, request } = call;
    const { id } = params;
    const before = await lockSubscription(sql, teamId, id);
    checkPrecondition(before);
    const unknown = await findUnknownPatterns(sql, teamId, body, before);
    // A full body repeats the address, which may no longer be accepted for a new subscription.
    const isSame = body.target_url === before.target_url;
    const judged = isSame ? { ...body, target_url: undefined } : body;
    checkFields(judged, unknown, services.config.webhooks);
    // Only the service can set it: `true` in a full body changes nothing (ADR 3, 30).
    const is_disabled_for_failures =
      before.is_disabled_for_failures && body.is_disabled_for_failures !== false;
    const requested = { ...writeFields(before, body, writable), is_disabled_for_failures };
    const changed = changedFields(WebhookSubscription, before, { ...before, ...requested });
    if (!changed) return before;
    const isRedirected = 'event_types' in changed || 'target_url' in changed;
    await updateSubscription(sql, teamId, id, {
      ...requested,
      ...(isRedirected && rightsOf(principal)),
    });
    if ('is_disabled_for_failures' in changed) await enable();
    if ('is_active' in changed && !requested.is_active) {
      await hand(() => holdForRecovery(sql, teamId, id));
    }
    if ('target_url' in changed) await hand(() => probeNow(sql, teamId, id));
    // Header values are credentials for the old receiver. Brokers and gateways serve the receivers
    // of many at one host, so another path is another receiver.
    if ('target_url' in changed) await dropHeaders(sql, teamId, id);
    const after = await requireSubscription(sql, teamId, id);
    if (isRedirected) await recordEventTypes(sql, principal, request.trace, after);
    return after;

    async function enable() {
      await resetFailures(sql, teamId, id);
      const data = await requireSubscription(sql, teamId, id);
      const sequence = await nextEventSequence(sql, teamId, id);
      recordEvent(sql, { teamId, type: webhookSubscriptionEnabled, data, sequence });
    }
    async function hand(change: () => Promise<unknown>) {
      if ((await change()) !== false) await signalJob(sql, webhookRecoveryJob, id, teamId);
    }
  },
});

export const deleteWebhookSubscription = endpoint({
  id: 'deleteWebhookSubscription',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a webhook subscription; its waiting deliveries are canceled',
  description:
    'Deletes a webhook subscription permanently. Deliveries that wait are canceled. The URL ' +
    'receives nothing more, except for an attempt that is in flight.',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  audit: 'webhook_subscription.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    checkPrecondition(await lockSubscription(sql, teamId, id));
    await deleteSubscription(sql, teamId, id);
    await holdForRecovery(sql, teamId, id);
    await signalJob(sql, webhookRecoveryJob, id, teamId);
    return undefined;
  },
});

export const listWebhookEventTypes = endpoint({
  id: 'listWebhookEventTypes',
  method: 'GET',
  path: '/v2/partner/webhook-event-types',
  summary: 'List the webhook event types with the JSON Schema of their body',
  description:
    'Returns every type of event with the JSON Schema of its body. The list is complete and ' +
    'is not paged. Choose from it the event_types of a subscription; custom.* stands for the types ' +
    'that the operation listCustomEventTypes lists.',
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'meta',
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        since: Type.String(),
        deprecation: Type.Optional(Deprecation),
        required_scope: Type.String({
          description: 'Reads the resource; without it the event is sent thin',
        }),
        schema: Type.Unknown(),
      }),
    ),
  }),
  handle: () =>
    Promise.resolve({
      data: listEventTypes().map((type) => ({
        name: type.name,
        description: type.description,
        since: type.since,
        deprecation: type.deprecation,
        required_scope: readScopeOf(type.name) ?? '',
        schema: type.schema,
      })),
    }),
});

/** Event types must exist and the address must be one that may be called; names all problems. */
function checkFields(
  {
    event_types = [],
    target_url,
  }: { event_types?: string[] | undefined; target_url?: string | undefined },
  unknown: ReadonlySet<string>,
  rules: WebhookConfig,
): void {
  const problems: Problem[] = [];
  event_types.forEach((pattern, at) => {
    if (!unknown.has(pattern)) return;
    problems.push({
      code: 'invalid_event_type',
      detail: 'No event type has this name or prefix.',
      meta: { pointer: `/event_types/${String(at)}`, allowed_prefixes: eventPrefixes() },
    });
  });
  const checked = target_url === undefined ? undefined : checkTargetUrl(target_url, rules);
  if (checked?.ok === false) {
    problems.push({
      code: 'target_not_allowed',
      detail: checked.reason,
      meta: { pointer: '/target_url' },
    });
  }
  if (problems.length > 0) throw failAll(problems);
}

export const webhookSubscriptionEndpoints = [
  listWebhookSubscriptions,
  createWebhookSubscription,
  getWebhookSubscription,
  updateWebhookSubscription,
  deleteWebhookSubscription,
  listWebhookEventTypes,
];
