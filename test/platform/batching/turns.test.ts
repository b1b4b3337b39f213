import { expect, test } from '@jest/globals';
import { createTurns } from '../../../src/platform/batching/turns.ts';

/** A promise, and what resolves it. */
function open() {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

test('work runs one piece at a time, in the order of the calls, also after a failure', async () => {
  const inTurn = createTurns(60_000);
  const steps: string[] = [];
  const first = open();
  const done = Promise.allSettled([
    inTurn(async () => {
      steps.push('first begins');
      await first.promise;
      steps.push('first fails');
      throw new Error('lost');
    }),
    inTurn(() => Promise.resolve(steps.push('second'))),
    inTurn(() => Promise.resolve(steps.push('third'))),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toEqual(['first begins']);
  first.end();
  expect((await done).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(['first begins', 'first fails', 'second', 'third']);
});

test('work that takes too long does not hold up the next piece', async () => {
  const inTurn = createTurns(1);
  const endless = open();
  const first = inTurn(() => endless.promise);
  expect(await inTurn(() => Promise.resolve('second'))).toBe('second');
  endless.end();
  await first;
});
