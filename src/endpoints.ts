import { batchOperationEndpoints } from './batch/endpoints.ts';
import type { Endpoint } from './platform/http/endpoint.ts';
import { inboundDeliveryEndpoints } from './inbound/deliveries/endpoints.ts';
import { intakeEndpoints } from './inbound/intake/endpoints.ts';
import { inboundReplayEndpoints } from './inbound/replays/endpoints.ts';
import { operationEndpoints } from './ipaas/endpoints.ts';
import { executionEndpoints } from './ipaas/executions/endpoints.ts';
import { metaEndpoints } from './meta/endpoints.ts';
import { requestEndpoints } from './meta/requests/endpoints.ts';
import { oauth2Endpoints } from './oauth2/endpoints.ts';
import { uploadEndpoints } from './batch/uploads/endpoints.ts';
import { accountEndpoints } from './partner/accounts/endpoints.ts';
import { auditEventEndpoints } from './partner/audit-events/endpoints.ts';
import { contactConsentEndpoints } from './partner/contacts/consents/endpoints.ts';
import { contactDeviceEndpoints } from './partner/contacts/devices/endpoints.ts';
import { contactErasureEndpoints } from './partner/contact-erasures/endpoints.ts';
import { contactEndpoints } from './partner/contacts/endpoints.ts';
import { contactIdentityLockEndpoints } from './partner/contacts/identity-lock/endpoints.ts';
import { contactMergeEndpoints } from './partner/contacts/merge/endpoints.ts';
import { cohortActionEndpoints } from './partner/cohorts/actions/endpoints.ts';
import { cohortEndpoints } from './partner/cohorts/endpoints.ts';
import { cohortMemberEndpoints } from './partner/cohorts/members/endpoints.ts';
import { engagementEventEndpoints } from './partner/engagement-events/endpoints.ts';
import { contentBlockActionEndpoints } from './partner/content-blocks/actions/endpoints.ts';
import { contentBlockEndpoints } from './partner/content-blocks/endpoints.ts';
import { insightEndpoints } from './partner/insights/endpoints.ts';
import { landingPageActionEndpoints } from './partner/landing-pages/actions/endpoints.ts';
import { exportEndpoints } from './partner/exports/endpoints.ts';
import { incomingWebhookReceiverEndpoints } from './partner/incoming-webhook-receivers/endpoints.ts';
import { fileSourceEndpoints } from './partner/file-sources/endpoints.ts';
import { landingPageEndpoints } from './partner/landing-pages/endpoints.ts';
import { journeyEndpoints } from './partner/journeys/endpoints.ts';
import { enrolmentEndpoints } from './partner/journeys/enrolment/endpoints.ts';
import { messageDeliveryEndpoints } from './partner/message-deliveries/endpoints.ts';
import { messageEndpoints } from './partner/messages/endpoints.ts';
import { messageTestSendEndpoints } from './partner/messages/test-sends/endpoints.ts';
import { objectiveCompletionEndpoints } from './partner/objectives/completions/endpoints.ts';
import { objectiveEndpoints } from './partner/objectives/endpoints.ts';
import { pageEndpoints } from './partner/pages/endpoints.ts';
import { suppressionEndpoints } from './partner/suppressions/endpoints.ts';
import { sftpCredentialEndpoints } from './partner/sftp-credentials/endpoints.ts';
import { sftpUploadEndpoints } from './partner/sftp-uploads/endpoints.ts';
import { teamEndpoints } from './partner/team/endpoints.ts';
import { templateActionEndpoints } from './partner/templates/actions/endpoints.ts';
import { templateEndpoints } from './partner/templates/endpoints.ts';
import { templateHistoryEndpoints } from './partner/templates/history/endpoints.ts';
import { userEndpoints } from './partner/users/endpoints.ts';
import { webhookDeliveryEndpoints } from './partner/webhook-subscriptions/deliveries/endpoints.ts';
import { webhookDeliverySettingsEndpoints } from './partner/webhook-subscriptions/delivery-settings/endpoints.ts';
import { webhookReplayEndpoints } from './partner/webhook-subscriptions/replays/endpoints.ts';
import { webhookSubscriptionActionEndpoints } from './partner/webhook-subscriptions/actions/endpoints.ts';
import { webhookSubscriptionEndpoints } from './partner/webhook-subscriptions/endpoints.ts';
import { widgetInstanceEndpoints } from './partner/widget-instances/endpoints.ts';
import { widgetTokenEndpoints } from './partner/widget-instances/tokens/endpoints.ts';
import { recipientConsentEndpoints } from './widget/consents/endpoints.ts';
import { recipientEnrollmentEndpoints } from './widget/enrollments/endpoints.ts';
import { recipientEventEndpoints } from './widget/events/endpoints.ts';
import { identityChallengeEndpoints } from './widget/identity/endpoints.ts';
import { recipientJourneyEndpoints } from './widget/journeys/endpoints.ts';
import { recipientSessionEndpoints } from './widget/sessions/endpoints.ts';

/** Every endpoint of the service, surface by surface. */
export const endpoints: readonly Endpoint[] = [
  ...oauth2Endpoints,
  ...metaEndpoints,
  ...requestEndpoints,
  ...contactEndpoints,
  ...contactMergeEndpoints,
  ...contactErasureEndpoints,
  ...contactConsentEndpoints,
  ...contactIdentityLockEndpoints,
  ...contactDeviceEndpoints,
  ...suppressionEndpoints,
  ...accountEndpoints,
  ...cohortEndpoints,
  ...cohortActionEndpoints,
  ...cohortMemberEndpoints,
  ...templateEndpoints,
  ...templateActionEndpoints,
  ...templateHistoryEndpoints,
  ...enrolmentEndpoints,
  ...journeyEndpoints,
  ...contentBlockEndpoints,
  ...contentBlockActionEndpoints,
  ...landingPageEndpoints,
  ...landingPageActionEndpoints,
  ...messageEndpoints,
  ...messageTestSendEndpoints,
  ...messageDeliveryEndpoints,
  ...pageEndpoints,
  ...objectiveEndpoints,
  ...teamEndpoints,
  ...userEndpoints,
  ...auditEventEndpoints,
  ...objectiveCompletionEndpoints,
  ...engagementEventEndpoints,
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
