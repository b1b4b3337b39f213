import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { samplesRunBy } from '../site/samples.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { detailsOf, useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { runTemporalCommands } from '../support/temporal-shell.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import {
  aBatch,
  contactsOf,
  freePlaces,
  holdPlaces,
  itemsOf,
  keysOf,
  whenRun,
} from '../operations/runs/a-run.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import { aLaunchedTemplate, at, inHours } from '../campaigns/a-template.ts';
import {
  batchJob,
  templateJob,
  webhookRecoveryJob,
  webhookReplayJob,
} from '../../workflows/jobs.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
// A retry takes an hour, so that only an operator makes one sooner.
const { api, temporal } = useService({
  WEBHOOK_LANE_IDLE_SECONDS: '1',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600',
});
const directory = scratchDirectory();
let team: TestTeam;
let receiver: Receiver;
const path = '/v2/partner/webhook-subscriptions';

beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const operator = 'jane@ops';

/** Events of operators in the audit trail of the team, the latest last. */
const auditOf = (resourceId: string) =>
  api.db.look<{ action: string; actor: string; changed_fields: string[] }>(
    (sql) => sql`
      select action, actor, changed_fields from audit_events
      where team_id = ${team.id} and resource_id = ${resourceId} and actor is not null
      order by occurred_at, action`,
  );

/** The message of a refused Update. */
const refusalOf = (update: Promise<unknown>) =>
  update.then(
    () => 'accepted',
    (error: unknown) =>
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error),
  );

async function subscribe(): Promise<string> {
  const reply = await team.post(path, { target_url: receiver.url, event_types: ['contact.*'] });
  return String(reply.body.id);
}

/** Pauses a subscription for ten minutes, also one that has no workflow. */
const pause = (id: string) =>
  temporal.client.workflow.executeUpdateWithStart('pauseDelivery', {
    startWorkflowOperation: new WithStartWorkflowOperation(webhookRecoveryJob.workflow, {
      workflowId: jobId(webhookRecoveryJob, id),
      taskQueue: taskQueues.main,
      args: [{ teamId: team.id, id }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
    args: [{ operator, seconds: 600 }],
  });

const aContact = (name: string) =>
  team.post('/v2/partner/contacts', { email: `${name}@example.com` });

describe('a subscription', () => {
  test('in trouble is retried at once, and its audit trail says by whom', async () => {
    const id = await subscribe();
    receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }));
    await aContact('ada');
    const recovery = temporal.handleOf(jobId(webhookRecoveryJob, id));
    await detailsOf(recovery, 'Last error: HTTP 500. Next attempt due at');
    const unnamed = await refusalOf(recovery.executeUpdate('retryNow', { args: [{}] }));
    expect(unnamed).toContain('Say who asks: {"operator": "<name>"}');
    await recovery.executeUpdate('retryNow', { args: [{ operator }] });
    expect(await recovery.result()).toMatchObject({ outcome: 'recovered', delivered: 1 });
    expect(await auditOf(id)).toEqual([
      {
        action: 'webhook_subscription.retried',
        actor: 'jane@ops@temporal',
        changed_fields: [],
      },
    ]);
    await recordHistory(recovery, 'run-job/updated');
  });

  test('without trouble is paused, sends only what a client asks for, and goes on', async () => {
    const id = await subscribe();
    const recovery = temporal.handleOf(jobId(webhookRecoveryJob, id));
    const answer = await pause(id);
    expect(answer).toMatch(/^Deliveries are paused until 2/);
    await detailsOf(recovery, 'Paused by an operator until');
    await aContact('ada');
    await recovery.signal(changedSignal);
    await detailsOf(recovery, '1 deliveries wait');
    await team.post(`${path}/${id}/test`);
    await receiver.waitFor(1);
    expect(receiver.received[0]?.headers['webhook-id']).toBeDefined();
    expect(await refusalOf(recovery.executeUpdate('retryNow', { args: [{ operator }] }))).toBe(
      'Deliveries are paused: resume them first.',
    );
    const tooLong = { operator, seconds: 90_000 };
    expect(await refusalOf(recovery.executeUpdate('pauseDelivery', { args: [tooLong] }))).toBe(
      'seconds must be a whole number from 60 to 86400.',
    );
    await recovery.executeUpdate('resumeDelivery', { args: [{ operator }] });
    await receiver.waitFor(2);
    expect(await recovery.result()).toMatchObject({ outcome: 'recovered' });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'webhook_subscription.paused',
      'webhook_subscription.resumed',
    ]);
  });
});

test('the commands of docs/operators.md retry at once, and pause a subscription', async () => {
  const id = await subscribe();
  receiver.answer((_, index) => ({ status: index === 0 ? 500 : 204 }));
  await aContact('ada');
  const recovery = temporal.handleOf(jobId(webhookRecoveryJob, id));
  await detailsOf(recovery, 'Last error: HTTP 500. Next attempt due at');
  const samples = samplesRunBy('docs/operators.md', 'test/workflows/operator-updates.test.ts');
  expect(samples).toHaveLength(2);
  const [retry = '', pausing = ''] = samples.map(({ text }) =>
    text.replaceAll('<subscription id>', id).replaceAll('<team id>', team.id),
  );
  const shell = { directory, namespace: temporal.namespace };
  await runTemporalCommands(retry, shell);
  await receiver.waitFor(2);
  expect(await recovery.result()).toMatchObject({ outcome: 'recovered', delivered: 1 });
  await runTemporalCommands(pausing, shell);
  await detailsOf(temporal.handleOf(jobId(webhookRecoveryJob, id)), 'Paused by an operator until');
});

test('the pause of a subscription ends when it is deleted', async () => {
  const id = await subscribe();
  const recovery = temporal.handleOf(jobId(webhookRecoveryJob, id));
  await pause(id);
  await detailsOf(recovery, 'Paused by an operator until');
  await team.delete(`${path}/${id}`);
  expect(await recovery.result()).toMatchObject({ outcome: 'deleted' });
});

test('a template is paused, resumed and expired with a reason, by the rules of the API', async () => {
  const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
  const workflow = temporal.handleOf(jobId(templateJob, id));
  await detailsOf(workflow, 'The template is launched.');
  const operate = (name: string, request: object) =>
    workflow.executeUpdate(name, { args: [{ operator, ...request }] });
  const reason = 'The bank asked for it.';
  expect(await refusalOf(operate('pause', {}))).toContain('"reason" has 1 to 500 characters');
  expect(await operate('pause', { reason })).toBe('The template is paused.');
  expect(await refusalOf(operate('pause', { reason }))).toContain('invalid_state_transition');
  const suspend = (to: string) =>
    api.db.look((sql) =>
      sql.unsafe(`update teams set suspended_at = ${to} where id = '${team.id}'`),
    );
  await suspend('now()');
  expect(await refusalOf(operate('resume', { reason }))).toBe(
    'The team is suspended: resume it first.',
  );
  await suspend('null');
  expect(await operate('resume', { reason })).toBe('The template is launched.');
  expect(await operate('expireNow', { reason })).toBe('The template is expired.');
  expect(await workflow.result()).toMatchObject({ outcome: 'expired' });
  // The API may have read the suspension, and forgets it within seconds.
  const { body } = await eventually(
    () => team.get(at(id, '/status-history')),
    ({ status }) => status === 200,
  );
  expect(body.data.slice(0, 3)).toMatchObject([
    { to_status: 'expired', cause: 'operator' },
    { to_status: 'launched', cause: 'operator' },
    { to_status: 'paused', cause: 'operator' },
  ]);
  const events = await api.db.look(
    (sql) => sql`
      select action, actor, reason from audit_events
      where team_id = ${team.id} and resource_id = ${id} and actor is not null
      order by occurred_at`,
  );
  expect(events).toEqual(
    ['template.paused', 'template.resumed', 'template.expired'].map((action) => ({
      ...{ action, actor: 'jane@ops@temporal', reason },
    })),
  );
});

test('the rate of a replay is changed while it runs', async () => {
  const id = await subscribe();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await aContact(name);
  await receiver.waitFor(8);
  await eventually(
    async () => (await team.get(`${path}/${id}/deliveries?filter[status]=delivered`)).body.data,
    (deliveries) => deliveries.length === 8,
  );
  // One a second: five in the first round, and a pause of five seconds after it.
  const { body } = await team.post(`${path}/${id}/replay`, {
    filter: { status: ['delivered'] },
    rate_per_second: 1,
  });
  const replay = temporal.handleOf(jobId(webhookReplayJob, String(body.id)));
  await detailsOf(replay, '5 of 8 deliveries replayed');
  const none = { operator, ratePerSecond: 0 };
  expect(await refusalOf(replay.executeUpdate('setRate', { args: [none] }))).toBe(
    'ratePerSecond must be a whole number from 1 to 10000.',
  );
  await replay.executeUpdate('setRate', { args: [{ operator, ratePerSecond: 100 }] });
  expect(await replay.result()).toMatchObject({ outcome: 'completed', replayed: 8 });
  const shown = (await team.get(`${path}/${id}/replays/${String(body.id)}`)).body;
  expect(shown.rate_per_second).toBe(100);
  expect(await auditOf(String(body.id))).toEqual([
    {
      action: 'webhook_replay.updated',
      actor: 'jane@ops@temporal',
      changed_fields: ['rate_per_second'],
    },
  ]);
});

test('an item of a batch is left out, and only one that is not yet applied', async () => {
  const keys = keysOf(3);
  const held = await holdPlaces(team);
  const batch = await aBatch(team, { items: contactsOf(keys) });
  const id = batch.split('/').at(-1) ?? '';
  const run = temporal.handleOf(jobId(batchJob, id));
  await detailsOf(run, 'waits');
  await run.executeUpdate('skipItem', { args: [{ operator, index: 1 }] });
  expect(await refusalOf(run.executeUpdate('skipItem', { args: [{ operator, index: 3 }] }))).toBe(
    'Items that can be skipped: 0 to 2.',
  );
  await freePlaces(team, held);
  await whenRun(team, batch);
  expect(await run.result()).toMatchObject({ outcome: 'succeeded', processed: 3, skipped: 1 });
  expect(
    (await itemsOf(team, `${batch}/items`)).map(({ status }: { status: string }) => status),
  ).toEqual(['created', 'skipped', 'created']);
  expect(await auditOf(id)).toEqual([
    { action: 'batch_operation.item_skipped', actor: 'jane@ops@temporal', changed_fields: [] },
  ]);
});
