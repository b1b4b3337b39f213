/** Result of some work, or its error. */
export type Attempt<T> = { done: true; value: T } | { done: false; error: unknown };

/** Items that were processed together, or one that fails alone. */
export interface Part<Item, Value> {
  items: readonly Item[];
  attempt: Attempt<Value>;
}

/**
 * Runs work on all items together. Where that fails, each half is run separately, and so on, so
 * that an invalid item does not affect others. Returns the parts in the order of their items.
 * An error that `run` throws, instead of returning it, ends everything.
 */
export async function bisectParts<Item, Value>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<Attempt<Value>>,
  /** Whether smaller parts would fail alike. */
  affectsAll: (error: unknown) => boolean = () => false,
): Promise<Part<Item, Value>[]> {
  if (items.length === 0) return [];
  const attempt = await run(items);
  if (attempt.done || items.length === 1 || affectsAll(attempt.error)) return [{ items, attempt }];
  const middle = Math.ceil(items.length / 2);
  return [
    ...(await bisectParts(items.slice(0, middle), run, affectsAll)),
    ...(await bisectParts(items.slice(middle), run, affectsAll)),
  ];
}

/** The same for work that gives one result per item: the result of each, in their order. */
export async function bisect<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<Attempt<readonly Result[]>>,
  affectsAll?: (error: unknown) => boolean,
): Promise<Attempt<Result>[]> {
  const parts = await bisectParts(items, run, affectsAll);
  return parts.flatMap(({ items: some, attempt }): Attempt<Result>[] => {
    if (!attempt.done) return some.map(() => attempt);
    if (attempt.value.length !== some.length) throw new Error('a batch needs a result per item');
    return attempt.value.map((value) => ({ done: true, value }));
  });
}
