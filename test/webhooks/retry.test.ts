import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

// The second attempt waits an hour: an earlier one is due to a request.
let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let receiver: Receiver;
const path = '/v2/partner/webhook-subscriptions';

beforeAll(async () => {
  api = await startTestApi({
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600,0.2',
    WEBHOOK_JITTER_PERCENT: '0',
    WEBHOOK_BREAKER_TRIES: '10',
    WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '3600',
    WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '3600',
    WEBHOOK_DISABLE_AFTER: '1000',
    WEBHOOK_TIMEOUT_SECONDS: '3',
    WEBHOOK_LANE_IDLE_SECONDS: '1',
  });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe(): Promise<string> {
  const reply = await team.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}

/** Causes some events, and gives their deliveries once they are as expected, the oldest first. */
async function deliver(id: string, status: string, count = 1): Promise<any[]> {
  for (let at = 0; at < count; at += 1) {
    const reply = await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
    expect(reply.status).toBe(201);
  }
  const { data } = await become(id, (all) => all.every((one: any) => one.status === status));
  return data;
}

const become = (id: string, is: (deliveries: any[]) => boolean) =>
  eventually(
    async () => (await team.get(`${path}/${id}/deliveries?sort=inserted_at`)).body,
    ({ data }) => is(data),
  );
const pathOf = (id: string, deliveryId: string) => `${path}/${id}/deliveries/${deliveryId}`;
const retry = (id: string, deliveryId: string) => team.post(`${pathOf(id, deliveryId)}/retry`);
const attemptsOf = async (id: string, deliveryId: string): Promise<any[]> =>
  (await team.get(`${pathOf(id, deliveryId)}?include=attempts`)).body.attempts;
const logOf = async (id: string, deliveryId: string) =>
  (await attemptsOf(id, deliveryId)).map(({ number, trigger, http_status }) => [
    number,
    trigger,
    http_status ?? null,
  ]);
const scheduleOf = (deliveryId: string) =>
  api.db.look<{ schedule_step: number; age: number }>(
    (sql) => sql`
      select schedule_step, extract(epoch from now() - renewed_at)::float8 as age
      from webhook_deliveries where id = ${deliveryId}`,
  );

describe('a manual retry', () => {
  test('sends a delivered event again with the same id and bytes, and continues the count of attempts', async () => {
    const id = await subscribe();
    const [delivery] = await deliver(id, 'delivered');
    const reply = await retry(id, delivery.id);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      ...{ id: delivery.id, event_id: delivery.event_id, type: 'webhook_delivery' },
      ...{ status: 'pending', trigger: 'manual', attempt_count: 1 },
    });
    expect(reply.body).not.toHaveProperty('completed_at');
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await become(id, ([one]) => one.status === 'delivered');
    expect(await logOf(id, delivery.id)).toEqual([
      [1, 'scheduled', 204],
      [2, 'manual', 204],
    ]);
  });

  test('of a failed delivery restarts the full schedule and the age limit', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index < 2 ? 500 : 204 }));
    const [delivery] = await deliver(id, 'retrying');
    await api.db.look(
      (sql) => sql`
        update webhook_deliveries
        set status = 'failed', error_code = 'expired', next_attempt_at = null, schedule_step = 3,
          renewed_at = now() - interval '97 hours', completed_at = now()
        where id = ${delivery.id}`,
    );
    expect((await retry(id, delivery.id)).status).toBe(202);
    await receiver.waitFor(2);
    // It failed again: the second pause of the schedule, an hour, comes next.
    const { data } = await become(id, ([one]) => one.attempt_count === 2);
    expect(data[0].status).toBe('retrying');
    const pauseMs = Date.parse(data[0].next_attempt_at) - Date.parse(data[0].last_attempt_at);
    expect(Math.round(pauseMs / 60_000)).toBe(60);
    const [schedule] = await scheduleOf(delivery.id);
    expect(schedule?.schedule_step).toBe(1);
    expect(schedule?.age).toBeLessThan(60);
  });

  test('of a waiting delivery makes its next attempt now', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }));
    const [delivery] = await deliver(id, 'retrying');
    expect(Date.parse(delivery.next_attempt_at)).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await retry(id, delivery.id)).body.status).toBe('pending');
    await become(id, ([one]) => one.status === 'delivered');
    expect(await logOf(id, delivery.id)).toEqual([
      [1, 'scheduled', 500],
      [2, 'manual', 204],
    ]);
  });

  test('during an attempt in flight starts no concurrent one: both are logged, with one outcome', async () => {
    const id = await subscribe();
    let busy = 0;
    let most = 0;
    receiver.answer((_, index) => {
      busy += 1;
      most = Math.max(most, busy);
      // The first attempt ends by its timeout.
      if (index === 0) return 'hang';
      busy -= 1;
      return { status: 204 };
    });
    expect((await team.post('/v2/partner/contacts', { email: 'p@example.com' })).status).toBe(201);
    await receiver.waitFor(1);
    const { data } = (await team.get(`${path}/${id}/deliveries`)).body;
    const asked = await Promise.all([retry(id, data[0].id), retry(id, data[0].id)]);
    expect(asked.map(({ status }) => status)).toEqual([202, 202]);
    expect(receiver.received).toHaveLength(1);
    await become(id, ([one]) => one.status === 'delivered');
    expect(await logOf(id, data[0].id)).toEqual([
      [1, 'scheduled', null],
      [2, 'manual', 204],
    ]);
    expect(receiver.received).toHaveLength(2);
    // Only the manual one counts for the schedule.
    expect((await scheduleOf(data[0].id))[0]?.schedule_step).toBe(1);
  });

  test('is made at once although an open breaker lets nothing else through', async () => {
    const id = await subscribe();
    receiver.answer(() => ({ status: 500 }));
    await deliver(id, 'retrying', 10);
    receiver.answer(() => ({ status: 204 }));
    // New events wait as well while it is open.
    expect((await team.post('/v2/partner/contacts', { email: 'q@example.com' })).status).toBe(201);
    const { data } = await become(id, (all) => all.length === 11);
    expect(data[10].status).toBe('pending');
    expect((await retry(id, data[10].id)).status).toBe(202);
    await become(id, (all) => all[10].status === 'delivered');
  });

  test('at an inactive subscription is refused, and at a deleted one it is not found', async () => {
    const id = await subscribe();
    const [delivery] = await deliver(id, 'delivered');
    await team.patch(`${path}/${id}`, { is_active: false });
    const inactive = await retry(id, delivery.id);
    expect([inactive.status, inactive.body.errors[0].code]).toEqual([409, 'subscription_inactive']);
    await team.patch(`${path}/${id}`, { is_active: true });
    await api.db.look(
      (sql) =>
        sql`update webhook_subscriptions set is_disabled_for_failures = true where id = ${id}`,
    );
    const disabled = await retry(id, delivery.id);
    expect([disabled.status, disabled.body.errors[0].code]).toEqual([409, 'subscription_disabled']);
    expect((await retry(id, randomUUID())).status).toBe(409);
    await team.patch(`${path}/${id}`, { is_disabled_for_failures: false });
    expect((await retry(id, randomUUID())).status).toBe(404);
    await team.delete(`${path}/${id}`);
    expect((await retry(id, delivery.id)).status).toBe(404);
    expect(receiver.received).toHaveLength(1);
  });

  test('of an event whose payload is erased is refused', async () => {
    const id = await subscribe();
    const [delivery] = await deliver(id, 'delivered');
    await api.db.look(
      (sql) => sql`update webhook_events set is_erased = true where id = ${delivery.event_id}`,
    );
    const erased = await retry(id, delivery.id);
    expect([erased.status, erased.body.errors[0].code]).toEqual([410, 'payload_expired']);
    await api.db.look((sql) => sql`delete from webhook_events where id = ${delivery.event_id}`);
    expect((await retry(id, delivery.id)).status).toBe(410);
  });
});

test('an event is sent at once while another waits hours for its retry', async () => {
  const id = await subscribe();
  receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }));
  await deliver(id, 'retrying');
  expect((await team.post('/v2/partner/contacts', { email: 'q@example.com' })).status).toBe(201);
  const { data } = await become(id, (all) => all.some(({ status }) => status === 'delivered'));
  expect(data.map(({ status }: any) => status)).toEqual(['retrying', 'delivered']);
});

describe('a delivery', () => {
  test('that fails names its recovery workflow, and includes attempts and event on request', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }));
    const [waiting] = await deliver(id, 'retrying');
    const one = await team.get(`${pathOf(id, waiting.id)}?include=attempts,event`);
    expect(one.body).toMatchObject({
      workflow_id: `webhook-recovery/${id}`,
      attempts: [{ number: 1, http_status: 500 }],
      event: { id: waiting.event_id, type: 'contact.created', data: { type: 'contact' } },
    });
    expect(one.body.event).toEqual(receiver.received[0]?.event);
    await retry(id, waiting.id);
    await become(id, ([delivery]) => delivery.status === 'delivered');
    const after = (await team.get(pathOf(id, waiting.id))).body;
    expect(Object.keys(after)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/workflow_id|attempts|event$/)]),
    );
    const unknown = await team.get(`${pathOf(id, waiting.id)}?include=secrets`);
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([400, 'invalid_include']);
    const looker = await team.withScopes('partner:webhooks:read');
    expect((await looker.get(`${pathOf(id, waiting.id)}?include=attempts`)).status).toBe(200);
    expect((await looker.get(`${pathOf(id, waiting.id)}?include=event`)).status).toBe(401);
  });
});

describe('counts of deliveries', () => {
  const countsOf = async (id: string, query = '') =>
    team.get(`${path}/${id}/deliveries/counts${query}`);

  test('name every status, and have no rate without deliveries', async () => {
    const id = await subscribe();
    expect((await countsOf(id)).body).toMatchObject({
      ...{ subscription_id: id, total: 0, by_event_type: {}, attempts: 0 },
      ...{ success_rate: null, p50_ms: null, p95_ms: null },
      by_status: {
        ...{ pending: 0, retrying: 0, delivered: 0, failed: 0, suppressed: 0 },
      },
    });
  });

  test('add up, from the start of the window to its end, exclusive', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index === 0 ? 410 : 204 }));
    await deliver(id, 'failed');
    await team.patch(`${path}/${id}`, { is_disabled_for_failures: false });
    for (let at = 0; at < 3; at += 1) {
      await team.post('/v2/partner/contacts', { email: `r${String(at)}@example.com` });
    }
    const { data } = await become(id, (all) => all.length === 4 && all[3].status === 'delivered');
    await become(id, (all) => all.filter((one) => one.status === 'delivered').length === 3);
    const all = (await countsOf(id)).body;
    expect(all).toMatchObject({
      ...{ total: 4, attempts: 4, success_rate: 0.75, by_event_type: { 'contact.created': 4 } },
      by_status: { delivered: 3, failed: 1 },
      p50_ms: expect.any(Number),
    });
    expect(all.p95_ms).toBeGreaterThanOrEqual(all.p50_ms);
    const [first, , , last] = data;
    const bounds = `?filter[inserted_at][gte]=${first.inserted_at}&filter[inserted_at][lt]=${last.inserted_at}`;
    const some = (await countsOf(id, bounds)).body;
    expect(some.window).toEqual({ start: first.inserted_at, end: last.inserted_at });
    expect(some.total).toBe(3);
  });

  test('refuse a window of more than 30 days', async () => {
    const id = await subscribe();
    const since = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const reply = await countsOf(id, `?filter[inserted_at][gte]=${since}`);
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 'invalid_filter_value']);
  });
});
