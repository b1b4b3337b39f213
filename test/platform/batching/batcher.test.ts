import { expect, test } from '@jest/globals';
import { createBatcher } from '../../../src/platform/batching/batcher.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/failures.ts';

/** A batcher with its batches so far; each batch ends in the next turn, or fails. */
function aBatcher(fails: (items: readonly number[]) => Error | undefined = () => undefined) {
  const batches: (readonly number[])[] = [];
  const batch = createBatcher(
    async (_key, items: readonly number[]) => {
      batches.push(items);
      await Promise.resolve();
      const error = fails(items);
      if (error) throw error;
      return items.map((item) => item * 2);
    },
    { atOnce: 2, maxItems: 3 },
  );
  return { batches, batch };
}

test('items that arrive while two batches run share the next ones', async () => {
  const { batch, batches } = aBatcher();
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map((item) => batch('key', item)));
  expect(results).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1], [2], [3, 4, 5], [6]]);
});

test('keys do not wait for each other', async () => {
  const { batch, batches } = aBatcher();
  await Promise.all(['a', 'b', 'c'].map((key, at) => batch(key, at)));
  expect(batches).toEqual([[0], [1], [2]]);
});

test('where not all fit, each owner gets a place before another gets its second', async () => {
  const batches: (readonly string[])[] = [];
  const batch = createBatcher(
    async (_key, items: readonly string[]) => {
      batches.push(items);
      await Promise.resolve();
      return items;
    },
    { atOnce: 1, maxItems: 3, ownerOf: (item) => item.slice(0, 1) },
  );
  const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  expect(await Promise.all(items.map((item) => batch('key', item)))).toEqual(items);
  expect(batches).toEqual([['a1'], ['a2', 'b1', 'c1'], ['a3', 'a4', 'b2']]);
});

test('an invalid item is rejected, and the others of its batch are not', async () => {
  const { batch } = aBatcher((items) => (items.includes(4) ? new Error('invalid') : undefined));
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batch('key', item)));
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    ...[true, true, true, false, true],
  ]);
});

test('a batch that fails because Postgres is unavailable is not tried in parts', async () => {
  const { batch, batches } = aBatcher(() => new DatabaseUnavailable('away'));
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batch('key', item)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(batches).toEqual([[1], [2], [3, 4, 5]]);
});

test('an item that waited too long is rejected when its batch would begin', async () => {
  let end: () => void = () => undefined;
  let nowMs = 0;
  const batch = createBatcher(
    (_key, items: readonly number[]) =>
      new Promise<readonly number[]>((resolve) => {
        end = () => {
          resolve(items);
        };
      }),
    { atOnce: 1, maxItems: 3, maxWaitMs: 10, now: () => nowMs },
  );
  const results = [1, 2].map((item) => batch('key', item));
  nowMs = 5;
  results.push(batch('key', 3));
  const settled = Promise.allSettled(results);
  nowMs = 11;
  end();
  await results[0];
  await new Promise((resolve) => setImmediate(resolve));
  end();
  const statuses = (await settled).map(({ status }) => status);
  expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
