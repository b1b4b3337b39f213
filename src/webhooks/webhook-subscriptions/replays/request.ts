import type { Static, TObject } from 'typebox';
import type { Sql } from '../../../platform/database/sql.ts';
import { fail } from '../../../platform/http/errors.ts';
import {
  startReplay,
  checkKnown,
  checkOneGiven,
  replayWindow,
} from '../../../platform/replays/request.ts';
import { defaultRate } from '../../../platform/replays/rules.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import { checkOn, requireSubscription } from '../queries.ts';
import { countRequested, findAsked, insertReplay, webhookReplays } from './queries.ts';
import type { Counts, ReplayRow, Requested } from './queries.ts';
import type { replayOrder } from './webhook-replay.ts';

export type Order = Static<TObject<typeof replayOrder>>;

/** Resolves the selection and counts its deliveries. Throws 404, 409, 410 and 422. */
export async function resolveReplay(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  order: Order,
) {
  const subscription = await requireSubscription(sql, teamId, subscriptionId);
  checkOn(subscription);
  const { delivery_ids: ids, filter } = order;
  checkOneGiven(ids, filter);
  const resolved = ids
    ? await resolveNamed(sql, teamId, subscription.id, ids)
    : await resolveWindow(sql, teamId, subscription.id, filter ?? {});
  const { matched, replayable } = resolved.counts;
  if (matched > 0 && replayable === 0) {
    throw fail('payload_expired', { detail: 'All requested events have been deleted.' });
  }
  const { rate_per_second = defaultRate } = order;
  return { ...resolved, asked: { ...resolved.window, rate_per_second, matched } };
}

/** Begins a replay. Throws as `resolveReplay` does, and 409 while another one is open. */
export async function requestReplay(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  order: Order,
): Promise<ReplayRow> {
  const { requested, asked } = await resolveReplay(sql, teamId, subscriptionId, order);
  const owner = { teamId, ownerId: requested.subscription_id };
  return startReplay(sql, webhookReplays, owner, () =>
    insertReplay(sql, teamId, { ...requested, ...asked }),
  );
}

interface ResolvedReplay {
  requested: Requested;
  window: { since: string | null; until: string | null };
  counts: Counts;
}

async function resolveWindow(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  filter: NonNullable<Order['filter']>,
): Promise<ResolvedReplay> {
  const window = replayWindow(filter, Date.now());
  const requested = {
    subscription_id: subscriptionId,
    delivery_ids: null,
    statuses: filter.status ?? null,
    event_types: filter.event_type ?? null,
    first_at: window.since,
    end_at: window.until,
  };
  return { requested, window, counts: await countRequested(sql, teamId, requested) };
}

async function resolveNamed(
  sql: Sql,
  teamId: string,
  subscriptionId: string,
  givenIds: readonly string[],
): Promise<ResolvedReplay> {
  const ids = givenIds.map((id) => id.toLowerCase());
  const found = await findAsked(sql, teamId, subscriptionId, ids);
  const known = new Set(found.map(({ id }) => id));
  checkKnown(ids, known, 'webhook_delivery');
  const times = found.map(({ inserted_at }) => Date.parse(inserted_at));
  const requested = {
    subscription_id: subscriptionId,
    delivery_ids: [...known],
    statuses: null,
    event_types: null,
    first_at: toTimestamp(Math.min(...times)),
    end_at: toTimestamp(Math.max(...times) + 1),
  };
  const replayable = found.filter(({ state }) => state === 'replayable').length;
  const counts = { matched: found.length, replayable };
  return { requested, window: { since: null, until: null }, counts };
}
