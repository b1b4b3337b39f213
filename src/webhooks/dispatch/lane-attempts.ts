import type { AttemptWriter } from './attempt-writer.ts';
import { isAccepted } from './attempt-writer.ts';
import type { InFlight } from './in-flight.ts';
import type { LaneClaims } from './lane-claims.ts';
import type { LaneQueues } from './lane-queues.ts';
import type { ClaimedDelivery } from './lanes/queries.ts';
import type { DueDelivery } from './queries.ts';
import type { Attempted, Sender } from './webhook-sender.ts';

/**
 * Failures of subscriptions with a limit on concurrent attempts. A failure transfers its
 * subscription to the recovery, so it is delayed while other attempts of the lane are in flight:
 * lane and recovery together would exceed the limit.
 */
function createLaneFailures() {
  const failures = new Map<string, Attempted[]>();
  return {
    /** Returns the attempts to store after one has ended; undefined stands for an aborted one. */
    outcomesOf(
      delivery: DueDelivery,
      attempted: Attempted | undefined,
      underWay: number,
    ): Attempted[] {
      const ended = attempted ? [attempted] : [];
      if (delivery.max_concurrency === null) return ended;
      const held = failures.get(delivery.subscription_id) ?? [];
      if (underWay > 0 && attempted && attempted.outcome.status !== 'delivered') {
        failures.set(delivery.subscription_id, [...held, attempted]);
        return [];
      }
      if (underWay > 0) return ended;
      failures.delete(delivery.subscription_id);
      return [...held, ...ended];
    },
  };
}

/** Claims deliveries of a lane and attempts them, as far as slots are free. */
export function createLaneAttempts({
  sender,
  claims,
  queues,
  inFlight,
  writer,
  signal,
  isEnding,
  wakeUp,
}: {
  sender: Sender;
  claims: LaneClaims;
  queues: LaneQueues;
  inFlight: InFlight;
  writer: AttemptWriter;
  /** Aborts attempts in flight. */
  signal: AbortSignal;
  isEnding: () => boolean;
  /** Ends the wait of the drain. */
  wakeUp: () => void;
}) {
  const failures = createLaneFailures();

  /** Sends a delivery if every limit admits it. */
  function trySend(delivery: ClaimedDelivery): boolean {
    const { id, subscription_id: subscriptionId } = delivery;
    if (!isAdmitted(delivery)) return false;
    inFlight.add(delivery, performance.now());
    sender.attempt(delivery, { isProbe: false, signal }).then(
      (attempted) => {
        const state = attempted && (isAccepted(attempted) ? 'accepted' : 'failed');
        if (state) inFlight.recordResponse(id, state);
        else inFlight.remove(id);
        if (state === 'failed') queues.release(new Set([subscriptionId]));
        end(delivery, attempted);
        if (claims.isDue(performance.now()) && !queues.isFull()) wakeUp();
      },
      () => {
        // The secrets could not be read: it stays pending and is claimed again.
        inFlight.remove(id);
        end(delivery, undefined);
        wakeUp();
      },
    );
    return true;
  }

  /**
   * The limits in order: attempts of the lane and responses that are not stored; a slow database; a
   * receiver that hangs; the order of a subscription; connections of the process and of the
   * subscription (webhook-sender.ts). The rate of a subscription has given the delivery its time.
   */
  function isAdmitted(delivery: DueDelivery): boolean {
    const { subscription_id: subscriptionId, ordering } = delivery;
    const nowMs = performance.now();
    if (inFlight.isFull(nowMs) || writer.isStalled(nowMs)) return false;
    if (inFlight.isHanging(subscriptionId)) return false;
    if (ordering === 'fifo' && inFlight.hasOpenAttempt(subscriptionId)) return false;
    return sender.room(delivery) > 0;
  }

  function end(delivery: DueDelivery, attempted: Attempted | undefined) {
    const { subscription_id: subscriptionId } = delivery;
    writer.add(failures.outcomesOf(delivery, attempted, inFlight.shareOf(subscriptionId)));
    if (isEnding()) return;
    queues.sendDue(subscriptionId, performance.now(), trySend);
  }

  /** Sends the queued deliveries that are due, but for those of subscriptions that fail or hang. */
  function sendDue() {
    queues.release(inFlight.unhealthy());
    if (!isEnding()) queues.sendAllDue(performance.now(), trySend);
  }

  return {
    sendDue,
    /** Sends what is due, claims as far as the queues have room, and returns the number of claims. */
    async claim(): Promise<number> {
      inFlight.refreshHealth(performance.now());
      sendDue();
      if (queues.isFull() || inFlight.isFull(performance.now())) return 0;
      const unhealthy = inFlight.unhealthy();
      const known = new Set([...queues.subscriptions(), ...inFlight.subscriptions()]);
      const allowances = new Map(
        [...known].map((id) => [id, unhealthy.has(id) ? 0 : queues.allowance(id)]),
      );
      const claim = await claims.next(performance.now(), {
        taken: (isOf) => [...inFlight.ids(isOf), ...queues.ids(isOf)],
        allowances,
        skipsLimited: queues.isFullOfLimited(),
      });
      await queues.enqueue(claim, allowances);
      sendDue();
      return claim.claimed.length;
    },
  };
}
