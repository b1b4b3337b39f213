import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { installRuntime } from '../../src/platform/temporal/install-runtime.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { taskQueues } from '../../src/platform/temporal/task-queues.ts';
import * as workflows from '../../workflows/index.ts';
import { environmentNames, required } from '../support/environment.ts';
import { detailsNow } from '../support/use-service.ts';
import { newNamespace } from '../support/worker.ts';

// The details and the result of each workflow type at each of its endings. The activities
// answer as the rows are; each real ending has a test of its own in this folder.

const address = required(environmentNames.temporalAddress);
let connection: Connection;
let native: NativeConnection;
let client: Client;
let workers: Worker[];
let running: Promise<unknown>;

type Type = Exclude<keyof typeof workflows, 'default'>;

/** The answer of the activity of a workflow, by the id of the workflow. */
const answers = new Map<string, unknown>();
/** The end of the rounds of a maintenance, whose arguments name no row. */
let maintained: unknown;

function answer(asked: unknown): unknown {
  const found = isRecord(asked)
    ? Object.values(asked).flatMap((id) => [answers.get(String(id))].filter(Boolean))[0]
    : maintained;
  if (found instanceof Error) throw found;
  return found;
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const names = [
  ...['drainWebhookLane', 'eraseCopiesRound', 'fetchFileOnce', 'drainCohortLane', 'maintain'],
  ...['applyDueCallbacks', 'attemptDueWebhooks', 'reconcileRollups', 'refreshDueCohort'],
  ...['refreshRollups', 'refreshInsightCache', 'replayInboundRound', 'replayWebhookRound'],
  ...['drainJourneyLane', 'runOperationRound', 'advanceTemplate', 'sealAuditTrail'],
  ...['testFileSourceOnce', 'testSendingProviderOnce', 'checkSendingDomain', 'lookAtJourney'],
  ...['writeExportRound'],
];

beforeAll(async () => {
  installRuntime(createLog('silent', 'worker'));
  const namespace = await newNamespace();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection, namespace });
  const activities = Object.fromEntries(
    names.map((name) => [name, (asked: unknown) => Promise.resolve(answer(asked))]),
  );
  const shared = { connection: native, namespace, activities };
  const workflowBundle = await bundleWorkflows();
  workers = await Promise.all(
    Object.values(taskQueues).map((taskQueue) =>
      Worker.create({
        ...shared,
        taskQueue,
        ...(taskQueue === taskQueues.main && { workflowBundle }),
      }),
    ),
  );
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await connection.close();
  await native.close();
});

interface Ending {
  /** The id of the row, or its place in the arguments. */
  args?: (id: string) => object;
  /** The answer of the last activity; an error fails it for good. */
  seen: unknown;
  /** Absent where the workflow fails. */
  result?: unknown;
  details: string | RegExp;
}

/** Lanes have numbers for ids. */
let lanes = 0;

async function endingOf(type: Type, { args, seen }: Ending) {
  lanes += 1;
  const id = args ? randomUUID() : String(lanes);
  answers.set(id, seen);
  maintained = seen;
  const handle = await client.workflow.start(type, {
    workflowId: `${type}/${randomUUID()}`,
    taskQueue: taskQueues.main,
    args: [{ v: 1, teamId: 'team', ...(args ? args(id) : { lane: lanes }) }],
  });
  const result = await handle.result().catch(() => 'failed');
  return { result, details: await detailsNow(handle) };
}

const failed = ApplicationFailure.nonRetryable('It is broken.');
const scheduled = /^The run has failed: .* The next run of the schedule does the work\.$/;
const byId = (name: string) => (id: string) => ({ [name]: id });
const runOf = byId('runId');
const replayOf = byId('replayId');
const figures = { kind: 'contacts.upsert', total: 4, processed: 4, failed: 0, skipped: 0 };
const outlook = { ...figures, ahead: 0, remainingSeconds: 60 };
const replayed = { matched: 9, replayed: 4, succeeded: 3, failed: 1, skipped: 2 };
const rate = { ratePerSecond: 5, replayedNow: 0 };
const attempts = (delivered: number, lost: number, givenUp: number, survey: object = {}) => ({
  ...{ delivered, failed: lost, givenUp },
  survey: { waiting: 0, isBreakerOpen: false, ...survey },
});
const replayEndings = (owner: object, name: string): Ending[] => [
  {
    args: replayOf,
    seen: { status: 'completed', ...replayed, replayed: 7, ...rate, ...owner },
    result: { outcome: 'completed', ...replayed, replayed: 7 },
    details:
      'The replay is completed: 7 of 9 deliveries replayed, 1 of them failed, 2 skipped. ' +
      `0 were not replayed. ${name}: x.`,
  },
  {
    args: replayOf,
    seen: { status: 'canceled', ...replayed, ...rate, ...owner },
    result: { outcome: 'canceled', ...replayed },
    details:
      'The replay is canceled: 4 of 9 deliveries replayed, 1 of them failed, 2 skipped. ' +
      `3 were not replayed. ${name}: x.`,
  },
  {
    args: replayOf,
    seen: { status: 'failed', ...replayed, ...rate, ...owner },
    result: { outcome: 'failed', ...replayed },
    details: /3 were not replayed\. An error came back five times: the line `a replay is given up`/,
  },
];
const journeyOf = (status: string) => ({
  ...{ status, decided: 2, messages: { sent: 2 }, skipped: {}, attempts: 0, templateId: 'x' },
  ...{ templateStatus: 'launched', exitReason: null, isOverdue: false },
  ...{ nextStepAtMs: null, nextAttemptAtMs: null },
  prospect: {
    ...{ status, templateStatus: 'launched', isHoldout: false, next: null },
    ...{ awaiting: 0, deadlineAtMs: null },
  },
});
const testEndings = (name: string): Ending[] => [
  {
    args: byId(name),
    seen: 'succeeded',
    result: { outcome: 'succeeded' },
    details: 'The test has succeeded.',
  },
  {
    args: byId(name),
    seen: 'login_refused',
    result: { outcome: 'login_refused' },
    details: 'The test has failed: login_refused.',
  },
  {
    args: byId(name),
    seen: 'ended',
    result: { outcome: 'ended' },
    details: 'No test was requested any more.',
  },
];

const endings: Record<Type, Ending[]> = {
  deliverWebhooks: [
    {
      seen: { delivered: 3, failed: 1 },
      result: { delivered: 3, failed: 1 },
      details: /^Lane \d+: 3 deliveries made, 1 first attempts .* Nothing waits: the next delivery/,
    },
  ],
  followCohortChanges: [
    {
      seen: { changes: 5, moved: 2 },
      result: { changes: 5, moved: 2 },
      details: /^Lane \d+: 5 changes followed, 2 times .* Nothing waits: the next change/,
    },
  ],
  runJourneys: [
    {
      seen: { journeys: 1, sent: 1, skipped: 0, failed: 0, nextDueInMs: null },
      result: { journeys: 1, sent: 1, skipped: 0, failed: 0 },
      details: /^Lane \d+: 1 times .* Nothing waits: the next journey starts the lane again\.$/,
    },
  ],
  eraseCopies: [
    {
      args: byId('teamId'),
      seen: { open: 0, completed: 2 },
      result: { outcome: 'completed', completed: 2 },
      details: 'No erasure of the team is open. 2 were completed by this workflow.',
    },
  ],
  fetchFile: [
    {
      args: byId('uploadId'),
      seen: { attempts: 3 },
      result: { outcome: 'fetched', attempts: 3 },
      details: '3 attempts. The file was fetched, and its import has begun.',
    },
    {
      args: byId('uploadId'),
      seen: { attempts: 3, lastError: 'file_not_found' },
      result: { outcome: 'failed', attempts: 3, error: 'file_not_found' },
      details: /^3 attempts\. Last error: file_not_found\. The fetch has failed:/,
    },
    {
      args: byId('uploadId'),
      seen: { attempts: 0 },
      result: { outcome: 'ended', attempts: 0 },
      details: 'Nothing was to be fetched: the fetch had ended before.',
    },
  ],
  maintain: [
    {
      seen: { count: 7, isDone: true },
      result: { task: 'uploads', done: 7 },
      args: () => ({ task: 'uploads', done: 0 }),
      details: 'uploads: 7 done.',
    },
    { args: () => ({ task: 'uploads', done: 0 }), seen: failed, details: scheduled },
  ],
  projectInbound: [
    {
      args: byId('receiverId'),
      seen: { applied: 2, givenUp: 0, waiting: 0 },
      result: { outcome: 'applied', applied: 2, givenUp: 0 },
      details: 'Nothing waits. 2 applied so far.',
    },
    {
      args: byId('receiverId'),
      seen: { applied: 2, givenUp: 1, waiting: 0 },
      result: { outcome: 'given_up', applied: 2, givenUp: 1 },
      details:
        'Nothing waits. 2 applied so far. 1 given up: replay them once the cause is corrected.',
    },
    {
      args: byId('receiverId'),
      seen: { applied: 0, givenUp: 0, waiting: 0 },
      result: { outcome: 'ended', applied: 0, givenUp: 0 },
      details: 'Nothing waits.',
    },
  ],
  recoverWebhookSubscription: [
    {
      args: byId('subscriptionId'),
      seen: attempts(5, 2, 0),
      result: { outcome: 'recovered', delivered: 5, failed: 2, givenUp: 0 },
      details: 'Nothing waits. 5 delivered by this recovery so far.',
    },
    {
      args: byId('subscriptionId'),
      seen: attempts(1, 30, 3),
      result: { outcome: 'recovered', delivered: 1, failed: 30, givenUp: 3 },
      details:
        'Nothing waits. 1 delivered by this recovery so far. 3 deliveries failed for good. ' +
        'Replay them once the receiver works.',
    },
    {
      args: byId('subscriptionId'),
      seen: attempts(0, 6, 2),
      result: { outcome: 'given_up', delivered: 0, failed: 6, givenUp: 2 },
      details:
        'Nothing waits. All 6 attempts failed, and the deliveries were given up. ' +
        'Replay them once the receiver works.',
    },
    {
      args: byId('subscriptionId'),
      seen: attempts(0, 0, 4),
      result: { outcome: 'given_up', delivered: 0, failed: 0, givenUp: 4 },
      details: 'Nothing waits. 4 deliveries became too old. Replay them once the receiver works.',
    },
    ...(['inactive', 'disabled', 'deleted'] as const).map((offCause) => ({
      args: byId('subscriptionId'),
      seen: attempts(0, 3, 3, { offCause }),
      result: { outcome: offCause, delivered: 0, failed: 3, givenUp: 3 },
      details: new RegExp(
        `^Nothing waits; the subscription (is|was) ${offCause}.*3 deliveries failed for good`,
      ),
    })),
    {
      args: byId('subscriptionId'),
      seen: { ...attempts(0, 2, 0), givenUp: undefined },
      result: { outcome: 'given_up', delivered: 0, failed: 2, givenUp: 0 },
      details: /^Nothing waits\. All 2 attempts failed/,
    },
  ],
  reconcileRollups: [
    {
      seen: { teams: 1, hours: 2, corrected: 0 },
      result: { teams: 1, hours: 2, corrected: 0 },
      details: '2 hours of 1 teams compared with their rows; 0 differed and were corrected.',
    },
    { seen: failed, details: scheduled },
  ],
  refreshRollups: [
    {
      seen: { teams: 1, hours: 2, oldestSeconds: 3.4 },
      result: { teams: 1, hours: 2, oldestSeconds: 3.4 },
      details: '2 hours of 1 teams summed; changes had waited for 3 s at most.',
    },
    { seen: failed, details: scheduled },
  ],
  refreshInsightCache: [
    {
      seen: { renewed: 4, dropped: 1, hasMore: true },
      result: { renewed: 4, dropped: 1, hasMore: true },
      details: '4 answers recomputed, 1 dropped; there was no time for all of them.',
    },
    { seen: failed, details: scheduled },
  ],
  sealAuditTrail: [
    {
      seen: { events: 6, teams: 2 },
      result: { events: 6, teams: 2 },
      details: '6 audit events of 2 teams sealed.',
    },
    { seen: failed, details: scheduled },
  ],
  refreshCohort: [
    {
      args: byId('cohortId'),
      seen: { status: 'ready', members: 12, tookMs: 3 },
      result: { outcome: 'ready', members: 12 },
      details:
        'The cohort is ready, with 12 members (3 ms). No schedule asks for another evaluation.',
    },
    {
      args: byId('cohortId'),
      seen: { status: 'failed', members: 12, tookMs: 3 },
      result: { outcome: 'failed', members: 12 },
      details: /^The last evaluation failed; the cohort keeps the 12 members of the one before\./,
    },
    ...['archived', 'deleted'].map((status) => ({
      args: byId('cohortId'),
      seen: { status, members: 0, tookMs: 0 },
      result: { outcome: status, members: 0 },
      details: new RegExp(`^The cohort (is|was) ${status}: it is not evaluated any more\\.$`),
    })),
  ],
  replayInbound: replayEndings({ receiverId: 'x' }, 'ReceiverId'),
  replayWebhooks: replayEndings({ subscriptionId: 'x' }, 'SubscriptionId'),
  runOperation: [
    {
      args: runOf,
      seen: { status: 'succeeded', ...outlook },
      result: { outcome: 'succeeded', ...figures },
      details: 'contacts.upsert is succeeded: 4 of 4 items done, 0 of them failed, 0 skipped.',
    },
    {
      args: runOf,
      seen: {
        ...{ status: 'succeeded_with_errors', ...outlook, failed: 3 },
        failures: { validation_failed: 3 },
        failedItems: [
          { index: 1, code: 'validation_failed', field: '/email' },
          { index: 3, code: 'validation_failed' },
        ],
      },
      result: {
        ...{ outcome: 'succeeded_with_errors', ...figures, failed: 3 },
        failures: { validation_failed: 3 },
        failedItems: [
          { index: 1, code: 'validation_failed', field: '/email' },
          { index: 3, code: 'validation_failed' },
        ],
      },
      details:
        'contacts.upsert is succeeded_with_errors: 4 of 4 items done, 3 of them failed ' +
        '(3 validation_failed), 0 skipped. Failed items by their index from 0: ' +
        '1 validation_failed /email; 3 validation_failed, and 1 more.',
    },
    {
      args: runOf,
      seen: { status: 'failed', ...outlook, processed: 1, error: 'internal_error' },
      result: { outcome: 'failed', ...figures, processed: 1, error: 'internal_error' },
      details:
        'contacts.upsert is failed: 1 of 4 items done, 0 of them failed, 0 skipped. ' +
        'The run as a whole: internal_error.',
    },
    {
      args: runOf,
      seen: { status: 'canceled', ...outlook, processed: 1 },
      result: { outcome: 'canceled', ...figures, processed: 1 },
      details: 'contacts.upsert is canceled: 1 of 4 items done, 0 of them failed, 0 skipped.',
    },
    {
      args: runOf,
      seen: { status: 'deleted', ...outlook, kind: '' },
      result: { outcome: 'deleted', ...figures, kind: '' },
      details: 'The run was deleted, with its results.',
    },
  ],
  runTemplate: [
    ...['expired', 'archived', 'draft'].map((status) => ({
      args: byId('templateId'),
      seen: { status, next: null },
      result: { outcome: status, ended: 0, released: 0 },
      details: `The template is ${status}: no launch and no expiry is scheduled.`,
    })),
    {
      args: (templateId) => ({ templateId, before: { ended: 5, released: 1 } }),
      seen: { status: 'expired', next: null },
      result: { outcome: 'expired', ended: 5, released: 1 },
      details:
        'The template is expired: no launch and no expiry is scheduled. ' +
        '5 journeys were ended and 1 went on.',
    },
    {
      args: byId('templateId'),
      seen: { status: 'deleted', next: null },
      result: { outcome: 'deleted', ended: 0, released: 0 },
      details: 'The template was deleted.',
    },
  ],
  testFileSource: testEndings('sourceId'),
  testSendingProvider: testEndings('providerId'),
  verifySendingDomain: [
    {
      args: byId('domainId'),
      seen: undefined,
      result: { outcome: 'deleted' },
      details: 'The sending domain was deleted: its records are not looked up any more.',
    },
  ],
  watchJourney: [
    {
      args: byId('journeyId'),
      seen: { journey: journeyOf('completed'), outcome: 'completed' },
      result: { outcome: 'completed', decided: 2 },
      details: /2 messages decided: 2 sent\. It has ended: nothing more is sent\. Read at /,
    },
    ...(['recovered', 'unwatched'] as const).map((outcome) => ({
      args: byId('journeyId'),
      seen: { journey: journeyOf('active'), outcome },
      result: { outcome, decided: 2 },
      details: /No step is scheduled\. .*this view has ended, and the journey goes on\. Read at /,
    })),
    {
      args: byId('journeyId'),
      seen: { outcome: 'deleted' },
      result: { outcome: 'deleted', decided: 0 },
      details: 'The journey exists no longer, and nothing more is sent.',
    },
  ],
  writeExport: [
    {
      args: byId('exportId'),
      seen: { status: 'succeeded', kind: 'contacts', rows: 2, sizeBytes: 90 },
      result: { outcome: 'succeeded', kind: 'contacts', rows: 2, sizeBytes: 90 },
      details: 'The export of contacts is succeeded: 2 rows, 90 bytes.',
    },
    {
      args: byId('exportId'),
      seen: { status: 'failed', kind: 'contacts', rows: 0, sizeBytes: 0, error: 'internal_error' },
      result: {
        ...{ outcome: 'failed', kind: 'contacts', rows: 0, sizeBytes: 0 },
        error: 'internal_error',
      },
      details:
        'The export of contacts is failed (internal_error): no file is kept. ' +
        'The client may request it again.',
    },
    {
      args: byId('exportId'),
      seen: { status: 'canceled', kind: 'contacts', rows: 0, sizeBytes: 0 },
      result: { outcome: 'canceled', kind: 'contacts', rows: 0, sizeBytes: 0 },
      details:
        'The export of contacts is canceled: no file is kept. The client may request it again.',
    },
    {
      args: byId('exportId'),
      seen: { status: 'deleted', kind: '', rows: 0, sizeBytes: 0 },
      result: { outcome: 'deleted', kind: '', rows: 0, sizeBytes: 0 },
      details: 'The export was deleted: no file is written.',
    },
  ],
};

test('every workflow type has its endings here', () => {
  expect(Object.keys(endings).toSorted()).toEqual(Object.keys(workflows).toSorted());
});

test.each(Object.entries(endings))('%s says how it has ended', async (type, cases) => {
  for (const ending of cases) {
    const { result, details } = await endingOf(type as Type, ending);
    expect(result).toEqual(ending.result ?? 'failed');
    if (typeof ending.details === 'string') expect(details).toBe(ending.details);
    else expect(details).toMatch(ending.details);
  }
});
