import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/client.ts';
import { reserveSlots } from './limits/queries.ts';
import type { Slots, RequestedSlots } from './limits/queries.ts';
import type { Claim } from './lane-claims.ts';
import { usualAllowance } from './lanes/queries.ts';
import type { ClaimedDelivery } from './lanes/queries.ts';
import type { DueDelivery } from './queries.ts';

/** Queued deliveries of a lane, limited and others apart; those beyond wait in their rows. */
const maxQueued = 2_048;
/**
 * Characters of the bodies in the queues of a lane, beyond which each subscription has one body there.
 * A body has 256,000 at most.
 */
const maxCharacters = 16_000_000;
/** Queued deliveries of a subscription whose receiver has responded lately. */
const maxOfResponsive = 128;
/** One subscription may take this share of what is free, so that the others always find room. */
const share = 1 / 8;

interface Queued {
  delivery: ClaimedDelivery;
  /** By performance.now(); a delivery without a rate is due immediately. */
  atMs: number;
}

interface Queue {
  shard: number;
  entries: Queued[];
  isLimited: boolean;
  /** The last claim returned as many as requested, or left this subscription out. */
  mayHaveMore: boolean;
}

/** Starts the attempt of a delivery; false where it must wait. */
export type TrySend = (delivery: ClaimedDelivery) => boolean;

export type LaneQueues = ReturnType<typeof createLaneQueues>;

/** Queues claimed deliveries by subscription, so that a slow receiver delays only its own. */
export function createLaneQueues(
  database: Database,
  hasRespondedLately: (subscriptionId: string) => boolean,
  /** Called when a subscription of this shard should be claimed again. */
  onRoom: (shard: number) => void,
) {
  const queues = new Map<string, Queue>();
  const sizes = { limited: 0, others: 0, characters: 0 };
  /** Characters of the body that was queued last, by subscription. */
  const bodySizes = new LRUCache<string, number>({ max: 10_000 });

  function resize({ isLimited }: Queue, { body }: ClaimedDelivery, change: 1 | -1): void {
    sizes[isLimited ? 'limited' : 'others'] += change;
    sizes.characters += change * body.length;
  }

  /** Largest number of queued deliveries of a subscription. */
  const limitOf = (subscriptionId: string) =>
    Math.min(
      hasRespondedLately(subscriptionId) ? maxOfResponsive : usualAllowance,
      Math.floor((maxQueued - sizes.others) * share),
      // One at least, since those that wait for slow receivers must not stop the others.
      Math.max(
        1,
        Math.floor(
          ((maxCharacters - sizes.characters) * share) / (bodySizes.get(subscriptionId) ?? 1),
        ),
      ),
    );

  function add(delivery: ClaimedDelivery, atMs: number): void {
    const { subscription_id: id, shard, body } = delivery;
    bodySizes.set(id, body.length);
    const queue = queues.get(id) ?? {
      shard,
      entries: [],
      isLimited: isLimited(delivery),
      mayHaveMore: false,
    };
    queues.set(id, queue);
    queue.entries.push({ delivery, atMs });
    resize(queue, delivery, 1);
  }

  /** Sends the due deliveries of one subscription until `trySend` refuses one. */
  function sendDue(subscriptionId: string, nowMs: number, trySend: TrySend): void {
    const queue = queues.get(subscriptionId);
    if (!queue) return;
    const { entries } = queue;
    let [next] = entries;
    while (next && next.atMs <= nowMs && trySend(next.delivery)) {
      entries.shift();
      resize(queue, next.delivery, -1);
      [next] = entries;
    }
    if (entries.length === 0) queues.delete(subscriptionId);
    const refillAt = queue.isLimited ? 0 : limitOf(subscriptionId) / 2;
    if (queue.mayHaveMore && entries.length <= refillAt) onRoom(queue.shard);
  }

  return {
    size: () => sizes.limited + sizes.others,
    isFull: () => sizes.others >= maxQueued,
    isFullOfLimited: () => sizes.limited >= maxQueued,
    /** Queued deliveries of the shards that the filter accepts. */
    ids: (isOf: (shard: number) => boolean) =>
      [...queues.values()]
        .filter(({ shard }) => isOf(shard))
        .flatMap(({ entries }) => entries.map(({ delivery }) => delivery.id)),
    subscriptions: () => queues.keys(),
    /**
     * Number of further deliveries to claim. A limited subscription is claimed when it has none.
     */
    allowance(subscriptionId: string): number {
      const queue = queues.get(subscriptionId);
      if (queue?.isLimited) return 0;
      const queued = queue?.entries.length ?? 0;
      const limit = limitOf(subscriptionId);
      return queued > limit * 0.75 ? 0 : limit - queued;
    },
    /** Queues what was claimed by these allowances, with the slots that limited ones get. */
    async enqueue({ claimed, covers }: Claim, allowances: ReadonlyMap<string, number>) {
      const slots = await slotsOf(database, claimed.filter(isLimited));
      const nowMs = performance.now();
      const counts = new Map<string, number>();
      for (const id of allowances.keys()) counts.set(id, 0);
      for (const delivery of claimed) {
        const id = delivery.subscription_id;
        const granted = slots.get(id);
        const before = counts.get(id) ?? 0;
        add(delivery, granted ? nowMs + granted.starts_in_ms + before * granted.gap_ms : nowMs);
        counts.set(id, before + 1);
      }
      for (const [id, count] of counts) {
        const queue = queues.get(id);
        if (!queue || (count === 0 && !covers(queue.shard))) continue;
        queue.mayHaveMore = queue.isLimited || count >= (allowances.get(id) ?? usualAllowance);
      }
    },
    sendDue,
    sendAllDue(nowMs: number, trySend: TrySend) {
      for (const id of queues.keys()) sendDue(id, nowMs, trySend);
    },
    /** Time of the next slot; queues that wait for a response are excluded. */
    nextAtMs(nowMs: number): number {
      const next = [...queues.values()].map(({ entries: [first] }) => first?.atMs ?? Infinity);
      return Math.min(Infinity, ...next.filter((atMs) => atMs > nowMs));
    },
    /** Releases the queued deliveries of failing subscriptions. */
    release(failing: ReadonlySet<string>) {
      for (const id of failing) {
        const queue = queues.get(id);
        if (!queue) continue;
        for (const { delivery } of queue.entries) resize(queue, delivery, -1);
        queues.delete(id);
      }
    },
  };
}

const isLimited = ({ rate_limit_per_second, max_concurrency, ordering }: DueDelivery) =>
  rate_limit_per_second !== null || max_concurrency !== null || ordering !== 'none';

async function slotsOf(database: Database, limited: readonly DueDelivery[]) {
  const requested = new Map<string, RequestedSlots>();
  for (const { team_id: teamId, subscription_id: subscriptionId, ...limits } of limited) {
    if (limits.rate_limit_per_second === null) continue;
    const { count } = requested.get(subscriptionId) ?? { count: 0 };
    requested.set(subscriptionId, { teamId, subscriptionId, count: count + 1 });
  }
  if (requested.size === 0) return new Map<string, Slots>();
  const slots = await database.transact((sql) => reserveSlots(sql, [...requested.values()]));
  return new Map(slots.map((granted) => [granted.subscription_id, granted]));
}
