import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { recordEvent, recordEvents } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { startChildWorker } from './a-worker.ts';

const settings = {
  ONWARD_KEYS: JSON.stringify(newKeyFile()),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.3,0.3',
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

async function subscribe(): Promise<string> {
  const reply = await team.post(path, {
    target_url: receiver.url,
    event_types: ['contact.created'],
  });
  expect(reply.status).toBe(201);
  const id = String(reply.body.id);
  const set = await team.patch(`${path}/${id}/delivery-settings`, { ordering: 'fifo' });
  expect(set.body.ordering).toBe('fifo');
  return id;
}

/** Records events of one resource, some by one and some together; their sequence counts on. */
async function cause(from: number, to: number) {
  const id = randomUUID();
  const sequences = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const half = Math.floor(sequences.length / 2);
  const event = (sequence: number) => ({
    type: contactCreated,
    data: { id },
    sequence,
  });
  await api.db.database.transact(async (sql) => {
    recordEvents(sql, team.id, sequences.slice(0, half).map(event));
    for (const sequence of sequences.slice(half)) {
      recordEvent(sql, { teamId: team.id, ...event(sequence) });
    }
  });
}

const sequencesOf = ({ received }: Receiver) =>
  received.map(({ event }): number => event.sequence as number);
/** As they came first: a call whose answer was not written down is made again. */
const firstSeen = (sequences: readonly number[]) => [...new Set(sequences)];
const range = (to: number) => Array.from({ length: to }, (_, at) => at + 1);

const settled = (id: string, count: number) =>
  eventually(
    () =>
      api.db.look<{ status: string }>(
        (sql) => sql`
          select status from webhook_deliveries
          where subscription_id = ${id} and status in ('delivered', 'failed')`,
      ),
    (rows) => rows.length === count,
  );

describe('a subscription in strict order', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker(api);
  });
  afterAll(() => worker.close());

  test('receives its events in the order of their recording, one at a time', async () => {
    const id = await subscribe();
    const seen = { now: 0, most: 0 };
    receiver.answer(async () => {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((resolve) => setImmediate(resolve));
      seen.now -= 1;
      return { status: 204 };
    });
    await cause(1, 60);
    await settled(id, 60);
    expect(sequencesOf(receiver)).toEqual(range(60));
    expect(seen.most).toBe(1);
  });

  test('waits for the head that fails, until it succeeds', async () => {
    const id = await subscribe();
    let failures = 0;
    receiver.answer(({ event }) => {
      if (event.sequence !== 4 || failures === 2) return { status: 204 };
      failures += 1;
      return { status: 500 };
    });
    await cause(1, 12);
    await settled(id, 12);
    expect(sequencesOf(receiver)).toEqual([1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('continues behind a head that has failed permanently', async () => {
    const id = await subscribe();
    receiver.answer(({ event }) => ({ status: event.sequence === 2 ? 500 : 204 }));
    await cause(1, 6);
    await settled(id, 6);
    expect(sequencesOf(receiver)).toEqual([1, 2, 2, 2, 3, 4, 5, 6]);
  });

  test('receives a test event at once, ahead of waiting events', async () => {
    const id = await subscribe();
    receiver.answer(({ event }) =>
      event.type === 'webhook.ping'
        ? { status: 204 }
        : { status: 503, headers: { 'retry-after': '3600' } },
    );
    await cause(1, 3);
    await receiver.waitFor(1);
    expect((await team.post(`${path}/${id}/test`)).status).toBe(202);
    await receiver.waitFor(2);
    expect(receiver.received.map(({ event }) => [event.type, event.sequence])).toMatchObject([
      ['contact.created', 1],
      ['webhook.ping', 1],
    ]);
  });
});

test('the order survives a kill of the worker while the head fails', async () => {
  const id = await subscribe();
  const addresses = {
    ...settings,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5',
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  };
  let isMended = false;
  receiver.answer(({ event }) => ({ status: event.sequence === 5 && !isMended ? 500 : 204 }));
  const first = await startChildWorker(api, addresses);
  await cause(1, 20);
  await receiver.waitFor(6);
  await first.kill();
  isMended = true;
  const second = await startChildWorker(api, addresses);
  try {
    await settled(id, 20);
  } finally {
    await second.stop();
  }
  expect(firstSeen(sequencesOf(receiver))).toEqual(range(20));
  const sequences = sequencesOf(receiver);
  expect([...sequences].sort((a, b) => a - b)).toEqual(sequences);
});
