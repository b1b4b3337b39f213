import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { cpuMsSince } from '../support/cpu-time.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aTeam, make, ping, problemsOf, types } from './an-event.ts';

const subscriptions = '/v2/partner/webhook-subscriptions';
let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  worker = await startTestWorker(api);
  receiver = await startReceiver();
  team = await aTeam(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
  await receiver.stop();
});

const send = (events: object[], of = team) => of.post('/v2/partner/events', { events });
const subscribe = (event_types: string[], of = team) =>
  make(of, subscriptions, { target_url: receiver.url, event_types });

test('a published event reaches its subscriber, signed, and is replayed', async () => {
  const own = await aTeam(api);
  const subscription = await subscribe(['custom.order_placed'], own);
  const contact = await make(own, '/v2/partner/contacts', { unique_id: 'c-1' });
  const sent = {
    ...{ type: 'custom.order_placed', unique_id: 'order-1', contact_unique_id: 'c-1' },
    occurred_at: '2026-10-01T10:00:00+02:00',
    data: { order_id: 'A-4711', amount_cents: 9007199254740991, items: [{ sku: 'A', note: 'é' }] },
  };
  const reply = await send([ping(), sent], own);
  expect(reply.body).toMatchObject({ accepted: 2, duplicates: 0 });
  const id = reply.body.data[1].id;
  const [request] = await receiver.waitFor(1);
  const event: any = new Webhook(subscription.signing_secret).verify(
    request?.body ?? '',
    Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    ),
  );
  const shown = {
    ...{ id, type: 'engagement_event', team_id: own.id, kind: 'custom.order_placed' },
    ...{ contact_id: contact.id, occurred_at: '2026-10-01T08:00:00.000Z', source: 'api' },
    ...{ received_at: expect.any(String), is_machine: false, unique_id: 'order-1' },
    properties: sent.data,
  };
  expect(event).toMatchObject({ type: 'custom.order_placed', sequence: 1 });
  expect(event.data).toEqual(shown);
  const found = await own.get(
    '/v2/partner/engagement-events?filter[kind]=custom.order_placed&include=contact',
  );
  expect(found.body.data).toMatchObject([shown]);

  const at = `${subscriptions}/${subscription.id}`;
  const [delivery] = await eventually(
    async () => (await own.get(`${at}/deliveries`)).body.data,
    ([first]) => first?.status === 'delivered',
  );
  expect(delivery).toMatchObject({ event_type: 'custom.order_placed', attempt_count: 1 });
  expect((await own.post(`${at}/replay`, { delivery_ids: [delivery.id] })).status).toBe(202);
  const [, again] = await receiver.waitFor(2);
  expect(again?.body).toBe(request?.body);
});

describe('repeats', () => {
  test('an id is published once per team, also with another type', async () => {
    const own = await aTeam(api);
    const { id } = await subscribe(['*'], own);
    const first = await send([ping({ unique_id: 'one' })], own);
    const again = await send(
      [
        ping({ unique_id: 'one' }),
        { type: 'custom.order_placed', unique_id: 'one', data: { order_id: 'A' } },
        ping({ unique_id: 'two' }),
        ping({ unique_id: 'two' }),
      ],
      own,
    );
    expect(again.body).toMatchObject({ accepted: 1, duplicates: 3 });
    expect(again.body.data.map((one: any) => one.id).slice(0, 2)).toEqual(
      Array(2).fill(first.body.data[0].id),
    );
    const { body } = await own.get(`${subscriptions}/${id}/deliveries`);
    expect(body.data).toHaveLength(2);
    expect((await send([ping({ unique_id: 'one' })])).body.accepted).toBe(1);
  });

  test('parallel requests with the same ids publish each event once', async () => {
    const own = await aTeam(api);
    const { id } = await subscribe(['custom.*'], own);
    const events = Array.from({ length: 20 }, () => ping());
    const turned = (turn: number) => [...events.slice(turn), ...events.slice(0, turn)];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => send(turned(turn * 2), own)),
    );
    const single = ping();
    const singles = await Promise.all(Array.from({ length: 8 }, () => send([single], own)));
    const accepted = [...replies, ...singles].map(({ body }) => Number(body.accepted));
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(21);
    const { body } = await own.get(`${subscriptions}/${id}/deliveries?page[size]=100`);
    expect(body.data).toHaveLength(21);
  });
});

describe('a request', () => {
  test('takes 500 events, and 501 are refused as a whole', async () => {
    const events = (count: number) => Array.from({ length: count }, () => ping());
    expect((await send(events(500))).body.accepted).toBe(500);
    const reply = await send(events(501));
    expect([reply.status, reply.body.errors[0]]).toMatchObject([
      422,
      { code: 'too_many_items', meta: { pointer: '/events', max: 500 } },
    ]);
  });

  test('with a wrong event is refused as a whole, with every problem named', async () => {
    const placed = (data: object) => ({ ...ping({ type: 'custom.order_placed' }), data });
    const unique_id = randomUUID();
    const reply = await send([
      ping({ unique_id }),
      placed({}),
      placed({ order_id: '', amount_cents: -1, more: 1 }),
      placed({ order_id: 'A', items: [{ sku: 'A' }, { sku: 'C' }, 7] }),
      ping({ contact_id: randomUUID() }),
      ping({ contact_unique_id: 'nobody' }),
      ping({ contact_id: randomUUID(), contact_unique_id: 'nobody' }),
      ping({ occurred_at: '2020-01-01T00:00:00Z' }),
      ping({ data: { text: 'x'.repeat(8_200) } }),
    ]);
    expect(reply.status).toBe(422);
    const invalid = (rule: string, pointer: string) => ['validation_failed', rule, pointer];
    expect(problemsOf(reply)).toEqual([
      invalid('required', '/events/1/data/order_id'),
      invalid('min_length', '/events/2/data/order_id'),
      invalid('min', '/events/2/data/amount_cents'),
      invalid('unknown_field', '/events/2/data/more'),
      invalid('enum', '/events/3/data/items/1/sku'),
      invalid('type', '/events/3/data/items/2'),
      invalid('reference_not_found', '/events/4/contact_id'),
      invalid('reference_not_found', '/events/5/contact_unique_id'),
      invalid('unknown_field', '/events/6/contact_unique_id'),
      invalid('min', '/events/7/occurred_at'),
      invalid('max_length', '/events/8/data'),
    ]);
    expect((await send([ping({ unique_id })])).body.accepted).toBe(1);
  });

  test('with a type that the team has not defined, or has deleted, is refused', async () => {
    const other = await api.newTeam();
    await make(other, types, { name: 'custom.theirs' });
    const { id } = await make(team, types, { name: 'custom.former' });
    const former = ping({ type: 'custom.former' });
    const stored = (await send([former])).body.data[0].id;
    expect((await team.delete(`${types}/${id}`)).status).toBe(204);
    const reply = await send([ping({ type: 'custom.theirs' }), ping({ type: 'custom.former' })]);
    expect(reply.status).toBe(422);
    expect(problemsOf(reply)).toEqual([
      ['invalid_event_type', undefined, '/events/0/type'],
      ['invalid_event_type', undefined, '/events/1/type'],
    ]);
    const kept = await team.get(`/v2/partner/engagement-events/${stored}`);
    expect(kept.body).toMatchObject({ kind: 'custom.former', properties: {} });
  });

  test('without the scope is refused', async () => {
    const client = await team.withScopes('partner:engagement:write', 'partner:webhooks:write');
    const reply = await client.post('/v2/partner/events', { events: [ping()] });
    expect(reply.body.errors[0]).toMatchObject({
      ...{ code: 'scope_missing', meta: { required_scope: 'partner:events:write' } },
    });
  });

  test('of the largest data does not block other requests', async () => {
    const own = await api.newTeam();
    const names = Array.from({ length: 50 }, (_, at) => `n${String(at)}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const items = { type: 'object', properties, additionalProperties: false };
    const schema = { type: 'object', properties: { list: { type: 'array', items } } };
    await make(own, types, { name: 'custom.large', schema });
    const withItems = (count: number) => {
      const data = { list: Array(count).fill({}) };
      return Array.from({ length: 500 }, () => ping({ type: 'custom.large', data }));
    };
    const refused = await send(withItems(19), own);
    expect(refused.body.errors[0]).toMatchObject({
      ...{ code: 'too_many_items', meta: { max: 10_000 } },
    });
    let longestMs = 0;
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const begun = process.cpuUsage();
        await new Promise((resolve) => setImmediate(resolve));
        longestMs = Math.max(longestMs, cpuMsSince(begun));
      }
    })();
    const reply = await send(withItems(18), own);
    isDone = true;
    await watching;
    expect(reply.body).toMatchObject({ accepted: 500 });
    expect(longestMs).toBeLessThan(500);
  });
});
