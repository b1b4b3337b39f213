import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi({
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.3,0.3,0.3',
    WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
    WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '2',
    WEBHOOK_MAX_AGE_SECONDS: '345600',
    WEBHOOK_DISABLE_AFTER: '3',
    WEBHOOK_TIMEOUT_SECONDS: '2',
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

const path = '/v2/partner/webhook-subscriptions';

async function subscribe(fields: object = {}) {
  const reply = await team.post(path, {
    target_url: receiver.url,
    event_types: ['contact.*'],
    ...fields,
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Causes one event of the team. */
async function cause(count = 1) {
  for (let at = 0; at < count; at += 1) {
    const reply = await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
    expect(reply.status).toBe(201);
  }
}

const plain = (headers: IncomingHttpHeaders = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const deliveries = async (id: string) => (await team.get(`${path}/${id}/deliveries`)).body.data;
const get = async (id: string) => (await team.get(`${path}/${id}`)).body;

describe('webhook delivery', () => {
  test('an event reaches its subscriber signed by Standard Webhooks', async () => {
    const subscription = await subscribe();
    await cause();
    const [request] = await receiver.waitFor(1);
    const headers = plain(request?.headers);
    const event: any = new Webhook(subscription.signing_secret).verify(
      request?.body ?? '',
      headers,
    );
    expect(event).toMatchObject({
      type: 'contact.created',
      team_id: team.id,
      api_version: 'v2',
      sequence: 1,
      data: { type: 'contact', email: 'p0@example.com' },
    });
    expect(headers['webhook-id']).toBe(event.id);
    const [delivery] = await eventually(
      () => deliveries(subscription.id),
      ([first]) => first?.status === 'delivered',
    );
    expect(delivery).toMatchObject({ attempt_count: 1, http_status: 204, event_id: event.id });
    const attempts = await team.get(
      `${path}/${subscription.id}/deliveries/${delivery.id}/attempts`,
    );
    expect(attempts.body.data).toMatchObject([
      { number: 1, trigger: 'scheduled', http_status: 204, url: receiver.url },
    ]);
  });

  test('each attempt is stored with the answer that it got, whether others got the same or not', async () => {
    const subscription = await subscribe();
    const answers = new Map<string, { http_status: number; response_body: string }>();
    receiver.answer(({ headers }, index) => {
      const [status, body] = [200 + (index % 2), `answer ${String(index % 3)}`];
      answers.set(String(headers['webhook-id']), { http_status: status, response_body: body });
      return { status, body };
    });
    await Promise.all(Array.from({ length: 12 }, () => cause()));
    const delivered = await eventually(
      () => deliveries(subscription.id),
      (all: { id: string; event_id: string; status: string }[]) =>
        all.length === 12 && all.every(({ status }) => status === 'delivered'),
    );
    for (const { id, event_id: eventId } of delivered) {
      const attempts = await team.get(`${path}/${subscription.id}/deliveries/${id}/attempts`);
      expect(attempts.body.data).toMatchObject([answers.get(eventId)]);
    }
  });

  test('a failed attempt is retried with the same id and bytes until it succeeds', async () => {
    const subscription = await subscribe();
    receiver.answer((_, index) => ({ status: index < 3 ? 500 : 200 }));
    await cause();
    const requests = await receiver.waitFor(4);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [delivery] = await eventually(
      () => deliveries(subscription.id),
      ([first]) => first?.status === 'delivered',
    );
    expect(delivery.attempt_count).toBe(4);
    const { body } = await team.get(
      `${path}/${subscription.id}/deliveries/${delivery.id}/attempts`,
    );
    expect(body.data.map(({ number, http_status }: any) => [number, http_status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 200],
    ]);
  });

  test('a subscription with repeated permanent failures is disabled, and its other deliveries are suppressed', async () => {
    const subscription = await subscribe();
    const witness = await startReceiver();
    try {
      await subscribe({ target_url: witness.url, event_types: ['webhook_subscription.*'] });
      receiver.answer(() => ({ status: 500 }));
      await cause(5);
      const disabled = await eventually(
        () => get(subscription.id),
        (row) => row.is_disabled_for_failures,
      );
      expect(disabled).toMatchObject({ is_active: true });
      expect(disabled.consecutive_permanent_failures).toBeGreaterThanOrEqual(3);
      const rows = await eventually(
        () => deliveries(subscription.id),
        (all) => all.every(({ status }: any) => ['failed', 'suppressed'].includes(status)),
      );
      expect(rows.filter(({ status }: any) => status === 'failed').length).toBeGreaterThanOrEqual(
        3,
      );
      const notice = await eventually(
        () => Promise.resolve(witness.received.map(({ event }) => event)),
        (events) => events.some(({ type }) => type === 'webhook_subscription.disabled'),
      );
      expect(notice.at(-1)).toMatchObject({
        data: { id: subscription.id, is_disabled_for_failures: true },
      });
      const enabled = await team.patch(`${path}/${subscription.id}`, {
        ...disabled,
        is_disabled_for_failures: false,
      });
      expect(enabled.body).toMatchObject({
        is_disabled_for_failures: false,
        consecutive_permanent_failures: 0,
      });
      receiver.answer(() => ({ status: 200 }));
      const before = receiver.received.length;
      await cause();
      await receiver.waitFor(before + 1);
    } finally {
      await witness.stop();
    }
  });

  test('a 410 disables the subscription immediately', async () => {
    const subscription = await subscribe();
    receiver.answer(() => ({ status: 410 }));
    await cause();
    await eventually(
      () => get(subscription.id),
      (row) => row.is_disabled_for_failures,
    );
    const [delivery] = await deliveries(subscription.id);
    expect(delivery).toMatchObject({ status: 'failed', error_code: 'gone', attempt_count: 1 });
  });

  test('an inactive subscription receives nothing, and its waiting deliveries are suppressed', async () => {
    const subscription = await subscribe();
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await cause();
    await receiver.waitFor(1);
    await team.patch(`${path}/${subscription.id}`, { is_active: false });
    await cause();
    const rows = await eventually(
      () => deliveries(subscription.id),
      (all) => all.length === 2 && all.every(({ status }: any) => status === 'suppressed'),
    );
    expect(rows.map(({ error_code }: any) => error_code)).toEqual([
      'subscription_inactive',
      'subscription_inactive',
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test('a deleted subscription’s deliveries are canceled', async () => {
    const subscription = await subscribe();
    receiver.answer(() => ({ status: 500, headers: { 'retry-after': '3600' } }));
    await cause();
    await receiver.waitFor(1);
    expect((await team.delete(`${path}/${subscription.id}`)).status).toBe(204);
    expect((await team.get(`${path}/${subscription.id}`)).status).toBe(404);
    const look = () =>
      api.db.look<{ status: string }>(
        (sql) => sql`
          select status from webhook_deliveries where subscription_id = ${subscription.id}`,
      );
    await eventually(look, (rows) => rows.every(({ status }) => status === 'canceled'));
  });

  test('a changed address is tried at once, and receives the waiting deliveries', async () => {
    const subscription = await subscribe();
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await cause(3);
    await receiver.waitFor(1);
    const moved = await startReceiver();
    try {
      await eventually(
        () => deliveries(subscription.id),
        (all) => all.some(({ status }: any) => status === 'retrying'),
      );
      await team.patch(`${path}/${subscription.id}`, { target_url: moved.url });
      await moved.waitFor(3);
    } finally {
      await moved.stop();
    }
  });

  test('redirects are failures and are never followed', async () => {
    const subscription = await subscribe();
    const honeypot = await startReceiver();
    try {
      receiver.answer(() => ({ status: 302, headers: { location: honeypot.url } }));
      await cause();
      const [delivery] = await eventually(
        () => deliveries(subscription.id),
        ([first]) => first?.status === 'failed',
      );
      expect(delivery).toMatchObject({ error_code: 'http_3xx', attempt_count: 4 });
      expect(honeypot.received).toHaveLength(0);
    } finally {
      await honeypot.stop();
    }
  });

  test('a test event is one attempt without effect on the counters', async () => {
    const subscription = await subscribe();
    receiver.answer(() => ({ status: 500 }));
    const reply = await team.post(`${path}/${subscription.id}/test`);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ trigger: 'test', event_type: 'webhook.ping' });
    const [delivery] = await eventually(
      () => deliveries(subscription.id),
      ([first]) => first?.status === 'failed',
    );
    expect(delivery.attempt_count).toBe(1);
    const attempts = `${path}/${subscription.id}/deliveries/${delivery.id}/attempts`;
    expect((await team.get(attempts)).body.data).toMatchObject([
      { number: 1, trigger: 'test', http_status: 500 },
    ]);
    expect((await get(subscription.id)).consecutive_permanent_failures).toBe(0);
  });

  test('a test of any event type sends its example, for any event types of the subscription', async () => {
    const subscription = await subscribe();
    const test = (body: object) => team.post(`${path}/${subscription.id}/test`, body);
    const reply = await test({ event_type: 'template.updated' });
    expect([reply.status, reply.body]).toMatchObject([
      202,
      { trigger: 'test', event_type: 'template.updated' },
    ]);
    const [request] = await receiver.waitFor(1);
    expect(request?.event).toMatchObject({
      ...{ type: 'template.updated', team_id: team.id, previous: expect.anything() },
      data: { type: 'template', team_id: team.id, name: expect.any(String) },
    });
    const unknown = await test({ event_type: 'template.*' });
    expect([unknown.status, unknown.body.errors[0]]).toMatchObject([
      422,
      { code: 'invalid_event_type', meta: { pointer: '/event_type' } },
    ]);
  });

  test('both secrets sign during the overlap of a rotation', async () => {
    const subscription = await subscribe();
    const rotated = await team.post(`${path}/${subscription.id}/rotate-secret`, {});
    expect(rotated.status).toBe(200);
    const again = await team.post(`${path}/${subscription.id}/rotate-secret`, {});
    expect([again.status, again.body.errors[0].code]).toEqual([409, 'rotation_in_progress']);
    await cause();
    const [request] = await receiver.waitFor(1);
    const headers = plain(request?.headers);
    for (const secret of [subscription.signing_secret, rotated.body.signing_secret]) {
      expect(() => new Webhook(String(secret)).verify(request?.body ?? '', headers)).not.toThrow();
    }
  });
});
