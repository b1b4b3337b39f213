import type { Database } from './client.ts';

const channel = 'onward_work';
const pauseMs = 3;

/**
 * Tells the workers that rows wait. The notice goes out after the commit, in a statement of its
 * own and at most every few ms: NOTIFY inside business transactions would serialise their commits.
 * Losing one costs the poll interval, nothing else.
 */
export function createNudge(database: () => Database): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      database()
        .read((sql) => sql`select pg_notify(${channel}, '')`)
        .catch(() => undefined);
    }, pauseMs);
  };
}

/** Calls back whenever a nudge arrives. */
export function onNudge(database: Database, callback: () => void): { stop(): void } {
  return database.listen(channel, callback);
}
