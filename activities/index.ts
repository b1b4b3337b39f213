import type { Keyring } from '../src/platform/auth/keyring.ts';
import type {
  InboundConfig,
  OperationsConfig,
  SendingConfig,
  WebhookConfig,
} from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Clock } from '../src/platform/database/clock.ts';
import type { WorkListener } from '../src/platform/database/notify.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import type { CopyEraser } from '../src/contacts/contact-erasures/sweeping/eraser.ts';
import { createOperatorActivities } from './act-for-operator.ts';
import { createCancelActivities } from './cancel-rows.ts';
import { createLaneActivities } from './deliver-webhooks.ts';
import { createFetchActivities } from './fetch-file.ts';
import { createCohortLaneActivities } from './follow-cohort-changes.ts';
import { createErasureActivities } from './erase-copies.ts';
import { createMaintenanceActivities } from './maintain.ts';
import { createJourneyActivities } from './move-journeys.ts';
import { createInboundActivities } from './project-inbound.ts';
import { createRollupActivities } from './keep-rollups.ts';
import { createRecoveryActivities } from './recover-webhook-subscription.ts';
import { createJourneyLaneActivities } from './run-journeys.ts';
import { createOperationActivities } from './run-operation.ts';
import { createCohortActivities } from './refresh-cohort.ts';
import { createTemplateActivities } from './run-template.ts';
import { createAnswerActivities } from './refresh-insight-cache.ts';
import { createReplayActivities } from './replay-inbound.ts';
import { createWebhookReplayActivities } from './replay-webhooks.ts';
import { createAuditActivities } from './seal-audit-trail.ts';
import { createAttemptRecorder } from '../src/webhooks/dispatch/attempt-recorder.ts';
import { createFailureCounters } from '../src/webhooks/dispatch/failure-counters.ts';
import { haltedOf } from '../src/messaging/send-queue/provider-pool.ts';
import type { ProviderPool } from '../src/messaging/send-queue/provider-pool.ts';
import type { StoredProvider } from '../src/messaging/sending-providers/queries.ts';
import { createSender } from '../src/webhooks/dispatch/webhook-sender.ts';
import { createProviderTestActivities } from './test-sending-provider.ts';
import { createDomainActivities } from './verify-sending-domain.ts';
import { createWatchActivities } from './watch-journey.ts';
import { createExportActivities } from './write-export.ts';

export interface ActivityDependencies {
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

/** Activities by the queue that runs them. */
export function createActivities(dependencies: ActivityDependencies) {
  const sender = createSender(dependencies);
  const counters = createFailureCounters(dependencies);
  const recorder = createAttemptRecorder(dependencies.database, counters, dependencies.log);
  const cohorts = createCohortActivities(dependencies);
  const { providers, clock } = dependencies;
  const halted = (rows: readonly StoredProvider[]) => haltedOf(providers, rows, clock.now());
  return {
    main: {
      ...createTemplateActivities({ ...dependencies, halted }),
      ...createJourneyActivities(dependencies),
      // For evaluations that were scheduled before they had their own task queue.
      ...cohorts,
      ...createCohortLaneActivities(dependencies),
      ...createAuditActivities(dependencies),
      ...createCancelActivities(dependencies),
      ...createOperatorActivities(dependencies),
      ...createWatchActivities(dependencies),
      ...createDomainActivities(dependencies),
      ...createRollupActivities(dependencies),
      ...createAnswerActivities(dependencies),
      ...createInboundActivities({ ...dependencies, ...dependencies.inbound }),
    },
    cohorts,
    journeys: createJourneyLaneActivities(dependencies),
    maintenance: createMaintenanceActivities(dependencies),
    lanes: createLaneActivities({ ...dependencies, sender, recorder }),
    recoveries: createRecoveryActivities({ ...dependencies, sender, recorder, counters }),
    replays: {
      ...createReplayActivities(dependencies),
      ...createWebhookReplayActivities(dependencies),
    },
    fetches: {
      ...createFetchActivities({ ...dependencies, ...dependencies.inbound }),
      ...createProviderTestActivities(dependencies),
    },
    operations: {
      ...createOperationActivities({ ...dependencies, ...dependencies.operations }),
      ...createErasureActivities(dependencies),
      ...createExportActivities({ ...dependencies, ...dependencies.operations }),
    },
  };
}
