import { expect, test } from '@jest/globals';
import { createInFlight } from '../../src/webhooks/dispatch/in-flight.ts';

const delivery = (id: string, subscription_id: string, shard = 0) => ({
  ...{ id, subscription_id, shard },
});

test('a receiver without a response for a second counts as hanging until it responds', () => {
  const attempts = createInFlight(0);
  attempts.add(delivery('first', 'slow'), 0);
  attempts.add(delivery('second', 'quick'), 500);
  attempts.refreshHealth(1_200);
  expect([...attempts.unhealthy()]).toEqual(['slow']);
  expect(attempts.isHanging('slow')).toBe(true);
  attempts.recordResponse('first', 'accepted');
  attempts.refreshHealth(1_300);
  expect([...attempts.unhealthy()]).toEqual([]);
});

test('a subscription whose attempt failed counts as failing until the outcome is stored', () => {
  const attempts = createInFlight(0);
  attempts.add(delivery('first', 'failing'), 0);
  attempts.recordResponse('first', 'failed');
  attempts.refreshHealth(100);
  expect([...attempts.unhealthy()]).toEqual(['failing']);
  attempts.remove('first');
  attempts.refreshHealth(200);
  expect([...attempts.unhealthy()]).toEqual([]);
  expect(attempts.hasOpenAttempt('failing')).toBe(false);
});

/** Attempts that may be in flight at a time, after so many were stored. */
function roomAfter(stored: number, nowMs: number, isAfterFault: boolean): number {
  const attempts = createInFlight(0, isAfterFault);
  for (let at = 0; at < stored; at += 1) {
    attempts.add(delivery(`stored-${String(at)}`, 'any'), 0);
    attempts.recordResponse(`stored-${String(at)}`, 'accepted');
    attempts.remove(`stored-${String(at)}`);
  }
  let room = 0;
  while (!attempts.isFull(nowMs) && room < 1_000) {
    attempts.add(delivery(String(room), 'any'), nowMs);
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
  const attempts = createInFlight(0);
  for (let at = 0; at < 512; at += 1) {
    attempts.add(delivery(String(at), 'one'), 0);
    expect(attempts.isFull(2_000)).toBe(false);
    attempts.recordResponse(String(at), 'accepted');
  }
  expect(attempts.isFull(2_000)).toBe(true);
  attempts.remove('0');
  expect(attempts.isFull(2_000)).toBe(false);
});

test('a lane that has just begun makes few attempts until their outcomes are stored', () => {
  const attempts = createInFlight(0);
  for (let at = 0; at < 16; at += 1) {
    expect(attempts.isFull(0)).toBe(false);
    attempts.add(delivery(String(at), 'one'), 0);
  }
  expect(attempts.isFull(999)).toBe(true);
  attempts.recordResponse('0', 'accepted');
  attempts.remove('0');
  attempts.add(delivery('16', 'one'), 10);
  expect(attempts.isFull(10)).toBe(false);
  attempts.add(delivery('17', 'one'), 10);
  expect(attempts.isFull(10)).toBe(true);
  // Receivers that hang must not hold the lane.
  expect(attempts.isFull(1_000)).toBe(false);
});

test('the attempts of some shards are those of their deliveries', () => {
  const attempts = createInFlight(0);
  attempts.add(delivery('first', 'one', 3), 0);
  attempts.add(delivery('second', 'other', 4), 0);
  expect(attempts.ids((shard) => shard === 4)).toEqual(['second']);
});
