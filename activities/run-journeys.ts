import { Context } from '@temporalio/activity';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { SendingConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Clock } from '../src/platform/database/clock.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { decideDue } from '../src/journeys/lanes/decide.ts';
import type { AtOnce } from '../src/journeys/lanes/decide.ts';
import { findNextDue } from '../src/journeys/lanes/queries.ts';
import { createKeptVersions } from '../src/campaigns/templates/history/kept-versions.ts';
import type { Senders } from '../src/messaging/providers/senders.ts';
import { extendLease, releaseLease } from '../src/platform/database/leases.ts';
import type { Lane } from '../src/platform/database/leases.ts';
import { createSendRounds } from '../src/messaging/send-queue/journey-sends.ts';
import { pollUntilIdle } from '../src/platform/temporal/poll-loop.ts';
import { createBreakers, haltedIn } from '../src/messaging/send-queue/send-breakers.ts';
import { createOutcomeWriter } from '../src/messaging/send-queue/outcome-writer.ts';

export interface JourneyLaneDependencies {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  senders: Senders;
  sending: SendingConfig;
  publicBaseUrl: string;
  log: Log;
  /** Aborted when the worker is to end. */
  stopping: AbortSignal;
  listener: WorkListener;
}

export interface JourneyLaneCounts {
  journeys: number;
  sent: number;
  skipped: number;
  failed: number;
  /** Channels whose provider accepts no messages. */
  halted?: string[];
  /** Time until something of the lane is due; null if nothing has a time. */
  nextDueInMs: number | null;
}

/** Lease of a lane, longer than one batch; afterwards another worker can claim the lane. */
const holdMs = 8_000;
const deadlineMs = 30_000;

export function createJourneyLaneActivities(dependencies: JourneyLaneDependencies) {
  const { database, clock, listener } = dependencies;
  const versions = createKeptVersions();
  const breakers = createBreakers(dependencies);
  const settle = createOutcomeWriter(dependencies);
  const atOnce: AtOnce = (work) => database.read(work);

  return {
    /** Runs the journeys of one lane until nothing has been due for a while. */
    async drainJourneyLane({ lane }: { lane: number }): Promise<JourneyLaneCounts> {
      const context = Context.current();
      // When one of the two loops fails, the other ends as well.
      const failing = new AbortController();
      const stopping = AbortSignal.any([
        ...[dependencies.stopping, context.cancellationSignal, failing.signal],
      ]);
      const counts = { journeys: 0, sent: 0, skipped: 0, failed: 0 };
      const beating = setInterval(() => {
        context.heartbeat({ ...counts, halted: haltedIn(breakers, clock.now()) });
      }, 1_000);
      const quiet = { sinceMs: performance.now() };
      const rounds = { stopping, listener, quiet, keepEveryMs: holdMs / 4 };
      const owned: Lane = { table: 'journey_lanes', lane };
      const keep = () => database.read((sql) => extendLease(sql, owned, holdMs));
      const sends = createSendRounds({ ...dependencies, versions, breakers, settle }, lane, counts);

      async function decide() {
        const decided = await database.transact(
          async (sql) => {
            // One decides for the lane at a time, so that what a contact has had is known.
            await extendLease(sql, owned, holdMs);
            return decideDue(sql, { versions, atOnce }, lane, clock.now());
          },
          { deadlineMs },
        );
        counts.journeys += decided.journeys;
        counts.skipped += decided.skipped;
        return { worked: decided.journeys > 0 };
      }

      try {
        await Promise.all([
          pollUntilIdle(rounds, { keep, round: decide }),
          // The other loop extends the lease, since its transactions lock the row of the lane.
          pollUntilIdle(rounds, { keep: () => Promise.resolve(), round: sends.round }),
        ]);
        await sends.finish();
        const next = await database.read(async (sql) => {
          await releaseLease(sql, owned);
          return findNextDue(sql, lane);
        });
        const nextDueInMs = next === null ? null : Math.max(0, Date.parse(next) - clock.now());
        return { ...counts, halted: haltedIn(breakers, clock.now()), nextDueInMs };
      } finally {
        failing.abort();
        clearInterval(beating);
      }
    },
  };
}
