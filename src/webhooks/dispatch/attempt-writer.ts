import { setTimeout as pause } from 'node:timers/promises';
import { LeaseLost } from '../../platform/database/leases.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import type { BusiestTeams } from '../../platform/temporal/busiest-teams.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import type { InFlight } from './in-flight.ts';
import { createLaneWait } from './lane-wait.ts';
import type { Attempted } from './webhook-sender.ts';

/**
 * Responses are collected for a moment, whose attempts a killed process repeats. With many attempts
 * in flight they are stored less often, in larger batches.
 */
const flushAfterMs = 4;
const flushEveryMs = 15;
const fewInFlight = 32;
const flushAt = 200;
const maxBatch = 500;
/** So few responses wait for others: each batch is a commit. */
const few = 3;
const waitWhileFewMs = 20;
/** While Postgres takes longer than this for a batch, nothing new is attempted. */
const stallsAfterMs = 50;
/** Time in which a drain that ends without Postgres tries to store accepted attempts. */
const saveWithinMs = 10_000;
const savePauseMs = 250;

export interface LaneCounts {
  delivered: number;
  failed: number;
}

export type AttemptWriter = ReturnType<typeof createAttemptWriter>;

export const isAccepted = ({ outcome }: Attempted) => outcome.status === 'delivered';

/** Whether something waits for it: the recovery, or the next delivery of the subscription. */
const isAwaited = (attempted: Attempted) =>
  !isAccepted(attempted) || attempted.delivery.ordering === 'fifo';

/** Stores the attempts of a lane in batches, one batch at a time. */
export function createAttemptWriter({
  recorder,
  fence,
  inFlight,
  counts,
  teams,
  isConnected,
  onWritten,
}: {
  recorder: AttemptRecorder;
  fence: { lane: number; token: number };
  inFlight: InFlight;
  counts: LaneCounts;
  teams: BusiestTeams;
  /** Whether Postgres has not ended since the lane was taken. */
  isConnected: () => boolean;
  /** Called after each batch, also when it has failed. */
  onWritten: () => void;
}) {
  const unsaved: Attempted[] = [];
  let failure: Error | undefined;
  let writing: Promise<void> | undefined;
  let isInTrip = false;
  let writtenAtMs = performance.now();
  const { rest, wakeUp } = createLaneWait();

  function schedule() {
    writing ??= writeSoon().then(() => {
      writing = undefined;
      if (unsaved.length > 0 && !failure) schedule();
      onWritten();
    });
  }

  async function writeSoon() {
    if (unsaved.length < few && !unsaved.some(isAwaited)) await rest(waitWhileFewMs);
    const sinceMs = performance.now() - writtenAtMs;
    const paceMs = inFlight.size() > fewInFlight ? flushEveryMs : flushAfterMs;
    await pause(unsaved.length >= flushAt ? 0 : Math.max(flushAfterMs, paceMs - sinceMs));
    await write();
  }

  async function write() {
    writtenAtMs = performance.now();
    const batch = unsaved.splice(0, maxBatch);
    isInTrip = true;
    try {
      if (!(await recorder.record(batch, fence))) failure = new LeaseLost();
    } catch (error) {
      // It is unknown whether the batch was stored; a new drain reads that from the rows. Only
      // accepted attempts may be stored again, which avoids duplicates for the receiver.
      failure = error instanceof Error ? error : new Error(String(error));
      if (isUnavailable(error)) unsaved.unshift(...batch.filter(isAccepted));
    }
    isInTrip = false;
    const kept = new Set(failure ? unsaved.map(({ delivery }) => delivery.id) : []);
    for (const { delivery, outcome } of batch) {
      if (kept.has(delivery.id)) continue;
      inFlight.remove(delivery.id);
      teams.add(delivery.team_id);
      if (outcome.status === 'delivered') counts.delivered += 1;
      else counts.failed += 1;
    }
  }

  return {
    add(attempts: readonly Attempted[]) {
      unsaved.push(...attempts);
      if (unsaved.length === few || attempts.some(isAwaited)) wakeUp();
      schedule();
    },
    /** Whether an attempt would wait long to be stored: until then, a crash would repeat it. */
    isStalled: (nowMs: number) =>
      !isConnected() || (isInTrip && nowMs - writtenAtMs > stallsAfterMs),
    /** Why no batch can be stored any more. */
    failure: () => failure,
    /** Stores accepted attempts before the lane ends, so that an outage repeats almost none. */
    async saveAccepted() {
      const until = performance.now() + saveWithinMs;
      while (inFlight.size() > 0 && !(failure instanceof LeaseLost) && performance.now() < until) {
        await pause(savePauseMs);
        if (writing) await writing;
        else if (unsaved.length > 0) await write();
      }
    },
  };
}
