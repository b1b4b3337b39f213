import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database/client.ts';
import type { WorkListener } from '../../platform/database/notify.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import { acquireLease, extendLease, releaseLease } from '../../platform/database/leases.ts';
import type { Lane } from '../../platform/database/leases.ts';
import { shardOfWork } from '../../platform/events/record.ts';
import type { DueDelivery } from './queries.ts';
import { createLaneClaims, shardsOf } from './lane-claims.ts';
import { createLaneFailures } from './lane-failures.ts';
import { createInFlight } from './in-flight.ts';
import { createLaneQueues } from './lane-queues.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import type { Attempted, Sender } from './webhook-sender.ts';

export interface LaneOptions {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  lane: number;
  lanes: number;
  /** The drain ends after this long without work. */
  idleTimeoutMs: number;
  /** From then on the drain ends as soon as no attempt is in flight. */
  budgetMs: number;
  /** Ends the drain soon: nothing new is claimed, and attempts in flight are finished. */
  stopping: AbortSignal;
  listener: WorkListener;
  onProgress(counts: LaneCounts): void;
}

export interface LaneCounts {
  delivered: number;
  failed: number;
}

/**
 * Responses are collected for a moment, whose attempts a killed process repeats. With many attempts
 * in flight they are stored less often, in larger batches.
 */
const flushAfterMs = 4;
const flushEveryMs = 15;
const fewAtMost = 32;
const flushAt = 200;
/**
 * Work notifications and finished attempts arrive one by one; their deliveries are claimed
 * together.
 */
const claimGapMs = 4;
const reportEveryMs = 500;
const laneHoldMs = 6_000;
const shortestPauseMs = 10;
const maxPauseMs = 250;
/** Time in which a drain that ends without Postgres tries to store accepted attempts. */
const saveWithinMs = 10_000;

/** Another process has taken over the lane, with all attempts in flight. */
class LaneLost extends Error {
  constructor() {
    super('another process has taken over this lane');
    this.name = 'LaneLost';
  }
}

/**
 * Attempts the waiting deliveries of one lane, until none has arrived for a while. Claims are in
 * memory, under the token of the lane: a successor gets a higher one, and then no result of the
 * predecessor is stored.
 */
export async function drainLane(options: LaneOptions): Promise<LaneCounts> {
  const { database, sender, recorder, listener, lane, lanes, idleTimeoutMs, budgetMs, stopping } =
    options;
  const shards = shardsOf(lane, lanes);
  const counts: LaneCounts = { delivered: 0, failed: 0 };
  const inFlight = createInFlight();
  const queues = createLaneQueues(database, sender.isProven);
  const failures = createLaneFailures();
  const claims = createLaneClaims(database, shards);
  const unwritten: Attempted[] = [];
  const abort = new AbortController();
  await claims.survey();
  const token = await database.transact((sql) => acquireLease(sql, lane, laneHoldMs));
  const owned: Lane = { table: 'webhook_lanes', lane, token };
  let lost: Error | undefined;
  let writing: Promise<void> | undefined;
  let wakeUp: () => void = () => undefined;

  const startedAtMs = performance.now();
  let lastWorkAtMs = startedAtMs;
  let keptAtMs = startedAtMs;
  let reportedAtMs = startedAtMs;
  let writtenAtMs = startedAtMs;
  let ringing: Promise<void> | undefined;
  options.onProgress(counts);
  let pauseMs = shortestPauseMs;
  const isOurs = (work: string) => concernsShards(work, shards);
  let workSubscription = listener.subscribe(isOurs);

  function post(delivery: DueDelivery): boolean {
    const { id, subscription_id: subscriptionId } = delivery;
    if (!isAdmitted(delivery)) return false;
    inFlight.begin(id, subscriptionId, performance.now());
    sender.attempt(delivery, { isProbe: false, signal: abort.signal }).then(
      (attempted) => {
        const state = attempted && (isAccepted(attempted) ? 'accepted' : 'failed');
        if (state) inFlight.answer(id, state);
        else inFlight.forget(id);
        if (state === 'failed') queues.drop(new Set([subscriptionId]));
        end(delivery, attempted);
        if (claims.isDue() && !queues.isFull()) wakeUp();
      },
      () => {
        // The secrets could not be read: it stays pending and is claimed again.
        inFlight.forget(id);
        end(delivery, undefined);
        wakeUp();
      },
    );
    return true;
  }

  function isAdmitted(delivery: DueDelivery): boolean {
    const { subscription_id: subscriptionId, ordering } = delivery;
    if (inFlight.isFull() || inFlight.isHanging(subscriptionId)) return false;
    if (ordering === 'fifo' && inFlight.isInHand(subscriptionId)) return false;
    return sender.room(delivery) > 0;
  }

  function end(delivery: DueDelivery, attempted: Attempted | undefined) {
    const { subscription_id: subscriptionId } = delivery;
    unwritten.push(...failures.settle(delivery, attempted, inFlight.shareOf(subscriptionId)));
    scheduleWrite();
    if (isEnding()) return;
    if (queues.begin(subscriptionId, performance.now(), post)) claims.ask();
  }

  const isEnding = () => lost !== undefined || stopping.aborted;

  /** Sends claimed deliveries, as long as slots are free. */
  function begin() {
    if (isEnding()) return;
    if (queues.beginAll(performance.now(), post)) claims.ask();
  }

  function scheduleWrite() {
    writing ??= new Promise<void>((resolve) => {
      const sinceMs = performance.now() - writtenAtMs;
      const paceMs = inFlight.size() > fewAtMost ? flushEveryMs : flushAfterMs;
      const delay = Math.max(flushAfterMs, paceMs - sinceMs);
      setTimeout(
        () => {
          void write().finally(resolve);
        },
        unwritten.length >= flushAt ? 0 : delay,
      );
    }).then(() => {
      writing = undefined;
      if (unwritten.length > 0 && !lost) scheduleWrite();
      wakeUp();
    });
  }

  async function write() {
    writtenAtMs = performance.now();
    const batch = unwritten.splice(0, 500);
    try {
      if (!(await recorder.record(batch, { lane, token }))) lost = new LaneLost();
    } catch (error) {
      // It is unknown whether the batch was stored; a new drain reads that from the rows. Only
      // accepted attempts may be stored again, which avoids duplicates for the receiver.
      lost = error instanceof Error ? error : new Error(String(error));
      if (isUnavailable(error)) unwritten.unshift(...batch.filter(isAccepted));
    }
    const kept = new Set(lost ? unwritten.map(({ delivery }) => delivery.id) : []);
    for (const { delivery, settlement } of batch) {
      if (kept.has(delivery.id)) continue;
      inFlight.forget(delivery.id);
      if (settlement.status === 'delivered') counts.delivered += 1;
      else counts.failed += 1;
    }
  }

  /**
   * Stores them before the lane is lost, so that a restart of Postgres repeats almost no attempts.
   */
  async function saveAccepted() {
    const until = performance.now() + saveWithinMs;
    while (inFlight.size() > 0 && !(lost instanceof LaneLost) && performance.now() < until) {
      options.onProgress(counts);
      await pause(maxPauseMs);
      if (writing) await writing;
      else if (unwritten.length > 0) await write();
    }
  }

  async function claim(): Promise<number> {
    inFlight.survey(performance.now());
    queues.drop(inFlight.unhealthy());
    begin();
    if (queues.isFull() || inFlight.isFull()) return 0;
    const unhealthy = inFlight.unhealthy();
    const known = new Set([...queues.subscriptions(), ...inFlight.subscriptions()]);
    const allowances = new Map(
      [...known].map((id) => [id, unhealthy.has(id) ? 0 : queues.allowance(id)]),
    );
    const claimed = await claims.next({
      taken: [...inFlight.ids(), ...queues.ids()],
      allowances,
      skipsLimited: queues.isFullOfLimited(),
    });
    await queues.keep(claimed, allowances);
    queues.drop(inFlight.unhealthy());
    begin();
    return claimed.length;
  }

  /** Waits for a work notification or for the next poll, one wait at a time. */
  function ring(): Promise<void> {
    ringing ??= listener.wait(pauseMs, isOurs).then(() => {
      ringing = undefined;
      claims.ask();
    });
    return ringing;
  }

  /** Waits for an outcome, a work notification, or the next slot of a limited subscription. */
  async function rest(): Promise<void> {
    const wakeUpCalled = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    const now = performance.now();
    const slotInMs = queues.nextAtMs(now) - now;
    const timer = slotInMs < maxPauseMs ? setTimeout(() => wakeUp(), slotInMs) : undefined;
    await Promise.race([wakeUpCalled, ring()]);
    clearTimeout(timer);
  }

  try {
    for (;;) {
      if (lost) throw lost;
      const now = performance.now();
      if (now - keptAtMs > laneHoldMs / 3) {
        if (!(await database.read((sql) => extendLease(sql, owned, laneHoldMs)))) {
          throw new LaneLost();
        }
        keptAtMs = now;
        await claims.survey();
      }
      if (now - reportedAtMs > reportEveryMs) {
        reportedAtMs = now;
        options.onProgress(counts);
      }
      const claimedAtMs = performance.now();
      const isDue = claims.isDue() && !stopping.aborted;
      const claimed = isDue ? await claim() : 0;
      begin();
      if (claimed > 0 || inFlight.size() + queues.size() > 0) lastWorkAtMs = performance.now();
      // Limited subscriptions are claimed on their own schedule, and need no poll.
      if (claimed > queues.limited()) pauseMs = shortestPauseMs;
      else if (isDue) pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      const idleMs = performance.now() - lastWorkAtMs;
      const isOver = performance.now() - startedAtMs > budgetMs;
      if (inFlight.size() === 0 && stopping.aborted) break;
      if (inFlight.size() === 0 && (idleMs > idleTimeoutMs || (isOver && claimed === 0))) {
        // Now the relay receives the notifications; earlier work is claimed once more.
        workSubscription.leave();
        if ((await claim()) === 0) break;
        workSubscription = listener.subscribe(isOurs);
      } else if (inFlight.size() > 0 || claimed === 0) {
        await rest();
      }
      const restMs = claimGapMs - (performance.now() - claimedAtMs);
      if (restMs > 0) await pause(restMs);
    }
    await database.read((sql) => releaseLease(sql, owned));
    return counts;
  } catch (error) {
    if (isUnavailable(error)) await saveAccepted();
    throw error;
  } finally {
    workSubscription.leave();
    abort.abort();
  }
}

/** Whether a work notification is about one of these shards. */
function concernsShards(work: string, { from, to }: { from: number; to: number }): boolean {
  const shard = shardOfWork(work);
  return shard !== undefined && shard >= from && shard <= to;
}

const isAccepted = ({ settlement }: Attempted) => settlement.status === 'delivered';
