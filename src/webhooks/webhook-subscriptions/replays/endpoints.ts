import { Answer, endpoint } from '../../../platform/http/endpoint.ts';
import { listEndpoint } from '../../../platform/lists/list-endpoint.ts';
import { cancelReplay, previewReplay } from '../../../platform/replays/request.ts';
import { lockReplay, replaySource, requireReplay } from '../../../platform/replays/queries.ts';
import { replayStatuses } from '../../../platform/replays/rules.ts';
import { requireSubscription } from '../queries.ts';
import { recordReplayEnd } from '../../../platform/replays/record-end.ts';
import { requestReplay, resolveReplay } from './request.ts';
import { webhookReplays } from './queries.ts';
import type { ReplayRow } from './queries.ts';
import { AskedWebhookReplay, WebhookReplay, WebhookReplayCreate } from './webhook-replay.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions/{id}/replays';
const readScope = 'partner:webhooks:read';
const scope = 'partner:webhooks:write';

export const replayWebhooks = endpoint({
  id: 'replayWebhooks',
  method: 'POST',
  path: '/v2/partner/webhook-subscriptions/{id}/replay',
  summary: 'Replay deliveries of a subscription, by id or by time window',
  description:
    'Starts deliveries of a subscription over, either by id or those of a window of time. ' +
    'With dry_run the answer is 200 and says how many deliveries would be replayed. One ' +
    'replay of a subscription runs at a time. Poll the address in Location, and cancel the ' +
    'replay where needed.',
  errors: [
    'subscription_disabled',
    'subscription_inactive',
    'replay_window_too_large',
    'payload_expired',
    'replay_in_progress',
  ],
  tag,
  scope,
  rateClass: 'execute',
  body: WebhookReplayCreate,
  status: 202,
  repeatStatus: 200,
  response: AskedWebhookReplay,
  location: '/v2/partner/webhook-subscriptions/{subscription_id}/replays/{id}',
  audit: 'webhook_replay.created',
  async handle({ sql, teamId, params: { id }, body: { dry_run: isDry = false, ...order } }) {
    if (!isDry) return requestReplay(sql, teamId, id, order);
    const { requested, counts, asked } = await resolveReplay(sql, teamId, id, order);
    const would = {
      type: 'webhook_replay' as const,
      team_id: teamId,
      subscription_id: requested.subscription_id,
      ...previewReplay(asked, counts.replayable),
    };
    return new Answer(would, { isRepeat: true });
  },
});

export const listWebhookReplays = listEndpoint({
  id: 'listWebhookReplays',
  path,
  summary: 'List the replays of a subscription',
  description:
    'Returns the replays of a subscription, the latest first. The counts say how many ' +
    'deliveries were matched, started over, delivered and skipped.',
  tag,
  scope: readScope,
  item: WebhookReplay,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    status: { type: 'enum', values: replayStatuses, filter: true },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params }) {
    const subscription = await requireSubscription(sql, teamId, params['id'] ?? '');
    return replaySource(webhookReplays, teamId, subscription.id);
  },
});

export const getWebhookReplay = endpoint({
  id: 'getWebhookReplay',
  method: 'GET',
  path: `${path}/{replay_id}`,
  summary: 'Get a replay, its progress and the outcomes of its deliveries',
  description:
    'Returns one replay with its progress and the outcome of its deliveries. Poll it until ' +
    'its status is final.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: WebhookReplay,
  async handle({ sql, teamId, params }) {
    const { id } = await requireSubscription(sql, teamId, params.id);
    return requireReplay<ReplayRow>(sql, webhookReplays, teamId, id, params.replay_id);
  },
});

export const cancelWebhookReplay = endpoint({
  id: 'cancelWebhookReplay',
  method: 'POST',
  path: `${path}/{replay_id}/cancel`,
  summary: 'Cancel a replay; deliveries already replayed continue',
  description:
    'Stops a replay. Deliveries that it has started over continue. When the answer arrives, ' +
    'nothing more is replayed. A replay that has ended is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: WebhookReplay,
  audit: 'webhook_replay.canceled',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const { id } = await requireSubscription(sql, teamId, params.id);
    // Waits for the current chunk, so that nothing is replayed after the response.
    const before = await lockReplay<ReplayRow>(sql, webhookReplays, teamId, id, params.replay_id);
    checkPrecondition(before);
    const canceled = await cancelReplay(sql, webhookReplays, before);
    recordReplayEnd(sql, webhookReplays, canceled);
    return canceled;
  },
});

export const webhookReplayEndpoints = [
  replayWebhooks,
  listWebhookReplays,
  getWebhookReplay,
  cancelWebhookReplay,
];
