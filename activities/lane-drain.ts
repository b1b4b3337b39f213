import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/database/client.ts';
import { isAway } from '../src/database/failures.ts';
import { shardsOf } from '../src/partner/webhook-subscriptions/rules.ts';
import {
  claimWaiting,
  firstPlace,
  firstWaitingDay,
  keepLane,
  leaveLane,
  takeLane,
} from '../src/partner/webhook-subscriptions/sending/lanes/queries.ts';
import type { DueDelivery } from '../src/partner/webhook-subscriptions/sending/queries.ts';
import type { Place } from '../src/partner/webhook-subscriptions/sending/lanes/queries.ts';
import type { Bookkeeper } from './webhook-bookkeeper.ts';
import type { Attempted, Sender } from './webhook-sender.ts';

export interface LaneOptions {
  database: Database;
  sender: Sender;
  bookkeeper: Bookkeeper;
  lane: number;
  lanes: number;
  /** The drain ends after this long without work. */
  lingerMs: number;
  /** From then on it ends at the first moment without a post under way. */
  budgetMs: number;
  /** Ends the drain soon: nothing new is claimed, what is under way is finished. */
  stopping: AbortSignal;
  /** Waits for a nudge, at most so long. */
  waitForNudge(timeoutMs: number): Promise<void>;
  onProgress(counts: LaneCounts): void;
}

export interface LaneCounts {
  delivered: number;
  failed: number;
}

/** Posts at most under way, and how many of one subscription. */
const places = 64;
const placesPerSubscription = 24;
/** A post older than this leaves its place to others, so that a hanging receiver delays nobody. */
const slowAfterMs = 1_000;
const slowPlaces = 192;
const flushAfterMs = 4;
const flushAt = 100;
const laneHoldMs = 6_000;
const longestPauseMs = 250;
/** How long a drain that ends because Postgres is away tries to write down what was accepted. */
const saveWithinMs = 10_000;

/** Another process has taken the lane over; what this one has under way is no longer its own. */
class LaneLost extends Error {
  constructor() {
    super('another process has taken over this lane');
    this.name = 'LaneLost';
  }
}

/**
 * Posts the waiting first attempts of one lane, as they come, until nothing has come for a while.
 * Claims are kept in memory under the lane's token: a successor takes a higher one, and nothing of
 * a predecessor is written down after that.
 */
export async function drainLane(options: LaneOptions): Promise<LaneCounts> {
  const { database, sender, bookkeeper, lane, lanes, lingerMs, budgetMs, stopping } = options;
  const shards = shardsOf(lane, lanes);
  const counts: LaneCounts = { delivered: 0, failed: 0 };
  const underWay = new Map<string, { delivery: DueDelivery; startedAtMs: number }>();
  const unwritten: Attempted[] = [];
  const abort = new AbortController();
  let after: Place = firstPlace;
  let since = await database.read((sql) => firstWaitingDay(sql));
  const token = await database.transact((sql) => takeLane(sql, lane, laneHoldMs));
  let lost: Error | undefined;
  let writing: Promise<void> | undefined;
  let wakeUp: () => void = () => undefined;

  const startedAtMs = performance.now();
  let lastWorkAtMs = startedAtMs;
  let keptAtMs = startedAtMs;
  let pauseMs = 10;

  function post(delivery: DueDelivery) {
    underWay.set(delivery.id, { delivery, startedAtMs: performance.now() });
    sender.attempt(delivery, { isProbe: false, signal: abort.signal }).then(
      (attempted) => {
        if (!attempted) underWay.delete(delivery.id);
        else unwritten.push(attempted);
        scheduleWrite();
        wakeUp();
      },
      () => {
        // The secrets could not be read: it stays pending and is claimed again.
        underWay.delete(delivery.id);
        wakeUp();
      },
    );
  }

  function scheduleWrite() {
    writing ??= new Promise<void>((resolve) => {
      const delay = unwritten.length >= flushAt ? 0 : flushAfterMs;
      setTimeout(() => {
        void write().finally(resolve);
      }, delay);
    }).then(() => {
      writing = undefined;
      if (unwritten.length > 0 && !lost) scheduleWrite();
      wakeUp();
    });
  }

  async function write() {
    const batch = unwritten.splice(0, 500);
    try {
      if (!(await bookkeeper.record(batch, { lane, token }))) lost = new LaneLost();
    } catch (error) {
      // Nobody knows whether the batch was written; the rows do, and a fresh drain asks them. Only
      // what was accepted may simply be written again, which spares the receiver a duplicate.
      lost = error instanceof Error ? error : new Error(String(error));
      if (isAway(error)) unwritten.unshift(...batch.filter(isAccepted));
    }
    for (const { delivery, settlement } of batch) {
      if (unwritten.some((kept) => kept.delivery.id === delivery.id)) continue;
      underWay.delete(delivery.id);
      if (settlement.status === 'delivered') counts.delivered += 1;
      else counts.failed += 1;
    }
  }

  /** While the lane is still ours, so that a restart of Postgres repeats next to nothing. */
  async function saveAccepted() {
    const until = performance.now() + saveWithinMs;
    while (underWay.size > 0 && !(lost instanceof LaneLost) && performance.now() < until) {
      options.onProgress(counts);
      await pause(longestPauseMs);
      if (writing) await writing;
      else if (unwritten.length > 0) await write();
    }
  }

  async function claim(): Promise<number> {
    const now = performance.now();
    const slow = [...underWay.values()].filter(
      (post) => now - post.startedAtMs > slowAfterMs,
    ).length;
    const room = places - (underWay.size - Math.min(slow, slowPlaces));
    if (room < places / 4) return 0;
    const busy = busySubscriptions(underWay, now);
    const request = { shards, after, underWay: [...underWay.keys()], busy, since };
    const claimed = await database.read((sql) =>
      claimWaiting(sql, { ...request, perSubscription: placesPerSubscription, limit: room }),
    );
    const last = claimed.at(-1);
    // The walk goes on behind the last subscription served, or begins anew at its end.
    after =
      claimed.length === room && last
        ? { shard: last.shard, subscriptionId: last.subscription_id }
        : firstPlace;
    for (const delivery of claimed) post(delivery);
    return claimed.length;
  }

  try {
    for (;;) {
      if (lost) throw lost;
      const now = performance.now();
      if (now - keptAtMs > laneHoldMs / 3) {
        if (!(await database.read((sql) => keepLane(sql, lane, token, laneHoldMs)))) {
          throw new LaneLost();
        }
        keptAtMs = now;
        since = await database.read((sql) => firstWaitingDay(sql));
      }
      options.onProgress(counts);
      const claimed = stopping.aborted ? 0 : await claim();
      if (claimed > 0 || underWay.size > 0) lastWorkAtMs = performance.now();
      if (claimed > 0) pauseMs = 5;
      else pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      if (underWay.size === 0) {
        const idleMs = performance.now() - lastWorkAtMs;
        const isOver = performance.now() - startedAtMs > budgetMs;
        if (stopping.aborted || idleMs > lingerMs || (isOver && claimed === 0)) break;
        if (claimed === 0) await options.waitForNudge(pauseMs);
      } else {
        await Promise.race([
          new Promise<void>((resolve) => {
            wakeUp = resolve;
          }),
          options.waitForNudge(pauseMs),
        ]);
      }
    }
    await database.read((sql) => leaveLane(sql, lane, token));
    return counts;
  } catch (error) {
    if (isAway(error)) await saveAccepted();
    throw error;
  } finally {
    abort.abort();
  }
}

const isAccepted = ({ settlement }: Attempted) => settlement.status === 'delivered';

/** Subscriptions with their share under way, or with a post that hangs. */
function busySubscriptions(
  underWay: ReadonlyMap<string, { delivery: DueDelivery; startedAtMs: number }>,
  now: number,
): string[] {
  const shares = new Map<string, number>();
  for (const { delivery, startedAtMs } of underWay.values()) {
    const weight = now - startedAtMs > slowAfterMs ? placesPerSubscription : 1;
    const share = (shares.get(delivery.subscription_id) ?? 0) + weight;
    shares.set(delivery.subscription_id, share);
  }
  return [...shares].filter(([, share]) => share >= placesPerSubscription).map(([id]) => id);
}
