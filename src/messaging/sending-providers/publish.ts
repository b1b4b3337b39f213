import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import {
  sendingProviderCreated,
  sendingProviderDeleted,
  sendingProviderUpdated,
} from '../events.ts';
import type { SendingProviderRow } from './queries.ts';

const types = {
  created: sendingProviderCreated,
  updated: sendingProviderUpdated,
  deleted: sendingProviderDeleted,
};

/** Records that messages may leave elsewhere from now on; returns the row. */
export function publishProvider(
  sql: Sql,
  change: keyof typeof types,
  row: SendingProviderRow,
): SendingProviderRow {
  const { team_id: teamId, event_sequence: sequence } = row;
  recordEvent(sql, { teamId, type: types[change], data: row, sequence });
  return row;
}
