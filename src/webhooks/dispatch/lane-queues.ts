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

/** Queues claimed deliveries by subscription, so that a slow receiver delays only its own. */
export class LaneQueues {
  readonly #database: Database;
  readonly #hasRespondedLately: (subscriptionId: string) => boolean;
  readonly #onRoom: (shard: number) => void;
  readonly #queues = new Map<string, Queue>();
  readonly #sizes = { limited: 0, others: 0, characters: 0 };
  /** Characters of the body that was queued last, by subscription. */
  readonly #bodySizes = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    database: Database,
    hasRespondedLately: (subscriptionId: string) => boolean,
    /** Called when a subscription of this shard should be claimed again. */
    onRoom: (shard: number) => void,
  ) {
    this.#database = database;
    this.#hasRespondedLately = hasRespondedLately;
    this.#onRoom = onRoom;
  }

  size(): number {
    return this.#sizes.limited + this.#sizes.others;
  }

  isFull(): boolean {
    return this.#sizes.others >= maxQueued;
  }

  isFullOfLimited(): boolean {
    return this.#sizes.limited >= maxQueued;
  }

  /** Queued deliveries of the shards that the filter accepts. */
  ids(isOf: (shard: number) => boolean): string[] {
    return [...this.#queues.values()]
      .filter(({ shard }) => isOf(shard))
      .flatMap(({ entries }) => entries.map(({ delivery }) => delivery.id));
  }

  subscriptions(): MapIterator<string> {
    return this.#queues.keys();
  }

  /**
   * Number of further deliveries to claim. A limited subscription is claimed when it has none.
   */
  allowance(subscriptionId: string): number {
    const queue = this.#queues.get(subscriptionId);
    if (queue?.isLimited) return 0;
    const queued = queue?.entries.length ?? 0;
    const limit = this.#limitOf(subscriptionId);
    return queued > limit * 0.75 ? 0 : limit - queued;
  }

  /** Queues what was claimed by these allowances, with the slots that limited ones get. */
  async enqueue({ claimed, covers }: Claim, allowances: ReadonlyMap<string, number>) {
    const slots = await slotsOf(this.#database, claimed.filter(isLimited));
    const nowMs = performance.now();
    const counts = new Map<string, number>();
    for (const id of allowances.keys()) counts.set(id, 0);
    for (const delivery of claimed) {
      const id = delivery.subscription_id;
      const granted = slots.get(id);
      const before = counts.get(id) ?? 0;
      const atMs = granted ? nowMs + granted.starts_in_ms + before * granted.gap_ms : nowMs;
      this.#add(delivery, atMs);
      counts.set(id, before + 1);
    }
    for (const [id, count] of counts) {
      const queue = this.#queues.get(id);
      if (!queue || (count === 0 && !covers(queue.shard))) continue;
      queue.mayHaveMore = queue.isLimited || count >= (allowances.get(id) ?? usualAllowance);
    }
  }

  #add(delivery: ClaimedDelivery, atMs: number): void {
    const { subscription_id: id, shard, body } = delivery;
    this.#bodySizes.set(id, body.length);
    const queue = this.#queues.get(id) ?? {
      shard,
      entries: [],
      isLimited: isLimited(delivery),
      mayHaveMore: false,
    };
    this.#queues.set(id, queue);
    queue.entries.push({ delivery, atMs });
    this.#resize(queue, delivery, 1);
  }

  sendAllDue(nowMs: number, trySend: TrySend): void {
    for (const id of this.#queues.keys()) this.sendDue(id, nowMs, trySend);
  }

  /** Sends the due deliveries of one subscription until `trySend` refuses one. */
  sendDue(subscriptionId: string, nowMs: number, trySend: TrySend): void {
    const queue = this.#queues.get(subscriptionId);
    if (!queue) return;
    const { entries } = queue;
    let [next] = entries;
    while (next && next.atMs <= nowMs && trySend(next.delivery)) {
      entries.shift();
      this.#resize(queue, next.delivery, -1);
      [next] = entries;
    }
    if (entries.length === 0) this.#queues.delete(subscriptionId);
    const refillAt = queue.isLimited ? 0 : this.#limitOf(subscriptionId) / 2;
    if (queue.mayHaveMore && entries.length <= refillAt) this.#onRoom(queue.shard);
  }

  /** Time of the next slot; queues that wait for a response are excluded. */
  nextAtMs(nowMs: number): number {
    const next = [...this.#queues.values()].map(({ entries: [first] }) => first?.atMs ?? Infinity);
    return Math.min(Infinity, ...next.filter((atMs) => atMs > nowMs));
  }

  /** Releases the queued deliveries of failing subscriptions. */
  release(failing: ReadonlySet<string>): void {
    for (const id of failing) {
      const queue = this.#queues.get(id);
      if (!queue) continue;
      for (const { delivery } of queue.entries) this.#resize(queue, delivery, -1);
      this.#queues.delete(id);
    }
  }

  #resize({ isLimited }: Queue, { body }: ClaimedDelivery, change: 1 | -1): void {
    this.#sizes[isLimited ? 'limited' : 'others'] += change;
    this.#sizes.characters += change * body.length;
  }

  /** Largest number of queued deliveries of a subscription. */
  #limitOf(subscriptionId: string): number {
    const room = maxCharacters - this.#sizes.characters;
    return Math.min(
      this.#hasRespondedLately(subscriptionId) ? maxOfResponsive : usualAllowance,
      Math.floor((maxQueued - this.#sizes.others) * share),
      // One at least, since those that wait for slow receivers must not stop the others.
      Math.max(1, Math.floor((room * share) / (this.#bodySizes.get(subscriptionId) ?? 1))),
    );
  }
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
