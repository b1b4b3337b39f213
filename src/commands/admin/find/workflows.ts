import { jobId } from '../../../platform/jobs/shape.ts';
import type { JobShape } from '../../../platform/jobs/shape.ts';
import {
  batchJob,
  cohortJob,
  erasureJob,
  exportJob,
  fileFetchJob,
  fileSourceTestJob,
  inboundJob,
  inboundReplayJob,
  journeyJob,
  operationRunJob,
  sendingDomainJob,
  sendingProviderTestJob,
  templateJob,
  webhookRecoveryJob,
  webhookReplayJob,
} from '../../../../workflows/jobs.ts';
import { journeyLane } from '../../../../workflows/lanes.ts';
import type { FoundRow, Kind } from './queries.ts';

/** Jobs of the row itself. */
const ownJob: Readonly<Partial<Record<Kind, JobShape>>> = {
  template: templateJob,
  journey: journeyJob,
  webhook_subscription: webhookRecoveryJob,
  webhook_replay: webhookReplayJob,
  cohort: cohortJob,
  export: exportJob,
  file_source: fileSourceTestJob,
  sftp_upload: fileFetchJob,
  receiver: inboundJob,
  inbound_replay: inboundReplayJob,
  sending_domain: sendingDomainJob,
  sending_provider: sendingProviderTestJob,
};

/** Ids of the workflows that move a row. */
export function workflowsOf(kind: Kind, row: FoundRow): string[] {
  const { id, team_id: teamId, related, facts } = row;
  const { [kind]: own } = ownJob;
  const lane = typeof facts['lane'] === 'number' ? [jobId(journeyLane, String(facts['lane']))] : [];
  switch (kind) {
    case 'operation_run':
      return [jobId(facts['surface'] === 'batch' ? batchJob : operationRunJob, id)];
    case 'contact_erasure':
      return [jobId(erasureJob, teamId)];
    case 'webhook_delivery': {
      const { webhook_subscription: subscription } = related;
      return subscription && facts['in_recovery'] === true
        ? [jobId(webhookRecoveryJob, subscription)]
        : [];
    }
    case 'inbound_delivery': {
      const { receiver } = related;
      return receiver ? [jobId(inboundJob, receiver)] : [];
    }
    case 'message_delivery': {
      const { journey } = related;
      return [...(journey ? [jobId(journeyJob, journey)] : []), ...lane];
    }
    default:
      return [...(own ? [jobId(own, id)] : []), ...lane];
  }
}

/** A query of the Temporal UI for workflows that have the row in a search attribute. */
export function queryOf(kind: Kind, { id, related }: FoundRow): string | undefined {
  switch (kind) {
    case 'team':
      return `TeamId="${id}"`;
    case 'template':
      return `TemplateId="${id}"`;
    case 'journey':
    case 'message_delivery':
      return related['template'] ? `TemplateId="${related['template']}"` : undefined;
    case 'webhook_subscription':
      return `SubscriptionId="${id}"`;
    case 'webhook_delivery':
      return related['webhook_subscription']
        ? `SubscriptionId="${related['webhook_subscription']}"`
        : undefined;
    case 'cohort':
      return `CohortId="${id}"`;
    case 'receiver':
      return `ReceiverId="${id}"`;
    default:
      return undefined;
  }
}

const admin = (words: string) => `npm run admin -- ${words}`;

/** Commands that an operator types next. */
export function commandsOf(kind: Kind, row: FoundRow): string[] {
  const { id, state, team_id: teamId, related } = row;
  const find = Object.values(related).flatMap((one) =>
    one === null ? [] : [admin(`find ${one}`)],
  );
  switch (kind) {
    case 'team':
      return [
        admin(`requests list --team ${id} --status 5xx`),
        admin(`workflows views --team ${id}`),
      ];
    case 'client':
      return [admin(`requests list --team ${teamId}`), admin(`clients revoke-tokens ${id}`)];
    case 'journey':
      return ['scheduled', 'active', 'paused'].includes(state)
        ? [admin(`journeys watch ${id}`), ...find]
        : find;
    case 'webhook_delivery':
      return [...find, admin(`portal ${teamId}`)];
    case 'webhook_subscription':
      return state === 'failing'
        ? [retryOf(id), admin(`portal ${teamId}`)]
        : [admin(`portal ${teamId}`)];
    default:
      return find;
  }
}

const retryOf = (subscriptionId: string) =>
  `temporal workflow update execute --workflow-id ` +
  `${jobId(webhookRecoveryJob, subscriptionId)} --name retryNow ` +
  `--input '{"operator": "<your name>"}'`;
