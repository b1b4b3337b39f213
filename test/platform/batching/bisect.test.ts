import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bisect } from '../../../src/platform/batching/bisect.ts';
import type { Attempt } from '../../../src/platform/batching/bisect.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 40 });

/** Fails with each batch that contains one of the bad numbers; else doubles all. */
function doublingAll(bad: ReadonlySet<number>, batches: (readonly number[])[]) {
  return (items: readonly number[]): Promise<Attempt<number[]>> => {
    batches.push(items);
    const found = items.find((item) => bad.has(item));
    return Promise.resolve(
      found === undefined
        ? { done: true, value: items.map((item) => item * 2) }
        : { done: false, error: found },
    );
  };
}

test('each item has the result that it has alone, in the order of the items', async () => {
  await fc.assert(
    fc.asyncProperty(
      numbers,
      fc.uniqueArray(fc.integer({ min: 0, max: 99 })),
      async (items, bad) => {
        const results = await bisect(items, doublingAll(new Set(bad), []));
        expect(results).toEqual(
          items.map((item) =>
            bad.includes(item) ? { done: false, error: item } : { done: true, value: item * 2 },
          ),
        );
      },
    ),
  );
});

test('one invalid item of 128 costs fifteen batches, and none costs one', async () => {
  const items = Array.from({ length: 128 }, (_, at) => at);
  const batches: (readonly number[])[] = [];
  await bisect(items, doublingAll(new Set([77]), batches));
  expect(batches).toHaveLength(15);
  await bisect(items, doublingAll(new Set(), batches));
  expect(batches).toHaveLength(16);
});

test('an error that affects all is not tried in parts', async () => {
  const batches: (readonly number[])[] = [];
  const run = doublingAll(new Set([1]), batches);
  const results = await bisect([1, 2, 3], run, () => true);
  expect(batches).toEqual([[1, 2, 3]]);
  expect(results).toEqual([1, 2, 3].map(() => ({ done: false, error: 1 })));
});

test('a thrown error ends everything', async () => {
  const run = () => Promise.reject(new Error('connection lost'));
  await expect(bisect([1, 2], run)).rejects.toThrow('connection lost');
});
