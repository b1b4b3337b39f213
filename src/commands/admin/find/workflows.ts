import { signalTargets } from '../../../app/signal-targets.ts';
import type { SignaledWorkflow } from '../../../platform/temporal/signal-workflow.ts';
import { journeyLaneWorkflowId } from '../../../../workflows/run-journeys.ts';
import { journeyWorkflowId } from '../../../../workflows/watch-journey.ts';
import type { FoundRow, Kind } from './queries.ts';

/** Workflows of which the id of the row is the key. */
const ownWorkflow: Readonly<Partial<Record<Kind, SignaledWorkflow>>> = {
  template: 'template',
  journey: 'journey',
  webhook_subscription: 'webhook_recovery',
  webhook_replay: 'webhook_replay',
  cohort: 'cohort',
  export: 'export',
  file_source: 'file_source_test',
  sftp_upload: 'file_fetch',
  receiver: 'inbound',
  inbound_replay: 'inbound_replay',
  sending_domain: 'sending_domain',
  sending_provider: 'sending_provider_test',
};

/** Ids of the workflows that move a row. */
export function workflowsOf(kind: Kind, row: FoundRow): string[] {
  const { id, team_id: teamId, related, facts } = row;
  const idOf = (workflow: SignaledWorkflow, key: string) => signalTargets[workflow].idOf(key);
  const { [kind]: own } = ownWorkflow;
  const lane = typeof facts['lane'] === 'number' ? [journeyLaneWorkflowId(facts['lane'])] : [];
  switch (kind) {
    case 'operation_run':
      return [idOf(facts['surface'] === 'batch' ? 'batch' : 'operation_run', id)];
    case 'contact_erasure':
      return [idOf('erasure', teamId)];
    case 'webhook_delivery': {
      const { webhook_subscription: subscription } = related;
      return subscription && facts['in_recovery'] === true
        ? [idOf('webhook_recovery', subscription)]
        : [];
    }
    case 'inbound_delivery': {
      const { receiver } = related;
      return receiver ? [idOf('inbound', receiver)] : [];
    }
    case 'message_delivery': {
      const { journey } = related;
      return [...(journey ? [journeyWorkflowId(journey)] : []), ...lane];
    }
    default:
      return [...(own ? [idOf(own, id)] : []), ...lane];
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
  `${signalTargets.webhook_recovery.idOf(subscriptionId)} --name retryNow ` +
  `--input '{"operator": "<your name>"}'`;
