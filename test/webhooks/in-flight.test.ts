import { expect, test } from '@jest/globals';
import { createInFlight } from '../../src/webhooks/dispatch/in-flight.ts';

const delivery = (id: string, subscription_id: string, shard = 0) => ({
  ...{ id, subscription_id, shard },
});

test('a receiver without a response for a second counts as hanging until it responds', () => {
  const posts = createInFlight(0);
  posts.begin(delivery('first', 'slow'), 0);
  posts.begin(delivery('second', 'quick'), 500);
  posts.survey(1_200);
  expect([...posts.unhealthy()]).toEqual(['slow']);
  expect(posts.isHanging('slow')).toBe(true);
  posts.answer('first', 'accepted');
  posts.survey(1_300);
  expect([...posts.unhealthy()]).toEqual([]);
});

test('a subscription whose attempt failed counts as failing until the outcome is stored', () => {
  const posts = createInFlight(0);
  posts.begin(delivery('first', 'failing'), 0);
  posts.answer('first', 'failed');
  posts.survey(100);
  expect([...posts.unhealthy()]).toEqual(['failing']);
  posts.forget('first');
  posts.survey(200);
  expect([...posts.unhealthy()]).toEqual([]);
  expect(posts.isInHand('failing')).toBe(false);
});

/** Attempts that may be in flight at a time, after so many were stored. */
function roomAfter(stored: number, nowMs: number, isAfterFault: boolean): number {
  const posts = createInFlight(0, isAfterFault);
  for (let at = 0; at < stored; at += 1) {
    posts.begin(delivery(`stored-${String(at)}`, 'any'), 0);
    posts.answer(`stored-${String(at)}`, 'accepted');
    posts.forget(`stored-${String(at)}`);
  }
  let room = 0;
  while (!posts.isFull(nowMs) && room < 1_000) {
    posts.begin(delivery(String(room), 'any'), nowMs);
    room += 1;
  }
  return room;
}

test('a lane begins with few attempts, and stored ones make room unless after a fault', () => {
  expect(roomAfter(0, 900, false)).toBe(16);
  expect(roomAfter(20, 900, false)).toBe(36);
  expect(roomAfter(20, 1_100, false)).toBe(1_000);
  expect(roomAfter(20, 1_900, true)).toBe(16);
  expect(roomAfter(20, 2_100, true)).toBe(1_000);
});

test('a lane begins no attempt while too many outcomes are not stored', () => {
  const posts = createInFlight(0);
  for (let at = 0; at < 512; at += 1) {
    posts.begin(delivery(String(at), 'one'), 0);
    expect(posts.isFull(2_000)).toBe(false);
    posts.answer(String(at), 'accepted');
  }
  expect(posts.isFull(2_000)).toBe(true);
  posts.forget('0');
  expect(posts.isFull(2_000)).toBe(false);
});

test('a lane that has just begun makes few attempts until their outcomes are stored', () => {
  const posts = createInFlight(0);
  for (let at = 0; at < 16; at += 1) {
    expect(posts.isFull(0)).toBe(false);
    posts.begin(delivery(String(at), 'one'), 0);
  }
  expect(posts.isFull(999)).toBe(true);
  posts.answer('0', 'accepted');
  posts.forget('0');
  posts.begin(delivery('16', 'one'), 10);
  expect(posts.isFull(10)).toBe(false);
  posts.begin(delivery('17', 'one'), 10);
  expect(posts.isFull(10)).toBe(true);
  // Receivers that hang must not hold the lane.
  expect(posts.isFull(1_000)).toBe(false);
});

test('the attempts of some shards are those of their deliveries', () => {
  const posts = createInFlight(0);
  posts.begin(delivery('first', 'one', 3), 0);
  posts.begin(delivery('second', 'other', 4), 0);
  expect(posts.ids((shard) => shard === 4)).toEqual(['second']);
});
