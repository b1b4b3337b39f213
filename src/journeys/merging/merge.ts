import type { Sql } from '../../platform/database/sql.ts';
import { end } from '../ending/end.ts';
import { findDoubled, moveJourneys } from './queries.ts';
import type { Pair } from './queries.ts';

/**
 * Makes the journeys of a contact those of the one that it is merged into. Of two that are open in
 * one template the one of the contact that stays goes on.
 */
export async function mergeJourneys(sql: Sql, pair: Pair): Promise<void> {
  const doubled = await findDoubled(sql, pair);
  await end(sql, pair.teamId, doubled, { status: 'exited', reason: 'contact_archived' });
  await moveJourneys(sql, pair);
}
