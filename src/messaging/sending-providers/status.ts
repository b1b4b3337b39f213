import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { sendingProviderHalted, sendingProviderResumed } from '../events.ts';
import { beginHalt, endHalt, writeHalt } from './queries.ts';
import type { Halt, ProviderKey } from './queries.ts';

/**
 * Stores that a provider accepts nothing, and when it is probed, in the caller's transaction. The
 * first worker that finds it out records the event. `lock_version`, that of the settings, stays.
 */
export async function recordHalt(sql: Sql, provider: ProviderKey, halt: Halt): Promise<void> {
  const row = await beginHalt(sql, provider, halt);
  if (!row) return writeHalt(sql, provider, halt);
  recordEvent(sql, {
    teamId: row.team_id,
    type: sendingProviderHalted,
    data: row,
    sequence: row.event_sequence,
  });
}

/** Stores that a provider accepts messages again, as `recordHalt` does. */
export async function recordResumed(sql: Sql, provider: ProviderKey): Promise<void> {
  const row = await endHalt(sql, provider);
  if (!row) return;
  recordEvent(sql, {
    teamId: row.team_id,
    type: sendingProviderResumed,
    data: row,
    sequence: row.event_sequence,
  });
}
