import type { Sql } from '../../platform/database/sql.ts';
import type { MergedPair } from '../../contacts/hooks.ts';
import { findCohortsLocked } from '../queries.ts';
import { findCohortIdsOf, moveMemberships } from './queries.ts';

/** Gives a contact the memberships of the one that is merged into it. */
export async function mergeMemberships(sql: Sql, teamId: string, pair: MergedPair): Promise<void> {
  await findCohortsLocked(sql, teamId, await findCohortIdsOf(sql, teamId, pair.loserId));
  await moveMemberships(sql, teamId, pair);
}
