// Written by `npm run generate -- sdk` from the OpenAPI document.
import type * as S from './schemas.ts';

export interface Events {
  /** A contact was created. */
  'contact.created': { data: S.Contact };

  /** A contact was changed. */
  'contact.updated': { data: S.Contact; previous: { [key: string]: unknown } };

  /** A contact was archived. */
  'contact.deleted': { data: S.Contact };

  /** A contact was merged into the contact in merged_into_id, and archived. */
  'contact.merged': { data: S.Contact };

  /** A contact was erased; only its id remains. */
  'contact.erased': { data: S.ErasedContact };

  /** No copy of an erased contact is left; the event has ids only. */
  'contact_erasure.completed': { data: S.ContactErasure };

  /** A consent was given or withdrawn. */
  'contact.consent_changed': { data: S.Contact; previous: { [key: string]: unknown } };

  /** A consent to a topic was given or withdrawn. */
  'contact.topic_consent_changed': { data: S.ContactTopicConsentsChanged };

  /** A contact or its address was suppressed; nothing more is sent to it. */
  'contact.suppressed': { data: S.Contact; previous: { [key: string]: unknown } };

  /** An account was created. */
  'account.created': { data: S.Account };

  /** An account was changed or reopened. */
  'account.updated': { data: S.Account; previous: { [key: string]: unknown } };

  /** An account was opened. */
  'account.opened': { data: S.Account; previous: { [key: string]: unknown } };

  /** An account was closed. */
  'account.closed': { data: S.Account; previous: { [key: string]: unknown } };

  /** A legal hold was placed on a contact or on the team. */
  'legal_hold.placed': { data: S.LegalHold };

  /** A legal hold was released. */
  'legal_hold.released': { data: S.LegalHold };

  /** A contact completed an objective. */
  'objective.completed': { data: S.ObjectiveCompletion };

  /** A completion was voided. */
  'objective.voided': { data: S.ObjectiveCompletion; previous: { [key: string]: unknown } };

  /** A template was created or duplicated. */
  'template.created': { data: S.Template };

  /** A template, its pages or its messages were changed, or it was unscheduled or unlocked. */
  'template.updated': { data: S.Template; previous: { [key: string]: unknown } };

  /** A template was scheduled to launch. */
  'template.scheduled': { data: S.Template };

  /** A template was launched. */
  'template.launched': { data: S.Template };

  /** A scheduled launch failed because the template was not complete, or its client may launch nothing; it is a draft again. */
  'template.launch_failed': { data: S.FailedTemplate };

  /** A template was paused. */
  'template.paused': { data: S.Template };

  /** A paused template was resumed. */
  'template.resumed': { data: S.Template };

  /** A template expired, at its deadline or by a request. */
  'template.expired': { data: S.Template };

  /** A template was archived. */
  'template.archived': { data: S.Template };

  /** A template was unarchived. */
  'template.unarchived': { data: S.Template };

  /** A template was locked against edits. */
  'template.locked': { data: S.Template };

  /** A contact was enrolled in a template. */
  'journey.enrolled': { data: S.Journey };

  /** A journey started; its first steps are planned. */
  'journey.started': { data: S.Journey };

  /** A journey ended with its objectives completed. */
  'journey.completed': { data: S.Journey };

  /** A journey ended early; exit_reason says why. */
  'journey.exited': { data: S.Journey };

  /** A journey ended because its template expired. */
  'journey.expired': { data: S.Journey };

  /** A journey was canceled by a client. */
  'journey.canceled': { data: S.Journey };

  /** A journey failed because it cannot continue. */
  'journey.failed': { data: S.Journey };

  /** A user was invited, or is invited again after a new invitation or a suspension. */
  'user.invited': { data: S.User };

  /** A user signed in for the first time, or was reactivated. */
  'user.activated': { data: S.User };

  /** The address, name or role of a user was changed. */
  'user.updated': { data: S.User; previous: { [key: string]: unknown } };

  /** A user was suspended. */
  'user.suspended': { data: S.User };

  /** A user was deleted. */
  'user.deleted': { data: S.User };

  /** A landing page was created or duplicated. */
  'landing_page.created': { data: S.LandingPage };

  /** A landing page was changed or unarchived. */
  'landing_page.updated': { data: S.LandingPage; previous: { [key: string]: unknown } };

  /** A landing page was published or republished. */
  'landing_page.published': { data: S.LandingPage };

  /** A landing page was unpublished. */
  'landing_page.unpublished': { data: S.LandingPage };

  /** A landing page was archived. */
  'landing_page.archived': { data: S.LandingPage };

  /** A cohort was created. */
  'cohort.created': { data: S.Cohort };

  /** A cohort was changed or unarchived. */
  'cohort.updated': { data: S.Cohort; previous: { [key: string]: unknown } };

  /** A cohort was archived. */
  'cohort.archived': { data: S.Cohort };

  /** A dynamic cohort was evaluated; the counts give the number of its members. */
  'cohort.evaluated': { data: S.Cohort };

  /** A contact became a member of a cohort. Sent only to subscriptions that name this type in full. */
  'cohort.member_added': { data: S.CohortMember };

  /** A contact is no longer a member of a cohort. Sent only to subscriptions that name this type in full. */
  'cohort.member_removed': { data: S.CohortMember };

  /** SFTP credentials were created. */
  'sftp_credentials.created': { data: S.SftpCredential };

  /** A file was uploaded completely and its import was queued. */
  'sftp.file_uploaded': { data: S.SftpUpload };

  /** An uploaded file was rejected, or its import failed as a whole; error says why. */
  'sftp.file_upload_failed': { data: S.SftpUpload };

  /** A provider accepted a message. */
  'message.sent': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A provider delayed a message and retries it. */
  'message.delayed': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A message was delivered. */
  'message.delivered': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A message bounced. */
  'message.bounced': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A message could not be sent. */
  'message.failed': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A message is not sent to a contact; skip_reason says why. */
  'message.skipped': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A recipient opened a message. */
  'message.opened': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A recipient clicked a link of a message. */
  'message.clicked': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A recipient reported a message as spam. */
  'message.complained': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A recipient unsubscribed through a message. */
  'message.unsubscribed': { data: S.MessageDelivery; previous: { [key: string]: unknown } };

  /** A visitor submitted a form, a choice or an enrollment of a widget or landing page. */
  'widget.submitted': { data: S.EngagementEvent };

  /** An event of a type that the team has defined; its type is the name of that type. */
  'custom.*': { data: S.CustomEngagementEvent };

  /** Ten calls in a row failed signature verification; the receiver stays active. */
  'incoming_webhook_receiver.signature_failing': { data: S.IncomingWebhookReceiver };

  /** A receiver was deactivated by a client; later calls get 410. */
  'incoming_webhook_receiver.disabled': { data: S.IncomingWebhookReceiver };

  /** A replay of deliveries of a receiver completed. */
  'inbound_replay.completed': { data: S.InboundReplay };

  /** A replay was canceled by a client, or its receiver was deleted; replayed deliveries stay applied. */
  'inbound_replay.canceled': { data: S.InboundReplay };

  /** A replay failed after many attempts; replayed deliveries stay applied. */
  'inbound_replay.failed': { data: S.InboundReplay };

  /** A batch with notify_webhook started: a worker reads or applies its items. */
  'batch_operation.started': { data: S.BatchOperation };

  /** A batch with notify_webhook has ended, and no item failed. */
  'batch_operation.succeeded': { data: S.BatchOperation };

  /** A batch with notify_webhook has ended, and some of its items failed. */
  'batch_operation.partially_succeeded': { data: S.BatchOperation };

  /** A batch with notify_webhook failed as a whole, or every item did. */
  'batch_operation.failed': { data: S.BatchOperation };

  /** A batch with notify_webhook was canceled; items already applied stay applied. */
  'batch_operation.canceled': { data: S.BatchOperation };

  /** A batch with notify_webhook has ended: succeeded, with errors, or canceled. */
  'batch_operation.completed': { data: S.BatchOperation };

  /** An execution started: a worker applies its items. */
  'operation_execution.started': { data: S.OperationExecution };

  /** An execution has ended, and no item failed. */
  'operation_execution.succeeded': { data: S.OperationExecution };

  /** An execution has ended, and some of its items failed. */
  'operation_execution.partially_succeeded': { data: S.OperationExecution };

  /** An execution failed as a whole, or every item did. */
  'operation_execution.failed': { data: S.OperationExecution };

  /** An execution was canceled; items already applied stay applied. */
  'operation_execution.canceled': { data: S.OperationExecution };

  /** An execution has ended: succeeded, with errors, or canceled. */
  'operation_execution.completed': { data: S.OperationExecution };

  /** The file of an export is complete and can be downloaded. */
  'export.completed': { data: S.EndedExport };

  /** An export failed, and no file is kept; error says why. */
  'export.failed': { data: S.EndedExport };

  /** An export was deleted while it was made, or canceled by an operator; no file is kept. */
  'export.canceled': { data: S.EndedExport };

  /** The team uses a part of the interface that is deprecated. Sent once for each such part. */
  'team.deprecation_notice': { data: S.DeprecationNotice };

  /** The ownership record of a sending domain was found: messages may be sent from it. */
  'sending_domain.verified': { data: S.SendingDomain };

  /** The ownership record of a verified sending domain has disappeared: e-mails from it are skipped. */
  'sending_domain.failed': { data: S.SendingDomain };

  /** A sending provider was added. */
  'sending_provider.created': { data: S.SendingProvider };

  /** The settings or the secret of a sending provider were changed or approved. */
  'sending_provider.updated': { data: S.SendingProvider };

  /** A sending provider was deleted. */
  'sending_provider.deleted': { data: S.SendingProvider };

  /** A sending provider rejects all messages: they are sent through the next one, or wait. */
  'sending_provider.halted': { data: S.SendingProvider };

  /** A sending provider that was halted accepts messages again. */
  'sending_provider.resumed': { data: S.SendingProvider };

  /** A replay has started all of its deliveries over; their attempts follow. */
  'webhook_replay.completed': { data: S.WebhookReplay };

  /** A replay was stopped, or its subscription was switched off; what was started over stays. */
  'webhook_replay.canceled': { data: S.WebhookReplay };

  /** A replay was given up after many attempts; what was started over stays. */
  'webhook_replay.failed': { data: S.WebhookReplay };

  /** A test event, sent to one subscription only. */
  'webhook.ping': {
    data: {
      /** The subscription */
      id: string;
      type: 'webhook_subscription';
    };
  };

  /** Deliveries of another subscription of the team keep failing. */
  'webhook_subscription.failing': { data: S.WebhookSubscription };

  /** Another subscription of the team was disabled because of its failures. */
  'webhook_subscription.disabled': { data: S.WebhookSubscription };

  /** A disabled subscription was enabled again by a client. */
  'webhook_subscription.enabled': { data: S.WebhookSubscription };

  /** Another subscription of the team accepts deliveries again. */
  'webhook_subscription.recovered': { data: S.WebhookSubscription };
}
