import type { Static } from 'typebox';
import type { Sql } from '../../database/client.ts';
import { unlessTaken } from '../../database/unless-taken.ts';
import { Answer, endpoint } from '../../http/endpoint.ts';
import { fail, failAll } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { requireReceiver } from '../../partner/incoming-webhook-receivers/queries.ts';
import { wake } from '../../temporal/wake.ts';
import { AskedInboundReplay, InboundReplay, InboundReplayCreate } from './inbound-replay.ts';
import {
  cancelReplayRow,
  countWanted,
  findAsked,
  findOpenReplay,
  insertReplay,
  lockReplay,
  openIndex,
  replaySource,
  requireReplay,
} from './queries.ts';
import type { Wanted } from './queries.ts';
import { defaultRate, isOpen, longestWindowMs, replayStatuses } from './rules.ts';

const tag = 'Inbound webhooks';
const path = '/v2/webhooks/inbound/{receiver_id}/replays';
const readScope = 'partner:incoming-webhooks:read';
const scope = 'partner:incoming-webhooks:write';

export const replayInboundWebhooks = endpoint({
  id: 'replayInboundWebhooks',
  method: 'POST',
  path: '/v2/webhooks/inbound/{receiver_id}/replay',
  summary: 'Apply deliveries of a receiver again: some by id, or those of a window',
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
    const { wanted, window, counts } = await survey(sql, teamId, receiver.id, body);
    const { dry_run: isDry = false, rate_per_second = defaultRate } = body;
    const asked = { ...window, rate_per_second, matched: counts.matched };
    if (isDry) {
      const now = new Date().toISOString();
      const would = {
        ...asked,
        type: 'inbound_replay' as const,
        team_id: teamId,
        receiver_id: receiver.id,
        status: 'completed' as const,
        dry_run: true,
        replayed: counts.replayable,
        succeeded: 0,
        failed: 0,
        skipped: counts.matched - counts.replayable,
        inserted_at: now,
        finished_at: now,
      };
      return new Answer(would, { isRepeat: true });
    }
    const replay = await unlessTaken(sql, openIndex, () =>
      insertReplay(sql, teamId, { ...wanted, ...asked }),
    );
    if (!replay) {
      throw fail('replay_in_progress', {
        detail: 'Another replay of the receiver is not finished.',
        meta: { id: await findOpenReplay(sql, teamId, receiver.id) },
      });
    }
    await wake(sql, 'inbound_replay', replay.id, teamId);
    return replay;
  },
});

/** What is asked for, and how much of it there is. Throws 404, 409, 410 and 422. */
async function survey(
  sql: Sql,
  teamId: string,
  receiverId: string,
  { delivery_ids: ids, filter }: Static<typeof InboundReplayCreate>,
) {
  if ((ids === undefined) === (filter === undefined)) {
    throw fail('validation_failed', {
      detail: 'Give delivery_ids or filter, one of the two.',
      meta: { pointer: '', rule: 'one_of', expected: ['delivery_ids', 'filter'] },
    });
  }
  if (ids) return surveyAsked(sql, teamId, receiverId, ids);
  const { since, until } = windowOf(filter ?? {}, Date.now());
  const wanted = {
    receiver_id: receiverId,
    delivery_ids: null,
    statuses: filter?.status ?? null,
    event_types: filter?.event_type ?? null,
    cursor_received_at: since,
    end_at: until,
  };
  const counts = await countWanted(sql, teamId, wanted);
  checkAny(counts);
  return { wanted, window: { since, until }, counts };
}

async function surveyAsked(sql: Sql, teamId: string, receiverId: string, asked: readonly string[]) {
  const ids = asked.map((id) => id.toLowerCase());
  const found = await findAsked(sql, teamId, receiverId, ids);
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.flatMap((id, at) => (known.has(id) ? [] : [at]));
  if (unknown.length > 0) {
    throw failAll(
      unknown.map((at) => ({
        code: 'not_found',
        detail: 'No such delivery.',
        meta: { resource: 'inbound_delivery', pointer: `/delivery_ids/${String(at)}` },
      })),
    );
  }
  const count = (wanted: string) => found.filter(({ state }) => state === wanted).length;
  const counts = {
    matched: found.length,
    replayable: count('replayable'),
    refused: count('refused'),
    expired: count('expired'),
  };
  checkAny(counts);
  const times = found.map(({ received_at }) => Date.parse(received_at));
  const wanted: Wanted = {
    receiver_id: receiverId,
    delivery_ids: [...known],
    statuses: null,
    event_types: null,
    cursor_received_at: new Date(Math.min(...times)).toISOString(),
    end_at: new Date(Math.max(...times) + 1).toISOString(),
  };
  return { wanted, window: { since: null, until: null }, counts };
}

/** Refuses what would do nothing at all. */
function checkAny(counts: { matched: number; replayable: number; expired: number }): void {
  if (counts.replayable > 0 || counts.matched === 0) return;
  if (counts.expired > 0) {
    throw fail('payload_expired', {
      detail: 'What came in is no longer kept of any of these deliveries.',
    });
  }
  throw fail('delivery_not_replayable', {
    detail: 'None of these deliveries was taken: there is nothing to apply.',
  });
}

/** At most 30 days. Throws 422. */
function windowOf(filter: { since?: string; until?: string }, nowMs: number) {
  const untilMs = Math.min(nowMs, filter.until === undefined ? nowMs : Date.parse(filter.until));
  const sinceMs = filter.since === undefined ? untilMs - longestWindowMs : Date.parse(filter.since);
  if (sinceMs >= untilMs) {
    throw fail('validation_failed', {
      detail: 'The window must begin in the past, and end after that.',
      meta: { pointer: '/filter/since', rule: 'window' },
    });
  }
  if (untilMs - sinceMs > longestWindowMs) {
    throw fail('replay_window_too_large', {
      detail: 'The window may span 30 days at most.',
      meta: { pointer: '/filter/since', max_days: 30 },
    });
  }
  return { since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() };
}

export const listInboundReplays = listEndpoint({
  id: 'listInboundReplays',
  path,
  summary: 'List the replays of a receiver',
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
    return replaySource(teamId, receiver.id);
  },
});

export const getInboundReplay = endpoint({
  id: 'getInboundReplay',
  method: 'GET',
  path: `${path}/{replay_id}`,
  summary: 'Get a replay, and how far it has got',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: InboundReplay,
  async handle({ sql, teamId, params, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    return requireReplay(sql, teamId, receiver.id, params.replay_id);
  },
});

export const cancelInboundReplay = endpoint({
  id: 'cancelInboundReplay',
  method: 'POST',
  path: `${path}/{replay_id}/cancel`,
  summary: 'Stop a replay; what it has replayed stays so',
  tag,
  scope,
  rateClass: 'execute',
  response: InboundReplay,
  audit: 'inbound_replay.canceled',
  async handle({ sql, teamId, params, checkPrecondition, services }) {
    const { publicBaseUrl } = services.config;
    const receiver = await requireReceiver(sql, teamId, params.receiver_id, publicBaseUrl);
    // Waits for the chunk under way: when this is answered, nothing more is replayed.
    const before = await lockReplay(sql, teamId, receiver.id, params.replay_id);
    checkPrecondition(before);
    if (!isOpen(before.status)) {
      throw fail('invalid_state_transition', {
        detail: 'The replay is finished.',
        meta: { state: before.status, action: 'cancel', allowed_actions: [] },
      });
    }
    const canceled = await cancelReplayRow(sql, before);
    await wake(sql, 'inbound_replay', canceled.id, teamId);
    return canceled;
  },
});

export const inboundReplayEndpoints = [
  replayInboundWebhooks,
  listInboundReplays,
  getInboundReplay,
  cancelInboundReplay,
];
