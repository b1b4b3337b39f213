/** What ends every wait for some work at once, such as the loss of its connection. */
export interface Cancellation {
  /** Why it has happened; undefined until then. */
  readonly reason: Error | undefined;
  /** The first error counts. */
  interrupt(error: Error): void;
  /** What the work comes to, or throws the reason as soon as there is one. */
  during<T>(work: Promise<T>): Promise<T>;
}

/**
 * Other than Promise.race with one promise that lives on, this keeps nothing of work that is done:
 * a promise holds on to all that ever waited for it, with their results.
 */
export function createCancellation(): Cancellation {
  const waiting = new Set<(error: Error) => void>();
  let reason: Error | undefined;
  return {
    get reason() {
      return reason;
    },
    interrupt(error) {
      if (reason) return;
      reason = error;
      for (const reject of waiting) reject(error);
      waiting.clear();
    },
    during: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        if (reason) reject(reason);
        else waiting.add(reject);
        const settle = work.then(resolve, reject);
        void settle.then(() => waiting.delete(reject));
      }),
  };
}
