import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aReceiver } from '../inbound/a-receiver.ts';
import { storeDeliveries } from '../inbound/stored.ts';
import { aBatch, contactsOf, holdPlaces, keysOf } from '../operations/runs/a-run.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { refuseInPassing } from '../support/passing-faults.ts';
import { detailsOf, useService } from '../support/use-service.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import {
  aBrowserForTheUi,
  aWindow,
  cancelByClicks,
  chooseUpdate,
  detailsShown,
  findWorkflow,
  submitUpdate,
} from '../tour/temporal-ui.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import {
  batchJob,
  exportJob,
  inboundReplayJob,
  operationRunJob,
  webhookRecoveryJob,
  webhookReplayJob,
} from '../../workflows/jobs.ts';

// Requests of operators, by clicks in the Temporal UI.

const browser: Browser | undefined = await aBrowserForTheUi();
const subscriptions = '/v2/partner/webhook-subscriptions';

// A retry takes an hour, so that only an operator makes one sooner.
const { api, temporal } = useService({
  WEBHOOK_LANE_IDLE_SECONDS: '1',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600',
});
let team: TestTeam;
let receiver: Receiver;
let page: Page;

beforeAll(async () => {
  if (!browser) return;
  receiver = await startReceiver();
  team = await api.newTeam();
  page = await aWindow(browser);
});
afterAll(async () => {
  if (!browser) return;
  await browser.close();
  await receiver.stop();
});

/** Work under way that an operator can cancel. */
interface Work {
  workflowId: string;
  /** The table of its row, and the row. */
  table: 'operation_runs' | 'exports' | 'inbound_replays' | 'webhook_replays';
  id: string;
  /** Its resource in the API. */
  path: string;
  /** The fields of the resource once it is canceled. */
  canceled: object;
}

const owner = (statement: string) => api.db.look((sql) => sql.unsafe(statement));

const canceled = { status: 'canceled' };

/** A batch and an execution that wait for their turn. */
async function runsThatWait(): Promise<Work[]> {
  await holdPlaces(team);
  // Otherwise the reconciler finds out that nobody works on the five before them.
  await owner(`update operation_runs set updated_at = now() + interval '1 hour'`);
  const table = 'operation_runs' as const;
  const batch = await aBatch(team, { items: contactsOf(keysOf(3)) });
  const batchId = String(batch.split('/').at(-1));
  const execute = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
  const { body } = await team.post(execute, { items: contactsOf(keysOf(150)) });
  const id = String(body.id);
  const path = `/v2/ipaas/executions/${id}`;
  return [
    { workflowId: jobId(batchJob, batchId), table, id: batchId, path: batch, canceled },
    { workflowId: jobId(operationRunJob, id), table, id, path, canceled },
  ];
}

/** An export; it stays open while its parts are refused. */
async function anOpenExport(): Promise<Work> {
  const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  const id = String(body.id);
  return {
    ...{ workflowId: jobId(exportJob, id), table: 'exports', id },
    path: `/v2/partner/exports/${id}`,
    canceled: { status: 'failed', error: { code: 'canceled', detail: expect.any(String) } },
  };
}

/** A replay of callbacks that takes minutes. */
async function anInboundReplay(): Promise<Work> {
  const { id: receiverId } = await aReceiver(api, team);
  await storeDeliveries(api, team, receiverId, 1_000);
  const at = `/v2/webhooks/inbound/${receiverId}`;
  const { body } = await team.post(`${at}/replay`, { filter: {}, rate_per_second: 1 });
  const id = String(body.id);
  return {
    ...{ workflowId: jobId(inboundReplayJob, id), table: 'inbound_replays', id, canceled },
    path: `${at}/replays/${id}`,
  };
}

async function aSubscription(): Promise<string> {
  const reply = await team.post(subscriptions, {
    ...{ target_url: receiver.url, event_types: ['contact.created'] },
  });
  return String(reply.body.id);
}

/** A replay of deliveries to a subscription that takes as many seconds as there are contacts. */
async function aWebhookReplay(): Promise<Work> {
  const subscriptionId = await aSubscription();
  const count = 200;
  await Promise.all(
    keysOf(count).map((unique_id) => team.post('/v2/partner/contacts', { unique_id })),
  );
  await receiver.waitFor(count);
  const at = `${subscriptions}/${subscriptionId}`;
  const { body } = await team.post(`${at}/replay`, { filter: {}, rate_per_second: 1 });
  const id = String(body.id);
  return {
    ...{ workflowId: jobId(webhookReplayJob, id), table: 'webhook_replays', id, canceled },
    path: `${at}/replays/${id}`,
  };
}

/** The status of the latest run of a workflow; undefined before the first. */
const statusOf = (workflowId: string) =>
  temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => undefined);

/** Finds the workflow in the UI and cancels it there; the API shows that. */
async function cancel({ workflowId, path, canceled: fields }: Work): Promise<void> {
  await eventually(
    () => statusOf(workflowId),
    (status) => status === 'RUNNING',
  );
  await findWorkflow(page, temporal.namespace, { workflowId });
  await cancelByClicks(page);
  const shown = await eventually(
    async () => (await team.get(path)).body,
    ({ status }) => status === 'canceled' || status === 'failed',
  );
  expect(shown).toMatchObject(fields);
  await eventually(
    () => statusOf(workflowId),
    (status) => status === 'CANCELLED',
  );
  // The page reads a status once in a while; a busy one misses it.
  await page.reload();
  await page.getByText('Canceled', { exact: true }).first().waitFor();
}

/**
 * Resolves when the reconciler has searched all tables once: it has started an open export that
 * nobody requested, and then, in a later round, another one.
 */
async function aRoundOfTheReconciler(): Promise<void> {
  for (let found = 0; found < 2; found += 1) {
    const [row] = await api.db.look<{ id: string }>(
      (sql) => sql`
        insert into exports (team_id, kind, format, requested_by_client_id, updated_at)
        values (${team.id}, 'contacts', 'csv', ${team.clientId}, now() - interval '1 hour')
        returning id`,
    );
    await eventually(() => statusOf(jobId(exportJob, String(row?.id))), Boolean);
  }
}

/** One that came later would have started the workflow again. */
async function signalsAfterCancel(workflowId: string): Promise<number> {
  const { events = [] } = await temporal.handleOf(workflowId).fetchHistory();
  const at = events?.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes);
  const later = events?.slice(at) ?? [];
  return later.filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

async function cancelsEachKind(): Promise<void> {
  const works: Work[] = [];
  const goOn = await refuseInPassing(api.db, 'export_parts');
  // One after the other: a replay ends by itself.
  for (const begin of [runsThatWait, anInboundReplay, aWebhookReplay, anOpenExport]) {
    const begun = [await begin()].flat();
    for (const work of begun) await cancel(work);
    works.push(...begun);
  }
  await goOn();
  // Rows that look as if their workflow had been lost long ago.
  for (const { table, id } of works) {
    await owner(`update ${table} set updated_at = now() - interval '1 hour' where id = '${id}'`);
  }
  await aRoundOfTheReconciler();
  const latestRuns = await Promise.all(works.map(({ workflowId }) => statusOf(workflowId)));
  expect(latestRuns).toEqual(works.map(() => 'CANCELLED'));
  const signals = await Promise.all(works.map(({ workflowId }) => signalsAfterCancel(workflowId)));
  expect(signals).toEqual(works.map(() => 0));
  const after = await Promise.all(works.map(async ({ path }) => (await team.get(path)).body));
  for (const [at, { canceled: fields }] of works.entries()) expect(after[at]).toMatchObject(fields);
}

async function sendsAnUpdate(): Promise<void> {
  const id = await aSubscription();
  receiver.answer(() => ({ status: 503 }));
  await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
  const workflowId = jobId(webhookRecoveryJob, id);
  await detailsOf(temporal.handleOf(workflowId), 'Next attempt due at');
  receiver.answer(() => ({ status: 204 }));
  await findWorkflow(page, temporal.namespace, { query: `SubscriptionId="${id}"`, workflowId });
  expect(await detailsShown(page, 'Last error')).toContain('1 deliveries wait since');
  await chooseUpdate(page, 'retryNow');
  await submitUpdate(page, {});
  const refusal = page.getByRole('dialog').getByRole('alert');
  await refusal.getByText('Say who asks: {"operator": "<name>"}').first().waitFor();
  await submitUpdate(page, { operator: 'jane' });
  await page.getByText('Update successful').waitFor();
  expect(await temporal.handleOf(workflowId).result()).toMatchObject({
    ...{ outcome: 'recovered', delivered: 1 },
  });
  const audited = await api.db.look<{ action: string; actor: string }>(
    (sql) => sql`
      select action, actor from audit_events
      where team_id = ${team.id} and resource_id = ${id} and actor is not null`,
  );
  expect(audited).toEqual([{ action: 'webhook_subscription.retried', actor: 'jane@temporal' }]);
}

if (browser) {
  test(
    'a run, an export and a replay are canceled by clicks in the Temporal UI, for good',
    cancelsEachKind,
  );
  test(
    'an Update by clicks is refused with a reason, and accepted with the name of the operator',
    sendsAnUpdate,
  );
} else {
  test('2 promises about the Temporal UI were skipped: there is no Chromium, or no UI', () => {
    process.stderr.write('2 tests of the Temporal UI did not run: see `npm run browser`.\n');
    expect(browser).toBeUndefined();
  });
}
