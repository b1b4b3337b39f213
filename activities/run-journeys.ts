import { createTurns } from '../src/platform/batching/turns.ts';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { SendingConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Clock } from '../src/platform/database/clock.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { decideDue } from '../src/journeys/lanes/decide.ts';
import type { AtOnce } from '../src/journeys/lanes/send-rate.ts';
import { findNextDue, overdueLanes } from '../src/journeys/lanes/queries.ts';
import { createVersionCache } from '../src/campaigns/templates/history/kept-versions.ts';
import { createBusiestTeams } from '../src/platform/temporal/busiest-teams.ts';
import { extendLease } from '../src/platform/database/leases.ts';
import { SendRounds } from '../src/messaging/send-queue/journey-sends.ts';
import { reportOf } from '../src/platform/jobs/job.ts';
import type { Lane } from '../src/platform/jobs/job.ts';
import { leaseMs, runLane } from '../src/platform/temporal/run-lane.ts';
import { haltedIn } from '../src/messaging/send-queue/provider-pool.ts';
import type { ProviderPool } from '../src/messaging/send-queue/provider-pool.ts';
import { urgentWork } from '../src/messaging/send-queue/urgent-work.ts';
import { createOutcomeWriter } from '../src/messaging/send-queue/outcome-writer.ts';
import { journeyLane } from '../workflows/lanes.ts';

export interface JourneyLaneDependencies {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  providers: ProviderPool;
  sending: SendingConfig;
  publicBaseUrl: string;
  log: Log;
  /** Aborted when the worker is to end. */
  stopping: AbortSignal;
  listener: WorkListener;
}

const deadlineMs = 30_000;
/** Decisions, and claims of campaigns, wait so long at most for those of other lanes. */
const maxTurnWaitMs = 500;

/** Runs the journeys of one lane until nothing has been due for a while. */
export function runJourneys(dependencies: JourneyLaneDependencies): Lane {
  const { database, clock, listener, stopping, providers, log } = dependencies;
  const versions = createVersionCache();
  const writeOutcome = createOutcomeWriter(dependencies);
  // The lanes share cores: at the same time they are no faster, and urgent messages wait for them.
  const decideInTurn = createTurns(maxTurnWaitMs);
  const claimInTurn = createTurns(maxTurnWaitMs);
  const atOnce: AtOnce = (work) => database.read(work);

  return {
    shape: journeyLane,
    async drain({ lane, before }) {
      const counts = { journeys: 0, sent: 0, skipped: 0, failed: 0, ...before?.counts };
      const teams = createBusiestTeams();
      const details = () => {
        const halted = haltedIn(providers, clock.now());
        return { ...counts, halted, teams: teams.top() };
      };
      const owned = { table: 'journey_lanes', lane } as const;
      const tools = { ...dependencies, versions, writeOutcome, inTurn: claimInTurn };
      const sends = new SendRounds(tools, lane, counts);

      async function decide() {
        const decided = await decideInTurn(() =>
          database.transact(
            async (sql) => {
              // One decides for the lane at a time, so that what a contact has had is known.
              await extendLease(sql, owned, leaseMs);
              return decideDue(sql, { versions, atOnce, log }, lane, clock.now());
            },
            { deadlineMs },
          ),
        );
        counts.journeys += decided.journeys;
        counts.skipped += decided.skipped;
        for (const teamId of decided.teamIds) teams.add(teamId);
        return { worked: decided.journeys > 0 };
      }

      const run = { database, listener, stopping, lane: owned, details };
      const urgent = { round: () => sends.urgentRound(), work: urgentWork(lane) };
      await runLane(run, [decide, () => sends.round(), urgent], () => sends.finish());
      const next = await database.read((sql) => findNextDue(sql, lane));
      const nextDueInMs = next === null ? null : Math.max(0, Date.parse(next) - clock.now());
      const overdue = await database.read(overdueLanes);
      const { seconds = 0 } = overdue.find((one) => one.lane === lane) ?? {};
      const { halted, teams: busiest } = details();
      const found = { nextDueInMs, overdueSeconds: Math.round(seconds), halted };
      return reportOf({
        ...{ counts, nextDueInMs, before, teams: busiest },
        details: describe(lane, counts, found),
      });
    },
  };
}

function describe(
  lane: number,
  { journeys, sent, skipped, failed }: Record<'journeys' | 'sent' | 'skipped' | 'failed', number>,
  found: { nextDueInMs: number | null; overdueSeconds: number; halted: readonly string[] },
): string {
  const { nextDueInMs, overdueSeconds, halted } = found;
  const then =
    nextDueInMs === null
      ? 'Nothing waits: the next journey starts the lane again.'
      : `The next is due in ${String(Math.ceil(nextDueInMs / 1_000))} s.`;
  return (
    `Lane ${String(lane)}: ${String(journeys)} times a journey was looked at, ` +
    `${String(sent)} messages sent, ${String(skipped)} skipped, ${String(failed)} failed. ${then}` +
    (overdueSeconds > 60
      ? ` The oldest due journey has waited for ${String(overdueSeconds)} s.`
      : '') +
    (halted.length > 0 ? ` The provider of ${halted.join(', ')} takes no messages now.` : '')
  );
}
