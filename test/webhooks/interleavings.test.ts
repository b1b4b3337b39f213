import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from './a-worker.ts';
import type { ChildWorker } from './a-worker.ts';

// ONWARD_INTERLEAVINGS=100 tries as many, others each time; a failure names the seed.
const more = process.env['ONWARD_INTERLEAVINGS'];
const runs = more === undefined ? { numRuns: 5, seed: 1 } : { numRuns: Number(more) };

const settings = {
  ONWARD_KEYS: JSON.stringify(newKeyFile()),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.1,0.2',
  WEBHOOK_BREAKER_TRIES: '6',
  WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
  WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '1',
  WEBHOOK_DISABLE_AFTER: '3',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
};
const path = '/v2/partner/webhook-subscriptions';
let api: TestApi;
let addresses: Record<string, string>;
let worker: ChildWorker;

beforeAll(async () => {
  api = await startTestApi(settings);
  addresses = {
    ...settings,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  };
  worker = await startChildWorker(api, addresses);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

interface Subscriber {
  id: string;
  receiver: Receiver;
  isDeleted: boolean;
}

/** Two subscribers of a team, and for which of them each event is meant. */
interface World {
  team: TestTeam;
  subscribers: readonly Subscriber[];
  meant: Map<string, string[]>;
}

type Act = (world: World, subscriber: Subscriber) => Promise<unknown>;

const change =
  (body: object): Act =>
  (world, { id }) =>
    world.team.patch(`${path}/${id}`, body);
const answer =
  (status: number): Act =>
  async (_, { receiver }) => {
    receiver.answer(() => ({ status }));
  };
const deliveriesOf = (teamId: string) =>
  api.db.look<Delivery>(
    (sql) => sql`
      select d.id, d.subscription_id, d.status, d.error_code, d.attempt_count, d.completed_at,
        e.resource_id,
        coalesce((
          select array_agg(a.number order by a.number) from webhook_attempts a
          where a.delivery_id = d.id
        ), '{}') as numbers
      from webhook_deliveries d
      join webhook_events e on e.day = d.day and e.id = d.event_id
      where d.team_id = ${teamId}`,
  );

interface Delivery {
  id: string;
  subscription_id: string;
  status: string;
  error_code: string | null;
  attempt_count: number;
  completed_at: Date | null;
  resource_id: string;
  numbers: number[];
}

const isOpen = ({ status }: Delivery) => status === 'pending' || status === 'retrying';

const acts: Readonly<Record<string, Act>> = {
  async event({ team, subscribers, meant }) {
    const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    meant.set(
      String(body.id),
      subscribers.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id),
    );
  },
  succeed: answer(204),
  fail: answer(500),
  'be gone': answer(410),
  'switch off': change({ is_active: false }),
  'switch on': change({ is_active: true }),
  enable: change({ is_disabled_for_failures: false }),
  rotate: ({ team }, { id }) => team.post(`${path}/${id}/rotate-secret`, { force: true }),
  async retry({ team }, { id }) {
    const [delivery] = (await team.get(`${path}/${id}/deliveries?page[size]=1`)).body.data ?? [];
    if (delivery) await team.post(`${path}/${id}/deliveries/${String(delivery.id)}/retry`);
  },
  replay: ({ team }, { id }) =>
    team.post(`${path}/${id}/replay`, { filter: {}, rate_per_second: 1_000 }),
  /** Lets something happen: the next request, or the end of all that is open. */
  async wait({ team }, { id, receiver }) {
    const before = receiver.received.length;
    const isWaiting = (one: Delivery) => one.subscription_id === id && isOpen(one);
    await eventually(
      async () =>
        receiver.received.length > before || !(await deliveriesOf(team.id)).some(isWaiting),
      Boolean,
    );
  },
  async crash() {
    await worker.kill();
    worker = await startChildWorker(api, addresses);
  },
  async delete({ team }, subscriber) {
    subscriber.isDeleted = true;
    await team.delete(`${path}/${subscriber.id}`);
  },
};

const anAct = fc.oneof(
  { weight: 4, arbitrary: fc.constant('event') },
  { weight: 2, arbitrary: fc.constantFrom('fail', 'succeed', 'wait') },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(acts)) },
);
const someActs = fc.array(fc.tuple(anAct, fc.nat(1)), { minLength: 6, maxLength: 24 });

test('in any interleaving, each event has one outcome for each subscription that it matched', async () => {
  await fc.assert(
    fc.asyncProperty(someActs, async (story) => {
      const receivers = [await startReceiver(), await startReceiver()];
      const world = await aWorld(receivers);
      for (const [name, at] of story) {
        const subscriber = world.subscribers[at];
        if (subscriber) await acts[name]?.(world, subscriber);
      }
      for (const receiver of receivers) receiver.answer(() => ({ status: 204 }));
      const ended = await eventually(
        async () => ({
          isReplaying: await isReplaying(world),
          all: await deliveriesOf(world.team.id),
        }),
        ({ isReplaying: goesOn, all }) => !goesOn && !all.some(isOpen),
      );
      check(world, ended.all);
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    }),
    { ...runs, endOnFailure: true },
  );
}, 600_000);

async function aWorld(receivers: readonly Receiver[]): Promise<World> {
  const team = await api.newTeam({ tier: 'unlimited' });
  const subscribers: Subscriber[] = [];
  for (const receiver of receivers) {
    const body = { target_url: receiver.url, event_types: ['contact.created'] };
    const { id } = (await team.post(path, body)).body;
    subscribers.push({ id: String(id), receiver, isDeleted: false });
  }
  return { team, subscribers, meant: new Map() };
}

async function isReplaying({ team }: World): Promise<boolean> {
  const open = await api.db.look(
    (sql) => sql`
      select 1 from webhook_replays
      where team_id = ${team.id} and status in ('pending', 'running')`,
  );
  return open.length > 0;
}

function check({ meant }: World, deliveries: readonly Delivery[]): void {
  const requested = [...meant].flatMap(([event, ids]) => ids.map((id) => `${event} ${id}`));
  const found = deliveries.map((one) => `${one.resource_id} ${one.subscription_id}`);
  expect(found.sort()).toEqual(requested.sort());
  for (const { status, error_code, completed_at, attempt_count, numbers } of deliveries) {
    expect(['delivered', 'failed', 'suppressed', 'canceled']).toContain(status);
    expect(error_code === null).toBe(status === 'delivered');
    expect(completed_at).not.toBeNull();
    expect(numbers).toEqual(Array.from({ length: attempt_count }, (_, at) => at + 1));
    if (status === 'delivered' || status === 'failed') expect(attempt_count).toBeGreaterThan(0);
  }
}
