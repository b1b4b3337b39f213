import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import { paramsOf, pathOf } from './samples.ts';
import { scopedEndpoints } from './scoped.ts';

/** Lists without `updated_at`, and the reason. A client polls them by the field that is named. */
const withoutChanges: Readonly<Record<string, readonly string[]>> = {
  'rows that never change: poll by the time at which they were made': [
    'listRequests',
    'listContactConsentChanges',
    'listContactTopicConsentChanges',
    'listTemplateVersions',
    'listTemplateStatusHistory',
    'listArchivedMessages',
    'listContactReads',
    'listAuditEvents',
    'listEngagementEvents',
    'listContactEvents',
    'listTemplateEngagementEvents',
    'getJourneyTimeline',
    'listWebhookAttempts',
  ],
  'memberships begin at `joined_at`, and end with their row': ['listCohortMembers'],
  'items and operations belong to their parent or to the version, and have no row of their own': [
    'listExecutionItems',
    'getExecutionResult',
    'listBatchOperationItems',
    'listOperations',
  ],
  'each change is an attempt, at `last_attempt_at`: one index more would slow each webhook down': [
    'listWebhookDeliveries',
  ],
  'each change is a processing, at `processed_at`': ['listInboundDeliveries'],
  'at most one is open at a time: poll it by its id': ['listWebhookReplays', 'listInboundReplays'],
};
const exceptions = Object.values(withoutChanges).flat();

/** Tables of the lists, or the limit of their rows where they need no index. */
const tables: Readonly<Record<string, string>> = {
  listContacts: 'contacts',
  listTopics: 'topics',
  listContactDevices: 'at most 50 of a contact',
  listSuppressions: 'suppressions',
  listAccounts: 'accounts',
  listContactAccounts: 'accounts',
  listCohorts: 'cohorts',
  listContactCohorts: 'cohorts',
  listTemplates: 'templates',
  listJourneys: 'journeys',
  listTemplateJourneys: 'journeys',
  listContactJourneys: 'journeys',
  listContentBlocks: 'content_blocks',
  listLandingPages: 'landing_pages',
  listMessages: 'messages',
  listTemplateMessages: 'messages',
  listTestRecipients: 'test_recipients',
  listLegalHolds: 'legal_holds',
  listMessageDeliveries: 'message_deliveries',
  listContactMessageDeliveries: 'message_deliveries',
  listPages: 'pages',
  listTemplatePages: 'pages',
  listObjectives: 'objectives',
  listUsers: 'users',
  listPortalSessions: 'portal_sessions',
  listSendingDomains: 'sending_domains',
  listSendingProviders: 'sending_providers',
  listCompletions: 'objective_completions',
  listObjectiveCompletions: 'objective_completions',
  listContactCompletions: 'objective_completions',
  listCustomEventTypes: 'custom_event_types',
  listSftpCredentials: 'sftp_credentials',
  listSftpUploads: 'sftp_uploads',
  listFileSources: 'file_sources',
  listWidgetInstances: 'widget_instances',
  listExports: 'exports',
  listWebhookSubscriptions: 'webhook_subscriptions',
  listIncomingWebhookReceivers: 'incoming_webhook_receivers',
  listExecutions: 'operation_runs',
  listBatchOperations: 'operation_runs',
};

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const lists = scopedEndpoints.filter(([, { list }]) => list !== undefined);
const polled = lists.filter(([id]) => !exceptions.includes(id));

test('every list is polled by updated_at, or is a declared exception', () => {
  expect(Object.keys(tables).sort()).toEqual(polled.map(([id]) => id).sort());
  const ids = lists.map(([id]) => id);
  expect(exceptions.filter((id) => !ids.includes(id))).toEqual([]);
});

describe('a list is filtered and sorted by updated_at', () => {
  test.each(polled)('%s', async (_, endpoint) => {
    const team = await api.newTeam();
    const path = pathOf(endpoint, await paramsOf(team, endpoint));
    const query = 'filter[updated_at][gte]=2026-01-01T00:00:00Z&sort=updated_at';
    const all = await team.get(`${path}?${query}`);
    expect(verdictOf(all)).toBe('200');
    const times: string[] = all.body.data.map(({ updated_at }: any) => String(updated_at));
    expect(times).toEqual(times.toSorted());
    const later = await team.get(`${path}?filter[updated_at][gt]=2999-01-01T00:00:00Z`);
    expect(later.body.data).toEqual([]);
  });
});

test('an index has the order of updated_at in each table', async () => {
  const named = [...new Set(Object.values(tables))].filter((name) => /^[a-z_]+$/.test(name));
  const indexed = await api.db.look(
    (sql) => sql<{ tablename: string }[]>`
      select distinct tablename from pg_indexes
      where indexdef ~ '\\(team_id, (surface, )?updated_at( DESC)?, id( DESC)?\\)'`,
  );
  const found = indexed.map(({ tablename }) => tablename);
  expect(named.filter((name) => !found.includes(name))).toEqual([]);
});
