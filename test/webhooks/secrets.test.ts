import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import { foundInTables, foundInTemporal } from '../world/personal-data.ts';
import { startChildWorker } from './a-worker.ts';
import type { ChildWorker } from './a-worker.ts';

const path = '/v2/partner/webhook-subscriptions';
const settings = {
  ONWARD_KEYS: JSON.stringify(newKeyFile()),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.2,0.2',
  WEBHOOK_LANE_IDLE_SECONDS: '1',
};

let api: TestApi;
let worker: ChildWorker;
let temporal: { address: string; namespace: string };
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi(settings);
  temporal = {
    address: required(environmentNames.temporalAddress),
    namespace: await newNamespace(),
  };
  worker = await startChildWorker(api, {
    ...settings,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEST_LOG_LEVEL: 'trace',
  });
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe() {
  const reply = await team.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  expect(reply.status).toBe(201);
  return { id: String(reply.body.id), secret: String(reply.body.signing_secret) };
}

async function rotate(id: string, how: object): Promise<string> {
  const reply = await team.post(`${path}/${id}/rotate-secret`, how);
  expect(reply.status).toBe(200);
  return String(reply.body.signing_secret);
}

async function next(): Promise<Received> {
  const before = receiver.received.length;
  expect((await team.post('/v2/partner/contacts', { unique_id: randomUUID() })).status).toBe(201);
  const received = await receiver.waitFor(before + 1);
  return received[before] ?? { path: '/', headers: {}, body: '', event: null, atMs: 0 };
}

/** Which of the secrets a stranger's library takes the call for signed with. */
function signers({ headers, body }: Received, secrets: readonly string[]): string[] {
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  return secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, plain);
      return true;
    } catch {
      return false;
    }
  });
}

describe('a rotated secret', () => {
  test('signs until the overlap ends, and no request after it', async () => {
    const { id, secret } = await subscribe();
    const newer = await rotate(id, { overlap_seconds: 20 });
    expect(signers(await next(), [secret, newer])).toEqual([secret, newer]);
    await eventually(
      async () => signers(await next(), [secret, newer]),
      (by) => by.length === 1,
    );
    expect(signers(await next(), [secret, newer])).toEqual([newer]);
  });

  test('signs no further request after a rotation without an overlap', async () => {
    const { id, secret } = await subscribe();
    const newer = await rotate(id, { overlap_seconds: 0 });
    expect(signers(await next(), [secret, newer])).toEqual([newer]);
  });

  test('is dropped by a second forced rotation, and the secret before it continues to sign', async () => {
    const { id, secret } = await subscribe();
    const second = await rotate(id, {});
    const third = await rotate(id, { force: true });
    expect(signers(await next(), [secret, second, third])).toEqual([second, third]);
  });

  test('signs the retries before its end, which have one id and the same bytes', async () => {
    const { id, secret } = await subscribe();
    const secrets = [secret];
    receiver.answer(async (_, index) => {
      if (index === 2) return { status: 204 };
      secrets.push(await rotate(id, index === 0 ? {} : { force: true, overlap_seconds: 0 }));
      return { status: 500 };
    });
    const first_name = 'Zoë 😀 \u2028';
    await team.post('/v2/partner/contacts', { unique_id: randomUUID(), first_name });
    const attempts = await receiver.waitFor(3);
    expect(attempts[0]?.event.data.first_name).toBe(first_name);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [first, second, third] = secrets;
    expect(attempts.map((attempt) => signers(attempt, secrets))).toEqual([
      [first],
      [first, second],
      [third],
    ]);
  });

  test('does not affect a subscription that is disabled meanwhile', async () => {
    const { id, secret } = await subscribe();
    const newer = await rotate(id, {});
    for (const is_active of [false, true]) {
      expect((await team.patch(`${path}/${id}`, { is_active })).status).toBe(200);
    }
    expect(signers(await next(), [secret, newer])).toEqual([secret, newer]);
  });
});

test('no table, list, attempt record, workflow or log line holds a secret, also after failures', async () => {
  const { id, secret } = await subscribe();
  const newer = await rotate(id, {});
  // A receiver that returns its request in the response.
  receiver.answer(({ headers, body }) => ({
    status: 500,
    body: `${JSON.stringify(headers)} ${body}`,
  }));
  await next();
  const deliveries = `${path}/${id}/deliveries`;
  const [failed] = await eventually(
    async () => (await team.get(`${deliveries}?filter[status]=failed`)).body.data,
    ({ length }) => length === 1,
  );
  expect((await team.post(`${path}/${id}/test`, {})).status).toBeLessThan(300);
  expect((await team.post(`${path}/${id}/rotate-secret`, {})).status).toBe(409);

  const answers = await Promise.all(
    [
      path,
      `${path}/${id}`,
      deliveries,
      `${deliveries}/${String(failed.id)}?include=attempts,event`,
      `${deliveries}/counts`,
      '/v2/partner/audit-events',
      '/v2/meta/requests',
    ].map(async (asked) => {
      const { status, body } = await team.get(asked);
      expect([asked, status]).toEqual([asked, 200]);
      return JSON.stringify(body);
    }),
  );
  const values = [secret, newer].flatMap((whole) => [whole, whole.replace('whsec_', '')]);
  expect(answers.filter((text) => values.some((value) => text.includes(value)))).toEqual([]);
  expect(await foundInTables((work) => api.db.look(work), values)).toEqual([]);
  const histories = await foundInTemporal(temporal, values);
  expect(histories.workflows).toBeGreaterThan(0);
  expect(histories.found).toEqual([]);
  expect(worker.output()).toContain('started');
  expect(values.filter((value) => worker.output().includes(value))).toEqual([]);
});
