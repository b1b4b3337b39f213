import type { Sql } from '../../../platform/database/sql.ts';
import { recordEvent } from '../../../platform/events/record.ts';
import type { ReplayStatus } from '../../../platform/replays/rules.ts';
import {
  webhookReplayCanceled,
  webhookReplayCompleted,
  webhookReplayFailed,
} from '../../events.ts';
import type { ReplayRow } from './queries.ts';

const endings = {
  pending: undefined,
  running: undefined,
  completed: webhookReplayCompleted,
  canceled: webhookReplayCanceled,
  failed: webhookReplayFailed,
} satisfies Record<ReplayStatus, unknown>;

/** Records the event of a replay that has ended; called in the transaction in which it ends. */
export function recordEnd(sql: Sql, row: ReplayRow): void {
  const type = endings[row.status];
  if (!type) return;
  recordEvent(sql, { teamId: row.team_id, type, data: row, sequence: row.lock_version });
}
