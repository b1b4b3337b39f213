import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { EventType } from '../../src/platform/events/event-type.ts';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated, contactDeleted } from '../../src/contacts/events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { webhookRecoveryJob } from '../../workflows/jobs.ts';

const settings = {
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,2,2,2,2,2,2,2,2,2,2,2,2',
  WEBHOOK_JITTER_PERCENT: '0',
  WEBHOOK_BREAKER_TRIES: '10',
  WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
  WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '1',
  WEBHOOK_DISABLE_AFTER: '1000',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
};

let api: TestApi;
let worker: TestWorker;
let connection: Connection;
let client: Client;
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi(settings);
  const namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  worker = await startTestWorker(api, { namespace });
});
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe(fields: object = {}): Promise<string> {
  const reply = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: receiver.url,
    event_types: ['contact.created'],
    ...fields,
  });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}

/** Records events of the team in one transaction, as many changes at once would. */
async function cause(count: number, type: EventType = contactCreated) {
  await api.db.database.transact(
    async (sql) => {
      for (let at = 0; at < count; at += 1) {
        recordEvent(sql, { teamId: team.id, type, data: { id: randomUUID() }, sequence: 1 });
      }
    },
    { deadlineMs: 30_000 },
  );
}

interface Row {
  status: string;
  attempt_count: number;
  schedule_step: number;
  error_code: string | null;
}

const rowsOf = (subscriptionId: string) =>
  api.db.look<Row>(
    (sql) => sql`
      select status, attempt_count, schedule_step, error_code from webhook_deliveries
      where subscription_id = ${subscriptionId}`,
  );
const countOf = async (subscriptionId: string, status: string) =>
  (await rowsOf(subscriptionId)).filter((row) => row.status === status).length;
const triggersOf = async (subscriptionId: string) =>
  (
    await api.db.look<{ trigger: string }>(
      (sql) => sql`
        select trigger from webhook_attempts where subscription_id = ${subscriptionId}
        order by requested_at`,
    )
  ).map(({ trigger }) => trigger);

describe('the circuit breaker', () => {
  test('admits only probes after ten failures in a minute, outside the schedule; a successful probe closes it', async () => {
    const id = await subscribe();
    receiver.answer(() => ({ status: 500 }));
    await cause(12);
    await eventually(
      () => triggersOf(id),
      (all) => all.length >= 12,
    );
    // New events wait too while it is open.
    await cause(8);
    const triggers = await eventually(
      () => triggersOf(id),
      (all) => all.filter((trigger) => trigger === 'probe').length >= 4,
    );
    // The tenth failure opens it; one or two more were under way at that moment.
    const opened = triggers.indexOf('probe');
    expect(opened).toBeGreaterThanOrEqual(10);
    expect(opened).toBeLessThanOrEqual(12);
    expect(triggers.slice(opened).filter((trigger) => trigger !== 'probe')).toEqual([]);
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(20);
    expect(rows.every(({ schedule_step }) => schedule_step <= 1)).toBe(true);
    const steps = rows.reduce((sum, { schedule_step }) => sum + schedule_step, 0);
    const attempts = rows.reduce((sum, { attempt_count }) => sum + attempt_count, 0);
    expect(steps).toBe(opened);
    expect(attempts - steps).toBeGreaterThanOrEqual(4);
    receiver.answer(() => ({ status: 204 }));
    await eventually(
      () => countOf(id, 'delivered'),
      (count) => count === 20,
    );
    const [probed] = await api.db.look<{ delivery_id: string }>(
      (sql) => sql`
        select delivery_id from webhook_attempts
        where subscription_id = ${id} and trigger = 'probe' limit 1`,
    );
    const place = `/v2/partner/webhook-subscriptions/${id}/deliveries`;
    const log = await team.get(`${place}/${String(probed?.delivery_id)}/attempts`);
    expect(log.body.data).toContainEqual(
      expect.objectContaining({ trigger: 'probe', http_status: 500 }),
    );
  });

  test('does not open for a receiver that fails now and then', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index % 3 === 0 ? 500 : 204 }));
    await cause(30);
    await eventually(
      () => countOf(id, 'delivered'),
      (count) => count === 30,
    );
    expect(await triggersOf(id)).not.toContain('probe');
  });
});

describe('one subscription does not hold up another', () => {
  test('when 2,000 of its events wait: a single event of the other is sent among the first', async () => {
    const flooded = await subscribe();
    const quiet = await startReceiver();
    try {
      const single = await subscribe({
        target_url: receiver.url,
        event_types: ['contact.deleted'],
      });
      // The same lane, and the flooded one first in its walk.
      await api.db.look(
        (sql) => sql`
          update webhook_subscriptions set shard = case when id = ${flooded} then 0 else 1 end
          where id in (${flooded}, ${single})`,
      );
      await api.db.database.transact(
        async (sql) => {
          for (let at = 0; at <= 2_000; at += 1) {
            const type = at === 2_000 ? contactDeleted : contactCreated;
            const data = { id: randomUUID() };
            recordEvent(sql, { teamId: team.id, type, data, sequence: 1 });
          }
        },
        { deadlineMs: 40_000 },
      );
      await receiver.waitFor(2_001);
      const place = receiver.received.findIndex(({ event }) => event.type === 'contact.deleted');
      // Claimed in the same round, it waits for its own secret only, not for the backlog.
      expect(place).toBeLessThan(250);
      expect(
        await eventually(
          () => countOf(flooded, 'delivered'),
          (count) => count === 2_000,
        ),
      ).toBe(2_000);
    } finally {
      await quiet.stop();
    }
  });

  test('when its receiver hangs: all events of the other arrive before the first hanging request ends', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => 'hang');
    const stuck = await subscribe({ target_url: hanging.url });
    const healthy = await subscribe();
    await api.db.look(
      (sql) => sql`update webhook_subscriptions set shard = 7 where id in (${stuck}, ${healthy})`,
    );
    try {
      await cause(100);
      // It gets no more than the first few.
      await hanging.waitFor(4);
      await receiver.waitFor(100);
      await eventually(
        () => countOf(healthy, 'delivered'),
        (count) => count === 100,
      );
      expect(new Set((await rowsOf(stuck)).map(({ status }) => status))).toEqual(
        new Set(['pending']),
      );
    } finally {
      await hanging.stop();
    }
  });
});

test('a recovery whose workflow was terminated is started again, and continues', async () => {
  const id = await subscribe();
  receiver.answer(() => ({ status: 503 }));
  await cause(1);
  const handle = client.workflow.getHandle(jobId(webhookRecoveryJob, id));
  await eventually(
    async () => (await handle.describe().catch(() => undefined))?.status.name,
    (status) => status === 'RUNNING',
  );
  await handle.terminate('a test');
  const before = (await triggersOf(id)).length;
  receiver.answer(() => ({ status: 204 }));
  await eventually(
    () => countOf(id, 'delivered'),
    (count) => count === 1,
  );
  expect((await triggersOf(id)).length).toBeGreaterThan(before);
});

describe('the age limit', () => {
  let other: TestApi;
  let itsWorker: TestWorker;
  beforeAll(async () => {
    other = await startTestApi({
      ...settings,
      WEBHOOK_MAX_AGE_SECONDS: '20',
      WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '3600',
      WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '3600',
    });
    itsWorker = await startTestWorker(other);
  });
  afterAll(async () => {
    await itsWorker.close();
    await other.stop();
  });

  test('fails waiting deliveries although the breaker is open and no probe is due', async () => {
    const mine = await other.newTeam();
    const { body } = await mine.post('/v2/partner/webhook-subscriptions', {
      target_url: receiver.url,
      event_types: ['contact.created'],
    });
    receiver.answer(() => ({ status: 500 }));
    await other.db.database.transact(async (sql) => {
      for (let at = 0; at < 15; at += 1) {
        const data = { id: randomUUID() };
        recordEvent(sql, { teamId: mine.id, type: contactCreated, data, sequence: 1 });
      }
    });
    const rows = await eventually(
      () =>
        other.db.look<Row & { id: string }>(
          (sql) => sql`
            select status, error_code, attempt_count, schedule_step from webhook_deliveries
            where subscription_id = ${String(body.id)}`,
        ),
      (all) => all.length === 15 && all.every(({ status }) => status === 'failed'),
    );
    const unattempted = rows.filter(({ attempt_count }) => attempt_count === 0);
    expect(new Set(unattempted.map(({ error_code }) => error_code))).toEqual(new Set(['expired']));
    expect(receiver.received).toHaveLength(15 - unattempted.length);
    expect(receiver.received.length).toBeGreaterThanOrEqual(10);
  });
});
