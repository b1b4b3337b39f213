import { expect, test } from '@jest/globals';
import { createInFlight } from '../../src/webhooks/dispatch/in-flight.ts';

test('a receiver without a response for a second counts as hanging until it responds', () => {
  const posts = createInFlight();
  posts.begin('first', 'slow', 0);
  posts.begin('second', 'quick', 500);
  posts.survey(1_200);
  expect([...posts.unhealthy()]).toEqual(['slow']);
  expect(posts.isHanging('slow')).toBe(true);
  posts.answer('first', 'accepted');
  posts.survey(1_300);
  expect([...posts.unhealthy()]).toEqual([]);
});

test('a subscription whose attempt failed counts as failing until the outcome is stored', () => {
  const posts = createInFlight();
  posts.begin('first', 'failing', 0);
  posts.answer('first', 'failed');
  posts.survey(100);
  expect([...posts.unhealthy()]).toEqual(['failing']);
  posts.forget('first');
  posts.survey(200);
  expect([...posts.unhealthy()]).toEqual([]);
  expect(posts.isInHand('failing')).toBe(false);
});

test('a lane begins no attempt while too many outcomes are not stored', () => {
  const posts = createInFlight();
  for (let at = 0; at < 512; at += 1) {
    posts.begin(String(at), 'one', 0);
    expect(posts.isFull()).toBe(false);
    posts.answer(String(at), 'accepted');
  }
  expect(posts.isFull()).toBe(true);
  posts.forget('0');
  expect(posts.isFull()).toBe(false);
});
