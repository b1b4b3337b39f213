import { expect, test } from '@jest/globals';
import { createLanePosts } from '../../activities/lane-posts.ts';
import type { DueDelivery } from '../../src/partner/webhook-subscriptions/sending/queries.ts';

const deliveryOf = (subscription_id: string, id: string): DueDelivery => ({
  ...{ id, subscription_id, day: '2026-01-01', team_id: '', event_id: '', event_type: '' },
  ...{ trigger: 'event', attempt_count: 0, schedule_step: 0, renewed_at: '', body: '' },
  ...{ subscription_version: 1 },
  ...{ rate_limit_per_second: null, max_concurrency: null, ordering: 'none' },
});

test('however many receivers hang, one that answers has a place every second, and memory is bounded', () => {
  const posts = createLanePosts();
  const healthy = (id: string) => deliveryOf('healthy', id);
  for (let second = 0; second < 20; second += 1) {
    const nowMs = 500 + second * 1_000;
    posts.survey(nowMs);
    // What hung before this second has given its places back, or holds no more than half of them.
    for (let at = 0; at < 20; at += 1) {
      const one = healthy(`h${String(second)}-${String(at)}`);
      expect(posts.admits(one, false, nowMs)).toBe(true);
      posts.begin(one, nowMs);
    }
    for (let at = 0; at < 20; at += 1) {
      const id = `h${String(second)}-${String(at)}`;
      posts.answer(id, 'accepted', nowMs + 400);
      posts.forget(id);
    }
    for (let subscription = 0; subscription < 500; subscription += 1) {
      for (let at = 0; at < 24; at += 1) {
        const id = `${String(second)}-${String(subscription)}-${String(at)}`;
        const one = deliveryOf(`hanging ${String(subscription)}`, id);
        if (!posts.admits(one, false, nowMs + 500)) break;
        posts.begin(one, nowMs + 500 - 600);
      }
    }
    expect(posts.size()).toBeLessThanOrEqual(320);
  }
});

test('a receiver that answers, however slowly, keeps its share while others hang', () => {
  const posts = createLanePosts();
  for (let at = 0; at < 64; at += 1)
    posts.begin(deliveryOf(`hanging ${String(at)}`, `x${String(at)}`), 0);
  posts.begin(deliveryOf('slow', 'first'), 0);
  posts.survey(2_000);
  posts.answer('first', 'accepted', 2_000);
  posts.forget('first');
  posts.survey(2_001);
  const share = Array.from({ length: 24 }, (_, at) => deliveryOf('slow', String(at)));
  for (const one of share) {
    expect(posts.admits(one, false, 2_001)).toBe(true);
    posts.begin(one, 2_001);
  }
  expect(posts.admits(deliveryOf('slow', 'more'), false, 2_001)).toBe(false);
  const stranger = deliveryOf('stranger', 'one');
  expect(posts.admits(stranger, false, 2_001)).toBe(true);
  posts.begin(stranger, 2_001);
  expect(posts.admits(deliveryOf('stranger', 'two'), false, 2_001)).toBe(false);
});
