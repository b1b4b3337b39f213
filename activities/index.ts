import type {
  InboundConfig,
  OperationsConfig,
  SendingConfig,
  WebhookConfig,
} from '../src/platform/config.ts';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Clock } from '../src/platform/database/clock.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import { roundActivity, withProgress } from '../src/platform/jobs/job.ts';
import type { Job, Lane } from '../src/platform/jobs/job.ts';
import { roundName } from '../src/platform/jobs/shape.ts';
import type {
  ScheduleArguments,
  ScheduleReport,
  ScheduleShape,
} from '../src/platform/jobs/shape.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { taskQueues } from '../src/platform/temporal/task-queues.ts';
import type { CopyEraser } from '../src/contacts/contact-erasures/sweeping/eraser.ts';
import { fetchLimits } from '../src/operations/sftp/fetching/rules.ts';
import { createAttemptRecorder } from '../src/webhooks/dispatch/attempt-recorder.ts';
import { createFailureCounters } from '../src/webhooks/dispatch/failure-counters.ts';
import { createSender } from '../src/webhooks/dispatch/webhook-sender.ts';
import { haltedOf } from '../src/messaging/send-queue/provider-pool.ts';
import type { ProviderPool } from '../src/messaging/send-queue/provider-pool.ts';
import type { StoredProvider } from '../src/messaging/sending-providers/queries.ts';
import { jobs as shapes } from '../workflows/jobs.ts';
import {
  auditSealing,
  insightCacheRefresh,
  maintenance,
  rollupComparison,
  rollupRefresh,
  schedules as scheduleShapes,
} from '../workflows/schedules.ts';
import { lanes as laneShapes } from '../workflows/lanes.ts';
import { createOperatorActivities } from './act-for-operator.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { eraseCopies } from './erase-copies.ts';
import { fetchFile } from './fetch-file.ts';
import { followCohortChanges } from './follow-cohort-changes.ts';
import { reconcileRollups, refreshRollups } from './keep-rollups.ts';
import { maintain } from './maintain.ts';
import { projectInbound } from './project-inbound.ts';
import { recoverWebhookSubscription } from './recover-webhook-subscription.ts';
import { refreshCohort } from './refresh-cohort.ts';
import { refreshInsightCache } from './refresh-insight-cache.ts';
import { replayInbound } from './replay-inbound.ts';
import { replayWebhooks } from './replay-webhooks.ts';
import { runJourneys } from './run-journeys.ts';
import { runOperation } from './run-operation.ts';
import { runTemplate } from './run-template.ts';
import { sealAuditTrail } from './seal-audit-trail.ts';
import { testFileSource, testSendingProvider } from './test-logins.ts';
import { verifySendingDomain } from './verify-sending-domain.ts';
import { watchJourney } from './watch-journey.ts';
import { writeExport } from './write-export.ts';

export interface WorkerTools {
  database: Database;
  clock: Clock;
  keyring: Keyring;
  egress: Egress;
  log: Log;
  policy: WebhookConfig;
  inbound: InboundConfig;
  operations: OperationsConfig;
  sending: SendingConfig;
  providers: ProviderPool;
  erasers: readonly CopyEraser[];
  publicBaseUrl: string;
  /** Aborted when the worker is to end. */
  stopping: AbortSignal;
  listener: WorkListener;
}

/** The work of a worker: the jobs of rows, the lanes, and what schedules start. */
export interface Work {
  jobs: readonly Job[];
  lanes: readonly Lane[];
  scheduled: readonly {
    shape: ScheduleShape;
    work(args: ScheduleArguments, show: (progress: object) => void): Promise<ScheduleReport>;
  }[];
}

export function createWork(tools: WorkerTools): Work {
  const { providers, clock, inbound, operations } = tools;
  const sender = createSender(tools);
  const counters = createFailureCounters(tools);
  const recorder = createAttemptRecorder(tools.database, counters, tools.log);
  const halted = (rows: readonly StoredProvider[]) => haltedOf(providers, rows, clock.now());
  const running = { ...tools, ...operations };
  const fetching = { ...tools, limits: fetchLimits, scheduleMs: inbound.fetchScheduleMs };
  return {
    jobs: [
      runTemplate({ ...tools, halted }),
      watchJourney(tools),
      recoverWebhookSubscription({ ...tools, sender, recorder, counters }),
      replayWebhooks(tools),
      replayInbound(tools),
      projectInbound({ ...tools, ...inbound }),
      runOperation(running),
      writeExport(running),
      eraseCopies(tools),
      refreshCohort(tools),
      verifySendingDomain(tools),
      fetchFile(fetching),
      testFileSource(fetching),
      testSendingProvider(tools),
    ],
    lanes: [
      deliverWebhooks({ ...tools, sender, recorder }),
      followCohortChanges(tools),
      runJourneys(tools),
    ],
    scheduled: [
      { shape: auditSealing, work: () => sealAuditTrail(tools) },
      { shape: rollupRefresh, work: () => refreshRollups(tools) },
      { shape: rollupComparison, work: () => reconcileRollups(tools) },
      { shape: insightCacheRefresh, work: () => refreshInsightCache(tools) },
      { shape: maintenance, work: (args, show) => maintain(tools, args, show) },
    ],
  };
}

type Activity = (argument: never) => Promise<unknown>;
export type ActivitiesByQueue = ReadonlyMap<string, Record<string, Activity>>;

/** Activities by the task queue that runs them. Throws where a shape has no work. */
export function activitiesOf(
  tools: WorkerTools,
  { jobs, lanes, scheduled }: Work,
): ActivitiesByQueue {
  const queues = new Map<string, Record<string, Activity>>();
  const add = (taskQueue: string, activities: Record<string, Activity>) => {
    queues.set(taskQueue, { ...queues.get(taskQueue), ...activities });
  };
  for (const job of jobs) {
    const { workflow, round } = job.shape;
    add(round.taskQueue ?? taskQueues.main, {
      [roundName(workflow)]: roundActivity(job, tools.log),
    });
  }
  for (const { shape, drain } of lanes) {
    add(shape.taskQueue, { [roundName(shape.workflow)]: drain });
  }
  for (const { shape, work } of scheduled) {
    add(shape.taskQueue, {
      [roundName(shape.workflow)]: (args: ScheduleArguments) =>
        withProgress((show) => work(args, show)),
    });
  }
  add(taskQueues.main, createOperatorActivities(tools.database, jobs));
  const names = new Set([...queues.values()].flatMap(Object.keys));
  const idle = [...shapes, ...laneShapes, ...scheduleShapes].find(
    ({ workflow }) => !names.has(roundName(workflow)),
  );
  if (idle) throw new Error(`No activity does the work of ${idle.workflow}: add it to createWork.`);
  return queues;
}
