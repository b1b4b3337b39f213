import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Database } from '../../../platform/database/client.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { IdentitySearch } from './identity.ts';
import type { Persons } from './queries.ts';

/** Whose copies are erased, and how they are found. */
export interface Sweep {
  database: Database;
  keyring: Keyring;
  persons: Persons;
  search: IdentitySearch;
}

/**
 * Erases the copies of persons that a capability stores, in transactions of its own. False where a
 * copy is in use and stays until the next run. `src/app/copy-erasers.ts` lists all.
 */
export type CopyEraser = (sweep: Sweep) => Promise<boolean>;

/** Limit of one transaction of a sweep. */
export const deadlineMs = 110_000;

/** Repeats each step until it changes nothing. */
export async function eraseBySteps(
  { database, persons }: Sweep,
  steps: readonly ((sql: Sql, persons: Persons) => Promise<number>)[],
): Promise<void> {
  for (const step of steps) {
    for (let changed = 1; changed > 0;) {
      changed = await database.transact((sql) => step(sql, persons), { deadlineMs });
    }
  }
}
