import type { Sql } from '../../platform/database/sql.ts';
import type { MergedPair } from '../../contacts/hooks.ts';
import { end } from '../ending/end.ts';
import { findDoubled, moveJourneys } from './queries.ts';

/**
 * Moves the journeys of a contact to the winner of the merge. If both have an open journey in a
 * template, the winner's continues and the other one ends.
 */
export async function mergeJourneys(sql: Sql, teamId: string, pair: MergedPair): Promise<void> {
  const doubled = await findDoubled(sql, teamId, pair);
  await end(sql, teamId, doubled, { status: 'exited', reason: 'contact_archived' });
  await moveJourneys(sql, teamId, pair);
}
