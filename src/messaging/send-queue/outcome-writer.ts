import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher } from '../../platform/batching/batcher.ts';
import { setAsideAlone } from '../../platform/batching/isolate.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import type { Log } from '../../platform/observability/log.ts';
import { sendLoop } from './send-loop.ts';
import { recordSendOutcomes } from './record-outcomes.ts';
import type { SendOutcome } from './record-outcomes.ts';

/** Outcomes within this time are stored together. */
const gatherMs = 20;
const batchSize = 300;
const retryWriteMs = 250;

/** Resolves when it is stored. */
export type WriteOutcome = (outcome: SendOutcome) => Promise<void>;

/**
 * Stores the outcomes of sends, for all lanes of a process, in successive transactions. All
 * outcomes since the last one share the cost of a commit and its statements.
 */
export function createOutcomeWriter({
  database,
  log,
  sending: { leaseMs },
}: {
  database: Database;
  log: Log;
  sending: Pick<SendingConfig, 'leaseMs'>;
}): WriteOutcome {
  /** While Postgres is unavailable, retries within the lease. */
  async function write(outcomes: readonly SendOutcome[]): Promise<readonly true[]> {
    const untilMs = performance.now() + leaseMs / 4;
    for (;;) {
      try {
        await database.transact((sql) => recordSendOutcomes(sql, outcomes));
        return outcomes.map(() => true);
      } catch (error) {
        if (!isUnavailable(error) || performance.now() >= untilMs) throw error;
        await pause(retryWriteMs);
      }
    }
  }

  const batch = createBatcher((_key, outcomes: readonly SendOutcome[]) => write(outcomes), {
    atOnce: 1,
    maxItems: batchSize,
    gatherMs,
  });
  return async (outcome) => {
    try {
      await batch('outcomes', outcome);
    } catch (error) {
      await setAsideAlone({ database, log }, sendLoop, outcome, error);
    }
  };
}
