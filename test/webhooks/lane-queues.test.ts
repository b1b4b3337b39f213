import { expect, test } from '@jest/globals';
import { LaneQueues } from '../../src/webhooks/dispatch/lane-queues.ts';
import type { Database } from '../../src/platform/database/client.ts';

const none: Partial<Database> = {};

/** Queues of a lane with one delivery for each subscription, of a body with so many characters. */
async function queuesOf(bodies: Readonly<Record<string, number>>) {
  const queues = new LaneQueues(
    none as Database,
    () => true,
    () => undefined,
  );
  const claimed = Object.entries(bodies).map(([subscription_id, characters], shard) => ({
    ...{ id: subscription_id, subscription_id, shard, body: 'x'.repeat(characters) },
    ...{ day: '2026-01-01', team_id: 'team', event_id: 'event', event_type: 'contact.created' },
    ...{ trigger: 'event', attempt_count: 0, schedule_step: 0, renewed_at: '', traceparent: null },
    ...{ subscription_version: 1, rate_limit_per_second: null, max_concurrency: null },
    ordering: 'none' as const,
  }));
  await queues.enqueue({ claimed, covers: () => true }, new Map());
  return queues;
}

test('a subscription with large bodies has few of them in memory, and others are not affected', async () => {
  const queues = await queuesOf({ large: 250_000, small: 1_000 });
  expect(queues.allowance('small')).toBe(127);
  expect(queues.allowance('large')).toBe(6);
});

test('once many large bodies wait for slow receivers, each subscription still gets one', async () => {
  const bodies = Array.from({ length: 64 }, (_, at) => [`slow-${String(at)}`, 250_000]);
  const queues = await queuesOf({ ...Object.fromEntries(bodies), small: 1_000 });
  queues.sendDue('small', performance.now() + 1, () => true);
  expect(queues.allowance('small')).toBe(1);
  expect(queues.isFull()).toBe(false);
});

test('the deliveries of some shards are named, until they are posted', async () => {
  const queues = await queuesOf({ first: 10, second: 10 });
  const all = () => queues.ids(() => true);
  expect(queues.ids((shard) => shard === 1)).toEqual(['second']);
  queues.sendDue('second', performance.now() + 1, () => true);
  expect(all()).toEqual(['first']);
  queues.release(new Set(['first']));
  expect([all(), queues.size()]).toEqual([[], 0]);
});
