import { beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { detailsOf, useService } from '../support/use-service.ts';
import { startTestWorker } from '../support/worker.ts';
import {
  aCompleteTemplate,
  aLaunchedTemplate,
  at,
  inHours,
  templates,
} from '../campaigns/a-template.ts';
import { changedSignal, jobId } from '../../src/platform/jobs/shape.ts';
import { templateJob } from '../../workflows/jobs.ts';

const { api, temporal } = useService();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const handleOf = (id: string): WorkflowHandle => temporal.handleOf(jobId(templateJob, id));

const become = (id: string, status: string, withinMs?: number) =>
  eventually(
    async () => (await team.get(at(id))).body,
    (template) => template.status === status,
    withinMs,
  );

const historyOf = async (id: string) => (await team.get(at(id, '/status-history'))).body.data;

describe('while everything runs', () => {
  test('a template launches at its time and expires at its deadline, and not before', async () => {
    const id = await aCompleteTemplate(team, {
      scheduled_at: inMs(1_500),
      deadline_at: inMs(3_500),
    });
    const scheduled = (await team.get(at(id))).body;
    await become(id, 'expired');
    const changes = await historyOf(id);
    const late = (status: string, due: string) =>
      Date.parse(changes.find((change: any) => change.to_status === status).occurred_at) -
      Date.parse(due);
    for (const ms of [
      late('launched', scheduled.scheduled_at),
      late('expired', scheduled.deadline_at),
    ]) {
      expect(ms).toBeGreaterThanOrEqual(0);
    }
    expect(changes).toMatchObject([
      { to_status: 'expired', cause: 'timer' },
      { to_status: 'launched', cause: 'timer' },
      { to_status: 'scheduled', cause: 'api' },
      { to_status: 'draft', cause: 'api' },
    ]);
    expect(await handleOf(id).result()).toMatchObject({ outcome: 'expired', ended: 0 });
    const { typedSearchAttributes: shown } = await handleOf(id).describe();
    expect(shown.get(searchAttributes.outcome)).toBe('expired');
  });

  test('an operator finds the workflow by its ids and sees its next action', async () => {
    const deadline_at = inHours(1);
    const id = await aLaunchedTemplate(team, { deadline_at });
    const details = await detailsOf(handleOf(id), deadline_at);
    expect(details).toContain('The template is launched. It expires at');
    const description = await handleOf(id).describe();
    expect(await description.staticDetails()).toContain(`\`${at(id)}\` of team \`${team.id}\``);
    expect(description.memo).toEqual({
      ...{ teamId: team.id, resource: at(id) },
      ...{ clientId: team.clientId, requestId: expect.any(String) },
    });
    const { events } = await handleOf(id).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.priority?.fairnessKey).toBe(team.id);
    const timer = events?.find((event) => event.timerStartedEventAttributes);
    const summary = JSON.parse(String(timer?.userMetadata?.summary?.data));
    expect(summary).toBe(`Reads the numbers of the campaign again; expires at ${deadline_at}`);
    expect(description.typedSearchAttributes.getAll()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: id }),
        expect.objectContaining({ value: team.id }),
        expect.objectContaining({ value: new Date(deadline_at) }),
      ]),
    );
    await team.post(at(id, '/pause'));
    await detailsOf(handleOf(id), 'The template is paused. It expires at');
  });

  test('a PATCH of the deadline moves the timer, sooner and later', async () => {
    const [sooner, later] = await Promise.all([
      aLaunchedTemplate(team, { deadline_at: inHours(1) }),
      aLaunchedTemplate(team, { deadline_at: inMs(2_500) }),
    ]);
    await detailsOf(handleOf(sooner), 'expires');
    const moved = inHours(2);
    await team.patch(at(later), { deadline_at: moved });
    await detailsOf(handleOf(later), moved);
    await team.patch(at(sooner), { deadline_at: inMs(3_000) });
    // By the time that this one is over, the old deadline of the other has long passed.
    await become(sooner, 'expired');
    expect((await team.get(at(later))).body.status).toBe('launched');
    await handleOf(sooner).result();
  });

  test('a campaign without a deadline has a workflow until it is archived', async () => {
    const contact = await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
    const id = await aLaunchedTemplate(team);
    await detailsOf(handleOf(id), 'No launch or expiry is scheduled. 0 contacts enrolled');
    await team.post(at(id, '/enrollments'), { contact_id: contact.body.id });
    await handleOf(id).signal(changedSignal);
    await detailsOf(handleOf(id), '1 contacts enrolled, 1 journeys open.');
    await team.post(at(id, '/pause'));
    await detailsOf(handleOf(id), 'The template is paused. No launch or expiry is scheduled.');
    expect((await handleOf(id).describe()).status.name).toBe('RUNNING');
    await team.post(at(id, '/archive'));
    expect(await handleOf(id).result()).toMatchObject({ outcome: 'archived', ended: 1 });
  });

  test('numbers of a campaign that cannot be read delay no expiry', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const holding = api.db.database.transact(
      async (sql) => {
        await sql`lock table message_stats in access exclusive mode`;
        await released;
      },
      { deadlineMs: 60_000 },
    );
    try {
      const id = await aLaunchedTemplate(team, { deadline_at: inMs(3_000) });
      await detailsOf(handleOf(id), 'The template is launched. It expires at');
      await become(id, 'expired', 15_000);
    } finally {
      release();
      await holding;
    }
  });

  test('the time of the launch can be moved and removed', async () => {
    const [moved, stopped] = await Promise.all([
      aCompleteTemplate(team, { scheduled_at: inHours(1) }),
      aCompleteTemplate(team, { scheduled_at: inHours(1) }),
    ]);
    await detailsOf(handleOf(stopped), 'launches');
    await team.post(at(stopped, '/unschedule'));
    expect(await handleOf(stopped).result()).toMatchObject({ outcome: 'draft' });
    await team.post(at(moved, '/schedule'), { scheduled_at: inMs(1_000) });
    await become(moved, 'launched');
  });

  test('a deadline in the most distant future is awaited', async () => {
    const id = await aLaunchedTemplate(team, { deadline_at: '9999-12-31T23:59:59.999Z' });
    await detailsOf(handleOf(id), '9999-12-31T23:59:59.999Z');
    await team.post(at(id, '/expire'));
    await handleOf(id).result();
  });

  test('a paused template still expires', async () => {
    const id = await aLaunchedTemplate(team, { deadline_at: inMs(2_000) });
    await team.post(at(id, '/pause'));
    await become(id, 'expired');
    expect((await historyOf(id))[0]).toMatchObject({ from_status: 'paused', cause: 'timer' });
  });

  test('an incomplete template is a draft again at its launch time', async () => {
    const { body } = await team.post(templates, { name: 'x', scheduled_at: inMs(1_000) });
    await become(body.id, 'draft');
    expect((await historyOf(body.id))[0]).toMatchObject({ action: 'fail_launch', cause: 'timer' });
  });

  test('signals without a cause, and many concurrent ones, change nothing', async () => {
    const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
    await detailsOf(handleOf(id), 'expires');
    const before = await team.get(at(id));
    await Promise.all(Array.from({ length: 5 }, () => handleOf(id).signal(changedSignal)));
    await team.patch(at(id), { deadline_at: inMs(1_500) });
    await become(id, 'expired');
    expect((await historyOf(id)).map(({ action }: { action: string }) => action)).toEqual([
      'expire',
      'launch',
      'create',
    ]);
    expect(before.body.status).toBe('launched');
  });

  test('a cancellation request in Temporal says what to do instead, and stops no launch', async () => {
    const id = await aCompleteTemplate(team, { scheduled_at: inMs(5_000) });
    await detailsOf(handleOf(id), 'launches');
    const { runId } = await handleOf(id).describe();
    await handleOf(id).cancel();
    const canceled = temporal.client.workflow.getHandle(handleOf(id).workflowId, runId);
    await eventually(
      async () => (await canceled.describe()).status.name,
      (status) => status === 'CANCELLED',
    );
    await detailsOf(handleOf(id), 'To stop a launch, unschedule the template');
    await become(id, 'launched');
    expect((await historyOf(id))[0]).toMatchObject({ to_status: 'launched', cause: 'timer' });
  });

  test('the workflow of a deleted template ends', async () => {
    const id = await aCompleteTemplate(team, { scheduled_at: inHours(1) });
    await detailsOf(handleOf(id), 'launches');
    await team.post(at(id, '/unschedule'));
    await team.delete(at(id));
    expect((await handleOf(id).result()).outcome).toMatch(/^(draft|deleted)$/);
  });
});

test('a template that fell due during an outage of the worker expires after it, without a launch', async () => {
  const deadline_at = inMs(4_000);
  const id = await aCompleteTemplate(team, { scheduled_at: inMs(3_000), deadline_at });
  await detailsOf(handleOf(id), 'launches');
  await temporal.worker.close();
  await eventually(
    () => Promise.resolve(Date.now()),
    (now) => now > Date.parse(deadline_at),
  );
  temporal.worker = await startTestWorker(api, { namespace: temporal.namespace });
  const expired = await become(id, 'expired');
  expect(expired).toMatchObject({ status: 'expired', template_version: 0 });
  expect(expired.launched_at).toBeUndefined();
  expect((await historyOf(id)).map(({ action }: { action: string }) => action)).toEqual([
    'expire',
    'schedule',
    'create',
  ]);
});
