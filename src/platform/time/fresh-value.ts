interface FreshValue<T> {
  load(): Promise<T>;
  freshMs: number;
  /** Absent: the first use waits for it, and fails with it. */
  first?: T;
  /** A read has failed; the last value holds until the next one. */
  onFailure?(error: unknown): void;
  now?: () => number;
}

/**
 * A small value of the database that many requests need: returns it, read again if it is older than
 * `freshMs`. One read at a time; the last value holds while Postgres is unavailable.
 */
export function createFreshValue<T extends object>(options: FreshValue<T>): () => Promise<T> {
  const { load, freshMs, first, onFailure, now = () => performance.now() } = options;
  let known = first;
  let readAtMs = first ? now() : -Infinity;
  let reading: Promise<T> | undefined;

  async function read(): Promise<T> {
    try {
      known = await load();
    } catch (error) {
      onFailure?.(error);
      if (!known) throw error;
    } finally {
      readAtMs = now();
      reading = undefined;
    }
    return known;
  }

  return () => {
    const isFresh = known && now() - readAtMs < freshMs;
    return known && isFresh ? Promise.resolve(known) : (reading ??= read());
  };
}
