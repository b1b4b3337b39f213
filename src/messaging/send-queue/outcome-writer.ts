import { setTimeout as pause } from 'node:timers/promises';
import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import { settleSends } from './settle.ts';
import type { Ending } from './settle.ts';

/** Outcomes within this time are stored together. */
const gatherMs = 20;
const batchSize = 300;
const retryWriteMs = 250;

/** Resolves when it is stored. */
export type WriteOutcome = (ending: Ending) => Promise<void>;

interface Waiting {
  ending: Ending;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Stores the outcomes of sends, for all lanes of a process, in successive transactions. All
 * outcomes since the last one share the cost of a commit and its statements.
 */
export function createOutcomeWriter({
  database,
  sending: { leaseMs },
}: {
  database: Database;
  sending: Pick<SendingConfig, 'leaseMs'>;
}): WriteOutcome {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      await pause(gatherMs);
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batch.length);
      await writeTogether(batch);
    }
    isWriting = false;
  }

  /**
   * While Postgres is unavailable, retries within the lease. After another error, each outcome is
   * written separately, so that an invalid one does not affect others.
   */
  async function writeTogether(batch: readonly Waiting[]): Promise<void> {
    const untilMs = performance.now() + leaseMs / 4;
    for (;;) {
      try {
        await database.transact((sql) =>
          settleSends(
            sql,
            batch.map(({ ending }) => ending),
          ),
        );
        for (const { resolve } of batch) resolve();
        return;
      } catch (error) {
        if (isUnavailable(error) && performance.now() < untilMs) {
          await pause(retryWriteMs);
        } else if (isUnavailable(error) || batch.length === 1) {
          for (const { reject } of batch) reject(error);
          return;
        } else {
          for (const one of batch) await writeTogether([one]);
          return;
        }
      }
    }
  }

  return (ending) =>
    new Promise((resolve, reject) => {
      waiting.push({ ending, resolve, reject });
      void write();
    });
}
