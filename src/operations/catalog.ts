import type { Operation } from './operation-type.ts';
import { accountsClose } from './catalog/accounts-close.ts';
import { accountsSync } from './catalog/accounts-sync.ts';
import { cohortsEvaluate } from './catalog/cohorts-evaluate.ts';
import { cohortsAddMembers, cohortsRemoveMembers } from './catalog/cohorts-members.ts';
import { cohortsPreview } from './catalog/cohorts-preview.ts';
import { contactsBulkUpsert } from './catalog/contacts-bulk-upsert.ts';
import { contactsErase } from './catalog/contacts-erase.ts';
import { contactsExport } from './catalog/contacts-export.ts';
import { contactsLookup } from './catalog/contacts-lookup.ts';
import { contactsMerge } from './catalog/contacts-merge.ts';
import { contactsSetConsent } from './catalog/contacts-set-consent.ts';
import { contactsSetTopicConsent } from './catalog/contacts-set-topic-consent.ts';
import { contactsUpsert } from './catalog/contacts-upsert.ts';
import { engagementEventsRecord } from './catalog/engagement-events-record.ts';
import { insightsExport } from './catalog/insights-export.ts';
import { landingPagesPublish } from './catalog/landing-pages-publish.ts';
import { messagesSend } from './catalog/messages-send.ts';
import { messagesSendTest } from './catalog/messages-send-test.ts';
import { objectivesComplete } from './catalog/objectives-complete.ts';
import { objectivesVoidCompletion } from './catalog/objectives-void-completion.ts';
import { journeysCancel } from './catalog/journeys-cancel.ts';
import { journeysExplain } from './catalog/journeys-explain.ts';
import { templatesEnroll } from './catalog/templates-enroll.ts';
import { templatesEnrollCohort } from './catalog/templates-enroll-cohort.ts';
import { templatesLaunch, templatesPause } from './catalog/templates-status.ts';
import { webhooksReplay } from './catalog/webhooks-replay.ts';

/** The catalog. An operation is one value in a file of its own, and a line here. */
export const operations: readonly Operation[] = [
  contactsUpsert,
  contactsBulkUpsert,
  contactsLookup,
  contactsSetConsent,
  contactsSetTopicConsent,
  contactsMerge,
  contactsErase,
  contactsExport,
  accountsSync,
  accountsClose,
  objectivesComplete,
  objectivesVoidCompletion,
  templatesLaunch,
  templatesPause,
  templatesEnroll,
  templatesEnrollCohort,
  journeysCancel,
  journeysExplain,
  messagesSend,
  messagesSendTest,
  engagementEventsRecord,
  landingPagesPublish,
  cohortsEvaluate,
  cohortsPreview,
  cohortsAddMembers,
  cohortsRemoveMembers,
  insightsExport,
  webhooksReplay,
];

const byKind = new Map(operations.map((operation) => [operation.kind, operation]));

export function findOperation(kind: string): Operation | undefined {
  return byKind.get(kind);
}
