import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import { closeAll, startProxy } from '../platform/egress/receiver.ts';
import { aReceiver, anEvent } from '../inbound/a-receiver.ts';
import { aSubscriberOf } from '../inbound/a-subscriber.ts';
import { leaf, toolsWith, topicArn } from '../inbound/a-topic.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { inboundJob } from '../../workflows/jobs.ts';

let api: TestApi;
let team: TestTeam;
let worker: TestWorker;
let connection: Connection;
let client: Client;
/** Receives the calls of the worker, and forwards none. */
let proxy: Awaited<ReturnType<typeof startProxy>>;

beforeAll(async () => {
  proxy = await startProxy({ status: 502 });
  api = await startTestApi(
    { INBOUND_RETRY_SCHEDULE_SECONDS: '1,1,1', WEBHOOK_PROXY_URL: proxy.proxyUrl },
    { verificationTools: toolsWith(leaf()) },
  );
  team = await api.newTeam();
  const namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  worker = await startTestWorker(api, { namespace });
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
});
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
  await closeAll();
});

/** Makes Postgres refuse the events of clients whose name ends so. */
const refuse = (word: string) =>
  api.db.look((sql) =>
    sql.unsafe(
      `alter table objective_completions add constraint "refused ${word}"
       check (unique_id is null or value_cents <> ${word}) not valid`,
    ),
  );
const allow = (word: string) =>
  api.db.look((sql) =>
    sql.unsafe(`alter table objective_completions drop constraint "refused ${word}"`),
  );

async function aFailure(word: string) {
  const receiver = await aReceiver(api, team);
  const unique_id = randomUUID();
  await team.post('/v2/partner/contacts', { unique_id });
  const key = `o-${randomUUID()}`;
  const objective = await team.post('/v2/partner/objectives', { name: 'Deposit', key });
  await refuse(word);
  const reply = await receiver.send(
    anEvent({ objective_key: key, contact_unique_id: unique_id, value_cents: Number(word) }),
  );
  expect(reply.body.status).toBe('accepted');
  const deliveryPath =
    `/v2/webhooks/inbound/${receiver.id}/deliveries/` + String(reply.body.delivery_id);
  return {
    handle: client.workflow.getHandle(jobId(inboundJob, receiver.id)),
    delivery: async () => (await team.get(deliveryPath)).body,
    completions: async () =>
      (await team.get(`/v2/partner/objectives/${String(objective.body.id)}/completions?meta=count`))
        .body.meta.count,
  };
}

const completed = (handle: WorkflowHandle) =>
  eventually(
    async () => (await handle.describe()).status.name,
    (status) => status === 'COMPLETED',
  );

test('a callback that cannot be applied is retried until it can, and then applied once', async () => {
  const { handle, delivery, completions } = await aFailure('4711');
  expect(await delivery()).toMatchObject({ status: 'failed', attempts: 1 });
  await eventually(delivery, ({ attempts }) => attempts >= 2);
  await allow('4711');
  const done = await eventually(delivery, ({ status }) => status === 'processed');
  expect(done).not.toHaveProperty('error');
  expect(await completions()).toBe(1);
  await completed(handle);
  expect(await handle.result()).toEqual({ outcome: 'applied', applied: 1, givenUp: 0 });
});

test('a callback remains failed after its last attempt, and the workflow ends', async () => {
  const { handle, delivery } = await aFailure('4712');
  const last = await eventually(
    delivery,
    (found) => found.attempts === 4 && found.next_attempt_at === undefined,
  );
  expect(last).toMatchObject({ status: 'failed', error: { code: 'projection_failed' } });
  await completed(handle);
  expect(await handle.result()).toEqual({ outcome: 'given_up', applied: 0, givenUp: 1 });
  const { typedSearchAttributes: shown } = await handle.describe();
  expect(shown.get(searchAttributes.outcome)).toBe('given_up');
  await allow('4712');
});

test('an unreachable topic is called by the retry schedule, and then no more', async () => {
  const receiver = await aSubscriberOf(api, team, { topic_arns: [topicArn] });
  const { id } = await receiver.ask();
  const last = await eventually(
    () => receiver.delivery(id),
    (found) => found.attempts === 4 && found.next_attempt_at === undefined,
  );
  expect(last).toMatchObject({
    status: 'pending_confirmation',
    error: { code: 'confirmation_failed' },
  });
  await completed(client.workflow.getHandle(jobId(inboundJob, receiver.id)));
  const address = 'sns.us-east-1.amazonaws.com:443';
  expect(proxy.asked.map(({ authority }) => authority)).toEqual([
    ...[address, address, address, address],
  ]);
});
