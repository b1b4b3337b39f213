import { Type } from 'typebox';
import { BatchOperation } from '../operations/batch/batch-operation.ts';
import { DeprecationNotice, deprecatedItem } from '../platform/http/deprecation.ts';
import type { DeprecatedItem } from '../platform/http/deprecation.ts';
import { Id } from '../platform/schema/fields.ts';
import { InboundReplay } from '../inbound/replays/inbound-replay.ts';
import { OperationExecution } from '../operations/ipaas/executions/operation-execution.ts';
import { Account } from '../contacts/accounts/account.ts';
import { Cohort, CohortMember } from '../cohorts/cohort.ts';
import { ErasedContact } from '../contacts/contact-erasures/contact-erasure.ts';
import { Contact } from '../contacts/contact.ts';
import { EngagementEvent } from '../engagement/engagement-events/engagement-event.ts';
import { ObjectiveCompletion } from '../engagement/objectives/completions/completion.ts';
import { IncomingWebhookReceiver } from '../inbound/incoming-webhook-receivers/incoming-webhook-receiver.ts';
import { Journey } from '../journeys/journey.ts';
import { MessageDelivery } from '../messaging/message-deliveries/message-delivery.ts';
import { LandingPage } from '../campaigns/landing-pages/landing-page.ts';
import { SftpCredential } from '../operations/sftp-credentials/sftp-credential.ts';
import { SftpUpload } from '../operations/sftp-uploads/sftp-upload.ts';
import { FailedTemplate, Template } from '../campaigns/templates/template.ts';
import { User } from '../team/users/user.ts';
import { WebhookSubscription } from '../webhooks/webhook-subscriptions/webhook-subscription.ts';
import { eventType, replacedEventType } from './event-type.ts';
import type { EventType } from './event-type.ts';

const Ping = Type.Object({
  id: Id('The subscription'),
  type: Type.Literal('webhook_subscription'),
});

const added = { since: '2026-11-25' };
const renamed = {
  deprecated_at: '2026-11-25T00:00:00.000Z',
  sunset_at: '2027-11-25T00:00:00.000Z',
  reason:
    'Each terminal state has an event of its own. Subscribe to .succeeded, .partially_succeeded ' +
    'and .canceled instead of .completed.',
};

/** Every outbound event type; adding one here is all it takes. ADR 32. */
export const eventTypes = {
  'contact.created': eventType('A contact was created.', Contact),
  'contact.updated': eventType('A contact was changed.', Contact, { previous: true }),
  'contact.deleted': eventType('A contact was archived.', Contact),
  'contact.merged': eventType(
    'A contact was merged into the one that merged_into_id names, and is archived.',
    Contact,
  ),
  'contact.erased': eventType('A contact was erased; only its id is left.', ErasedContact),
  'contact.consent_changed': eventType('A consent was given or taken back.', Contact, {
    previous: true,
  }),
  'contact.suppressed': eventType(
    'Nothing is sent any more to a contact, or to its address.',
    Contact,
    { previous: true },
  ),
  'account.created': eventType('An account was created.', Account),
  'account.updated': eventType('An account was changed or reopened.', Account, { previous: true }),
  'account.opened': eventType('An account was opened.', Account, { previous: true }),
  'account.closed': eventType('An account was closed.', Account, { previous: true }),
  'objective.completed': eventType('A contact completed an objective.', ObjectiveCompletion),
  'objective.voided': eventType('A completion was voided.', ObjectiveCompletion, {
    previous: true,
  }),
  'template.created': eventType('A template was created, or made as a copy.', Template),
  'template.updated': eventType(
    'A template was changed, unscheduled or unlocked, or its pages or messages were.',
    Template,
    { previous: true },
  ),
  'template.scheduled': eventType('A template was given a time to launch.', Template),
  'template.launched': eventType('A template was launched.', Template),
  'template.launch_failed': eventType(
    'The time to launch came, but the template was not complete; it is a draft again.',
    FailedTemplate,
  ),
  'template.paused': eventType('A template was paused.', Template),
  'template.resumed': eventType('A paused template was resumed.', Template),
  'template.expired': eventType('A template expired, by its deadline or by request.', Template),
  'template.archived': eventType('A template was archived.', Template),
  'template.unarchived': eventType('A template was taken out of the archive.', Template),
  'template.locked': eventType('A template was locked against edits.', Template),
  'journey.enrolled': eventType('A contact was enrolled in a template.', Journey),
  'journey.started': eventType('A journey has begun: its first steps are known.', Journey),
  'journey.completed': eventType('A journey ended with its objectives completed.', Journey),
  'journey.exited': eventType('A journey ended before; exit_reason says why.', Journey),
  'journey.expired': eventType('A journey ended with its template.', Journey),
  'journey.canceled': eventType('A journey was canceled by a client.', Journey),
  'journey.failed': eventType('A journey ended since it cannot go on.', Journey),
  'user.invited': eventType(
    'A user was invited, invited again, or is invited again after a suspension.',
    User,
  ),
  'user.activated': eventType('A user signed in for the first time, or was reactivated.', User),
  'user.updated': eventType('The address, name or role of a user was changed.', User, {
    previous: true,
  }),
  'user.suspended': eventType('A user was suspended.', User),
  'user.deleted': eventType('A user was deleted.', User),
  'landing_page.created': eventType('A landing page was created, or made as a copy.', LandingPage),
  'landing_page.updated': eventType(
    'A landing page was changed, or taken out of the archive.',
    LandingPage,
    { previous: true },
  ),
  'landing_page.published': eventType('A landing page was published, or again.', LandingPage),
  'landing_page.unpublished': eventType('A landing page was taken down.', LandingPage),
  'landing_page.archived': eventType('A landing page was archived.', LandingPage),
  'cohort.created': eventType('A cohort was created.', Cohort, added),
  'cohort.updated': eventType('A cohort was changed, or taken out of the archive.', Cohort, {
    ...added,
    previous: true,
  }),
  'cohort.archived': eventType('A cohort was archived.', Cohort, added),
  'cohort.evaluated': eventType(
    'The members of a dynamic cohort were found anew; the counts tell how many there are.',
    Cohort,
  ),
  'cohort.member_added': eventType(
    'A contact has come to a cohort. Sent to subscriptions that name this type in full.',
    CohortMember,
    { isOptIn: true },
  ),
  'cohort.member_removed': eventType(
    'A contact has left a cohort. Sent to subscriptions that name this type in full.',
    CohortMember,
    { isOptIn: true },
  ),
  'sftp_credentials.created': eventType('SFTP credentials were made.', SftpCredential),
  'sftp.file_uploaded': eventType(
    'A file came whole by SFTP, and its import is in the queue.',
    SftpUpload,
  ),
  'sftp.file_upload_failed': eventType(
    'A file that came by SFTP was not taken, or its import failed as a whole; error says why.',
    SftpUpload,
  ),
  'message.sent': eventType('A provider took a message.', MessageDelivery, { previous: true }),
  'message.delayed': eventType('A provider tries a message again.', MessageDelivery, {
    previous: true,
  }),
  'message.delivered': eventType('A message was delivered.', MessageDelivery, { previous: true }),
  'message.bounced': eventType('A message came back.', MessageDelivery, { previous: true }),
  'message.failed': eventType('A message could not be sent.', MessageDelivery, { previous: true }),
  'message.skipped': eventType(
    'A message is not sent to a contact; skip_reason says why.',
    MessageDelivery,
    { ...added, previous: true },
  ),
  'message.opened': eventType('A person opened a message.', MessageDelivery, { previous: true }),
  'message.clicked': eventType('A person followed a link of a message.', MessageDelivery, {
    previous: true,
  }),
  'message.complained': eventType('A recipient called a message unwanted.', MessageDelivery, {
    previous: true,
  }),
  'message.unsubscribed': eventType('A recipient unsubscribed by a message.', MessageDelivery, {
    previous: true,
  }),
  'widget.submitted': eventType(
    'Somebody sent what a widget or a landing page asks for: a form, a choice or an enrollment.',
    EngagementEvent,
  ),
  'incoming_webhook_receiver.signature_failing': eventType(
    'The proofs of ten calls in a row were refused; the receiver stays on.',
    IncomingWebhookReceiver,
  ),
  'incoming_webhook_receiver.disabled': eventType(
    'A receiver was switched off by a client; calls answer 410 from then on.',
    IncomingWebhookReceiver,
    added,
  ),
  'inbound_replay.completed': eventType(
    'A replay of what came in at a receiver went through.',
    InboundReplay,
  ),
  'batch_operation.started': eventType(
    'A batch with notify_webhook has begun: a worker reads or applies its items.',
    BatchOperation,
    added,
  ),
  'batch_operation.succeeded': eventType(
    'A batch with notify_webhook has ended, and no item failed.',
    BatchOperation,
    added,
  ),
  'batch_operation.partially_succeeded': eventType(
    'A batch with notify_webhook has ended, and some of its items failed.',
    BatchOperation,
    added,
  ),
  'batch_operation.failed': eventType(
    'A batch with notify_webhook failed as a whole, or every item did.',
    BatchOperation,
  ),
  'batch_operation.canceled': eventType(
    'A batch with notify_webhook was canceled; what was applied stays.',
    BatchOperation,
    added,
  ),
  'batch_operation.completed': replacedEventType(
    'A batch with notify_webhook has ended: succeeded, with errors, or canceled.',
    BatchOperation,
    [
      'batch_operation.succeeded',
      'batch_operation.partially_succeeded',
      'batch_operation.canceled',
    ],
    renamed,
  ),
  'operation_execution.started': eventType(
    'An execution has begun: a worker applies its items.',
    OperationExecution,
    added,
  ),
  'operation_execution.succeeded': eventType(
    'An execution has ended, and no item failed.',
    OperationExecution,
    added,
  ),
  'operation_execution.partially_succeeded': eventType(
    'An execution has ended, and some of its items failed.',
    OperationExecution,
    added,
  ),
  'operation_execution.failed': eventType(
    'An execution failed as a whole, or every item did.',
    OperationExecution,
  ),
  'operation_execution.canceled': eventType(
    'An execution was canceled; what was applied stays.',
    OperationExecution,
    added,
  ),
  'operation_execution.completed': replacedEventType(
    'An execution has ended: succeeded, with errors, or canceled.',
    OperationExecution,
    [
      'operation_execution.succeeded',
      'operation_execution.partially_succeeded',
      'operation_execution.canceled',
    ],
    renamed,
  ),
  'team.deprecation_notice': eventType(
    'The team uses a part of the interface that is deprecated. Sent once for each such part.',
    DeprecationNotice,
    added,
  ),
  'webhook.ping': eventType('A test of one subscription, sent to it alone.', Ping),
  'webhook_subscription.failing': eventType(
    'Deliveries of another subscription of the team keep failing.',
    WebhookSubscription,
  ),
  'webhook_subscription.disabled': eventType(
    'Another subscription of the team was disabled for its failures.',
    WebhookSubscription,
  ),
  'webhook_subscription.enabled': eventType(
    'A disabled subscription was enabled again by a client.',
    WebhookSubscription,
  ),
  'webhook_subscription.recovered': eventType(
    'Another subscription of the team takes deliveries again.',
    WebhookSubscription,
  ),
} as const satisfies Record<string, EventType>;

export type EventName = keyof typeof eventTypes;

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventTypes, name);
}

/** An event type as an element of lists of deprecated parts; undefined where it is none. */
function deprecatedEventType(name: EventName): DeprecatedItem | undefined {
  const { deprecation }: EventType = eventTypes[name];
  return deprecation && deprecatedItem('event_type', name, { event_type: name }, deprecation);
}

export function deprecatedEventTypes(): DeprecatedItem[] {
  const items = Object.keys(eventTypes).filter(isEventName).map(deprecatedEventType);
  return items.filter((item) => item !== undefined);
}

const replacedNames = new Map(
  Object.keys(eventTypes)
    .filter(isEventName)
    .flatMap((old) => {
      const { replacedBy = [] }: EventType = eventTypes[old];
      return replacedBy.map((name) => [name, old] as const);
    }),
);

/** The name that an event type has replaced and that some subscriptions still list. */
export function replacedNameOf(name: EventName): EventName | undefined {
  return replacedNames.get(name);
}
