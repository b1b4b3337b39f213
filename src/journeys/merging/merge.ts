import type { Sql } from '../../platform/database/sql.ts';
import { end } from '../ending/end.ts';
import { findDoubled, moveJourneys } from './queries.ts';
import type { Pair } from './queries.ts';

/**
 * Moves the journeys of a contact to the winner of the merge. If both have an open journey in a
 * template, the winner's continues and the other one ends.
 */
export async function mergeJourneys(sql: Sql, pair: Pair): Promise<void> {
  const doubled = await findDoubled(sql, pair);
  await end(sql, pair.teamId, doubled, { status: 'exited', reason: 'contact_archived' });
  await moveJourneys(sql, pair);
}
