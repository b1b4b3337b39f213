import { expect, test } from '@jest/globals';
import { createConcurrencyWindow } from '../../src/messaging/send-queue/concurrency-window.ts';

/** A window whose messages are named by their kind, and by their turn. */
function aWindow(places: number) {
  const window = createConcurrencyWindow<string>(places);
  const add = (kind: 'urgent' | 'other', count: number, atMs = 0) => {
    for (let at = 0; at < count; at += 1)
      window.add(`${kind} ${String(at)}`, atMs, kind === 'urgent');
  };
  const next = (count: number) =>
    Array.from({ length: count }, () => {
      const message = window.next(0);
      window.answer(0);
      return message?.split(' ')[0];
    });
  return { window, add, next };
}

test('urgent messages go before all others', () => {
  const { add, next } = aWindow(1);
  add('other', 3);
  add('urgent', 2);
  expect(next(5)).toEqual(['urgent', 'urgent', 'other', 'other', 'other']);
});

test('a flood of urgent messages leaves every fifth slot to others', () => {
  const { add, next } = aWindow(1);
  add('other', 2);
  add('urgent', 10);
  const four = Array.from({ length: 4 }, () => 'urgent');
  expect(next(12)).toEqual([...four, 'other', ...four, 'other', 'urgent', 'urgent']);
});

test('urgent messages are claimed ahead of those that wait, and then a fifth for others', () => {
  const { window, add } = aWindow(10);
  expect([window.capacity(0, true), window.capacity(0, false)]).toEqual([10, 10]);
  add('other', 10);
  expect([window.capacity(0, true), window.capacity(0, false)]).toEqual([10, 0]);
  const flooded = aWindow(10);
  flooded.add('urgent', 10);
  expect([flooded.window.capacity(0, true), flooded.window.capacity(0, false)]).toEqual([0, 2]);
  flooded.add('other', 1);
  expect(flooded.window.capacity(0, false)).toBe(0);
});

test('a provider that becomes slow leaves no room for urgent messages, and never less than none', () => {
  const { window, add, next } = aWindow(2);
  add('urgent', 20);
  next(20);
  expect(window.capacity(0, true)).toBe(20);
  add('urgent', 20);
  // Its answers are no longer recent.
  expect(window.capacity(1_000, true)).toBe(0);
});

test('a message that has waited too long leaves, and those after it stay', () => {
  const { window, add } = aWindow(0);
  add('urgent', 1, 0);
  add('urgent', 1, 400);
  add('other', 1, 0);
  expect(window.leave(600, false)).toEqual(['urgent 0', 'other 0']);
  expect(window.leave(600, true)).toEqual(['urgent 0']);
  expect(window.isBusy()).toBe(false);
});

test('messages that need no slot are claimed faster and faster, up to a hundred at a time', () => {
  const { window } = aWindow(5);
  const claims = Array.from({ length: 7 }, () => {
    const room = window.capacity(0, false);
    for (let at = 0; at < room; at += 1) window.skip(0);
    return room;
  });
  expect(claims).toEqual([5, 5, 10, 20, 40, 80, 100]);
  expect(window.capacity(1_000, false)).toBe(5);
});
