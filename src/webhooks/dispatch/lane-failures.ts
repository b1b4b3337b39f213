import type { DueDelivery } from './queries.ts';
import type { Attempted } from './webhook-sender.ts';

/**
 * Failures of subscriptions with a limit on attempts at the same time. A failure hands its
 * subscription over to the recovery, so it is held back while other attempts of the lane are under
 * way: lane and recovery together would exceed the limit.
 */
export function createLaneFailures() {
  const failures = new Map<string, Attempted[]>();
  return {
    /** What can be written down now that an attempt has ended; undefined for one that was cut off. */
    settle(delivery: DueDelivery, attempted: Attempted | undefined, underWay: number): Attempted[] {
      const ended = attempted ? [attempted] : [];
      if (delivery.max_concurrency === null) return ended;
      const held = failures.get(delivery.subscription_id) ?? [];
      if (underWay > 0 && attempted && attempted.settlement.status !== 'delivered') {
        failures.set(delivery.subscription_id, [...held, attempted]);
        return [];
      }
      if (underWay > 0) return ended;
      failures.delete(delivery.subscription_id);
      return [...held, ...ended];
    },
  };
}
