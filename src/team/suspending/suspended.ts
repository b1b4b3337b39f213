import type { Database } from '../../platform/database/client.ts';
import { listSuspended } from './queries.ts';

/** Suspended teams and clients, as a process knows them. */
export interface Suspended {
  /** Whether one of these ids is that of a suspended team or client. */
  hasAny(ids: readonly (string | null)[]): Promise<boolean>;
}

const freshMs = 2_000;

/** Reads them at most every two seconds; the last ones hold while Postgres is unavailable. */
export function createSuspended(database: Database, now = () => performance.now()): Suspended {
  let known: ReadonlySet<string> | undefined;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      known = new Set(await database.read((sql) => listSuspended(sql), { deadlineMs: 1_000 }));
    } catch (error) {
      if (!known) throw error;
    } finally {
      readAtMs = now();
      reading = undefined;
    }
  }

  return {
    async hasAny(ids) {
      if (!known || now() - readAtMs >= freshMs) await (reading ??= read());
      return ids.some((id) => id !== null && known?.has(id) === true);
    },
  };
}
