import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { texts } from '../contract/recipes.ts';
import { grants, scopedEndpoints } from '../contract/scoped.ts';
import { findSites, isAskedInHandler, namesOf, ofTable, tableBuilder } from './sites.mjs';
import { findTables } from './tables.ts';

export interface Mutant {
  /** The name of its switch. */
  name: string;
  /** file:line, or the operation whose scope it is. */
  place: string;
  kind:
    | 'A condition on the team'
    | 'The scope of an operation'
    | 'The scope of an include'
    | 'The scope of a part';
}

/** Statements of the workflow of a template about its journeys. */
const ofScans = [
  'findScan',
  'lockOpenScan',
  'nextMembers',
  'addEnrolled',
  'lockUnmoved',
  'advanceScan',
  'leaveCohort',
  'countMembers',
  'takeArrivals',
  'forgetArrivals',
].map((name) => `scans/queries.ts ${name}`);
const ofResyncs = [
  'lockHeld',
  'release',
  'listBehind',
  'moveDeadlines',
  'claimResync',
  'noteMoved',
  'finishResync',
  'listStaleResyncs',
].map((name) => `resyncs/queries.ts ${name}`);

/** Statements that maintain hourly rollups. */
const ofRollups = [
  'listTeamsToSum',
  'fresh',
  'sumHours',
  'begin',
  'writeHours',
  'listSummedTeams',
  'reconcileHours',
  'maxUnsummedSeconds',
  'pruneSums',
];

/** Statements that no request reaches: all of a folder or a file, or one by its name. */
const elsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...ofScans, ...ofResyncs].map((name) => [
      `src/journeys/${name}`,
      'runs in the worker; test/workflows/template-journeys',
    ]),
  ),
  ...Object.fromEntries(
    ofRollups.map((name) => [
      `src/insights/rollups/queries.ts ${name}`,
      'runs in the worker; test/insights/rollups',
    ]),
  ),
  'scope in src/inbound/intake/authenticate.ts':
    'asked of callbacks that bring a token; test/inbound',
  'src/commands/': 'commands of operators; test/commands',
  'src/cohorts/evaluation/queries.ts markFailed': 'after faults in the worker; test/cohorts',
  ...Object.fromEntries(
    [
      ...['queries.ts prunePreviousSecrets', 'queries.ts beginHalt', 'queries.ts writeHalt'],
      ...['queries.ts endHalt', 'testing/queries.ts isTestRequested'],
      ...['testing/queries.ts claimTest', 'testing/queries.ts writeTest'],
      'testing/queries.ts giveUpTest',
    ].map((name) => [
      `src/messaging/sending-providers/${name}`,
      'runs in the worker; test/messaging/sending-providers',
    ]),
  ),
  'src/messaging/dev-mailbox/': 'shown to developers, and pruned by the worker; test/messaging',
  ...Object.fromEntries(
    ['enrollments', 'events', 'forms', 'identity', 'journeys', 'sessions', 'site'].map((folder) => [
      `src/widget/${folder}/`,
      'requested by recipients, whose sessions name the team; test/widget',
    ]),
  ),
  'src/journeys/lanes/': 'runs in the worker; test/journeys, test/workflows',
  'src/journeys/watches/queries.ts readWatched': 'runs in the worker; test/workflows/watch-journey',
  'src/insights/cache/': 'asked once an answer was slow, and by the worker; test/insights/cache',
  'src/insights/benchmarks/queries.ts': 'kept by the worker for all teams; test/insights',
  'src/platform/auth/recipients.ts':
    'asked of by recipients, whose sessions say the team; test/widget',
  'scope in src/platform/http/authorize-recipient.ts': 'of recipients; test/widget',
  'src/contacts/contact-erasures/sweeping/':
    'runs in the worker; test/contacts/contact-erasure searches all tables',
  'src/inbound/deliveries/queries.ts pruneInboundDeliveries':
    'runs in the worker; test/team/retention',
  'src/messaging/message-deliveries/queries.ts pruneMessageDeliveries':
    'runs in the worker; test/team/retention',
  'src/inbound/erasing/': 'runs in the worker; test/contacts/contact-erasure searches all tables',
  'src/operations/erasing/':
    'runs in the worker; test/contacts/contact-erasure searches all tables',
  'src/cohorts/queries.ts findReadyCohorts':
    'asked before a launch enrolls; test/workflows/template-journeys',
  'src/journeys/enrollment/queries.ts findOpenJourneys':
    'as runs of a batch enroll; test/operations/batch, test/operations/ipaas',
  'src/journeys/enrollment/queries.ts listTimezones':
    'as scans enroll; test/workflows/template-journeys',
  'src/widget/widget-instances/tokens/queries.ts revokeWidgetToken':
    'asked by recipients; test/widget',
  'src/messaging/confirming/': 'asked of by recipients; test/widget/confirmations',
  ...Object.fromEntries(
    ['listWaitingCodes', 'listWaitingConfirmations', 'listWaitingTestRecipients'].map((name) => [
      `src/messaging/notices/queries.ts ${name}`,
      'runs in the worker; test/widget/codes, test/messaging/test-sends',
    ]),
  ),
  'src/messaging/archived-messages/queries.ts archivedMessageSource#2':
    'by the worker that writes files; test/messaging/archived-messages',
  'src/messaging/archived-messages/queries.ts findContents':
    'by the worker that writes files; test/messaging/archived-messages',
  'src/messaging/archived-messages/queries.ts insertArchived':
    'runs in the worker; test/messaging/archived-messages',
  'src/messaging/archived-messages/deleting/':
    'runs in the worker; test/messaging/archived-messages',
  'src/messaging/send-queue/': 'runs in the worker; test/workflows/sending',
  'src/messaging/requested-sends/queries.ts deleteSendData':
    'runs in the worker; test/messaging/requested-sends',
  ...Object.fromEntries(
    ['listJourneyData', 'deleteJourneyData'].map((name) => [
      `src/messaging/message-data/queries.ts ${name}`,
      'runs in the worker; test/messaging/enrollment-data',
    ]),
  ),
  'src/messaging/recipients/queries.ts listUnsubscribed':
    'of messages with a topic; test/messaging/topics',
  'src/messaging/tracking/':
    'requested by recipients, whose signed links name the team; test/messaging/tracking',
  'src/messaging/preferences/': 'asked by recipients; test/messaging/topics',
  'src/messaging/recipients/queries.ts listDevices': 'runs in the worker; test/workflows',
  'src/messaging/recipients/queries.ts listCallbackReceivers': 'runs in the worker; test/messaging',
  'src/operations/exports/writing/': 'by the worker that writes files; test/partner/exports',
  'src/cohorts/realtime/': 'by the worker, as rows change; test/cohorts/realtime',
  'src/operations/runs/running/queries.ts leaveOut':
    'by an update of a workflow; test/workflows/operator-updates',
  'src/platform/replays/queries.ts setReplayRate':
    'by an update of a workflow; test/workflows/operator-updates',
  'src/team/audit-events/queries.ts findCallers':
    'as the relay starts workflows; test/workflows/run-operation',
  'src/operations/runs/running/queries.ts listStaleRuns':
    'repairs those of all teams; test/operations/batch',
  'src/operations/runs/running/queries.ts pruneRuns':
    'deletes what is old of all teams; test/operations/runs/retention',
  'src/operations/sftp/': 'asked of by SFTP clients, and by the worker; test/operations/sftp',
  'src/operations/uploads/queries.ts pruneUploads':
    'deletes what is old of all teams; test/operations/uploads',
  'src/inbound/intake/': 'callbacks come without a token; test/inbound',
  'src/inbound/projection/': 'what a callback says, applied by intake and worker; test/inbound',
  'src/inbound/confirmation/': 'topics are confirmed by the worker; test/inbound',
  'src/platform/replays/queries.ts failReplay': 'after faults; test/inbound/replay-ends',
  'src/inbound/replays/running/queries.ts findRawOf':
    'of callbacks that a replay parses again; test/inbound/replay',
  'src/inbound/replays/running/queries.ts writeReadings':
    'of callbacks that a replay parses again; test/inbound/replay',
  'src/contacts/devices/queries.ts invalidateDevice': 'by a callback; test/inbound',
  'src/messaging/message-deliveries/queries.ts lockMessageDeliveries':
    'by a callback; test/inbound',
  'src/messaging/message-deliveries/queries.ts updateReported': 'by a callback; test/inbound',
  'src/campaigns/objectives/queries.ts holdObjectiveByKey': 'by a callback; test/inbound',
  'src/platform/database/maintenance.ts': 'deletes what is old of all teams; test/workflows',
  'src/meta/requests/queries.ts findRequests': 'npm run admin; test/commands/requests',
  'src/webhooks/deprecations/queries.ts':
    'of subscriptions that list a replaced name, and by the worker; test/meta/deprecations',
  'src/team/audit-events/queries.ts listLatestAuditEvents': 'npm run admin; test/commands/admin',
  'src/contacts/queries.ts refreshEmailStatus': 'after an erasure; test/abuse/forgotten-persons',
  'src/contacts/suppressions/erased/queries.ts insertErasedSuppressions':
    'runs in the worker; test/abuse/forgotten-persons',
  'src/team/oauth2/queries.ts insertClientSecret': 'npm run admin; test/commands/admin',
  'src/team/oauth2/queries.ts liveSecrets': 'npm start, of its demo client; test/commands/start',
  'src/team/oauth2/queries.ts listClients': 'npm run admin; test/commands/admin',
  'src/team/oauth2/queries.ts updateClient': 'npm run admin; test/commands/admin',
  'src/team/audit-events/sealing/': 'runs in the worker; test/workflows/seal-audit-trail',
  'src/team/queries.ts setTeamTier': 'npm run admin; test/commands/admin',
  'src/team/queries.ts setTeamSuspended':
    'npm run admin; test/abuse/suspended-teams asks of two teams',
  'src/team/queries.ts setProviderRelease':
    'npm run admin; test/abuse/diverted-messages asks of two teams',
  'src/messaging/sending-providers/release/queries.ts listProvidersOf':
    'npm run admin; test/abuse/diverted-messages asks of two teams',
  'src/team/users/queries.ts listUsersOf':
    'npm run admin; test/abuse/suspended-users asks of two teams',
  'src/team/portal-sessions/queries.ts operatorClient':
    'npm run admin; test/commands/admin asks of two teams',
  'src/team/portal-sessions/queries.ts openPortalSession':
    'by the page of a link, without a token; test/team/portal-sessions asks of two teams',
  'src/team/queries.ts removeTrackingDomain':
    'of a domain that another team has lost; test/messaging/tracking asks of three teams',
  'src/widget/widget-instances/queries.ts findThemeOfTeam':
    'asked by recipients; test/widget/steps asks of two teams',
  'src/campaigns/templates/queries.ts listOverdueTemplates':
    'runs in the worker; test/campaigns/templates-lifecycle asks of two teams',
  'src/contacts/suppressions/queries.ts lockSoftBounces':
    'runs in the worker, and by a callback; test/contacts/two-teams asks of two teams',
  'src/platform/database/parked-rows.ts unparkRow':
    'runs in the worker; test/contacts/two-teams asks of two teams',
  'src/webhooks/suspending/queries.ts isHeld':
    'runs in the worker; test/contacts/two-teams asks of two teams',
  'src/webhooks/dispatch/': 'runs in the worker; test/webhooks',
  'src/webhooks/recovery/': 'runs in the worker; test/webhooks',
  'src/webhooks/webhook-subscriptions/replays/running/':
    'runs in the worker; test/workflows/replay-webhooks',
  'src/webhooks/webhook-subscriptions/queries.ts liveSigningKeys':
    'runs in the worker; test/webhooks',
  'src/webhooks/webhook-subscriptions/delivery-settings/queries.ts openCallSettings':
    'runs in the worker; test/webhooks',
};

/** Statements of a worker by the id of a row that it has found in the team. */
const byFoundId = [
  'src/inbound/replays/running/queries.ts lockRunning',
  'src/inbound/replays/running/queries.ts lockRunning#2',
  'src/inbound/replays/running/queries.ts listNext',
  'src/inbound/replays/running/queries.ts lockChosen',
  'src/inbound/replays/running/queries.ts writeReplayed',
  'src/cohorts/evaluation/queries.ts writeMembers#2',
  'src/cohorts/evaluation/queries.ts writeMembers#3',
  'src/operations/runs/running/queries.ts lockHeldRun',
  'src/operations/runs/running/rights/queries.ts findRunAuthorization',
  'src/operations/runs/running/rights/queries.ts findRunAuthorization#2',
  'src/operations/runs/running/rights/queries.ts findRunAuthorization#3',
  'src/operations/runs/running/queries.ts findChunk',
  'src/operations/runs/running/queries.ts findLastChunk',
  'src/operations/runs/running/queries.ts listFailedInputs',
  'src/operations/runs/running/rights/queries.ts findRunAuthorization#4',
  'src/operations/runs/items/queries.ts listFirstFailed',
  'src/operations/uploads/queries.ts findKept',
  'src/operations/sftp-uploads/queries.ts writeBegun',
  'src/operations/sftp-uploads/queries.ts writeEnd',
  'src/journeys/ending/queries.ts lockOpenOf',
  'src/team/sending-domains/queries.ts lockExistingDomain',
  'src/webhooks/suspending/queries.ts isHeld#3',
  'src/webhooks/suspending/queries.ts isHeldBack',
  'src/webhooks/webhook-subscriptions/queries.ts findTargetUrl',
  'src/meta/requests/queries.ts deleteRequestsOf',
  'src/meta/requests/queries.ts deleteRequestsOf#2',
  'src/journeys/progress/queries.ts readProgress',
  'src/journeys/progress/queries.ts readProgress#2',
  'src/journeys/progress/queries.ts readProgress#3',
  'src/journeys/progress/queries.ts readProgress#4',
  'src/journeys/progress/queries.ts readProgress#5',
];

/** Statements of a request by the id of a row that it has found in the team. */
const ofFoundRow = [
  'src/contacts/merge/queries.ts moveAccounts',
  'src/contacts/merge/queries.ts moveAccounts#2',
  'src/contacts/merge/queries.ts moveAccounts#3',
  'src/contacts/merge/queries.ts moveAccounts#5',
  'src/contacts/merge/queries.ts moveChildren#2',
  'src/contacts/merge/queries.ts moveChildren#3',
  'src/contacts/merge/queries.ts moveChildren#4',
  'src/contacts/merge/queries.ts moveChildren#5',
  'src/contacts/legal-holds/queries.ts mergeHolds',
  'src/cohorts/merging/queries.ts findCohortIdsOf',
  'src/cohorts/merging/queries.ts moveMemberships#2',
  'src/cohorts/merging/queries.ts moveMemberships#3',
  'src/contacts/merge/queries.ts mergeConsentStatus#3',
  'src/contacts/merge/queries.ts mergeConsentStatus#5',
  'src/contacts/queries.ts findGone',
  'src/contacts/consents/queries.ts keepOptOut',
  'src/contacts/earlier-identities/queries.ts findLostAfter',
  'src/contacts/lookup/queries.ts lockContactsSharing#3',
  'src/operations/exports/queries.ts findPart',
  'src/engagement/completions/attribution/queries.ts attributeCompletions',
  'src/engagement/completions/attribution/queries.ts attributeCompletions#3',
  'src/campaigns/templates/history/queries.ts findLaunchedMessage',
  'src/campaigns/templates/history/queries.ts listDataSchemas',
  'src/journeys/ending/queries.ts deletedData',
  'src/journeys/ending/queries.ts findFulfilled',
  'src/journeys/ending/queries.ts findFulfilled#2',
  'src/journeys/ending/queries.ts findFulfilled#3',
  'src/journeys/ending/queries.ts findFulfilled#4',
  'src/journeys/ending/queries.ts lockJourneysWith',
  'src/journeys/enrollment/queries.ts evaluateContact',
  'src/journeys/enrollment/queries.ts evaluateContact#3',
  'src/journeys/enrollment/queries.ts listSteps#2',
  'src/journeys/merging/queries.ts moveJourneys',
  'src/journeys/merging/queries.ts moveJourneys#2',
  'src/journeys/signals/queries.ts recordSignals',
  'src/journeys/signals/queries.ts recordSignals#4',
  'src/journeys/signals/queries.ts recordSignals#5',
  'src/journeys/resyncs/queries.ts needsResync',
  'src/journeys/resyncs/queries.ts needsResync#2',
  'src/journeys/watches/queries.ts isWatched',
  'src/journeys/watches/queries.ts unwatch',
  'src/messaging/send-queue/waiting/queries.ts withdrawSend',
  'src/messaging/send-queue/waiting/queries.ts withdrawSend#2',
  'src/messaging/requested-sends/queries.ts withdrawRequested',
  'src/messaging/requested-sends/queries.ts withdrawRequested#2',
  'src/messaging/requested-sends/queries.ts withdrawRequested#3',
  'src/messaging/message-deliveries/queries.ts listInserted',
  'src/messaging/recipients/queries.ts listRecipients',
  'src/messaging/recipients/queries.ts listRecipients#4',
  'src/messaging/recipients/queries.ts listRecipients#5',
  'src/journeys/queries.ts findJourneysOf',
  'src/journeys/queries.ts objectives#2',
  'src/journeys/queries.ts shownJourney',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts findEvent',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts listAttempts',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts measureAttempts',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts measureAttempts#2',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts startOver',
  'src/webhooks/webhook-subscriptions/queries.ts isHeldByRecovery',
  'src/webhooks/webhook-subscriptions/replays/queries.ts countOf',
  'src/webhooks/webhook-subscriptions/replays/queries.ts countRequested#2',
  'src/webhooks/webhook-subscriptions/replays/queries.ts findAsked',
  'src/widget/widget-instances/tokens/queries.ts findJourneyToShow',
  'src/widget/widget-instances/tokens/queries.ts revokeWidgetTokens#2',
];

/** Statements that find ids for another statement, which names the team again. */
const foundForAnother = [
  'src/contacts/lookup/queries.ts findContactsReferred#2',
  'src/contacts/upsert/queries.ts lockContactsByKey#2',
  'src/journeys/ending/queries.ts findOpenOf',
  'src/journeys/ending/queries.ts findUnsubscribed#3',
  'src/journeys/ending/queries.ts findLeft#2',
  'src/journeys/merging/queries.ts findDoubled#2',
];

/** Predicates that repeat another condition, with the name of that condition. */
const redundant: Readonly<Record<string, string>> = {
  'src/contacts/legal-holds/queries.ts findHoldOn':
    'Holds of another team stand in all of test/messaging/legal-holds.',
  'src/messaging/archived-messages/queries.ts requireArchivedMessage':
    'The id of a content is a digest with the team: no other team has it.',
  ...Object.fromEntries(
    byFoundId.map((name) => [
      name,
      'The worker asks by the id of a row that it found in the team, which no other row has.',
    ]),
  ),
  ...Object.fromEntries(
    ofFoundRow.map((name) => [
      name,
      'The id is that of a row that was found in the team, and no other row refers to it.',
    ]),
  ),
  ...Object.fromEntries(
    foundForAnother.map((name) => [
      name,
      'The ids that it finds go through a condition that names the team again.',
    ]),
  ),
  'src/contacts/lookup/queries.ts lockContactsSharing':
    'The ids are those of contacts that the same statement finds in the team.',
  'src/contacts/lookup/queries.ts lockContactsSharing#2':
    'Its contacts go through the condition of the statement around it, which names the team again.',
  'src/contacts/topic-consents/queries.ts findTopicOptOuts#5':
    'Saves the search in a team without topics; the topic that is found is asked of the team again.',
  'src/contacts/queries.ts insertContacts#2':
    'Saves the search for opt-outs in a team without topics, which names the team again.',
  'src/team/queries.ts listTeamStates':
    'Read in the background for all teams; test/messaging/tracking asks of two teams.',
  'src/webhooks/suspending/queries.ts isHeld#2':
    'Ids of clients are unique among all teams, and the subscription refers to one of its team.',
  'src/team/portal-sessions/queries.ts openPortalSession#2':
    'Ids of clients are unique among all teams, and the session refers to one of its team.',
  'src/team/portal-sessions/queries.ts endPortalSession':
    'Ids of sessions are unique among all teams, and this one was found in the team.',
  'src/messaging/sending-providers/queries.ts listTeamProviders#2':
    'Only who requires releases has another; test/abuse/diverted-messages asks of two teams.',
  'src/messaging/sending-providers/queries.ts listTeamProviders':
    'For senders of text messages, and in the worker; test/messaging/sending-providers.',
  'src/journeys/watches/queries.ts countWatches':
    'For the share of another team; test/workflows/watch-journey asks of two teams.',
  'src/contacts/accounts/queries.ts lockAccounts':
    'Only for requests that are sent at once; test/contacts/two-teams asks of twins.',
  'src/contacts/queries.ts statusOfAddress':
    'For an address that another team has suppressed; test/contacts/two-teams asks of two teams.',
  'src/contacts/writing/queries.ts holderByMerger':
    'For a key that another team has merged; test/contacts/two-teams asks of two teams.',
  'src/engagement/completions/queries.ts findCompletions':
    'For a key that another team has used; test/contacts/two-teams asks of twins.',
  'src/team/queries.ts findFileBytes':
    'Teams here have no quota of bytes; test/abuse/stored-bytes asks of two teams.',
  'src/team/queries.ts findFileBytes#2':
    'Teams here have no quota of bytes; test/abuse/stored-bytes asks of two teams.',
  'src/contacts/suppressions/erased/queries.ts restoreErasedSuppressions':
    'The worker keeps what it finds, after an erasure; test/abuse/forgotten-persons asks of two teams.',
  'src/contacts/suppressions/queries.ts findAddressSuppression#2':
    'The worker keeps what it finds, after an erasure; test/messaging/test-sends asks of two teams.',
  'src/contacts/queries.ts insertContacts':
    'Saves asking what erasures kept; restoreErasedSuppressions, which asks, names the team again.',
  'src/contacts/earlier-identities/queries.ts listEarlierIdentities':
    'Sealed into the erasure, and opened by the worker; test/abuse/forgotten-persons.',
  'src/insights/cache/queries.ts findCachedAnswer':
    'No answer takes long enough to be kept here; test/insights/cache asks of two teams.',
  'src/insights/rollups/queries.ts findSpans':
    'Not noticed where the rows are read in any case; test/insights/rollups asks of two teams.',
  'src/insights/rollups/queries.ts findSpans#2':
    'Decides which hours are read from the rows and which from the sums of the same rows.',
  'src/team/sending-domains/queries.ts listVerifiedDomains':
    'Names that nobody owns need no domain here; test/workflows/verify-sending-domain asks of two teams.',
  'src/team/sending-domains/queries.ts writeCheck':
    'Runs in the worker, for a row that the same transaction has locked in its team.',
  'src/platform/events/record.ts subscribedTypes':
    'Saves the making of events; recordEvents, to which they go, asks for the team again.',
  'src/inbound/deliveries/queries.ts findPayloads':
    'The ids are those of rows that were found in the team, and no other row has them.',
  'src/inbound/deliveries/queries.ts findRaw':
    'The day and the id of a row that was found in the team, which no other row has.',
  'src/inbound/intake/queries.ts findReceiver':
    'Ids of receivers are unique among all teams, and a secret refers to both.',
  'src/inbound/intake/queries.ts findReceiver#2':
    'Decides the tier by which callbacks are counted; the endpoint that tries a receiver does not.',
  'src/inbound/replays/queries.ts stateOf':
    'The day and the id of a row that was found in the team, which no other row has.',
  'src/webhooks/webhook-subscriptions/replays/queries.ts stateOf':
    'The day and the id of a row that was found in the team, which no other row has.',
  'src/inbound/incoming-webhook-receivers/queries.ts deleteReceiverRow':
    'Ids of receivers are unique among all teams, and this one was locked in the team.',
  'src/inbound/incoming-webhook-receivers/queries.ts updateReceiverRow':
    'Ids of receivers are unique among all teams, and this one was locked in the team.',
  'src/inbound/incoming-webhook-receivers/verification/queries.ts askToConfirm':
    'The delivery was found in the team by the same transaction, and no other row has its id.',
  'src/webhooks/webhook-subscriptions/deliveries/queries.ts requireEventDelivery':
    'The event was recorded by the same transaction, under an id of its own.',
  'src/operations/runs/queries.ts setTotal':
    'The run was inserted by the same transaction, under an id of its own.',
  'src/operations/uploads/queries.ts insertPart':
    'The upload was begun by the same request, under an id of its own.',
  'src/operations/uploads/queries.ts completeUpload':
    'The upload was begun by the same request, under an id of its own.',
  'src/contacts/queries.ts lockContactsWith':
    'markContacts, to which these ids go, names the team again.',
  'src/campaigns/messages/queries.ts followCopiedPages':
    'The template is the copy that this very transaction has made, under an id of its own.',
};

/** Every mutant; those that no request can reach apart, with the reason. */
export function allMutants() {
  const mutants: Mutant[] = [];
  const unreachable: (Mutant & { reason: string })[] = [];
  const files = sources();
  const tables = findTables(files);
  const add = (name: string, place: string, canSwitch: boolean) => {
    const mutant = { name, place, kind: 'A condition on the team' } as const;
    const reason = name in redundant ? undefined : reasonFor(elsewhere, name);
    if (reason !== undefined) unreachable.push({ ...mutant, reason });
    else if (canSwitch) mutants.push(mutant);
    else throw new Error(`${mutant.place}: say the predicate in a form that sites.mjs knows`);
  };
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const sites = findSites(file, text);
    const names = namesOf(file, sites);
    sites.forEach(({ line, canSwitch, within }, at) => {
      const name = names[at] ?? '';
      if (file !== tableBuilder) {
        add(name, `${file}:${String(line)}`, canSwitch);
        return;
      }
      for (const { table, place, statements } of tables) {
        if (statements.has(within)) add(ofTable(name, table), place, canSwitch);
      }
    });
    if (!isAskedInHandler(file, text)) continue;
    const mutant = { name: `scope in ${file}`, place: file, kind: 'The scope of a part' } as const;
    const reason = reasonFor(elsewhere, mutant.name);
    if (reason === undefined) mutants.push(mutant);
    else unreachable.push({ ...mutant, reason });
  }
  for (const [id, { scope, list, demands }] of scopedEndpoints) {
    const name = `scope of ${id}`;
    mutants.push({ name, place: name, kind: 'The scope of an operation' });
    const demanded = `scope demanded by ${id}`;
    const further = demands?.(texts)?.scopes ?? [];
    if (further.length > 0)
      mutants.push({ name: demanded, place: demanded, kind: 'The scope of a part' });
    for (const [include, required] of Object.entries(list?.includeScopes ?? {})) {
      // A client that may read the list may read this as well: the check refuses no client.
      if (grants(scope, required)) continue;
      const ofInclude = `scope of ${include} in ${id}`;
      mutants.push({ name: ofInclude, place: ofInclude, kind: 'The scope of an include' });
    }
  }
  return { mutants, unreachable };
}

export function reasonOfRedundancy({ name }: Mutant): string | undefined {
  return redundant[name];
}

function sources(): string[] {
  return ['src', 'activities']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
        path.posix.join(folder, name.replaceAll(path.sep, '/')),
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

function reasonFor(reasons: Readonly<Record<string, string>>, name: string): string | undefined {
  const isOf = (place: string) =>
    place.includes(' ') ? [name, name.split('#')[0]].includes(place) : name.startsWith(place);
  return Object.entries(reasons).find(([place]) => isOf(place))?.[1];
}
