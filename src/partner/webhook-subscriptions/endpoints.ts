import { Type } from 'typebox';
import { eventPrefixes, eventTypes, isEventPattern } from '../../events/catalog.ts';
import { recordEvent } from '../../events/record.ts';
import { checkTargetUrl } from '../../egress/address-rules.ts';
import type { WebhookConfig } from '../../config.ts';
import { Timestamp } from '../../fields.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fail, failAll } from '../../http/errors.ts';
import type { Problem } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { wake } from '../../temporal/wake.ts';
import { requireEventDelivery } from './deliveries/queries.ts';
import {
  countSubscriptions,
  deleteSubscription,
  findRotationEnd,
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
} from './queries.ts';
import { WebhookDelivery } from './deliveries/webhook-delivery.ts';
import {
  CreatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionCreate,
  WebhookSubscriptionPatch,
} from './webhook-subscription.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions';
const maxSubscriptions = 50;

export const listWebhookSubscriptions = listEndpoint({
  id: 'listWebhookSubscriptions',
  path,
  summary: 'List webhook subscriptions',
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
});

export const createWebhookSubscription = endpoint({
  id: 'createWebhookSubscription',
  method: 'POST',
  path,
  summary: 'Subscribe a URL to events; the answer shows the signing secret once',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: WebhookSubscriptionCreate,
  status: 201,
  response: CreatedWebhookSubscription,
  location: `${path}/{id}`,
  showsSecret: true,
  audit: 'webhook_subscription.created',
  async handle({ sql, teamId, body, services }) {
    checkFields(body, services.config.webhooks);
    if ((await countSubscriptions(sql, teamId)) >= maxSubscriptions) {
      throw fail('quota_exceeded', {
        detail: `A team has at most ${String(maxSubscriptions)} webhook subscriptions.`,
        meta: { quota: 'webhook_subscriptions', limit: maxSubscriptions },
      });
    }
    const id = await insertSubscription(sql, teamId, {
      name: body.name ?? null,
      description: body.description ?? null,
      target_url: body.target_url,
      event_types: body.event_types,
      is_active: body.is_active ?? true,
    });
    const signing_secret = await insertSecret(sql, services.keyring, teamId, id, 0);
    return { ...(await requireSubscription(sql, teamId, id)), signing_secret };
  },
});

export const getWebhookSubscription = endpoint({
  id: 'getWebhookSubscription',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a webhook subscription',
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
  summary: 'Change a webhook subscription, switch it off or on, or enable it again',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: WebhookSubscriptionPatch,
  response: WebhookSubscription,
  audit: 'webhook_subscription.updated',
  async handle({ sql, teamId, params: { id }, body, checkPrecondition, services }) {
    const before = await lockSubscription(sql, teamId, id);
    checkPrecondition(before);
    checkFields(body, services.config.webhooks);
    const changes = changedOf(before, body);
    if (Object.keys(changes).length === 0) return before;
    await updateSubscription(sql, teamId, id, changes);
    if (changes.is_disabled_for_failures === false) await enable();
    if (changes.is_active === false) await hand(() => holdForRecovery(sql, teamId, id));
    if (changes.target_url !== undefined) await hand(() => probeNow(sql, teamId, id));
    return requireSubscription(sql, teamId, id);

    async function enable() {
      await resetFailures(sql, teamId, id);
      const data = await requireSubscription(sql, teamId, id);
      const sequence = await nextEventSequence(sql, teamId, id);
      recordEvent(sql, { teamId, type: 'webhook_subscription.enabled', data, sequence });
    }
    async function hand(change: () => Promise<unknown>) {
      if ((await change()) !== false) await wake(sql, 'webhook_recovery', id, teamId);
    }
  },
});

export const deleteWebhookSubscription = endpoint({
  id: 'deleteWebhookSubscription',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a webhook subscription; what waits is canceled',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  audit: 'webhook_subscription.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    checkPrecondition(await lockSubscription(sql, teamId, id));
    await deleteSubscription(sql, teamId, id);
    await holdForRecovery(sql, teamId, id);
    await wake(sql, 'webhook_recovery', id, teamId);
    return undefined;
  },
});

export const rotateWebhookSecret = endpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  summary: 'Make a new signing secret; the old one signs too until the overlap ends',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 }),
      ),
      force: Type.Optional(Type.Boolean({ description: 'Ends a rotation that is under way' })),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  response: Type.Object(
    {
      signing_secret: Type.String({ description: 'whsec_…; shown only here' }),
      previous_expires_at: Type.Optional(Timestamp('Until then the old secret signs too')),
    },
    { title: 'rotated_secret' },
  ),
  showsSecret: true,
  audit: 'webhook_subscription.secret_rotated',
  async handle({ sql, teamId, params: { id }, body, services }) {
    await lockSubscription(sql, teamId, id);
    const until = await findRotationEnd(sql, teamId, id);
    if (until !== undefined && !body.force) {
      throw fail('rotation_in_progress', {
        detail: 'The secret was rotated a short while ago.',
        meta: { previous_expires_at: until },
      });
    }
    const { overlap_seconds = 86_400 } = body;
    const signing_secret = await insertSecret(sql, services.keyring, teamId, id, overlap_seconds);
    const previous_expires_at = await findRotationEnd(sql, teamId, id);
    return { signing_secret, previous_expires_at };
  },
});

export const testWebhookSubscription = endpoint({
  id: 'testWebhookSubscription',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send webhook.ping to this subscription: one attempt, without effect on its counters',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'execute',
  status: 202,
  response: WebhookDelivery,
  async handle({ sql, teamId, params: { id } }) {
    const subscription = await lockSubscription(sql, teamId, id);
    if (subscription.is_disabled_for_failures) {
      throw fail('subscription_disabled', { detail: 'The subscription is disabled.' });
    }
    if (!subscription.is_active) {
      throw fail('subscription_inactive', { detail: 'The subscription is inactive.' });
    }
    const sequence = await nextEventSequence(sql, teamId, id);
    const data = { id, type: 'webhook_subscription' };
    const eventId = recordEvent(sql, {
      teamId,
      type: 'webhook.ping',
      data,
      sequence,
      only: id,
    });
    return requireEventDelivery(sql, teamId, id, eventId);
  },
});

export const listWebhookEventTypes = endpoint({
  id: 'listWebhookEventTypes',
  method: 'GET',
  path: '/v2/partner/webhook-event-types',
  summary: 'Every event type with the JSON Schema of its body',
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'meta',
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        since: Type.String(),
        schema: Type.Unknown(),
      }),
    ),
  }),
  handle: () =>
    Promise.resolve({
      data: Object.entries(eventTypes).map(([name, { description, since, schema }]) => ({
        name,
        description,
        since,
        schema,
      })),
    }),
});

type Body = Partial<{
  name: string | null;
  description: string | null;
  target_url: string;
  event_types: string[];
  is_active: boolean;
  is_disabled_for_failures: boolean;
}>;

/** Event types must exist and the address must be one that may be called; names all problems. */
function checkFields(
  body: { [Key in keyof Body]?: Body[Key] | undefined },
  rules: WebhookConfig,
): void {
  const problems: Problem[] = [];
  (body.event_types ?? []).forEach((pattern, at) => {
    if (isEventPattern(pattern)) return;
    problems.push({
      code: 'invalid_event_type',
      detail: 'No event type has this name or prefix.',
      meta: { pointer: `/event_types/${String(at)}`, allowed_prefixes: eventPrefixes() },
    });
  });
  const verdict =
    body.target_url === undefined ? undefined : checkTargetUrl(body.target_url, rules);
  if (verdict?.ok === false) {
    problems.push({
      code: 'target_not_allowed',
      detail: verdict.reason,
      meta: { pointer: '/target_url' },
    });
  }
  if (problems.length > 0) throw failAll(problems);
}

/** The fields of a body whose value differs from the row's. */
function changedOf(row: Body, body: { [Key in keyof Body]?: Body[Key] | undefined }): Body {
  const changes: Body = {};
  if (body.name !== undefined && body.name !== row.name) changes.name = body.name;
  if (body.description !== undefined && body.description !== row.description) {
    changes.description = body.description;
  }
  if (body.target_url !== undefined && body.target_url !== row.target_url) {
    changes.target_url = body.target_url;
  }
  if (body.event_types && body.event_types.join() !== row.event_types?.join()) {
    changes.event_types = body.event_types;
  }
  if (body.is_active !== undefined && body.is_active !== row.is_active) {
    changes.is_active = body.is_active;
  }
  // Only the service disables: a full body may say true, which changes nothing (DECISIONS 3, 30).
  if (body.is_disabled_for_failures === false && row.is_disabled_for_failures) {
    changes.is_disabled_for_failures = false;
  }
  return changes;
}

export const webhookSubscriptionEndpoints = [
  listWebhookSubscriptions,
  createWebhookSubscription,
  getWebhookSubscription,
  updateWebhookSubscription,
  deleteWebhookSubscription,
  rotateWebhookSecret,
  testWebhookSubscription,
  listWebhookEventTypes,
];
