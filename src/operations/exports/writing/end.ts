import type { Sql } from '../../../platform/database/sql.ts';
import { recordEvent } from '../../../platform/events/record.ts';
import { exportCanceled, exportCompleted, exportFailed } from '../../events.ts';
import type { ExportRow } from '../queries.ts';
import { failExport } from './queries.ts';

/** Records the event of an export that has ended, in the transaction in which it ends. */
export function recordEnd(sql: Sql, row: ExportRow): void {
  const { team_id: teamId, lock_version: sequence } = row;
  recordEvent(sql, { teamId, type: typeOf(row), data: row, sequence });
}

/** Ends an export without a file, with its event. */
export async function endExport(
  sql: Sql,
  row: ExportRow,
  error: Parameters<typeof failExport>[2],
): Promise<void> {
  recordEnd(sql, await failExport(sql, row, error));
}

function typeOf({ status, error }: ExportRow) {
  if (status === 'succeeded') return exportCompleted;
  return status === 'failed' && error?.code !== 'canceled' ? exportFailed : exportCanceled;
}
