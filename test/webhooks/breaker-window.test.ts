import { createLog } from '../../src/platform/observability/log.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAttemptRecorder } from '../../src/webhooks/dispatch/attempt-recorder.ts';
import { createFailureCounters } from '../../src/webhooks/dispatch/failure-counters.ts';
import { createSender } from '../../src/webhooks/dispatch/webhook-sender.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import type { Egress } from '../../src/platform/egress/client.ts';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { claimDue, claimRecovery } from '../../src/webhooks/recovery/queries.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';

let api: TestApi;
let egress: Egress;

beforeAll(async () => {
  api = await startTestApi({
    WEBHOOK_BREAKER_TRIES: '10',
    WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '30',
    WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '900',
  });
  egress = createEgress({ rules: api.config.webhooks });
});
afterAll(async () => {
  await egress.close();
  await api.stop();
});

/** Sends so many events in one round, like a recovery; returns the pause until the probe, in ms. */
async function probesAfter(
  answers: readonly number[],
  waits: readonly string[] = [],
): Promise<number | undefined> {
  const { database } = api.db;
  const team = await api.newTeam();
  const receiver = await startReceiver();
  try {
    const made = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: receiver.url,
      event_types: ['contact.created'],
    });
    const id = String(made.body.id);
    await database.transact((sql) => {
      for (let at = 0; at < answers.length; at += 1) {
        const data = { id: randomUUID() };
        recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
      }
      return Promise.resolve();
    });
    const dependencies = {
      ...{ database, egress, clock: Date, keyring: api.keyring },
      policy: api.config.webhooks,
    };
    const sender = createSender(dependencies);
    const due = await database.read((sql) =>
      claimDue(sql, team.id, id, { asOf: 'infinity', limit: answers.length, requestedOnly: false }),
    );
    expect(due).toHaveLength(answers.length);
    const attempted = [];
    for (const [at, delivery] of due.entries()) {
      const { [at]: wait } = waits;
      const headers = wait === undefined ? {} : { 'Retry-After': wait };
      receiver.answer(() => ({ status: answers[at] ?? 204, headers }));
      const { signal } = new AbortController();
      attempted.push(await sender.attempt(delivery, { isProbe: false, signal }));
    }
    const token = await database.read((sql) => claimRecovery(sql, team.id, id));
    const fence = { teamId: team.id, subscriptionId: id, token: token ?? 0 };
    const all = attempted.filter((one) => one !== undefined);
    const recorder = createAttemptRecorder(
      database,
      createFailureCounters(dependencies),
      createLog('silent', 'worker'),
    );
    const beganAtMs = Date.now();
    expect(await recorder.record(all, fence)).toBe(true);
    const [state] = await api.db.look<{ probe_at: string | null }>(
      (sql) => sql`
        select probe_at from webhook_subscription_states where subscription_id = ${id}`,
    );
    return state?.probe_at ? Date.parse(state.probe_at) - beganAtMs : undefined;
  } finally {
    await receiver.stop();
  }
}

const bad = Array<number>(10).fill(500);
const good = Array<number>(20).fill(204);

test('ten failures among thirty attempts of one round open no breaker, in any order', async () => {
  expect(await probesAfter([...bad, ...good])).toBeUndefined();
  expect(await probesAfter([...good, ...bad])).toBeUndefined();
});

test('receivers that fail at the same time are not probed at the same time', async () => {
  const pauses = [await probesAfter(bad), await probesAfter(bad), await probesAfter(bad)];
  expect(new Set(pauses).size).toBeGreaterThan(1);
  for (const pauseMs of pauses) {
    expect(pauseMs).toBeGreaterThanOrEqual(24_000);
    expect(pauseMs).toBeLessThan(60_000);
  }
});

test('a probe waits as long as the receiver asks for, the longest time of all', async () => {
  const throttled = Array<number>(10).fill(429);
  const pauseMs = (await probesAfter(throttled, ['60', '7200', '3600'])) ?? 0;
  expect(pauseMs).toBeGreaterThan(7_100_000);
  expect(pauseMs).toBeLessThan(7_300_000);
  // A shorter time than that of the breaker changes nothing.
  expect(await probesAfter(throttled, ['1'])).toBeGreaterThanOrEqual(24_000);
});
