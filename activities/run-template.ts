import type { Database } from '../src/platform/database/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { needsResync } from '../src/journeys/resyncs/queries.ts';
import { applyDue, requestResyncIfNeeded } from '../src/campaigns/templates/lifecycle.ts';
import { findTemplateForUpdate } from '../src/campaigns/templates/queries.ts';
import { nextDue } from '../src/campaigns/templates/rules.ts';
import type { TemplateStatus } from '../src/campaigns/templates/rules.ts';

/** State of a template, and its next scheduled change. */
export interface TemplateOutlook {
  status: TemplateStatus | 'deleted';
  next: { action: 'launch' | 'expire'; atMs: number } | null;
  /** Whether its journeys are to be started, moved or ended. */
  needsResync?: boolean;
}

export function createTemplateActivities({ database, log }: { database: Database; log: Log }) {
  return {
    /**
     * Applies everything due at `asOfMs` to the current row, with its events, in one transaction.
     * Late, early and repeated calls are harmless.
     */
    advanceTemplate({
      teamId,
      templateId,
      asOfMs,
    }: {
      teamId: string;
      templateId: string;
      asOfMs: number;
    }): Promise<TemplateOutlook> {
      return database.transact(async (sql) => {
        const before = await findTemplateForUpdate(sql, teamId, templateId);
        if (!before) return { status: 'deleted', next: null };
        const row = await applyDue(sql, before, asOfMs);
        await requestResyncIfNeeded(sql, before, row);
        if (row.status !== before.status) {
          const change = { from: before.status, to: row.status, lateMs: lateness(before, asOfMs) };
          log.info({ team_id: teamId, template_id: templateId, ...change }, 'template advanced');
        }
        const next = nextDue(row);
        return {
          status: row.status,
          next: next ? { action: next.action, atMs: Date.parse(next.at) } : null,
          ...((await needsResync(sql, row)) && { needsResync: true }),
        };
      });
    },
  };
}

function lateness(row: Parameters<typeof nextDue>[0], asOfMs: number): number | undefined {
  const due = nextDue(row);
  return due && asOfMs - Date.parse(due.at);
}
