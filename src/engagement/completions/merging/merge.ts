import type { Sql } from '../../../platform/database/sql.ts';
import type { MergedPair } from '../../../contacts/hooks.ts';
import { voidCompletion } from '../record.ts';
import { lockDoubleCompletions, moveCompletions } from './queries.ts';

/** Gives a contact the completions of the one that is merged into it; of doubles the earlier stays. */
export async function mergeCompletions(sql: Sql, teamId: string, pair: MergedPair): Promise<void> {
  for (const doubled of await lockDoubleCompletions(sql, teamId, pair)) {
    await voidCompletion(sql, doubled, 'Its contact was merged with one that completed it before.');
  }
  await moveCompletions(sql, teamId, pair);
}
