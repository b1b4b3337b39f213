import { setTimeout as pause } from 'node:timers/promises';

/** Runs work when its turn has come. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs one piece of work at a time, in the order of the calls, for work that shares the same cores. A
 * piece that takes longer than `maxWaitMs` no longer holds up the next one.
 */
export function createTurns(maxWaitMs: number): InTurn {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const before = last;
    let isDone: () => void = () => undefined;
    last = new Promise((resolve) => {
      isDone = resolve;
    });
    const abort = new AbortController();
    await Promise.race([before, pause(maxWaitMs, undefined, { signal: abort.signal })]);
    abort.abort();
    try {
      return await work();
    } finally {
      isDone();
    }
  };
}
