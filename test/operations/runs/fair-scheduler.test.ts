import { expect, test } from '@jest/globals';
import { createFairScheduler } from '../../../src/operations/runs/running/fair-scheduler.ts';

/** A clock that stands still but for work and rest. */
function aClock() {
  let nowMs = 0;
  const rests: number[] = [];
  return {
    rests,
    now: () => nowMs,
    sleep(ms: number) {
      rests.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    work(ms: number) {
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

test('teams take turns, independent of the amount of work of each', async () => {
  const turns = createFairScheduler(1, aClock());
  const order: string[] = [];
  const take = (team: string) =>
    turns.run(team, async () => {
      order.push(team);
      await Promise.resolve();
    });
  await Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(take));
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
});

test('after each piece of work comes a rest, so that work has its share of the time', async () => {
  const clock = aClock();
  const turns = createFairScheduler(0.25, clock);
  await Promise.all([100, 20].map((ms) => turns.run('a', () => clock.work(ms))));
  expect(clock.rests[0]).toBe(300);
});

test('a failure rejects the promise of its own caller, and the next work runs', async () => {
  const turns = createFairScheduler(1, aClock());
  const [failed, done] = await Promise.allSettled([
    turns.run('a', () => Promise.reject(new Error('no'))),
    turns.run('a', () => Promise.resolve('yes')),
  ]);
  expect([failed?.status, done?.status]).toEqual(['rejected', 'fulfilled']);
});
