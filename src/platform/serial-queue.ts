export interface SerialQueue {
  /** Runs the work after all earlier work, whether that has failed or not. */
  add(work: () => Promise<void>): void;
  /** Resolves when the work that was added so far has ended. */
  ended(): Promise<void>;
}

/** Runs work in its order. Failures go to `onFailure`: nothing awaits the work itself. */
export function createSerialQueue(onFailure: (error: unknown) => void): SerialQueue {
  let tail = Promise.resolve();
  return {
    add(work) {
      tail = tail.then(work).catch(onFailure);
    },
    ended: () => tail,
  };
}
