import type { Database } from '../src/database/client.ts';
import { dropOldPartitions, ensurePartitions, pruneExpired } from '../src/database/maintenance.ts';

export interface MaintenanceReport {
  partitionsMade: number;
  partitionsDropped: number;
  rowsPruned: number;
}

/** Days that deliveries, their events and attempts are kept. */
const deliveryRetentionDays = 90;
const pruneChunk = 5_000;

export function createMaintenanceActivities({ database }: { database: Database }) {
  return {
    /** Makes the partitions of the days ahead, drops old ones, and prunes what has expired. */
    async maintainStorage(): Promise<MaintenanceReport> {
      const partitionsMade = await database.read((sql) => ensurePartitions(sql));
      const partitionsDropped = await database.read(
        (sql) => dropOldPartitions(sql, deliveryRetentionDays),
        { deadlineMs: 60_000 },
      );
      let rowsPruned = 0;
      for (let pruned = pruneChunk; pruned >= pruneChunk; rowsPruned += pruned) {
        pruned = await database.read((sql) => pruneExpired(sql, pruneChunk), {
          deadlineMs: 60_000,
        });
      }
      return { partitionsMade, partitionsDropped, rowsPruned };
    },
  };
}
