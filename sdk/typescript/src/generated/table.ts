// Written by `npm run generate -- sdk` from the OpenAPI document.
export const table = `access
createToken createToken POST /oauth2/token f
revokeAccessToken revokeAccessToken POST /oauth2/revoke f
getJwks getJwks GET /.well-known/jwks.json
getAuthorizationServerMetadata getAuthorizationServerMetadata GET /.well-known/oauth-authorization-server
meta
getCapabilities getCapabilities GET /v2/meta/capabilities t
listErrorCodes listErrorCodes GET /v2/meta/error-codes t
listEventTypes listEventTypes GET /v2/meta/event-types t
getTime getTime GET /v2/meta/time
getOpenApi getOpenApi GET /v2/meta/openapi.json
listRequests listRequests GET /v2/meta/requests cqt
contacts
list listContacts GET /v2/partner/contacts cqt
create createContact POST /v2/partner/contacts kjt
get getContact GET /v2/partner/contacts/{id} t
update updateContact PATCH /v2/partner/contacts/{id} kjt
delete deleteContact DELETE /v2/partner/contacts/{id} kt
merge mergeContact POST /v2/partner/contacts/{id}/merge kjt
erase eraseContact POST /v2/partner/contacts/{id}/erase kt
setConsent setContactConsent PUT /v2/partner/contacts/{id}/consents/{channel} kjt
listConsentChanges listContactConsentChanges GET /v2/partner/contacts/{id}/consent-changes cqt
getTopicConsents getContactTopicConsents GET /v2/partner/contacts/{id}/topic-consents t
setTopicConsent setContactTopicConsent PUT /v2/partner/contacts/{id}/topic-consents/{topic_id}/{channel} kjt
listTopicConsentChanges listContactTopicConsentChanges GET /v2/partner/contacts/{id}/topic-consent-changes cqt
resetIdentityLock resetContactIdentityLock DELETE /v2/partner/contacts/{id}/identity-lock kt
listDevices listContactDevices GET /v2/partner/contacts/{id}/devices cqt
createDevice createContactDevice POST /v2/partner/contacts/{id}/devices kjt
getDevice getContactDevice GET /v2/partner/contacts/{id}/devices/{device_id} t
deleteDevice deleteContactDevice DELETE /v2/partner/contacts/{id}/devices/{device_id} kt
listAccounts listContactAccounts GET /v2/partner/contacts/{id}/accounts cqt
createAccount createContactAccount POST /v2/partner/contacts/{id}/accounts kjt
listCohorts listContactCohorts GET /v2/partner/contacts/{id}/cohorts cqt
listJourneys listContactJourneys GET /v2/partner/contacts/{id}/journeys cqt
listMessageDeliveries listContactMessageDeliveries GET /v2/partner/contacts/{id}/message-deliveries cqt
listCompletions listContactCompletions GET /v2/partner/contacts/{id}/objective-completions cqt
listEvents listContactEvents GET /v2/partner/contacts/{id}/engagement-events cqt
export exportContact POST /v2/partner/contacts/{id}/export kt
contactErasures
get getContactErasure GET /v2/partner/contact-erasures/{id} t
topics
list listTopics GET /v2/partner/topics cqt
create createTopic POST /v2/partner/topics kjt
get getTopic GET /v2/partner/topics/{id} t
update updateTopic PATCH /v2/partner/topics/{id} kjt
delete deleteTopic DELETE /v2/partner/topics/{id} kt
archive archiveTopic POST /v2/partner/topics/{id}/archive kt
unarchive unarchiveTopic POST /v2/partner/topics/{id}/unarchive kt
suppressions
list listSuppressions GET /v2/partner/suppressions cqt
create createSuppression POST /v2/partner/suppressions kjt
get getSuppression GET /v2/partner/suppressions/{id} t
delete deleteSuppression DELETE /v2/partner/suppressions/{id} kt
accounts
list listAccounts GET /v2/partner/accounts cqt
get getAccount GET /v2/partner/accounts/{id} t
update updateAccount PATCH /v2/partner/accounts/{id} kjt
delete deleteAccount DELETE /v2/partner/accounts/{id} kt
close closeAccount POST /v2/partner/accounts/{id}/close kjt
reopen reopenAccount POST /v2/partner/accounts/{id}/reopen kt
cohorts
list listCohorts GET /v2/partner/cohorts cqt
create createCohort POST /v2/partner/cohorts kjt
get getCohort GET /v2/partner/cohorts/{id} t
update updateCohort PATCH /v2/partner/cohorts/{id} kjt
delete deleteCohort DELETE /v2/partner/cohorts/{id} kt
preview previewCohort POST /v2/partner/cohorts/preview kjt
evaluate evaluateCohort POST /v2/partner/cohorts/{id}/evaluate kt
getEvaluation getCohortEvaluation GET /v2/partner/cohorts/{id}/evaluations/{execution_id} t
archive archiveCohort POST /v2/partner/cohorts/{id}/archive kt
unarchive unarchiveCohort POST /v2/partner/cohorts/{id}/unarchive kt
listMembers listCohortMembers GET /v2/partner/cohorts/{id}/members cqt
addMembers addCohortMembers POST /v2/partner/cohorts/{id}/members/add kjt
removeMembers removeCohortMembers POST /v2/partner/cohorts/{id}/members/remove kjt
explainMember explainCohortMember GET /v2/partner/cohorts/{id}/members/{contact_id}/explain t
templates
list listTemplates GET /v2/partner/templates cqt
create createTemplate POST /v2/partner/templates kjt
get getTemplate GET /v2/partner/templates/{id} t
update updateTemplate PATCH /v2/partner/templates/{id} kjt
delete deleteTemplate DELETE /v2/partner/templates/{id} kt
getStatusRollup getTemplateStatusRollup GET /v2/partner/templates/counts t
validate validateTemplate POST /v2/partner/templates/{id}/validate kt
schedule scheduleTemplate POST /v2/partner/templates/{id}/schedule kjt
unschedule unscheduleTemplate POST /v2/partner/templates/{id}/unschedule kt
launch launchTemplate POST /v2/partner/templates/{id}/launch kt
pause pauseTemplate POST /v2/partner/templates/{id}/pause kt
resume resumeTemplate POST /v2/partner/templates/{id}/resume kt
expire expireTemplate POST /v2/partner/templates/{id}/expire kt
archive archiveTemplate POST /v2/partner/templates/{id}/archive kt
unarchive unarchiveTemplate POST /v2/partner/templates/{id}/unarchive kt
lock lockTemplate POST /v2/partner/templates/{id}/lock kt
unlock unlockTemplate POST /v2/partner/templates/{id}/unlock kt
duplicate duplicateTemplate POST /v2/partner/templates/{id}/duplicate kjt
listVersions listTemplateVersions GET /v2/partner/templates/{id}/versions cqt
getVersion getTemplateVersion GET /v2/partner/templates/{id}/versions/{version} t
listStatusHistory listTemplateStatusHistory GET /v2/partner/templates/{id}/status-history cqt
enroll enrollInTemplate POST /v2/partner/templates/{id}/enrollments kjt
getEnrollmentExecution getEnrollmentExecution GET /v2/partner/templates/{id}/enrollment-executions/{execution_id} t
explainEnrollment explainEnrollment GET /v2/partner/templates/{id}/enrollments/{contact_id}/explain t
listJourneys listTemplateJourneys GET /v2/partner/templates/{id}/journeys cqt
listMessages listTemplateMessages GET /v2/partner/templates/{id}/messages cqt
createMessage createTemplateMessage POST /v2/partner/templates/{id}/messages kjt
listPages listTemplatePages GET /v2/partner/templates/{id}/pages cqt
createPage createTemplatePage POST /v2/partner/templates/{id}/pages kjt
listEngagementEvents listTemplateEngagementEvents GET /v2/partner/templates/{id}/engagement-events cqt
getInsightOptInWidget getTemplateInsightOptInWidget GET /v2/partner/templates/{template_id}/insights/opt-in-widget qt
getInsightSecurePersonalization getTemplateInsightSecurePersonalization GET /v2/partner/templates/{template_id}/insights/secure-personalization qt
journeys
list listJourneys GET /v2/partner/journeys cqt
get getJourney GET /v2/partner/journeys/{id} t
getTimeline getJourneyTimeline GET /v2/partner/journeys/{id}/timeline cqt
explain explainJourney GET /v2/partner/journeys/{id}/explain t
pause pauseJourney POST /v2/partner/journeys/{id}/pause kt
resume resumeJourney POST /v2/partner/journeys/{id}/resume kt
cancel cancelJourney POST /v2/partner/journeys/{id}/cancel kt
renewLink renewJourneyLink POST /v2/partner/journeys/{id}/link kt
watch watchJourney POST /v2/partner/journeys/{id}/watch kt
unwatch unwatchJourney DELETE /v2/partner/journeys/{id}/watch kt
contentBlocks
list listContentBlocks GET /v2/partner/content-blocks cqt
create createContentBlock POST /v2/partner/content-blocks kjt
get getContentBlock GET /v2/partner/content-blocks/{id} t
update updateContentBlock PATCH /v2/partner/content-blocks/{id} kjt
delete deleteContentBlock DELETE /v2/partner/content-blocks/{id} kt
getUsage getContentBlockUsage GET /v2/partner/content-blocks/{id}/usage t
archive archiveContentBlock POST /v2/partner/content-blocks/{id}/archive kt
unarchive unarchiveContentBlock POST /v2/partner/content-blocks/{id}/unarchive kt
duplicate duplicateContentBlock POST /v2/partner/content-blocks/{id}/duplicate kjt
render renderContentBlock POST /v2/partner/content-blocks/{id}/render kjt
preview previewContentBlock POST /v2/partner/content-blocks/preview kjt
landingPages
list listLandingPages GET /v2/partner/landing-pages cqt
create createLandingPage POST /v2/partner/landing-pages kjt
get getLandingPage GET /v2/partner/landing-pages/{id} t
update updateLandingPage PATCH /v2/partner/landing-pages/{id} kjt
delete deleteLandingPage DELETE /v2/partner/landing-pages/{id} kt
publish publishLandingPage POST /v2/partner/landing-pages/{id}/publish kt
unpublish unpublishLandingPage POST /v2/partner/landing-pages/{id}/unpublish kt
archive archiveLandingPage POST /v2/partner/landing-pages/{id}/archive kt
unarchive unarchiveLandingPage POST /v2/partner/landing-pages/{id}/unarchive kt
duplicate duplicateLandingPage POST /v2/partner/landing-pages/{id}/duplicate kjt
preview previewLandingPage GET /v2/partner/landing-pages/{id}/preview t
render renderLandingPage POST /v2/partner/landing-pages/{id}/render kjt
messages
list listMessages GET /v2/partner/messages cqt
get getMessage GET /v2/partner/messages/{id} t
update updateMessage PATCH /v2/partner/messages/{id} kjt
delete deleteMessage DELETE /v2/partner/messages/{id} kt
archive archiveMessage POST /v2/partner/messages/{id}/archive kt
unarchive unarchiveMessage POST /v2/partner/messages/{id}/unarchive kt
render renderMessage POST /v2/partner/messages/{id}/render kjt
sendTest sendTestMessage POST /v2/partner/messages/{id}/test-sends kjt
send sendMessage POST /v2/partner/messages/{id}/sends kjt
sendBatch sendMessageBatch POST /v2/partner/messages/{id}/sends/batch kjt
testRecipients
list listTestRecipients GET /v2/partner/test-recipients cqt
create createTestRecipient POST /v2/partner/test-recipients kjt
get getTestRecipient GET /v2/partner/test-recipients/{id} t
delete deleteTestRecipient DELETE /v2/partner/test-recipients/{id} kt
archivedMessages
list listArchivedMessages GET /v2/partner/archived-messages cqt
get getArchivedMessage GET /v2/partner/archived-messages/{id} t
contactReads
list listContactReads GET /v2/partner/contact-reads cqt
legalHolds
list listLegalHolds GET /v2/partner/legal-holds cqt
create createLegalHold POST /v2/partner/legal-holds kjt
get getLegalHold GET /v2/partner/legal-holds/{id} t
release releaseLegalHold POST /v2/partner/legal-holds/{id}/release kt
messageDeliveries
list listMessageDeliveries GET /v2/partner/message-deliveries cqt
get getMessageDelivery GET /v2/partner/message-deliveries/{id} t
explain explainMessageDelivery GET /v2/partner/message-deliveries/{id}/explain t
cancel cancelMessageDelivery POST /v2/partner/message-deliveries/{id}/cancel kt
pages
list listPages GET /v2/partner/pages cqt
get getPage GET /v2/partner/pages/{id} t
update updatePage PATCH /v2/partner/pages/{id} kjt
delete deletePage DELETE /v2/partner/pages/{id} kt
render renderPage POST /v2/partner/pages/{id}/render kjt
objectives
list listObjectives GET /v2/partner/objectives cqt
create createObjective POST /v2/partner/objectives kjt
get getObjective GET /v2/partner/objectives/{id} t
update updateObjective PATCH /v2/partner/objectives/{id} kjt
delete deleteObjective DELETE /v2/partner/objectives/{id} kt
archive archiveObjective POST /v2/partner/objectives/{id}/archive kt
unarchive unarchiveObjective POST /v2/partner/objectives/{id}/unarchive kt
listCompletions listObjectiveCompletions GET /v2/partner/objectives/{id}/completions cqt
createCompletion createObjectiveCompletion POST /v2/partner/objectives/{id}/completions kjt
team
get getTeam GET /v2/partner/team t
update updateTeam PATCH /v2/partner/team kjt
users
list listUsers GET /v2/partner/users cqt
create createUser POST /v2/partner/users kjt
get getUser GET /v2/partner/users/{id} t
update updateUser PATCH /v2/partner/users/{id} kjt
delete deleteUser DELETE /v2/partner/users/{id} kt
resendInvite resendUserInvite POST /v2/partner/users/{id}/resend-invite kt
activate activateUser POST /v2/partner/users/{id}/activate kjt
suspend suspendUser POST /v2/partner/users/{id}/suspend kt
reactivate reactivateUser POST /v2/partner/users/{id}/reactivate kt
portalSessions
create createPortalSession POST /v2/partner/portal-sessions kjt
list listPortalSessions GET /v2/partner/portal-sessions cqt
get getPortalSession GET /v2/partner/portal-sessions/{id} t
delete deletePortalSession DELETE /v2/partner/portal-sessions/{id} kt
open openPortalSession POST /v2/partner/portal-sessions/{id}/open j
auditEvents
list listAuditEvents GET /v2/partner/audit-events cqt
get getAuditEvent GET /v2/partner/audit-events/{id} t
sendingDomains
list listSendingDomains GET /v2/partner/sending-domains cqt
create createSendingDomain POST /v2/partner/sending-domains kjt
get getSendingDomain GET /v2/partner/sending-domains/{id} t
delete deleteSendingDomain DELETE /v2/partner/sending-domains/{id} kt
verify verifySendingDomain POST /v2/partner/sending-domains/{id}/verify kt
sendingProviders
list listSendingProviders GET /v2/partner/sending-providers cqt
create createSendingProvider POST /v2/partner/sending-providers kjt
get getSendingProvider GET /v2/partner/sending-providers/{id} t
update updateSendingProvider PATCH /v2/partner/sending-providers/{id} kjt
delete deleteSendingProvider DELETE /v2/partner/sending-providers/{id} kt
test testSendingProvider POST /v2/partner/sending-providers/{id}/test kt
rotateSecret rotateSendingProviderSecret POST /v2/partner/sending-providers/{id}/rotate-secret kjt
release releaseSendingProvider POST /v2/partner/sending-providers/{id}/release kt
completions
list listCompletions GET /v2/partner/objectives/completions cqt
get getObjectiveCompletion GET /v2/partner/objectives/completions/{id} t
void voidObjectiveCompletion POST /v2/partner/objectives/completions/{id}/void kjt
getCounts getObjectiveCompletionsCounts GET /v2/partner/objectives/completions/counts qt
engagementEvents
list listEngagementEvents GET /v2/partner/engagement-events cqt
record recordEngagementEvents POST /v2/partner/engagement-events kjt
get getEngagementEvent GET /v2/partner/engagement-events/{id} t
customEventTypes
list listCustomEventTypes GET /v2/partner/custom-event-types cqt
create createCustomEventType POST /v2/partner/custom-event-types kjt
get getCustomEventType GET /v2/partner/custom-event-types/{id} t
update updateCustomEventType PATCH /v2/partner/custom-event-types/{id} kjt
delete deleteCustomEventType DELETE /v2/partner/custom-event-types/{id} kt
events
publish publishEvents POST /v2/partner/events kjt
sftpCredentials
list listSftpCredentials GET /v2/partner/sftp-credentials cqt
create createSftpCredentials POST /v2/partner/sftp-credentials kjt
get getSftpCredential GET /v2/partner/sftp-credentials/{id} t
update updateSftpCredential PATCH /v2/partner/sftp-credentials/{id} kjt
delete deleteSftpCredential DELETE /v2/partner/sftp-credentials/{id} kt
revoke revokeSftpCredential POST /v2/partner/sftp-credentials/{id}/revoke kt
sftpUploads
list listSftpUploads GET /v2/partner/sftp-uploads cqt
get getSftpUpload GET /v2/partner/sftp-uploads/{id} t
fileSources
list listFileSources GET /v2/partner/file-sources cqt
create createFileSource POST /v2/partner/file-sources kjt
get getFileSource GET /v2/partner/file-sources/{id} t
update updateFileSource PATCH /v2/partner/file-sources/{id} kjt
delete deleteFileSource DELETE /v2/partner/file-sources/{id} kt
test testFileSource POST /v2/partner/file-sources/{id}/test kt
widgetInstances
list listWidgetInstances GET /v2/partner/widget-instances cqt
create createWidgetInstance POST /v2/partner/widget-instances kjt
get getWidgetInstance GET /v2/partner/widget-instances/{id} t
update updateWidgetInstance PATCH /v2/partner/widget-instances/{id} kjt
delete deleteWidgetInstance DELETE /v2/partner/widget-instances/{id} kt
archive archiveWidgetInstance POST /v2/partner/widget-instances/{id}/archive kt
unarchive unarchiveWidgetInstance POST /v2/partner/widget-instances/{id}/unarchive kt
createToken createWidgetToken POST /v2/partner/widget-instances/{id}/tokens kjt
revokeTokens revokeWidgetTokens POST /v2/partner/widget-instances/{id}/tokens/revoke kjt
insights
list listInsights GET /v2/partner/insights t
getAddedValueByTime getAdvancedInsightAddedValueByTime GET /v2/partner/insights/advanced/added-value-by-time qt
getCampaignEngagement getAdvancedInsightCampaignEngagement GET /v2/partner/insights/advanced/campaign-engagement qt
getCampaignEnrollment getAdvancedInsightCampaignEnrollment GET /v2/partner/insights/advanced/campaign-enrollment qt
getCampaignPerformance getAdvancedInsightCampaignPerformance GET /v2/partner/insights/advanced/campaign-performance qt
getCardOnFileWidget getAdvancedInsightCardOnFileWidget GET /v2/partner/insights/advanced/card-on-file-widget qt
getDrivers getAdvancedInsightDrivers GET /v2/partner/insights/advanced/drivers qt
getEnrollmentWidget getAdvancedInsightEnrollmentWidget GET /v2/partner/insights/advanced/enrollment-widget qt
getGapAnalysis getAdvancedInsightGapAnalysis GET /v2/partner/insights/advanced/gap-analysis qt
getMessages getAdvancedInsightMessages GET /v2/partner/insights/advanced/messages qt
getMobileAppWidget getAdvancedInsightMobileAppWidget GET /v2/partner/insights/advanced/mobile-app-widget qt
getObjectiveCompletionBenchmarks getAdvancedInsightObjectiveCompletionBenchmarks GET /v2/partner/insights/advanced/objective-completion-benchmarks qt
getObjectiveCompletionRate getAdvancedInsightObjectiveCompletionRate GET /v2/partner/insights/advanced/objective-completion-rate qt
getObjectiveContent getAdvancedInsightObjectiveContent GET /v2/partner/insights/advanced/objective-content qt
getObjectiveTotalValue getAdvancedInsightObjectiveTotalValue GET /v2/partner/insights/advanced/objective-total-value qt
getOptInWidget getAdvancedInsightOptInWidget GET /v2/partner/insights/advanced/opt-in-widget qt
getOverallNumberOfCampaigns getAdvancedInsightOverallNumberOfCampaigns GET /v2/partner/insights/advanced/overall-number-of-campaigns qt
getPages getAdvancedInsightPages GET /v2/partner/insights/advanced/pages qt
getPerformance getAdvancedInsightPerformance GET /v2/partner/insights/advanced/performance qt
getTotalValueOfOpenedProducts getAdvancedInsightTotalValueOfOpenedProducts GET /v2/partner/insights/advanced/total-value-of-opened-products qt
getValueOfOpenedProducts getAdvancedInsightValueOfOpenedProducts GET /v2/partner/insights/advanced/value-of-opened-products qt
recipients
bootstrapWidget bootstrapWidget POST /v2/widget/bootstrap jo
endSession endRecipientSession DELETE /v2/widget/journeys/{journey_id}/session t
endWidgetSession endWidgetSession DELETE /v2/widget/session t
getJourney getRecipientJourney GET /v2/widget/journeys/{journey_id} t
getPage getRecipientPage GET /v2/widget/journeys/{journey_id}/pages/{page_id} t
recordEvents recordRecipientEvents POST /v2/widget/journeys/{journey_id}/events jt
setConsent setRecipientConsent PUT /v2/widget/journeys/{journey_id}/consents/{channel} jt
createIdentityChallenge createIdentityChallenge POST /v2/widget/journeys/{journey_id}/identity-challenges jt
answerIdentityChallenge answerIdentityChallenge POST /v2/widget/journeys/{journey_id}/identity-challenges/{id}/answers jt
enroll enrollRecipient POST /v2/widget/enrollments jt
exports
create createExport POST /v2/partner/exports kjt
list listExports GET /v2/partner/exports cqt
get getExport GET /v2/partner/exports/{id} t
delete deleteExport DELETE /v2/partner/exports/{id} kt
getFile getExportFile GET /v2/partner/exports/{id}/file qrt
webhookSubscriptions
list listWebhookSubscriptions GET /v2/partner/webhook-subscriptions cqt
create createWebhookSubscription POST /v2/partner/webhook-subscriptions kjt
get getWebhookSubscription GET /v2/partner/webhook-subscriptions/{id} t
update updateWebhookSubscription PATCH /v2/partner/webhook-subscriptions/{id} kjt
delete deleteWebhookSubscription DELETE /v2/partner/webhook-subscriptions/{id} kt
rotateSecret rotateWebhookSecret POST /v2/partner/webhook-subscriptions/{id}/rotate-secret kjt
test testWebhookSubscription POST /v2/partner/webhook-subscriptions/{id}/test kjt
listDeliveries listWebhookDeliveries GET /v2/partner/webhook-subscriptions/{id}/deliveries cqt
getDeliveryCounts getWebhookDeliveryCounts GET /v2/partner/webhook-subscriptions/{id}/deliveries/counts qt
getDelivery getWebhookDelivery GET /v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id} qt
retryDelivery retryWebhookDelivery POST /v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}/retry kt
listAttempts listWebhookAttempts GET /v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}/attempts cqt
getDeliverySettings getWebhookDeliverySettings GET /v2/partner/webhook-subscriptions/{id}/delivery-settings t
updateDeliverySettings updateWebhookDeliverySettings PATCH /v2/partner/webhook-subscriptions/{id}/delivery-settings kjt
replay replayWebhooks POST /v2/partner/webhook-subscriptions/{id}/replay kjt
listReplays listWebhookReplays GET /v2/partner/webhook-subscriptions/{id}/replays cqt
getReplay getWebhookReplay GET /v2/partner/webhook-subscriptions/{id}/replays/{replay_id} t
cancelReplay cancelWebhookReplay POST /v2/partner/webhook-subscriptions/{id}/replays/{replay_id}/cancel kt
webhookEventTypes
list listWebhookEventTypes GET /v2/partner/webhook-event-types t
incomingWebhookReceivers
list listIncomingWebhookReceivers GET /v2/partner/incoming-webhook-receivers cqt
create createIncomingWebhookReceiver POST /v2/partner/incoming-webhook-receivers kjt
get getIncomingWebhookReceiver GET /v2/partner/incoming-webhook-receivers/{id} t
update updateIncomingWebhookReceiver PATCH /v2/partner/incoming-webhook-receivers/{id} kjt
delete deleteIncomingWebhookReceiver DELETE /v2/partner/incoming-webhook-receivers/{id} kt
test testIncomingWebhookReceiver POST /v2/partner/incoming-webhook-receivers/{id}/test kjt
getVerification getReceiverVerification GET /v2/partner/incoming-webhook-receivers/{id}/verification t
updateVerification updateReceiverVerification PATCH /v2/partner/incoming-webhook-receivers/{id}/verification kjt
rotateSecret rotateReceiverSecret POST /v2/partner/incoming-webhook-receivers/{id}/rotate-secret kjt
confirmSubscription confirmReceiverSubscription POST /v2/partner/incoming-webhook-receivers/{id}/confirm-subscription kjt
uploads
create createUpload POST /v2/batch/uploads kut
get getUpload GET /v2/batch/uploads/{id} t
delete deleteUpload DELETE /v2/batch/uploads/{id} kt
inboundWebhooks
receiveEmailA receiveEmailA POST /v2/webhooks/inbound/email_a/{receiver_id} jo
receiveEmailB receiveEmailB POST /v2/webhooks/inbound/email_b/{receiver_id} jo
receiveEmailC receiveEmailC POST /v2/webhooks/inbound/email_c/{receiver_id} jo
receiveSmsA receiveSmsA POST /v2/webhooks/inbound/sms_a/{receiver_id} jo
receiveSmsB receiveSmsB POST /v2/webhooks/inbound/sms_b/{receiver_id} jo
receivePushA receivePushA POST /v2/webhooks/inbound/push_a/{receiver_id} jo
receivePushB receivePushB POST /v2/webhooks/inbound/push_b/{receiver_id} jo
receiveFileTransferA receiveFileTransferA POST /v2/webhooks/inbound/file_transfer_a/{receiver_id} jo
receiveGenericHmac receiveGenericHmac POST /v2/webhooks/inbound/generic_hmac/{receiver_id} jo
listDeliveries listInboundDeliveries GET /v2/webhooks/inbound/{receiver_id}/deliveries cqt
getDelivery getInboundDelivery GET /v2/webhooks/inbound/{receiver_id}/deliveries/{delivery_id} qt
getDeliveryCounts getInboundDeliveryCounts GET /v2/webhooks/inbound/{receiver_id}/deliveries/counts qt
replay replayInboundWebhooks POST /v2/webhooks/inbound/{receiver_id}/replay kjt
listReplays listInboundReplays GET /v2/webhooks/inbound/{receiver_id}/replays cqt
getReplay getInboundReplay GET /v2/webhooks/inbound/{receiver_id}/replays/{replay_id} t
cancelReplay cancelInboundReplay POST /v2/webhooks/inbound/{receiver_id}/replays/{replay_id}/cancel kt
operations
list listOperations GET /v2/ipaas/operations cqt
getDescriptor getOperationDescriptor GET /v2/ipaas/operations/{operation_kind}/describe t
execute executeOperation POST /v2/ipaas/operations/{operation_kind}/execute kjt
executions
list listExecutions GET /v2/ipaas/executions cqt
get getExecution GET /v2/ipaas/executions/{id} t
getResult getExecutionResult GET /v2/ipaas/executions/{id}/result cqt
listItems listExecutionItems GET /v2/ipaas/executions/{id}/items cqt
cancel cancelExecution POST /v2/ipaas/executions/{id}/cancel kt
retry retryExecution POST /v2/ipaas/executions/{id}/retry kt
batchOperations
create createBatchOperation POST /v2/batch/operations kjt
list listBatchOperations GET /v2/batch/operations cqt
validate validateBatchOperation POST /v2/batch/operations/validate kjt
get getBatchOperation GET /v2/batch/operations/{id} t
listItems listBatchOperationItems GET /v2/batch/operations/{id}/items cqt
getErrors getBatchOperationErrors GET /v2/batch/operations/{id}/errors.csv rt
cancel cancelBatchOperation POST /v2/batch/operations/{id}/cancel kt
retry retryBatchOperation POST /v2/batch/operations/{id}/retry kt`;
