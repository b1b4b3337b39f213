/** Lets the requests that have come meanwhile have their turn. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** For long computations: awaited between steps, it yields to the event loop after a long turn. */
export function createYielding(maxTurnMs = 20): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < maxTurnMs) return;
    await nextTurn();
    sinceMs = performance.now();
  };
}
