import type { Database, Sql } from '../src/database/client.ts';
import {
  dropOldMonths,
  dropOldPartitions,
  ensurePartitions,
  pruneBudgets,
  pruneEngagementKeys,
  pruneExpired,
  pruneInbound,
} from '../src/database/maintenance.ts';
import { notifySubscribers } from '../src/events/deprecation-notices.ts';
import { pruneMailbox } from '../src/mailbox/queries.ts';
import { pruneExports } from '../src/partner/exports/writing/queries.ts';
import { listTeamsWithOldRates, refreshRates } from '../src/partner/insights/benchmarks/queries.ts';
import { pruneSums } from '../src/partner/insights/rollups/queries.ts';
import { pruneRuns } from '../src/runs/running/queries.ts';
import { pruneNoticeBudgets } from '../src/partner/message-deliveries/notices/queries.ts';
import { requestLogDays } from '../src/meta/requests/queries.ts';
import { pruneUploads } from '../src/uploads/queries.ts';
import { pruneConfirmations } from '../src/partner/contacts/consents/confirming/queries.ts';
import { pruneGuesses } from '../src/widget/identity/queries.ts';
import { pruneSessions } from '../src/widget/sessions/queries.ts';
import { endAbandoned } from '../src/sftp/fate.ts';

export interface MaintenanceReport {
  partitionsMade: number;
  partitionsDropped: number;
  rowsPruned: number;
}

/** Deliveries, their events and attempts are the others. */
const daysKept = { requestLog: requestLogDays, inboundRaw: 8, others: 90 };
/** Months that engagement events and sends are kept whole; nothing older is taken. */
const engagementRetentionMonths = 25;
const pruneChunk = 5_000;
/** Each may have 200 MB of parts. */
const uploadsAtOnce = 10;
const filesAtOnce = 100;
const partsAtOnce = 200;
const teamsAtOnce = 200;

export function createMaintenanceActivities({ database }: { database: Database }) {
  return {
    /**
     * Makes the partitions of the days ahead, drops old ones, prunes what has expired, works out what
     * teams compare, and records notices of deprecated event types.
     */
    async maintainStorage(): Promise<MaintenanceReport> {
      const partitionsMade = await database.read((sql) => ensurePartitions(sql));
      const withinAMinute = { deadlineMs: 60_000 };
      const daysDropped = await database.read(
        (sql) => dropOldPartitions(sql, daysKept),
        withinAMinute,
      );
      const monthsDropped = await database.read(
        (sql) => dropOldMonths(sql, engagementRetentionMonths),
        withinAMinute,
      );
      await database.read((sql) => pruneSums(sql, engagementRetentionMonths), withinAMinute);
      let rowsPruned = 0;
      for (const prune of [
        (sql: Sql) => pruneExpired(sql, pruneChunk),
        (sql: Sql) => pruneEngagementKeys(sql, engagementRetentionMonths, pruneChunk),
        (sql: Sql) => pruneInbound(sql, pruneChunk),
        (sql: Sql) => pruneRuns(sql, pruneChunk),
        (sql: Sql) => pruneSessions(sql, pruneChunk),
        (sql: Sql) => pruneGuesses(sql, pruneChunk),
        (sql: Sql) => pruneConfirmations(sql, pruneChunk),
        (sql: Sql) => pruneBudgets(sql, pruneChunk),
        (sql: Sql) => pruneNoticeBudgets(sql, pruneChunk),
        (sql: Sql) => pruneMailbox(sql, pruneChunk),
      ]) {
        for (let pruned = pruneChunk; pruned >= pruneChunk; rowsPruned += pruned) {
          pruned = await database.read(prune, withinAMinute);
        }
      }
      for (let pruned = uploadsAtOnce; pruned >= uploadsAtOnce; rowsPruned += pruned) {
        pruned = await database.read((sql) => pruneUploads(sql, uploadsAtOnce), withinAMinute);
      }
      for (let pruned = partsAtOnce; pruned >= partsAtOnce; rowsPruned += pruned) {
        pruned = await database.read((sql) => pruneExports(sql, partsAtOnce), withinAMinute);
      }
      for (let ended = filesAtOnce; ended >= filesAtOnce; rowsPruned += ended) {
        ended = await endAbandoned(database, filesAtOnce);
      }
      for (const { id } of await database.read((sql) => listTeamsWithOldRates(sql, teamsAtOnce))) {
        await database.transact((sql) => refreshRates(sql, id), withinAMinute);
      }
      for (let noticed = teamsAtOnce; noticed >= teamsAtOnce;) {
        noticed = await notifySubscribers(database, teamsAtOnce);
      }
      return { partitionsMade, partitionsDropped: daysDropped + monthsDropped, rowsPruned };
    },
  };
}
