import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { requireReceiver } from '../incoming-webhook-receivers/queries.ts';
import {
  startReplay,
  checkKnown,
  checkOneGiven,
  cancelReplay,
  previewReplay,
  replayWindow,
} from '../../platform/replays/request.ts';
import { lockReplay, replaySource, requireReplay } from '../../platform/replays/queries.ts';
import { defaultRate, replayStatuses } from '../../platform/replays/rules.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { AskedInboundReplay, InboundReplay, InboundReplayCreate } from './inbound-replay.ts';
import { countRequested, findAsked, inboundReplays, insertReplay } from './queries.ts';
import type { ReplayRow, Requested } from './queries.ts';
import { recordReplayEnd } from '../../platform/replays/record-end.ts';

const tag = 'Inbound webhooks';
const path = '/v2/webhooks/inbound/{receiver_id}/replays';
const readScope = 'partner:incoming-webhooks:read';
const scope = 'partner:incoming-webhooks:write';

export const replayInboundWebhooks = endpoint({
  id: 'replayInboundWebhooks',
  method: 'POST',
  path: '/v2/webhooks/inbound/{receiver_id}/replay',
  summary: 'Replay deliveries of a receiver, by id or by time window',
  description:
    'Applies callbacks of a receiver again, either by id or those of a window of time. With ' +
    'dry_run the answer is 200 and says how many would be applied. One replay of a receiver ' +
    'runs at a time. Rejected callbacks cannot be replayed. Poll the address in Location.',
  errors: [
    'payload_expired',
    'delivery_not_replayable',
    'replay_window_too_large',
    'replay_in_progress',
  ],
  tag,
  scope,
  rateClass: 'execute',
  body: InboundReplayCreate,
  status: 202,
  repeatStatus: 200,
  response: AskedInboundReplay,
  location: `${path}/{id}`,
  audit: 'inbound_replay.created',
  async handle({ sql, teamId, params, body, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    const { requested, window, counts } = await resolve(sql, teamId, receiver.id, body);
    const { dry_run: isDry = false, rate_per_second = defaultRate } = body;
    const asked = { ...window, rate_per_second, matched: counts.matched };
    if (isDry) {
      const would = {
        type: 'inbound_replay' as const,
        team_id: teamId,
        receiver_id: receiver.id,
        ...previewReplay(asked, counts.replayable),
      };
      return new Answer(would, { isRepeat: true });
    }
    return startReplay(sql, inboundReplays, { teamId, ownerId: receiver.id }, () =>
      insertReplay(sql, teamId, { ...requested, ...asked }),
    );
  },
});

/** The selection of a request, and the number of its deliveries. Throws 404, 409, 410 and 422. */
async function resolve(
  sql: Sql,
  teamId: string,
  receiverId: string,
  { delivery_ids: ids, filter }: Static<typeof InboundReplayCreate>,
) {
  checkOneGiven(ids, filter);
  if (ids) return resolveNamed(sql, teamId, receiverId, ids);
  const { since, until } = replayWindow(filter ?? {}, Date.now());
  const requested = {
    receiver_id: receiverId,
    delivery_ids: null,
    statuses: filter?.status ?? null,
    event_types: filter?.event_type ?? null,
    cursor_received_at: since,
    end_at: until,
  };
  const counts = await countRequested(sql, teamId, requested);
  checkAny(counts);
  return { requested, window: { since, until }, counts };
}

async function resolveNamed(
  sql: Sql,
  teamId: string,
  receiverId: string,
  givenIds: readonly string[],
) {
  const ids = givenIds.map((id) => id.toLowerCase());
  const found = await findAsked(sql, teamId, receiverId, ids);
  const known = new Set(found.map(({ id }) => id));
  checkKnown(ids, known, 'inbound_delivery');
  const count = (expected: string) => found.filter(({ state }) => state === expected).length;
  const counts = {
    matched: found.length,
    replayable: count('replayable'),
    refused: count('refused'),
    expired: count('expired'),
  };
  checkAny(counts);
  const times = found.map(({ received_at }) => Date.parse(received_at));
  const requested: Requested = {
    receiver_id: receiverId,
    delivery_ids: [...known],
    statuses: null,
    event_types: null,
    cursor_received_at: toTimestamp(Math.min(...times)),
    end_at: toTimestamp(Math.max(...times) + 1),
  };
  return { requested, window: { since: null, until: null }, counts };
}

/** Refuses what would do nothing at all. */
function checkAny(counts: { matched: number; replayable: number; expired: number }): void {
  if (counts.replayable > 0 || counts.matched === 0) return;
  if (counts.expired > 0) {
    throw fail('payload_expired', {
      detail: 'The payloads of all these deliveries have been deleted.',
    });
  }
  throw fail('delivery_not_replayable', {
    detail: 'None of these deliveries was accepted; there is nothing to apply.',
  });
}

export const listInboundReplays = listEndpoint({
  id: 'listInboundReplays',
  path,
  summary: 'List the replays of a receiver',
  description:
    'Returns the replays of a receiver, the latest first. The counts say how many callbacks ' +
    'were matched, applied and skipped.',
  tag,
  scope: readScope,
  item: InboundReplay,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    status: { type: 'enum', values: replayStatuses, filter: true },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params: { receiver_id = '' }, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, receiver_id, publicBaseUrl);
    return replaySource(inboundReplays, teamId, receiver.id);
  },
});

export const getInboundReplay = endpoint({
  id: 'getInboundReplay',
  method: 'GET',
  path: `${path}/{replay_id}`,
  summary: 'Get a replay and its progress',
  description:
    'Returns one replay with its progress and its outcome. Poll it until its status is final.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: InboundReplay,
  async handle({ sql, teamId, params, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    return requireReplay<ReplayRow>(sql, inboundReplays, teamId, receiver.id, params.replay_id);
  },
});

export const cancelInboundReplay = endpoint({
  id: 'cancelInboundReplay',
  method: 'POST',
  path: `${path}/{replay_id}/cancel`,
  summary: 'Cancel a replay; deliveries already replayed stay applied',
  description:
    'Stops a replay. Callbacks that it has applied stay applied. A replay that has ended is ' +
    'refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: InboundReplay,
  audit: 'inbound_replay.canceled',
  async handle({ sql, teamId, params, checkPrecondition, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    // Waits for the chunk in progress: after the response, nothing more is replayed.
    const before = await lockReplay<ReplayRow>(
      sql,
      inboundReplays,
      teamId,
      receiver.id,
      params.replay_id,
    );
    checkPrecondition(before);
    const canceled = await cancelReplay(sql, inboundReplays, before);
    recordReplayEnd(sql, inboundReplays, canceled);
    return canceled;
  },
});

export const inboundReplayEndpoints = [
  replayInboundWebhooks,
  listInboundReplays,
  getInboundReplay,
  cancelInboundReplay,
];
