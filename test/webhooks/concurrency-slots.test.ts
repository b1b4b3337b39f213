import { describe, expect, test } from '@jest/globals';
import { createConcurrencySlots } from '../../src/webhooks/dispatch/concurrency-slots.ts';

const total = 1_024;
const most = 48;

type Slots = ReturnType<typeof createConcurrencySlots>;

const ofTeam = (team_id: string, subscription_id: string) => ({ team_id, subscription_id });
const healthy = ofTeam('north', 'healthy');

/** Begins as many attempts as there is room for; returns how many. */
function fill(slots: Slots, of: typeof healthy, limit = most): number {
  let begun = 0;
  for (; slots.room(of, limit) > 0; begun += 1) slots.begin(of);
  return begun;
}

/** Lets a receiver answer so many attempts, one after the other, each after `tookMs`. */
function answer(slots: Slots, of: typeof healthy, count: number, tookMs = 100) {
  for (let at = 0; at < count; at += 1) {
    slots.begin(of);
    slots.end(of, 'answered', tookMs);
  }
}

describe('the window of a subscription', () => {
  test('is small while its receiver does not answer', () => {
    expect(fill(createConcurrencySlots(total), healthy)).toBe(4);
  });

  test('grows by one with each answer, up to the limit of the subscription', () => {
    const slots = createConcurrencySlots(total);
    answer(slots, healthy, 10);
    expect(slots.room(healthy, most)).toBe(14);
    answer(slots, healthy, 1_000);
    expect(slots.room(healthy, most)).toBe(48);
    expect(slots.room(healthy, 100)).toBe(100);
    expect(slots.room(healthy, 2)).toBe(2);
  });

  test('shrinks while answers take much longer than the fastest', () => {
    const slots = createConcurrencySlots(total);
    answer(slots, healthy, 40, 5);
    expect(slots.room(healthy, most)).toBe(44);
    answer(slots, healthy, 10, 200);
    expect(slots.room(healthy, most)).toBe(34);
    // Less waits for each other, and answers come fast again.
    answer(slots, healthy, 5, 6);
    expect(slots.room(healthy, most)).toBe(39);
  });

  test('grows again for a receiver that has become permanently slower', () => {
    let nowMs = 0;
    const slots = createConcurrencySlots(total, () => nowMs);
    answer(slots, healthy, 40, 50);
    answer(slots, healthy, 40, 300);
    expect(slots.room(healthy, most)).toBe(5);
    nowMs += 10_001;
    answer(slots, healthy, 50, 300);
    expect(slots.room(healthy, most)).toBe(48);
  });

  test.each([
    [1, 2],
    [60, 5],
    [500, 8],
  ])('of a receiver that has answered in %i ms is never smaller than %i', (fastestMs, size) => {
    const slots = createConcurrencySlots(total);
    answer(slots, healthy, 1, fastestMs);
    answer(slots, healthy, 100, 5_000);
    expect(slots.room(healthy, most)).toBe(size);
  });

  test('is reset by an attempt without a response, and not by one that was not made', () => {
    const slots = createConcurrencySlots(total);
    answer(slots, healthy, 100);
    slots.begin(healthy);
    slots.end(healthy, 'not_made');
    expect(slots.room(healthy, most)).toBe(48);
    slots.begin(healthy);
    slots.end(healthy, 'unanswered');
    expect(slots.room(healthy, most)).toBe(4);
  });
});

test('a team whose fifty receivers respond first and then hang leaves half of the slots to others', () => {
  const slots = createConcurrencySlots(total);
  const hanging = Array.from({ length: 50 }, (_, at) => ofTeam('south', `hanging ${String(at)}`));
  for (const of of [healthy, ...hanging]) answer(slots, of, 200);
  const taken = hanging.reduce((sum, of) => sum + fill(slots, of, 128), 0);
  expect(taken).toBeLessThanOrEqual(total / 2);
  expect(fill(slots, healthy)).toBe(48);
});

test('receivers of a hundred teams that begin to hang together leave slots for one that responds', () => {
  const slots = createConcurrencySlots(total);
  const hanging = Array.from({ length: 100 }, (_, at) => ofTeam(String(at), `hanging ${at}`));
  for (const of of [healthy, ...hanging]) answer(slots, of, 200);
  for (let round = 0; round < 48; round += 1) {
    for (const of of hanging) if (slots.room(of, most) > 0) slots.begin(of);
  }
  expect(fill(slots, healthy)).toBeGreaterThanOrEqual(4);
});

test('hanging receivers have bounded slots, and one that has responded recently gets a slot', () => {
  const slots = createConcurrencySlots(total);
  answer(slots, healthy, 200);
  const taken = Array.from({ length: 10_000 }, (_, at) =>
    fill(slots, ofTeam(String(at), `hanging ${String(at)}`)),
  );
  expect(taken.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(total * 0.75);
  expect(fill(slots, healthy)).toBe(48);
});
