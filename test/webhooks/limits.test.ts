import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { pace } from '../support/pace.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { startChildWorker } from './a-worker.ts';

const settings = {
  ONWARD_KEYS: JSON.stringify(newKeyFile()),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.2,0.2,0.2,0.2,0.2,0.2,0.2',
  WEBHOOK_JITTER_PERCENT: '0',
  WEBHOOK_BREAKER_TRIES: '1000',
  WEBHOOK_DISABLE_AFTER: '1000',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
};

const api = useTestApi(settings);
let team: TestTeam;
let receiver: Receiver;

beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const path = '/v2/partner/webhook-subscriptions';

async function subscribe(limits: object, url = receiver.url): Promise<string> {
  const reply = await team.post(path, { target_url: url, event_types: ['contact.created'] });
  expect(reply.status).toBe(201);
  const id = String(reply.body.id);
  const set = await team.patch(`${path}/${id}/delivery-settings`, limits);
  expect([set.status, set.body]).toMatchObject([200, limits]);
  return id;
}

/** Records events of the team in one transaction, as many changes at once would. */
async function cause(count: number) {
  await api.db.database.transact(async (sql) => {
    for (let at = 0; at < count; at += 1) {
      const data = { id: randomUUID() };
      recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
    }
  });
}

/** The most calls that came within any second. */
function maxInOneSecond({ received }: Receiver): number {
  const stamps = received.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const counts = stamps.map(
    (from) => stamps.filter((at) => at >= from && at < from + 1_000).length,
  );
  return Math.max(...counts);
}

const rowsOf = (id: string) =>
  api.db.look<{ status: string; attempt_count: number }>(
    (sql) => sql`
      select status, attempt_count from webhook_deliveries where subscription_id = ${id}`,
  );
const allDelivered = (id: string, count: number) =>
  eventually(
    () => rowsOf(id),
    (rows) => rows.filter(({ status }) => status === 'delivered').length === count,
  );

/** Answers requests with a delay; returns the maximum of concurrent ones. */
function watchConcurrency(status: (index: number) => number) {
  const seen = { now: 0, most: 0 };
  receiver.answer(async (_, index) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await pace(20);
    seen.now -= 1;
    return { status: status(index) };
  });
  return seen;
}

describe('a limited subscription', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker(api);
  });
  afterAll(() => worker.close());

  test('receives requests at most at its rate; waiting is no attempt', async () => {
    const id = await subscribe({ rate_limit_per_second: 5 });
    await cause(22);
    await receiver.waitFor(22);
    expect(maxInOneSecond(receiver)).toBeLessThanOrEqual(7);
    const rows = await allDelivered(id, 22);
    expect(new Set(rows.map(({ attempt_count }) => attempt_count))).toEqual(new Set([1]));
    const attempts = await api.db.look(
      (sql) => sql`select 1 from webhook_attempts where subscription_id = ${id}`,
    );
    expect(attempts).toHaveLength(22);
  });

  test('has the same rate limit in its recovery', async () => {
    const id = await subscribe({ rate_limit_per_second: 5 });
    receiver.answer((_, index) => ({ status: index % 2 === 0 ? 500 : 204 }));
    await cause(12);
    await allDelivered(id, 12);
    expect(receiver.received.length).toBeGreaterThan(12);
    expect(maxInOneSecond(receiver)).toBeLessThanOrEqual(7);
  });

  test('has at most its limit of concurrent requests, in its lane and its recovery together', async () => {
    const id = await subscribe({ max_concurrency: 3 });
    const seen = watchConcurrency((index) => (index % 4 === 0 ? 500 : 204));
    await cause(40);
    await allDelivered(id, 40);
    expect(seen.most).toBeLessThanOrEqual(3);
  });

  test('delays only its own events: all events of others arrive while most of its own wait', async () => {
    const limited = await subscribe({ rate_limit_per_second: 2 });
    const single = await subscribe({ max_concurrency: 1 });
    const neighbor = await startReceiver();
    const stuck = await startReceiver();
    try {
      stuck.answer(() => 'hang');
      const free = await subscribe({}, neighbor.url);
      // The same lane, and the limited ones first in its walk.
      await api.db.look(
        (sql) => sql`
          update webhook_subscriptions set shard = case when id = ${free} then 9 else 8 end,
            target_url = case when id = ${single} then ${stuck.url} else target_url end
          where id in (${limited}, ${single}, ${free})`,
      );
      await cause(200);
      await neighbor.waitFor(200);
      const rows = await allDelivered(free, 200);
      expect(rows).toHaveLength(200);
      expect(receiver.received.length).toBeLessThan(150);
      expect(stuck.received.length).toBeLessThan(50);
    } finally {
      await neighbor.stop();
      await stuck.stop();
    }
  });
});

test('a killed worker causes no burst: its successor continues at the rate', async () => {
  const id = await subscribe({ rate_limit_per_second: 5 });
  const addresses = {
    ...settings,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  };
  const first = await startChildWorker(api, addresses);
  await cause(24);
  await receiver.waitFor(8);
  await first.kill();
  const second = await startChildWorker(api, addresses);
  try {
    await allDelivered(id, 24);
  } finally {
    await second.stop();
  }
  expect(maxInOneSecond(receiver)).toBeLessThanOrEqual(7);
});
