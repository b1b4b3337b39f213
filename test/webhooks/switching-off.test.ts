import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createFailureCounters } from '../../src/webhooks/dispatch/failure-counters.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';

const path = '/v2/partner/webhook-subscriptions';
let api: TestApi;
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  // One attempt: a failure is one for good.
  api = await startTestApi({
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0',
    WEBHOOK_BREAKER_TRIES: '1000000',
    WEBHOOK_LANE_IDLE_SECONDS: '1',
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe(eventTypes: string[]): Promise<string> {
  const reply = await team.post(path, { target_url: receiver.url, event_types: eventTypes });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}
const get = async (id: string) => (await team.get(`${path}/${id}`)).body;

/** Counts so many failures for good, each in a transaction of its own, five of them at once. */
async function fail(id: string, times: number) {
  const { database } = api.db;
  const counters = createFailureCounters({ clock: Date, policy: api.config.webhooks });
  const failure = { permanent: 1, attempts: 1, tries: 1, isGone: false, isProbe: false };
  let left = times;
  const count = async () => {
    while (left > 0) {
      left -= 1;
      await database.transact((sql) =>
        counters.count(sql, team.id, id, {
          ...failure,
          ...{ lastError: 'HTTP 500', nextAttemptAt: null, notBefore: null },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: 5 }, count));
}

const toldOf = (id: string) =>
  api.db.look<{ type: string; times: number; heard_by_itself: boolean }>(
    (sql) => sql`
      select d.event_type as type, count(*)::int as times,
        bool_or(d.subscription_id = ${id}) as heard_by_itself
      from webhook_deliveries d
      join webhook_events e on e.day = d.day and e.id = d.event_id
      where d.team_id = ${team.id} and e.resource_id = ${id}
      group by d.event_type order by d.event_type`,
  );

test('nine concurrent permanent failures leave a subscription active, and the tenth disables it', async () => {
  const id = await subscribe(['contact.created']);
  await fail(id, 9);
  expect(await get(id)).toMatchObject({
    ...{ consecutive_permanent_failures: 9, is_disabled_for_failures: false },
  });
  await fail(id, 1);
  expect(await get(id)).toMatchObject({
    ...{ consecutive_permanent_failures: 10, is_disabled_for_failures: true, is_active: true },
  });
});

test('each of 200 failures counts; other subscriptions receive three notices and one of the end, itself none', async () => {
  const id = await subscribe(['contact.created', 'webhook_subscription.*']);
  await subscribe(['webhook_subscription.*']);
  await fail(id, 200);
  expect(await get(id)).toMatchObject({
    ...{ consecutive_permanent_failures: 200, is_disabled_for_failures: true },
  });
  expect(await toldOf(id)).toEqual([
    { type: 'webhook_subscription.disabled', times: 1, heard_by_itself: false },
    { type: 'webhook_subscription.failing', times: 3, heard_by_itself: false },
  ]);
});

test('an enabled subscription counts from zero again, and an unchanged body changes nothing', async () => {
  const id = await subscribe(['contact.created']);
  await fail(id, 10);
  const off = await get(id);
  expect((await team.patch(`${path}/${id}`, off)).body).toMatchObject({
    ...{ consecutive_permanent_failures: 10, is_disabled_for_failures: true },
  });
  const on = await team.patch(`${path}/${id}`, { is_disabled_for_failures: false });
  expect(on.body).toMatchObject({
    ...{ consecutive_permanent_failures: 0, is_disabled_for_failures: false },
  });
  await fail(id, 9);
  expect(await get(id)).toMatchObject({ is_disabled_for_failures: false });
});

test('the count survives a restart of the worker, and one success resets it to zero', async () => {
  const id = await subscribe(['contact.created']);
  const counted = (count: number) =>
    eventually(
      () => get(id),
      (row) => row.consecutive_permanent_failures === count,
    );
  let made = 0;
  const addContact = () =>
    team.post('/v2/partner/contacts', { email: `p${(made += 1)}@example.com` });
  receiver.answer(() => ({ status: 500 }));
  for (const count of [1, 2]) {
    const worker = await startTestWorker(api);
    await addContact();
    await counted(count);
    await worker.close();
  }
  receiver.answer(() => ({ status: 204 }));
  const worker = await startTestWorker(api);
  await addContact();
  await counted(0);
  await worker.close();
});
