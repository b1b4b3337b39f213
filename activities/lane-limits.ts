import type { Database } from '../src/database/client.ts';
import { reserveSlots } from '../src/partner/webhook-subscriptions/sending/limits/queries.ts';
import type {
  Slots,
  SlotsWanted,
} from '../src/partner/webhook-subscriptions/sending/limits/queries.ts';
import type { DueDelivery } from '../src/partner/webhook-subscriptions/sending/queries.ts';
import type { Attempted } from './webhook-sender.ts';

/** Deliveries of all limited subscriptions together; those beyond wait in their rows. */
const mostQueued = 1_024;

interface Queued {
  delivery: DueDelivery;
  /** By performance.now(); a delivery without a rate may go at once. */
  atMs: number;
}

const isLimited = ({ rate_limit_per_second, max_concurrency, ordering }: DueDelivery) =>
  rate_limit_per_second !== null || max_concurrency !== null || ordering !== 'none';

/**
 * What a lane has claimed for subscriptions that may not have all of it at once. Each has a short
 * queue of its own, and is claimed again when that is empty: so they wait for themselves alone.
 */
export function createLaneLimits(database: Database) {
  const queues = new Map<string, Queued[]>();
  let size = 0;
  const failures = new Map<string, Attempted[]>();

  async function slotsOf(limited: readonly DueDelivery[]) {
    const wanted = new Map<string, SlotsWanted>();
    for (const { team_id: teamId, subscription_id: subscriptionId, ...limits } of limited) {
      if (limits.rate_limit_per_second === null) continue;
      const { count } = wanted.get(subscriptionId) ?? { count: 0 };
      wanted.set(subscriptionId, { teamId, subscriptionId, count: count + 1 });
    }
    if (wanted.size === 0) return new Map<string, Slots>();
    const slots = await database.transact((sql) => reserveSlots(sql, [...wanted.values()]));
    return new Map(slots.map((granted) => [granted.subscription_id, granted]));
  }

  return {
    size: () => size,
    isFull: () => size >= mostQueued,
    ids: () => [...queues.values()].flat().map(({ delivery }) => delivery.id),
    /** Subscriptions that have enough for now. */
    served: () => queues.keys(),
    /** Keeps those of limited subscriptions, with the slots that they get; returns the others. */
    async keep(claimed: readonly DueDelivery[]): Promise<DueDelivery[]> {
      const limited = claimed.filter(isLimited).slice(0, mostQueued - size);
      const slots = await slotsOf(limited);
      const nowMs = performance.now();
      for (const delivery of limited) {
        const queue = queues.get(delivery.subscription_id) ?? [];
        const granted = slots.get(delivery.subscription_id);
        const waitMs = granted ? granted.starts_in_ms + queue.length * granted.gap_ms : 0;
        queue.push({ delivery, atMs: nowMs + waitMs });
        queues.set(delivery.subscription_id, queue);
        size += 1;
      }
      return claimed.filter((delivery) => !isLimited(delivery));
    },
    /** Lets go what is due, as far as `post` takes it; true where a queue has become empty. */
    begin(nowMs: number, post: (delivery: DueDelivery) => boolean): boolean {
      const before = queues.size;
      for (const [subscriptionId, queue] of queues) {
        let gone = 0;
        while (isDue(queue[gone], nowMs, post)) gone += 1;
        size -= gone;
        if (gone === queue.length) queues.delete(subscriptionId);
        else queue.splice(0, gone);
      }
      return queues.size < before;
    },
    /** When the next slot begins; what waits for an answer is told by that. */
    nextAtMs(nowMs: number): number {
      const next = [...queues.values()].map(([first]) => first?.atMs ?? Infinity);
      return Math.min(Infinity, ...next.filter((atMs) => atMs > nowMs));
    },
    /** Gives back what a subscription in trouble has queued. */
    drop(troubled: ReadonlySet<string>) {
      for (const subscriptionId of troubled) {
        size -= queues.get(subscriptionId)?.length ?? 0;
        queues.delete(subscriptionId);
      }
    },
    /**
     * What is to be written down when an attempt has ended; undefined for one that was cut off. A
     * failure hands the subscription over to its recovery: where calls at once are limited, it is
     * kept until none of the lane's is under way.
     */
    settle(delivery: DueDelivery, attempted: Attempted | undefined, underWay: number): Attempted[] {
      const ended = attempted ? [attempted] : [];
      if (delivery.max_concurrency === null) return ended;
      const kept = failures.get(delivery.subscription_id) ?? [];
      if (underWay > 0 && attempted && attempted.settlement.status !== 'delivered') {
        failures.set(delivery.subscription_id, [...kept, attempted]);
        return [];
      }
      if (underWay > 0) return ended;
      failures.delete(delivery.subscription_id);
      return [...kept, ...ended];
    },
  };
}

function isDue(
  queued: Queued | undefined,
  nowMs: number,
  post: (delivery: DueDelivery) => boolean,
): boolean {
  return queued !== undefined && queued.atMs <= nowMs && post(queued.delivery);
}
