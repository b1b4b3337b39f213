import type { JobShape, UpdateShape } from '../src/platform/jobs/shape.ts';
import { highestRate } from '../src/platform/replays/rules.ts';
import { maxUploadItems } from '../src/operations/runs/rules.ts';
import { taskQueues } from '../src/platform/temporal/task-queues.ts';

// Each background job of a row. docs/add-a-job.md shows one whole: its work is in activities/.

function withReason(does: string): UpdateShape {
  return { description: `${does}: {"operator": "<name>", "reason": "…"}`, needsReason: true };
}

/**
 * Lives as long as its template is scheduled, launched or paused: launches and expires it on time,
 * moves its journeys after a change of the template, and shows the numbers of the campaign.
 */
export const templateJob = {
  name: 'template',
  workflow: 'runTemplate',
  idPrefix: 'template',
  summary: 'Launch, campaign and expiry of a template',
  resource: (id: string) => `/v2/partner/templates/${id}`,
  round: {
    summary: 'Apply what is due to the template, move its journeys, and read what comes next',
    longestPause: '5 seconds',
  },
  cancel: { instead: 'To stop a launch, unschedule the template in the API.' },
  updates: {
    pause: withReason('Pause enrollments and sends; the deadline still applies'),
    resume: withReason('Resume a paused template'),
    launchNow: withReason('Launch a complete template now'),
    expireNow: withReason('Expire a template before its deadline'),
  },
  attribute: 'templateId',
  isRequested: true,
} as const satisfies JobShape;

/**
 * Shows one journey for as long as somebody watches it, or for as long as a step of it is overdue.
 * It only reads: the lanes run the journey, watched or not.
 */
export const journeyJob = {
  name: 'journey',
  workflow: 'watchJourney',
  idPrefix: 'journey',
  summary: 'A journey that is watched, or overdue',
  resource: (id: string) => `/v2/partner/journeys/${id}`,
  round: {
    summary: 'Read the journey',
    longestPause: '1 minute',
  },
  cancel: { instead: 'To end a watch, delete it in the API.' },
  isRequested: true,
} as const satisfies JobShape;

/**
 * Owns every delivery of a failing subscription: its retries, its circuit breaker, and its pending
 * deliveries when it is disabled. It ends when no delivery waits; the lanes continue then.
 */
export const webhookRecoveryJob = {
  name: 'webhook_recovery',
  workflow: 'recoverWebhookSubscription',
  idPrefix: 'webhook-recovery',
  summary: 'Retries of a webhook subscription in trouble',
  resource: (id: string) => `/v2/partner/webhook-subscriptions/${id}`,
  round: {
    summary: 'Send the deliveries that are due, and read when the next attempt is',
    taskQueue: taskQueues.recoveries,
    startToCloseTimeout: '10 minutes',
    // Longer than the slowest round of attempts, which is the timeout of one.
    heartbeatTimeout: '40 seconds',
    longestPause: '5 seconds',
  },
  cancel: { instead: 'To stop retries, set the subscription inactive in the API.' },
  updates: {
    retryNow: { description: 'Attempt all that waits now: {"operator": "<name>"}' },
    pauseDelivery: {
      description: 'Hold attempts back: {"operator": "<name>", "seconds": 3600}',
      numbers: { seconds: { least: 60, most: 86_400, usual: 3_600 } },
    },
    resumeDelivery: { description: 'End the pause: {"operator": "<name>"}' },
  },
  attribute: 'subscriptionId',
} as const satisfies JobShape;

/** Replays deliveries of a subscription at the rate of the request: lanes or recovery send them. */
export const webhookReplayJob = {
  name: 'webhook_replay',
  workflow: 'replayWebhooks',
  idPrefix: 'webhook-replay',
  summary: 'Replay of webhook deliveries',
  resource: (id: string) => `/v2/partner/webhook-subscriptions/{id}/replays/${id}`,
  round: {
    summary: 'Replay what the rate allows for some seconds',
    taskQueue: taskQueues.replays,
  },
  cancel: 'row',
  updates: {
    setRate: {
      description: 'Change the rate: {"operator": "<name>", "ratePerSecond": 50}',
      numbers: { ratePerSecond: { least: 1, most: highestRate } },
    },
  },
  isRequested: true,
  isPinned: true,
} as const satisfies JobShape;

/** Replays callbacks of a receiver at the rate of the request, and ends with the replay. */
export const inboundReplayJob = {
  ...webhookReplayJob,
  name: 'inbound_replay',
  workflow: 'replayInbound',
  idPrefix: 'inbound-replay',
  summary: 'Replay of callbacks that came in before',
  resource: (id: string) => `/v2/webhooks/inbound/{receiver_id}/replays/${id}`,
} as const satisfies JobShape;

/**
 * Retries callbacks of one receiver that could not be applied, and confirms topics. It ends when no
 * callback waits. A callback whose last attempt failed stays failed, and can be replayed.
 */
export const inboundJob = {
  name: 'inbound',
  workflow: 'projectInbound',
  idPrefix: 'inbound',
  summary: 'Callbacks of a receiver that could not be applied',
  resource: (id: string) => `/v2/partner/incoming-webhook-receivers/${id}`,
  round: {
    summary: 'Apply the callbacks that are due, and read what comes next',
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '30 seconds',
  },
  cancel: { instead: 'To stop attempts, delete the receiver in the API.' },
  attribute: 'receiverId',
} as const satisfies JobShape;

/**
 * Applies an operation to the items of a run. It waits for its turn among the runs of the team,
 * resumes after the loss of a worker, and ends with the run.
 */
export const operationRunJob = {
  name: 'operation_run',
  workflow: 'runOperation',
  idPrefix: 'operation',
  summary: 'Execution of an integration operation',
  resource: (id: string) => `/v2/ipaas/executions/${id}`,
  round: {
    summary: 'Apply items for some seconds',
    taskQueue: taskQueues.operations,
  },
  cancel: 'row',
  updates: {
    skipItem: {
      description:
        'Leave out an item that is not yet applied, by its index from 0: ' +
        '{"operator": "<name>", "index": 17}',
      numbers: { index: { least: 0, most: maxUploadItems - 1 } },
    },
  },
  isRequested: true,
  isPinned: true,
} as const satisfies JobShape;

/** The same work for a batch, under ids of its own. */
export const batchJob = {
  ...operationRunJob,
  name: 'batch',
  idPrefix: 'batch',
  summary: 'Batch of an integration operation',
  resource: (id: string) => `/v2/batch/operations/${id}`,
} as const satisfies JobShape;

/** Writes the file of an export in parts, and resumes after the loss of a worker. */
export const exportJob = {
  name: 'export',
  workflow: 'writeExport',
  idPrefix: 'export',
  summary: 'File of an export',
  resource: (id: string) => `/v2/partner/exports/${id}`,
  round: {
    summary: 'Write parts of the file for some seconds',
    taskQueue: taskQueues.operations,
  },
  cancel: 'row',
  isRequested: true,
  isPinned: true,
} as const satisfies JobShape;

/** Erases the remaining copies of the erased contacts of a team, and ends when none is left. */
export const erasureJob = {
  name: 'erasure',
  workflow: 'eraseCopies',
  idPrefix: 'erasure',
  summary: 'Copies of contacts that were erased',
  resource: () => '/v2/partner/contact-erasures',
  round: {
    summary: 'Erase the copies of erased contacts',
    taskQueue: taskQueues.operations,
    startToCloseTimeout: '1 hour',
    longestPause: '1 minute',
  },
  cancel: { instead: 'An erasure cannot be stopped.' },
} as const satisfies JobShape;

/**
 * Evaluates a cohort after a change of its definition and by its schedule. It ends when no
 * evaluation is upcoming.
 */
export const cohortJob = {
  name: 'cohort',
  workflow: 'refreshCohort',
  idPrefix: 'cohort',
  summary: 'Evaluation of a cohort by its schedule',
  resource: (id: string) => `/v2/partner/cohorts/${id}`,
  round: {
    summary: 'Evaluate the cohort if that is due, and read when it is next',
    taskQueue: taskQueues.cohorts,
  },
  cancel: { instead: 'To stop evaluations, remove the schedule of the cohort in the API.' },
  attribute: 'cohortId',
  isRequested: true,
} as const satisfies JobShape;

/**
 * Verifies a sending domain by its DNS records, and checks them again for as long as it exists: a
 * domain whose ownership record disappears fails, and is verified again once the record is back.
 */
export const sendingDomainJob = {
  name: 'sending_domain',
  workflow: 'verifySendingDomain',
  idPrefix: 'sending-domain',
  summary: 'Verification of a sending domain',
  resource: (id: string) => `/v2/partner/sending-domains/${id}`,
  round: {
    summary: 'Look up the DNS records if that is due',
    longestPause: '1 minute',
  },
  cancel: { instead: 'To end the checks, delete the sending domain in the API.' },
  isRequested: true,
} as const satisfies JobShape;

/**
 * Fetches a file from the server of a partner. It waits until each attempt is due, and ends when
 * the import has begun or the fetch has failed.
 */
export const fileFetchJob = {
  name: 'file_fetch',
  workflow: 'fetchFile',
  idPrefix: 'file-fetch',
  summary: 'Fetch of a file from a server of a partner',
  resource: (id: string) => `/v2/partner/sftp-uploads/${id}`,
  round: {
    summary: 'Fetch the file, or read when that is due',
    taskQueue: taskQueues.fetches,
    startToCloseTimeout: '40 minutes',
  },
  cancel: { instead: 'To stop a fetch, set the file source inactive in the API.' },
} as const satisfies JobShape;

/** Tests the login of a file source, after those of the team's other sources. */
export const fileSourceTestJob = {
  name: 'file_source_test',
  workflow: 'testFileSource',
  idPrefix: 'file-source-test',
  summary: 'Test of the login of a file source',
  resource: (id: string) => `/v2/partner/file-sources/${id}`,
  round: {
    summary: 'Log in to the server of the source',
    taskQueue: taskQueues.fetches,
  },
  cancel: { instead: 'A test ends by itself.' },
  isRequested: true,
} as const satisfies JobShape;

/** Tests the login of a sending provider, after those of the team's other providers. */
export const sendingProviderTestJob = {
  name: 'sending_provider_test',
  workflow: 'testSendingProvider',
  idPrefix: 'sending-provider-test',
  summary: 'Test of the login of a sending provider',
  resource: (id: string) => `/v2/partner/sending-providers/${id}`,
  round: {
    summary: 'Log in to the provider',
    taskQueue: taskQueues.fetches,
  },
  cancel: { instead: 'A test ends by itself.' },
  isRequested: true,
} as const satisfies JobShape;

export const jobs: readonly JobShape[] = [
  templateJob,
  journeyJob,
  webhookRecoveryJob,
  webhookReplayJob,
  inboundReplayJob,
  inboundJob,
  operationRunJob,
  batchJob,
  exportJob,
  erasureJob,
  cohortJob,
  sendingDomainJob,
  fileFetchJob,
  fileSourceTestJob,
  sendingProviderTestJob,
];
