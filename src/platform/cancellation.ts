/** Ends every wait for some work immediately, for example when its connection is lost. */
export interface Cancellation {
  /** Why it has happened; undefined until then. */
  readonly reason: Error | undefined;
  /** The first error counts. */
  interrupt(error: Error): void;
  /** Returns the result of the work, or throws the reason as soon as there is one. */
  during<T>(work: Promise<T>): Promise<T>;
}

/**
 * Promise.race with one long-lived promise would leak: that promise references every waiter and its
 * result. This removes the reference when the work has ended.
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
        const forget = () => waiting.delete(reject);
        work.then(resolve, reject).then(forget, forget);
      }),
  };
}
