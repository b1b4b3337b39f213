import { randomUUID } from 'node:crypto';
import { rotateOldSigningKey } from '../platform/auth/signing-keys.ts';
import { insertAuditEvent, installationTrail } from '../platform/http/audit.ts';
import { traceOfRun } from '../platform/http/trace.ts';
import {
  dropEmptyMonths,
  dropOldDays,
  dropOldMonths,
  ensurePartitions,
  pruneBudgets,
  pruneEngagementKeys,
  pruneExpired,
  pruneInbound,
} from '../platform/database/maintenance.ts';
import { forEachAlone, teamLoop } from '../platform/batching/isolate.ts';
import { pruneParked } from '../platform/database/parked-rows.ts';
import { pruneInboundDeliveries } from '../inbound/deliveries/queries.ts';
import { pruneEngagementEvents } from '../engagement/engagement-events/queries.ts';
import { pruneMessageDeliveries } from '../messaging/message-deliveries/queries.ts';
import { pruneWebhookEvents } from '../webhooks/webhook-subscriptions/deliveries/queries.ts';
import { notifySubscribers } from '../webhooks/deprecations/notices.ts';
import { liftExpiredSoftBounces } from '../contacts/suppressions/expired-soft-bounces.ts';
import { pruneContactReads } from '../contacts/contact-reads/queries.ts';
import { pruneArchived } from '../messaging/archived-messages/deleting/queries.ts';
import { pruneMailbox } from '../messaging/dev-mailbox/queries.ts';
import { requestLogDays } from '../meta/requests/queries.ts';
import { pruneConfirmations } from '../messaging/confirming/queries.ts';
import { pruneExports } from '../operations/exports/writing/queries.ts';
import { listTeamsWithOldRates, refreshRates } from '../insights/benchmarks/queries.ts';
import { pruneSums } from '../insights/rollups/queries.ts';
import { prunePortalSessions } from '../team/portal-sessions/queries.ts';
import { pruneNoticeBudgets } from '../messaging/notices/queries.ts';
import { prunePreviousSecrets } from '../messaging/sending-providers/queries.ts';
import { pruneTestRecipients } from '../messaging/test-recipients/queries.ts';
import { pruneRuns } from '../operations/runs/running/queries.ts';
import { endAbandoned } from '../operations/sftp/upload-status.ts';
import { pruneUploads } from '../operations/uploads/queries.ts';
import { pruneGuesses } from '../widget/identity/queries.ts';
import { pruneSessions } from '../widget/sessions/queries.ts';
import { atOnce, inChunks, inOrder, pruning, pruningTogether, withinAMinute } from './task.ts';
import type { Task } from './task.ts';

const deliveryDays = 90;
const inboundRawDays = 8;
/** Retention of engagement events and sends, in months; older events are not accepted. */
const engagementMonths = 25;
/** Each may have 200 MB of parts. */
const uploadBatch = 10;
const partBatch = 200;
const fileBatch = 100;
const teamBatch = 200;
const addressBatch = 200;

const shorterTerms = 'Deletes those of teams with a shorter term.';
const webhookTables = ['webhook_attempts', 'webhook_deliveries', 'webhook_events'];

/** Every task of the maintenance by its name. Each has a schedule of its own (ADR 48). */
export const tasks: Readonly<Record<string, Task>> = {
  partitions: atOnce('Makes the partitions of the coming days and months.', ensurePartitions),
  'webhook-deliveries': inOrder(
    atOnce('Drops webhook events, deliveries and attempts after 90 days.', (sql) =>
      dropOldDays(sql, webhookTables, deliveryDays),
    ),
    pruning(shorterTerms, pruneWebhookEvents),
  ),
  'inbound-deliveries': inOrder(
    atOnce('Drops inbound deliveries after 90 days.', (sql) =>
      dropOldDays(sql, ['inbound_deliveries'], deliveryDays),
    ),
    pruning(shorterTerms, pruneInboundDeliveries),
  ),
  'inbound-payloads': atOnce('Drops the raw payloads of callbacks.', (sql) =>
    dropOldDays(sql, ['inbound_raw'], inboundRawDays),
  ),
  'request-log': atOnce('Drops the days of the request log.', (sql) =>
    dropOldDays(sql, ['request_log'], requestLogDays),
  ),
  'engagement-events': inOrder(
    atOnce('Drops engagement events after 25 months.', (sql) =>
      dropOldMonths(sql, 'engagement_events', engagementMonths),
    ),
    pruning(shorterTerms, pruneEngagementEvents),
    pruning('Deletes their keys.', (sql, limit) =>
      pruneEngagementKeys(sql, engagementMonths, limit),
    ),
  ),
  'message-deliveries': inOrder(
    atOnce('Drops message deliveries after 25 months.', (sql) =>
      dropOldMonths(sql, 'message_deliveries', engagementMonths),
    ),
    pruning(shorterTerms, pruneMessageDeliveries),
    atOnce('Deletes their hourly sums.', (sql) => pruneSums(sql, engagementMonths)),
  ),
  'archived-messages': inOrder(
    pruningTogether('Deletes archived messages whose term has ended.', pruneArchived),
    atOnce('Drops their empty months.', (sql) => dropEmptyMonths(sql, 'archived_messages')),
  ),
  'contact-reads': inOrder(
    pruning('Deletes lines of read logs whose term has ended.', pruneContactReads),
    atOnce('Drops their empty months.', (sql) => dropEmptyMonths(sql, 'contact_reads')),
  ),
  'idempotency-keys': pruning(
    'Deletes stored answers and revocations that have expired.',
    pruneExpired,
  ),
  'inbound-keys': pruning(
    'Deletes what deduplication needs no longer, and old counts of refused callbacks.',
    pruneInbound,
  ),
  'operation-results': pruning('Deletes results of batches and executions.', pruneRuns),
  'portal-sessions': pruning('Deletes portal sessions that ended a week ago.', prunePortalSessions),
  'recipient-sessions': pruning('Deletes sessions of recipients that are over.', pruneSessions),
  'identity-failures': pruning('Deletes old failures of identity challenges.', pruneGuesses),
  'consent-confirmations': pruning('Deletes confirmations that have expired.', pruneConfirmations),
  'soft-bounces': inChunks(
    addressBatch,
    'Lifts suppressions by soft bounces after 30 days.',
    liftExpiredSoftBounces,
  ),
  'test-recipients': pruning(
    'Deletes test recipients that were not confirmed in time.',
    pruneTestRecipients,
  ),
  'provider-secrets': pruning(
    'Forgets secrets of sending providers whose overlap has ended.',
    prunePreviousSecrets,
  ),
  'rate-budgets': pruning('Deletes budgets of requests that are full again.', pruneBudgets),
  'parked-rows': atOnce('Forgets rows that no loop has met for a week.', pruneParked),
  'notice-budgets': pruning('Deletes daily budgets of codes.', pruneNoticeBudgets),
  mailbox: pruning('Deletes old messages of the mailbox.', pruneMailbox),
  uploads: pruning('Deletes uploads that have expired.', pruneUploads, uploadBatch),
  exports: pruning('Deletes files of exports that have expired.', pruneExports, partBatch),
  'sftp-files': inChunks(fileBatch, 'Ends files by SFTP that were never finished.', endAbandoned),
  benchmarks: {
    note: 'Computes what teams compare, at most once in 20 hours for each.',
    async work(database, turn) {
      const teams = await database.read((sql) => listTeamsWithOldRates(sql, teamBatch));
      await forEachAlone(
        { database, log: turn.log },
        teamLoop('benchmarks'),
        teams,
        async ({ id }) => {
          if (turn.isOver()) return;
          await database.transact((sql) => refreshRates(sql, id), withinAMinute);
          turn.count += 1;
        },
      );
      // The others are first in an hour: a team without objectives would be listed for ever.
      return true;
    },
  },
  'signing-keys': {
    note: 'Replaces the signing key of access tokens after 90 days.',
    actions: ['signing_key.created'],
    async work(database, turn) {
      await database.transact(async (sql) => {
        const id = await rotateOldSigningKey(sql, turn.keyring);
        if (id === undefined) return;
        turn.count += 1;
        await insertAuditEvent(sql, {
          ...{ teamId: installationTrail, action: 'signing_key.created', resourceId: id },
          ...{ changedFields: [], clientId: null, actor: 'maintenance@temporal' },
          trace: traceOfRun(randomUUID()),
        });
      }, withinAMinute);
      return true;
    },
  },
  'deprecation-notices': inChunks(
    teamBatch,
    'Records notices of event types that became deprecated.',
    notifySubscribers,
  ),
};
