import type { PooledConnection } from './connection.ts';

/**
 * Number of reading connections from which a further read is pipelined on one of them. A write that
 * wakes a server process costs more than the work for a row: few connections with several reads
 * each have twice the throughput of one connection for each read.
 */
const sharedFrom = 3;
const maxReaders = 16;
/** A connection whose read has been running for longer gets no further readers. */
const patienceMs = 10;

export type ReadMultiplexer = ReturnType<typeof createReadMultiplexer>;

/** Connections lent to reads that share them: to how many, and when one of them last ended. */
export function createReadMultiplexer() {
  const places = new Map<PooledConnection, { readers: number; movedAtMs: number }>();
  return {
    /** Joins a shared connection if there are enough already; with `isFull`, any of them. */
    join(isFull: boolean): PooledConnection | undefined {
      if (places.size < sharedFrom && !isFull) return undefined;
      const movedSinceMs = isFull ? 0 : performance.now() - patienceMs;
      let fewest = maxReaders;
      let best: PooledConnection | undefined;
      for (const [connection, { readers, movedAtMs }] of places) {
        if (readers >= fewest || movedAtMs < movedSinceMs || connection.isDead()) continue;
        fewest = readers;
        best = connection;
      }
      const place = best && places.get(best);
      if (place) place.readers += 1;
      return best;
    },
    /** Makes a connection available to further readers. */
    open(connection: PooledConnection): void {
      places.set(connection, { readers: 1, movedAtMs: performance.now() });
    },
    /** True if the connection has no readers any more. */
    leave(connection: PooledConnection): boolean {
      const place = places.get(connection);
      if (!place || place.readers === 1) {
        places.delete(connection);
        return true;
      }
      place.readers -= 1;
      place.movedAtMs = performance.now();
      return false;
    },
  };
}
