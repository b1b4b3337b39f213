import './event-catalog.ts';
import { batchOperationEndpoints } from '../operations/batch/endpoints.ts';
import type { Endpoint } from '../platform/http/endpoint.ts';
import { inboundDeliveryEndpoints } from '../inbound/deliveries/endpoints.ts';
import { intakeEndpoints } from '../inbound/intake/endpoints.ts';
import { inboundReplayEndpoints } from '../inbound/replays/endpoints.ts';
import { operationEndpoints } from '../operations/ipaas/endpoints.ts';
import { executionEndpoints } from '../operations/ipaas/executions/endpoints.ts';
import { metaEndpoints } from '../meta/endpoints.ts';
import { requestEndpoints } from '../meta/requests/endpoints.ts';
import { oauth2Endpoints } from '../team/oauth2/endpoints.ts';
import { uploadEndpoints } from '../operations/batch/uploads/endpoints.ts';
import { accountEndpoints } from '../contacts/accounts/endpoints.ts';
import { portalSessionEndpoints } from '../team/portal-sessions/endpoints.ts';
import { auditEventEndpoints } from '../team/audit-events/endpoints.ts';
import { contactConsentEndpoints } from '../contacts/consents/endpoints.ts';
import { contactTopicConsentEndpoints } from '../contacts/topic-consents/endpoints.ts';
import { topicEndpoints } from '../contacts/topics/endpoints.ts';
import { contactDeviceEndpoints } from '../contacts/devices/endpoints.ts';
import { contactErasureEndpoints } from '../contacts/contact-erasures/endpoints.ts';
import { contactEndpoints } from '../contacts/endpoints.ts';
import { contactIdentityLockEndpoints } from '../contacts/identity-lock/endpoints.ts';
import { legalHoldEndpoints } from '../contacts/legal-holds/endpoints.ts';
import { contactMergeEndpoints } from '../contacts/merge/endpoints.ts';
import { cohortActionEndpoints, cohortEndpoints } from '../cohorts/endpoints.ts';
import { cohortsInclude } from '../cohorts/include.ts';
import { cohortMemberEndpoints } from '../cohorts/members/endpoints.ts';
import { customEventTypeEndpoints } from '../engagement/custom-event-types/endpoints.ts';
import { eventEndpoints } from '../engagement/events/endpoints.ts';
import { engagementEventEndpoints } from '../engagement/engagement-events/endpoints.ts';
import { contentBlockActionEndpoints } from '../campaigns/content-blocks/actions/endpoints.ts';
import { contentBlockEndpoints } from '../campaigns/content-blocks/endpoints.ts';
import { insightEndpoints } from '../insights/endpoints.ts';
import { landingPageActionEndpoints } from '../campaigns/landing-pages/actions/endpoints.ts';
import { enrollmentEndpoints } from '../operations/enrollments/endpoints.ts';
import { cohortEvaluationEndpoints } from '../operations/evaluations/endpoints.ts';
import { exportEndpoints } from '../operations/exports/endpoints.ts';
import { incomingWebhookReceiverEndpoints } from '../inbound/incoming-webhook-receivers/endpoints.ts';
import { fileSourceEndpoints } from '../operations/file-sources/endpoints.ts';
import { landingPageEndpoints } from '../campaigns/landing-pages/endpoints.ts';
import { journeyEndpoints } from '../journeys/endpoints.ts';
import { journeyWatchEndpoints } from '../journeys/watches/endpoints.ts';
import { journeysInclude } from '../journeys/include.ts';
import { enrollmentExplanationEndpoints } from '../journeys/enrollment/endpoints.ts';
import { contactReadEndpoints } from '../contacts/contact-reads/endpoints.ts';
import { archivedMessageEndpoints } from '../messaging/archived-messages/endpoints.ts';
import { messageDeliveryEndpoints } from '../messaging/message-deliveries/endpoints.ts';
import { messageSendBatchEndpoints } from '../operations/message-sends/endpoints.ts';
import { requestedSendEndpoints } from '../messaging/requested-sends/endpoints.ts';
import { messageEndpoints } from '../campaigns/messages/endpoints.ts';
import { messageRenderEndpoints } from '../campaigns/messages/render/endpoints.ts';
import { sendingProviderReleaseEndpoints } from '../messaging/sending-providers/release/endpoints.ts';
import { sendingProviderEndpoints } from '../messaging/sending-providers/endpoints.ts';
import { testRecipientEndpoints } from '../messaging/test-recipients/endpoints.ts';
import { messageTestSendEndpoints } from '../messaging/test-sends/endpoints.ts';
import { objectiveCompletionEndpoints } from '../engagement/completions/endpoints.ts';
import { objectiveEndpoints } from '../campaigns/objectives/endpoints.ts';
import { pageEndpoints } from '../campaigns/pages/endpoints.ts';
import { suppressionEndpoints } from '../contacts/suppressions/endpoints.ts';
import { sftpCredentialEndpoints } from '../operations/sftp-credentials/endpoints.ts';
import { sftpUploadEndpoints } from '../operations/sftp-uploads/endpoints.ts';
import { teamEndpoints } from '../team/endpoints.ts';
import { templateActionEndpoints } from '../campaigns/templates/actions/endpoints.ts';
import { templateEndpoints } from '../campaigns/templates/endpoints.ts';
import { templateHistoryEndpoints } from '../campaigns/templates/history/endpoints.ts';
import { sendingDomainEndpoints } from '../team/sending-domains/endpoints.ts';
import { userEndpoints } from '../team/users/endpoints.ts';
import { webhookDeliveryEndpoints } from '../webhooks/webhook-subscriptions/deliveries/endpoints.ts';
import { webhookDeliverySettingsEndpoints } from '../webhooks/webhook-subscriptions/delivery-settings/endpoints.ts';
import { webhookReplayEndpoints } from '../webhooks/webhook-subscriptions/replays/endpoints.ts';
import { webhookSubscriptionActionEndpoints } from '../webhooks/webhook-subscriptions/actions/endpoints.ts';
import { webhookSubscriptionEndpoints } from '../webhooks/webhook-subscriptions/endpoints.ts';
import { widgetInstanceEndpoints } from '../widget/widget-instances/endpoints.ts';
import { widgetTokenEndpoints } from '../widget/widget-instances/tokens/endpoints.ts';
import { recipientConsentEndpoints } from '../widget/consents/endpoints.ts';
import { recipientEnrollmentEndpoints } from '../widget/enrollments/endpoints.ts';
import { recipientEventEndpoints } from '../widget/events/endpoints.ts';
import { identityChallengeEndpoints } from '../widget/identity/endpoints.ts';
import { recipientJourneyEndpoints } from '../widget/journeys/endpoints.ts';
import { recipientSessionEndpoints } from '../widget/sessions/endpoints.ts';

/** Every endpoint of the service, surface by surface. */
export const endpoints: readonly Endpoint[] = [
  ...oauth2Endpoints,
  ...metaEndpoints,
  ...requestEndpoints,
  ...contactEndpoints({ cohorts: cohortsInclude, journeys: journeysInclude }),
  ...contactMergeEndpoints,
  ...contactErasureEndpoints,
  ...contactConsentEndpoints,
  ...contactTopicConsentEndpoints,
  ...topicEndpoints,
  ...contactIdentityLockEndpoints,
  ...contactDeviceEndpoints,
  ...suppressionEndpoints,
  ...accountEndpoints,
  ...cohortEndpoints,
  ...cohortEvaluationEndpoints,
  ...cohortActionEndpoints,
  ...cohortMemberEndpoints,
  ...templateEndpoints,
  ...templateActionEndpoints,
  ...templateHistoryEndpoints,
  ...enrollmentEndpoints,
  ...enrollmentExplanationEndpoints,
  ...journeyEndpoints,
  ...journeyWatchEndpoints,
  ...contentBlockEndpoints,
  ...contentBlockActionEndpoints,
  ...landingPageEndpoints,
  ...landingPageActionEndpoints,
  ...messageEndpoints,
  ...messageRenderEndpoints,
  ...messageTestSendEndpoints,
  ...requestedSendEndpoints,
  ...messageSendBatchEndpoints,
  ...testRecipientEndpoints,
  ...archivedMessageEndpoints,
  ...contactReadEndpoints,
  ...legalHoldEndpoints,
  ...messageDeliveryEndpoints,
  ...pageEndpoints,
  ...objectiveEndpoints,
  ...teamEndpoints,
  ...userEndpoints,
  ...portalSessionEndpoints,
  ...auditEventEndpoints,
  ...sendingDomainEndpoints,
  ...sendingProviderEndpoints,
  ...sendingProviderReleaseEndpoints,
  ...objectiveCompletionEndpoints,
  ...engagementEventEndpoints,
  ...customEventTypeEndpoints,
  ...eventEndpoints,
  ...sftpCredentialEndpoints,
  ...sftpUploadEndpoints,
  ...fileSourceEndpoints,
  ...widgetInstanceEndpoints,
  ...insightEndpoints,
  ...widgetTokenEndpoints,
  ...recipientSessionEndpoints,
  ...recipientJourneyEndpoints,
  ...recipientEventEndpoints,
  ...recipientConsentEndpoints,
  ...identityChallengeEndpoints,
  ...recipientEnrollmentEndpoints,
  ...exportEndpoints,
  ...webhookSubscriptionEndpoints,
  ...webhookSubscriptionActionEndpoints,
  ...webhookDeliveryEndpoints,
  ...webhookDeliverySettingsEndpoints,
  ...webhookReplayEndpoints,
  ...incomingWebhookReceiverEndpoints,
  ...uploadEndpoints,
  ...intakeEndpoints,
  ...inboundDeliveryEndpoints,
  ...inboundReplayEndpoints,
  ...operationEndpoints,
  ...executionEndpoints,
  ...batchOperationEndpoints,
];
