import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database/client.ts';
import type { WorkListener } from '../../platform/database/notify.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import {
  LeaseLost,
  acquireLease,
  createLeaseKeeper,
  releaseLease,
  setOwner,
} from '../../platform/database/leases.ts';
import type { Lane } from '../../platform/database/leases.ts';
import { shardOfWork } from '../../platform/events/record.ts';
import type { BusiestTeams } from '../../platform/temporal/busiest-teams.ts';
import { createAttemptWriter } from './attempt-writer.ts';
import type { LaneCounts } from './attempt-writer.ts';
import { createLaneAttempts } from './lane-attempts.ts';
import { createLaneClaims, shardsOf } from './lane-claims.ts';
import { createLaneWait } from './lane-wait.ts';
import { createInFlight } from './in-flight.ts';
import { LaneQueues } from './lane-queues.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import type { Sender } from './webhook-sender.ts';

export interface LaneOptions {
  database: Database;
  sender: Sender;
  recorder: AttemptRecorder;
  lane: number;
  lanes: number;
  /** Another process drained the lane and has ended, so that this one may be killed, too. */
  isSuccessor: boolean;
  /** The drain ends after this long without work. */
  idleTimeoutMs: number;
  /** From then on the drain ends as soon as no attempt is in flight. */
  budgetMs: number;
  /** Ends the drain soon: nothing new is claimed, and attempts in flight are finished. */
  stopping: AbortSignal;
  listener: WorkListener;
  /** Stored attempts, counted as the drain goes on. */
  counts: LaneCounts;
  /** Teams of stored attempts. */
  teams: BusiestTeams;
}

/**
 * Work notifications and finished attempts arrive one by one; their deliveries are claimed
 * together.
 */
const claimGapMs = 4;
const leaseMs = 6_000;

/**
 * Attempts the waiting deliveries of one lane, until none has arrived for a while. Claims are in
 * memory, under the token of the lane: a successor gets a higher one, and then no result of the
 * predecessor is stored.
 */
export async function drainLane(options: LaneOptions): Promise<void> {
  const { database, sender, recorder, listener, lane, counts, teams, stopping } = options;
  const shards = shardsOf(lane, options.lanes);
  let ownerPid = listener.backendPid();
  // First of all, since the relay notices the end of a process by its lease.
  const lease = await database.transact((sql) => acquireLease(sql, lane, leaseMs, ownerPid));
  const { token } = lease;
  const owned: Lane = { table: 'webhook_lanes', lane, token };
  const claims = createLaneClaims(database, shards);
  await claims.refreshDays();
  const { rest, wakeUp } = createLaneWait();
  const isAfterFault = options.isSuccessor || lease.is_after_restart;
  const inFlight = createInFlight(performance.now(), isAfterFault);
  const queues = new LaneQueues(database, sender.hasRespondedLately, claims.requestShard);
  const fence = { lane, token };
  const writer = createAttemptWriter({
    recorder,
    fence,
    inFlight,
    counts,
    teams,
    isConnected: () => ownerPid === undefined || listener.backendPid() === ownerPid,
    onWritten: wakeUp,
  });
  const abort = new AbortController();
  const { signal } = abort;
  const isEnding = () => writer.failure() !== undefined || stopping.aborted;
  const parts = { sender, claims, queues, inFlight, writer, signal, isEnding, wakeUp };
  const attempts = createLaneAttempts(parts);
  const extend = createLeaseKeeper(database, owned, leaseMs, performance.now());

  const startedAtMs = performance.now();
  let lastWorkAtMs = startedAtMs;
  let claimedAtMs = -Infinity;
  let workSubscription = subscribe();

  function subscribe() {
    const isOurs = (work: string) => concernsShards(work, shards);
    return listener.subscribe(isOurs, (work) => {
      const shard = shardOfWork(work);
      if (shard !== undefined) claims.requestShard(shard);
      wakeUp();
    });
  }

  /** Shows others that the process lives, once it has another connection after Postgres ended. */
  async function stayOwner(): Promise<void> {
    const pid = listener.backendPid();
    if (pid === undefined || pid === ownerPid) return;
    if (!(await database.read((sql) => setOwner(sql, lane, token, pid)))) throw new LeaseLost();
    ownerPid = pid;
  }

  /** One pass of the loop: claims if that is due, then waits. True at the end of the drain. */
  async function pass(): Promise<boolean> {
    const passedAtMs = performance.now();
    const isDue = claims.isDue(passedAtMs) && !stopping.aborted;
    if (isDue) claimedAtMs = passedAtMs;
    const claimed = isDue ? await attempts.claim() : 0;
    attempts.sendDue();
    if (claimed > 0 || inFlight.size() + queues.size() > 0) lastWorkAtMs = performance.now();
    if (inFlight.size() === 0 && stopping.aborted) return true;
    if (inFlight.size() === 0 && isOver(claimed)) {
      // Now the relay receives the notifications; earlier work is claimed once more.
      workSubscription.leave();
      claims.requestAllShards();
      if ((await attempts.claim()) === 0) return true;
      workSubscription = subscribe();
    } else if (inFlight.size() > 0 || claimed === 0) {
      const now = performance.now();
      await rest(Math.min(claims.allInMs(now), queues.nextAtMs(now) - now));
    }
    const restMs = claimGapMs - (performance.now() - claimedAtMs);
    if (restMs > 0) await pause(restMs);
    return false;
  }

  function isOver(claimed: number): boolean {
    const now = performance.now();
    if (now - lastWorkAtMs > options.idleTimeoutMs) return true;
    return now - startedAtMs > options.budgetMs && claimed === 0;
  }

  try {
    do {
      const failure = writer.failure();
      if (failure) throw failure;
      await stayOwner();
      if (await extend()) await claims.refreshDays();
    } while (!(await pass()));
    await database.read((sql) => releaseLease(sql, owned));
  } catch (error) {
    if (isUnavailable(error)) await writer.saveAccepted();
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
