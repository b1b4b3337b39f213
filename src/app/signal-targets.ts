import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import type { SignaledWorkflow } from '../platform/temporal/signal-workflow.ts';
import { inboundChanged, inboundWorkflowId } from '../../workflows/project-inbound.ts';
import {
  recoveryChanged,
  recoveryWorkflowId,
} from '../../workflows/recover-webhook-subscription.ts';
import { cohortChanged, cohortWorkflowId } from '../../workflows/refresh-cohort.ts';
import { replayChanged, replayWorkflowId } from '../../workflows/replay-inbound.ts';
import { webhookReplayChanged, webhookReplayWorkflowId } from '../../workflows/replay-webhooks.ts';
import {
  batchWorkflowId,
  operationChanged,
  operationWorkflowId,
} from '../../workflows/run-operation.ts';
import { templateChanged, templateWorkflowId } from '../../workflows/run-template.ts';
import { journeyWorkflowId, watchChanged } from '../../workflows/watch-journey.ts';
import { sourceTestRequested, sourceTestWorkflowId } from '../../workflows/test-file-source.ts';
import {
  providerTestRequested,
  providerTestWorkflowId,
} from '../../workflows/test-sending-provider.ts';
import { fetchChanged, fetchWorkflowId } from '../../workflows/fetch-file.ts';
import { erasureChanged, erasureWorkflowId } from '../../workflows/erase-copies.ts';
import {
  sendingDomainChanged,
  sendingDomainWorkflowId,
} from '../../workflows/verify-sending-domain.ts';
import { exportChanged, exportWorkflowId } from '../../workflows/write-export.ts';

/** A workflow of one row: the id of the row is the key of its outbox entries. */
interface SignalTarget {
  type: string;
  idOf(key: string): string;
  /** Name of the key in its arguments. */
  keyName: string;
  signal: string;
  summary: string;
  /** Path of the resource in the API. */
  resource(key: string): string;
  /** Whether a request started it, which the audit trail then names. */
  isRequested?: true;
  /** Search attribute for operators, in addition to the team. */
  attribute?: (typeof searchAttributes)['teamId'];
}

/** Each signaled workflow, by its name in `workflow_outbox`. */
export const signalTargets: Readonly<Record<SignaledWorkflow, SignalTarget>> = {
  webhook_recovery: {
    type: 'recoverWebhookSubscription',
    idOf: recoveryWorkflowId,
    keyName: 'subscriptionId',
    signal: recoveryChanged.name,
    summary: 'Retries of a webhook subscription in trouble',
    resource: (id) => `/v2/partner/webhook-subscriptions/${id}`,
    attribute: searchAttributes.subscriptionId,
  },
  template: {
    type: 'runTemplate',
    idOf: templateWorkflowId,
    keyName: 'templateId',
    signal: templateChanged.name,
    summary: 'Launch, campaign and expiry of a template',
    resource: (id) => `/v2/partner/templates/${id}`,
    attribute: searchAttributes.templateId,
  },
  journey: {
    type: 'watchJourney',
    idOf: journeyWorkflowId,
    keyName: 'journeyId',
    signal: watchChanged.name,
    summary: 'A journey that is watched, or overdue',
    resource: (id) => `/v2/partner/journeys/${id}`,
    isRequested: true,
  },
  cohort: {
    type: 'refreshCohort',
    idOf: cohortWorkflowId,
    keyName: 'cohortId',
    signal: cohortChanged.name,
    summary: 'Evaluation of a cohort by its schedule',
    resource: (id) => `/v2/partner/cohorts/${id}`,
    attribute: searchAttributes.cohortId,
  },
  sending_domain: {
    type: 'verifySendingDomain',
    idOf: sendingDomainWorkflowId,
    keyName: 'domainId',
    signal: sendingDomainChanged.name,
    summary: 'Verification of a sending domain',
    resource: (id) => `/v2/partner/sending-domains/${id}`,
  },
  export: {
    type: 'writeExport',
    idOf: exportWorkflowId,
    keyName: 'exportId',
    signal: exportChanged.name,
    summary: 'File of an export',
    resource: (id) => `/v2/partner/exports/${id}`,
    isRequested: true,
  },
  file_fetch: {
    type: 'fetchFile',
    idOf: fetchWorkflowId,
    keyName: 'uploadId',
    signal: fetchChanged.name,
    summary: 'Fetch of a file from a server of a partner',
    resource: (id) => `/v2/partner/sftp-uploads/${id}`,
  },
  file_source_test: {
    type: 'testFileSource',
    idOf: sourceTestWorkflowId,
    keyName: 'sourceId',
    signal: sourceTestRequested.name,
    summary: 'Test of the login of a file source',
    resource: (id) => `/v2/partner/file-sources/${id}`,
  },
  sending_provider_test: {
    type: 'testSendingProvider',
    idOf: providerTestWorkflowId,
    keyName: 'providerId',
    signal: providerTestRequested.name,
    summary: 'Test of the login of a sending provider',
    resource: (id) => `/v2/partner/sending-providers/${id}`,
  },
  erasure: {
    type: 'eraseCopies',
    idOf: erasureWorkflowId,
    keyName: 'teamId',
    signal: erasureChanged.name,
    summary: 'Copies of contacts that were erased',
    resource: () => '/v2/partner/contact-erasures',
  },
  inbound: {
    type: 'projectInbound',
    idOf: inboundWorkflowId,
    keyName: 'receiverId',
    signal: inboundChanged.name,
    summary: 'Callbacks of a receiver that could not be applied',
    resource: (id) => `/v2/partner/incoming-webhook-receivers/${id}`,
    attribute: searchAttributes.receiverId,
  },
  inbound_replay: {
    type: 'replayInbound',
    idOf: replayWorkflowId,
    keyName: 'replayId',
    signal: replayChanged.name,
    summary: 'Replay of callbacks that came in before',
    resource: (id) => `/v2/webhooks/inbound/{receiver_id}/replays/${id}`,
    isRequested: true,
  },
  webhook_replay: {
    type: 'replayWebhooks',
    idOf: webhookReplayWorkflowId,
    keyName: 'replayId',
    signal: webhookReplayChanged.name,
    summary: 'Replay of webhook deliveries',
    resource: (id) => `/v2/partner/webhook-subscriptions/{id}/replays/${id}`,
    isRequested: true,
  },
  operation_run: {
    type: 'runOperation',
    idOf: operationWorkflowId,
    keyName: 'runId',
    signal: operationChanged.name,
    summary: 'Execution of an integration operation',
    resource: (id) => `/v2/ipaas/executions/${id}`,
    isRequested: true,
  },
  batch: {
    type: 'runOperation',
    idOf: batchWorkflowId,
    keyName: 'runId',
    signal: operationChanged.name,
    summary: 'Batch of an integration operation',
    resource: (id) => `/v2/batch/operations/${id}`,
    isRequested: true,
  },
};
