const waiting: (() => void)[] = [];

/**
 * Lets the requests that have come meanwhile have their turn. One caller continues in each round of
 * the event loop, in the order of the calls: several long computations do not add up to one.
 */
export const nextTurn = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

/** For long computations: awaited between steps, it yields to the event loop after a long turn. */
export function createYielding(maxTurnMs = 20): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < maxTurnMs) return;
    await nextTurn();
    sinceMs = performance.now();
  };
}

/** Characters of content whose processing takes a turn of its own. */
const longText = 1_000;

/**
 * For content: awaited before each text, with its length. A long text starts in a turn of its own,
 * since it may take most of the 50 ms for which a turn lasts at most.
 */
export function createContentTurns(): (length: number) => Promise<void> {
  const yieldSometimes = createYielding(5);
  return (length) => (length > longText ? nextTurn() : yieldSometimes());
}
