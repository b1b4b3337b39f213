import type { Database } from '../../platform/database/client.ts';
import { createFreshValue } from '../../platform/time/fresh-value.ts';
import { listSuspended } from './queries.ts';

/** Suspended teams and clients, as a process knows them. */
export interface Suspended {
  /** Whether one of these ids is that of a suspended team or client. */
  hasAny(ids: readonly (string | null)[]): Promise<boolean>;
}

/** Reads them at most every two seconds. */
export function createSuspended(database: Database): Suspended {
  const current = createFreshValue({
    freshMs: 2_000,
    load: async () =>
      new Set(await database.read((sql) => listSuspended(sql), { deadlineMs: 1_000 })),
  });
  return {
    async hasAny(ids) {
      const suspended = await current();
      return ids.some((id) => id !== null && suspended.has(id));
    },
  };
}
