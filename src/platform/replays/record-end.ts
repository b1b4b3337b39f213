import type { Sql } from '../database/sql.ts';
import { recordEvent } from '../events/record.ts';
import type { ReplayTable, StoredReplay } from './queries.ts';
import { isOpen } from './rules.ts';

/** Records the event of a replay that has ended, in the transaction in which it ends. */
export function recordReplayEnd(sql: Sql, { ends }: ReplayTable, row: StoredReplay): void {
  if (isOpen(row.status)) return;
  recordEvent(sql, {
    teamId: row.team_id,
    type: ends[row.status],
    data: row,
    sequence: row.lock_version,
  });
}
