import type { Database } from '../src/platform/database/client.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { insertAuditEvent } from '../src/platform/http/audit.ts';
import { traceOfRun } from '../src/platform/http/trace.ts';
import { cancelReplayRow, takeReplay } from '../src/platform/replays/queries.ts';
import type { ReplayTable } from '../src/platform/replays/queries.ts';
import { recordReplayEnd } from '../src/platform/replays/record-end.ts';
import { endExport } from '../src/operations/exports/writing/end.ts';
import { lockOpenExport } from '../src/operations/exports/writing/queries.ts';
import { cancelRunRow } from '../src/operations/runs/actions.ts';
import { lockRun } from '../src/operations/runs/queries.ts';
import { lockOpenRun } from '../src/operations/runs/running/queries.ts';
import { inboundReplays } from '../src/inbound/replays/queries.ts';
import { webhookReplays } from '../src/webhooks/webhook-subscriptions/replays/queries.ts';

interface Row {
  teamId: string;
  id: string;
}

/** Actor in the audit trail: Temporal does not pass on who made a cancellation request. */
const operator = 'operator@temporal';

/**
 * Cancel the row of a workflow that an operator cancels in Temporal; a row that has ended stays. They
 * send no signal: the workflow knows already, and one that has ended meanwhile would start again.
 */
export function createCancelActivities({ database }: { database: Database }) {
  return {
    cancelOperationRun: ({ teamId, id }: Row): Promise<void> =>
      database.transact(async (sql) => {
        const open = await lockOpenRun(sql, teamId, id);
        if (!open) return;
        const before = await lockRun(sql, teamId, open.surface, id);
        const { status } = await cancelRunRow(sql, before);
        if (status !== before.status) await recordCancel(sql, before.type, { teamId, id });
      }),

    /** An export has no status of its own for it: it fails, and the error says why. */
    cancelExport: (row: Row): Promise<void> =>
      database.transact(async (sql) => {
        const open = await lockOpenExport(sql, row.teamId, row.id);
        if (!open) return;
        await endExport(sql, open, canceledExport);
        await recordCancel(sql, 'export', row);
      }),

    cancelInboundReplay: (row: Row): Promise<void> =>
      database.transact((sql) => cancelOpenReplay(sql, inboundReplays, row)),

    cancelWebhookReplay: (row: Row): Promise<void> =>
      database.transact((sql) => cancelOpenReplay(sql, webhookReplays, row)),
  };
}

const canceledExport = {
  code: 'canceled',
  detail: 'The export was canceled by an operator of the service. Request it again.',
} as const;

/** Waits for the chunk in progress, and claims the replay, so that nothing more is replayed. */
async function cancelOpenReplay(sql: Sql, table: ReplayTable, row: Row): Promise<void> {
  const open = await takeReplay(sql, table, row.teamId, row.id);
  if (!open) return;
  await recordCancel(sql, table.type, row);
  recordReplayEnd(sql, table, await cancelReplayRow(sql, table, open));
}

async function recordCancel(sql: Sql, resourceType: string, { teamId, id }: Row): Promise<void> {
  await insertAuditEvent(sql, {
    teamId,
    action: `${resourceType}.canceled`,
    resourceId: id,
    changedFields: ['status'],
    clientId: null,
    actor: operator,
    trace: traceOfRun(id),
  });
}
