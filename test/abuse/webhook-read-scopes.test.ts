import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
/** A client that may subscribe and may read only its subscriptions. */
let subscriber: TestTeam;
let receiver: Receiver;
const path = '/v2/partner/webhook-subscriptions';

beforeAll(async () => {
  api = await startTestApi({
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.2,0.2,3600',
    WEBHOOK_JITTER_PERCENT: '0',
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
  subscriber = await team.withScopes('partner:webhooks:write');
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const subscribe = async (by: TestTeam, event_types = ['contact.*']) => {
  const reply = await by.post(path, { target_url: receiver.url, event_types });
  expect(reply.status).toBe(201);
  return reply.body;
};
/** A contact with a confidential name, changed once. */
async function aSecretContact(): Promise<string> {
  const made = { unique_id: randomUUID(), first_name: 'Augusta' };
  const { body } = await team.post('/v2/partner/contacts', made);
  await team.patch(`/v2/partner/contacts/${String(body.id)}`, { first_name: 'Allegra' });
  return String(body.id);
}
const isSecret = ({ body }: Received) => /Augusta|Allegra/.test(body);
const deliveriesOf = async (by: TestTeam, id: string) =>
  (await by.get(`${path}/${id}/deliveries?sort=inserted_at`)).body.data;
const delivered = (by: TestTeam, id: string, count: number): Promise<any[]> =>
  eventually(
    () => deliveriesOf(by, id),
    (all) => all.length === count && all.every((one: any) => one.status === 'delivered'),
  );
const typesOf = (thin: { event_type: string }[]) => thin.map(({ event_type }) => event_type);

describe('a client that may subscribe but not read', () => {
  test('receives events without their data, with a signature over the sent bytes', async () => {
    const { signing_secret } = await subscribe(subscriber, ['*']);
    const id = await aSecretContact();
    const received = await receiver.waitFor(2);
    for (const [at, type] of ['contact.created', 'contact.updated'].entries()) {
      const one = received[at];
      if (!one) throw new Error('nothing came');
      const { event, body, headers } = one;
      expect(event).toEqual({
        id: headers['webhook-id'],
        type,
        timestamp: event.timestamp,
        team_id: team.id,
        api_version: 'v2',
        sequence: at + 1,
        data: { id, type: 'contact', truncated: true },
      });
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
      expect(new Webhook(signing_secret).verify(body, signed)).toEqual(event);
    }
  });

  test('receives a list of the thin events with the scope that each needs', async () => {
    const made = await subscribe(subscriber, [
      'account.closed',
      'webhook_subscription.*',
      'user.*',
    ]);
    const scope = (of: string) => `partner:${of}:read`;
    const expected = [
      { event_type: 'account.closed', required_scope: scope('contacts') },
      ...['activated', 'deleted', 'invited', 'suspended', 'updated'].map((verb) => ({
        event_type: `user.${verb}`,
        required_scope: scope('users'),
      })),
    ];
    expect(made.thin_event_types).toEqual(expected);
    expect((await team.get(`${path}/${String(made.id)}`)).body.thin_event_types).toEqual(expected);
    expect((await team.get(path)).body.data[0].thin_event_types).toEqual(expected);
    expect((await subscribe(team, ['*'])).thin_event_types).toEqual([]);
    const { data } = (await team.get('/v2/partner/audit-events?filter[action]=' + audited)).body;
    expect(data[1].changed_fields).toEqual(
      ['account.closed', 'user.*', 'webhook_subscription.*']
        .concat(typesOf(expected).map((type) => `thin:${type}`))
        .sort(),
    );
  });

  test('reads no body of a delivery that its scopes do not open', async () => {
    const { id } = await subscribe(team);
    await aSecretContact();
    const [delivery] = await delivered(team, id, 2);
    const at = `${path}/${String(id)}/deliveries/${String(delivery.id)}?include=event`;
    expect((await team.get(at)).body.event.data).toMatchObject({ first_name: 'Augusta' });
    const { event } = (await subscriber.get(at)).body;
    expect(event.data).toEqual({ id: event.data.id, type: 'contact', truncated: true });

    const own = await subscribe(subscriber);
    await aSecretContact();
    const [thin] = await delivered(team, own.id, 2);
    const sent = `${path}/${String(own.id)}/deliveries/${String(thin.id)}?include=event`;
    expect((await team.get(sent)).body.event.data.truncated).toBe(true);
  });

  test.each(['none', 'fifo'])(
    'receives the same thin bytes on every retry, with ordering %s',
    async (ordering) => {
      receiver.answer((_, index) => ({ status: index < 2 ? 500 : 204 }));
      const { id } = await subscribe(subscriber, ['contact.created']);
      await team.patch(`${path}/${String(id)}/delivery-settings`, { ordering });
      await aSecretContact();
      const [delivery] = await delivered(team, id, 1);
      await subscriber.post(`${path}/${String(id)}/deliveries/${String(delivery.id)}/retry`);
      const received = await receiver.waitFor(4);
      expect(received.filter(isSecret)).toEqual([]);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    },
  );

  test('makes the events of another subscription thin when it changes the target, replays included', async () => {
    const { id } = await subscribe(team);
    await aSecretContact();
    await delivered(team, id, 2);
    expect(receiver.received.filter(isSecret)).toHaveLength(2);
    const elsewhere = `${receiver.url}/elsewhere`;
    const moved = await subscriber.patch(`${path}/${String(id)}`, { target_url: elsewhere });
    expect(typesOf(moved.body.thin_event_types)).toContain('contact.created');
    const replay = await subscriber.post(`${path}/${String(id)}/replay`, {
      filter: { event_type: ['contact.created', 'contact.updated'] },
    });
    expect(replay.status).toBe(202);
    const received = await receiver.waitFor(4);
    expect(received.slice(2).filter(isSecret)).toEqual([]);
  });
});

describe('a subscription of a client that may read', () => {
  test('remains full when another client changes only its name', async () => {
    const { id } = await subscribe(team);
    const { body } = await subscriber.patch(`${path}/${String(id)}`, { name: 'Renamed' });
    expect(body).toMatchObject({ name: 'Renamed', thin_event_types: [] });
    await aSecretContact();
    const received = await receiver.waitFor(2);
    expect(received.filter(isSecret)).toHaveLength(2);
  });

  test('becomes full when its types are set by a client that may read, with the same ids', async () => {
    const { id } = await subscribe(subscriber);
    await aSecretContact();
    const before = await delivered(team, id, 2);
    const event_types = ['contact.created', 'contact.updated'];
    const { body } = await team.patch(`${path}/${String(id)}`, { event_types });
    expect(body.thin_event_types).toEqual([]);
    await team.post(`${path}/${String(id)}/deliveries/${String(before[0].id)}/retry`);
    const received = await receiver.waitFor(3);
    expect(received.map(isSecret)).toEqual([false, false, true]);
    expect(received[2]?.event.id).toBe(received[0]?.event.id);
    expect(received[2]?.event.timestamp).toBe(received[0]?.event.timestamp);
  });
});

const audited = 'webhook_subscription.event_types_set';
