import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useService } from '../support/use-service.ts';

// Answers of an address that a subscription no longer has.

const path = '/v2/partner/webhook-subscriptions';
const { api } = useService({
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600',
  WEBHOOK_JITTER_PERCENT: '0',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
  WEBHOOK_DISABLE_AFTER: '1',
});
let team: TestTeam;
let former: Receiver;
let present: Receiver;
/** Ends the attempt at the former address. */
let answer: () => void;

beforeEach(async () => {
  team = await api.newTeam();
  [former, present] = [await startReceiver(), await startReceiver()];
});
afterEach(async () => {
  await Promise.all([former.stop(), present.stop()]);
});

/** A subscription whose address changes while its first attempt waits for this answer. */
async function aMovedSubscription(
  status: number,
  headers: Record<string, string> = {},
  whenMoved: (id: string) => Promise<unknown> = () => Promise.resolve(),
) {
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  former.answer(async () => {
    await isAnswered;
    return { status, headers };
  });
  const made = await team.post(path, {
    ...{ target_url: former.url, event_types: ['contact.created'] },
  });
  const id = String(made.body.id);
  await team.post('/v2/partner/contacts', { unique_id: 'ada' });
  await former.waitFor(1);
  expect((await team.patch(`${path}/${id}`, { target_url: present.url })).status).toBe(200);
  await whenMoved(id);
  answer();
  return id;
}

test.each<[string, number, Record<string, string>]>([
  ['that it is gone', 410, {}],
  ['with an error', 500, {}],
  ['to wait for an hour', 429, { 'Retry-After': '3600' }],
])('what an earlier address answers late, %s, counts for nothing', async (_, status, headers) => {
  const id = await aMovedSubscription(status, headers);
  const [arrived] = await present.waitFor(1);
  expect(arrived?.headers['webhook-id']).toBe(former.received[0]?.headers['webhook-id']);
  const { data } = await eventually(
    async () => (await team.get(`${path}/${id}/deliveries`)).body,
    ({ data: [delivery] }) => delivery.status === 'delivered',
  );
  expect(data).toMatchObject([{ attempt_count: 2 }]);
  const { body } = await team.get(`${path}/${id}`);
  expect(body).toMatchObject({
    ...{ is_disabled_for_failures: false, consecutive_permanent_failures: 0 },
  });
  expect(former.received).toHaveLength(1);
  await team.post('/v2/partner/contacts', { unique_id: 'bob' });
  await present.waitFor(2);
});

test('what an earlier address has taken is not sent to the present one', async () => {
  const id = await aMovedSubscription(204);
  const { data } = await eventually(
    async () => (await team.get(`${path}/${id}/deliveries`)).body,
    ({ data: [delivery] }) => delivery.status === 'delivered',
  );
  expect(data).toMatchObject([{ attempt_count: 1 }]);
  expect(present.received).toEqual([]);
});

test('a late success of an earlier address ends no failures of the present one', async () => {
  const id = await aMovedSubscription(204, {}, (moved) =>
    api.db.look(
      (sql) => sql`
        update webhook_subscription_states set consecutive_permanent_failures = 3
        where subscription_id = ${moved}`,
    ),
  );
  await eventually(
    async () => (await team.get(`${path}/${id}/deliveries`)).body,
    ({ data: [delivery] }) => delivery.status === 'delivered',
  );
  const failures = async () =>
    (await team.get(`${path}/${id}`)).body.consecutive_permanent_failures;
  expect(await failures()).toBe(3);
  await team.post('/v2/partner/contacts', { unique_id: 'bob' });
  await present.waitFor(1);
  await eventually(failures, (count) => count === 0);
});

test.each([
  [503, 'suppressed'],
  [204, 'delivered'],
])(
  'a subscription that is switched off amid an attempt gets no other: its answer %d, %s',
  async (status, outcome) => {
    const isChanged = new Promise<void>((resolve) => {
      answer = resolve;
    });
    former.answer(async () => {
      await isChanged;
      return { status };
    });
    const made = await team.post(path, {
      ...{ target_url: former.url, event_types: ['contact.created'] },
    });
    const id = String(made.body.id);
    await team.post('/v2/partner/contacts', { unique_id: 'ada' });
    await former.waitFor(1);
    expect((await team.patch(`${path}/${id}`, { is_active: false })).status).toBe(200);
    answer();
    const { data } = await eventually(
      async () => (await team.get(`${path}/${id}/deliveries`)).body,
      ({ data: [delivery] }) => ['suppressed', 'delivered', 'failed'].includes(delivery.status),
    );
    expect(data).toMatchObject([{ status: outcome }]);
    expect(former.received).toHaveLength(1);
  },
);
