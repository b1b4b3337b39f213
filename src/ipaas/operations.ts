import type { Operation } from './operation.ts';
import { accountsClose } from './operations/accounts-close.ts';
import { accountsSync } from './operations/accounts-sync.ts';
import { cohortsEvaluate } from './operations/cohorts-evaluate.ts';
import { cohortsAddMembers, cohortsRemoveMembers } from './operations/cohorts-members.ts';
import { cohortsPreview } from './operations/cohorts-preview.ts';
import { contactsBulkUpsert } from './operations/contacts-bulk-upsert.ts';
import { contactsErase } from './operations/contacts-erase.ts';
import { contactsExport } from './operations/contacts-export.ts';
import { contactsLookup } from './operations/contacts-lookup.ts';
import { contactsMerge } from './operations/contacts-merge.ts';
import { contactsSetConsent } from './operations/contacts-set-consent.ts';
import { contactsUpsert } from './operations/contacts-upsert.ts';
import { engagementEventsRecord } from './operations/engagement-events-record.ts';
import { insightsExport } from './operations/insights-export.ts';
import { landingPagesPublish } from './operations/landing-pages-publish.ts';
import { messagesSendTest } from './operations/messages-send-test.ts';
import { objectivesComplete } from './operations/objectives-complete.ts';
import { objectivesVoidCompletion } from './operations/objectives-void-completion.ts';
import { journeysCancel } from './operations/journeys-cancel.ts';
import { journeysExplain } from './operations/journeys-explain.ts';
import { templatesEnroll } from './operations/templates-enroll.ts';
import { templatesEnrollCohort } from './operations/templates-enroll-cohort.ts';
import { templatesLaunch, templatesPause } from './operations/templates-status.ts';
import { webhooksReplay } from './operations/webhooks-replay.ts';

/** The catalogue. An operation is one value in a file of its own, and a line here. */
export const operations: readonly Operation[] = [
  contactsUpsert,
  contactsBulkUpsert,
  contactsLookup,
  contactsSetConsent,
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
