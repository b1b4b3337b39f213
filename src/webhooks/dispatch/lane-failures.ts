import type { DueDelivery } from './queries.ts';
import type { Attempted } from './webhook-sender.ts';

/**
 * Failures of subscriptions with a limit on concurrent attempts. A failure transfers its
 * subscription to the recovery, so it is delayed while other attempts of the lane are in flight:
 * lane and recovery together would exceed the limit.
 */
export function createLaneFailures() {
  const failures = new Map<string, Attempted[]>();
  return {
    /** Returns the attempts to store after one has ended; undefined stands for an aborted one. */
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
