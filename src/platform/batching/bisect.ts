/** Result of some work, or its error. */
export type Attempt<T> = { done: true; value: T } | { done: false; error: unknown };

/**
 * Runs work on all items together. Where that fails, each half is run separately, and so on, so
 * that an invalid item does not affect others. Returns the result of each item in their order.
 * An error that `run` throws, instead of returning it, ends everything.
 */
export async function bisect<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<Attempt<readonly Result[]>>,
  /** Whether smaller parts would fail alike. */
  affectsAll: (error: unknown) => boolean = () => false,
): Promise<Attempt<Result>[]> {
  if (items.length === 0) return [];
  const together = await run(items);
  if (together.done) {
    if (together.value.length !== items.length) throw new Error('a batch needs a result per item');
    return together.value.map((value) => ({ done: true, value }));
  }
  if (items.length === 1 || affectsAll(together.error)) return items.map(() => together);
  const middle = Math.ceil(items.length / 2);
  return [
    ...(await bisect(items.slice(0, middle), run, affectsAll)),
    ...(await bisect(items.slice(middle), run, affectsAll)),
  ];
}
