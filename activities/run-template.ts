import type { Database } from '../src/platform/database/client.ts';
import { isUnavailable } from '../src/platform/database/failures.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { readProgress } from '../src/journeys/progress/queries.ts';
import type { TemplateProgress } from '../src/journeys/progress/queries.ts';
import { needsResync } from '../src/journeys/resyncs/queries.ts';
import { applyDue, requestResyncIfNeeded } from '../src/campaigns/templates/lifecycle.ts';
import { findTemplateForUpdate } from '../src/campaigns/templates/queries.ts';
import { isUnderWay, nextDue } from '../src/campaigns/templates/rules.ts';
import type { TemplateStatus } from '../src/campaigns/templates/rules.ts';
import { listTeamProviders } from '../src/messaging/sending-providers/queries.ts';
import type { StoredProvider } from '../src/messaging/sending-providers/queries.ts';

/** Part of the ten seconds that the activity has. */
const numbersMs = 2_000;

/** Interval of looks at a launch that waits for the end of a suspension; the reconciler is faster. */
const suspendedPauseMs = 600_000;

/** Numbers of a launched template. */
export interface Campaign extends Pick<
  TemplateProgress,
  'enrolled' | 'active' | 'messages' | 'skipped'
> {
  /** When the next step of a journey is due. */
  nextStepAtMs: number | null;
  /** Channels of which the providers of its team accept no messages now. */
  halted: string[];
}

/** State of a template, and its next scheduled change. */
export interface TemplateOutlook {
  status: TemplateStatus | 'deleted';
  next: { action: 'launch' | 'expire'; atMs: number } | null;
  /** Whether its journeys are to be started, moved or ended. */
  needsResync?: boolean;
  /** Whether it is scheduled, launched or paused. */
  isUnderWay?: boolean;
  campaign?: Campaign;
}

export function createTemplateActivities({
  database,
  log,
  halted,
}: {
  database: Database;
  log: Log;
  /** Channels of which nothing is sent, of a team with these providers. */
  halted: (providers: readonly StoredProvider[]) => string[];
}) {
  /** Undefined while Postgres is slow: the numbers must not delay a launch or an expiry. */
  async function readCampaign(teamId: string, templateId: string): Promise<Campaign | undefined> {
    const place = { team_id: teamId, id: templateId };
    try {
      const read = (sql: Sql) =>
        Promise.all([readProgress(sql, place), listTeamProviders(sql, [teamId])]);
      const [progress, rows] = await database.read(read, { deadlineMs: numbersMs });
      const { next_step_at: nextStepAt, ...numbers } = progress;
      const nextStepAtMs = nextStepAt === null ? null : Date.parse(nextStepAt);
      return { ...numbers, nextStepAtMs, halted: halted(rows) };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error, template_id: templateId }, 'the numbers of a template are not read');
      return undefined;
    }
  }

  return {
    /**
     * Applies everything due at `asOfMs` to the current row, with its events, in one transaction.
     * Late, early and repeated calls are harmless.
     */
    async advanceTemplate({
      teamId,
      templateId,
      asOfMs,
    }: {
      teamId: string;
      templateId: string;
      asOfMs: number;
    }): Promise<TemplateOutlook> {
      const outlook = await database.transact(async (sql): Promise<TemplateOutlook> => {
        const before = await findTemplateForUpdate(sql, teamId, templateId);
        if (!before) return { status: 'deleted', next: null };
        const row = await applyDue(sql, before, asOfMs);
        await requestResyncIfNeeded(sql, before, row);
        if (row.status !== before.status) {
          const change = { from: before.status, to: row.status, lateMs: lateness(before, asOfMs) };
          log.info({ team_id: teamId, template_id: templateId, ...change }, 'template advanced');
        }
        const next = nextDue(row);
        // Due and not applied: the team is suspended.
        const againMs = asOfMs + suspendedPauseMs;
        const atMs = next && (isDue(next, asOfMs) ? againMs : Date.parse(next.at));
        return {
          status: row.status,
          next: next ? { action: next.action, atMs: atMs ?? againMs } : null,
          ...((await needsResync(sql, row)) && { needsResync: true }),
          ...(isUnderWay(row.status) && { isUnderWay: true }),
        };
      });
      if (outlook.status !== 'launched' && outlook.status !== 'paused') return outlook;
      const campaign = await readCampaign(teamId, templateId);
      return { ...outlook, ...(campaign && { campaign }) };
    },
  };
}

const isDue = ({ at }: { at: string }, asOfMs: number) => Date.parse(at) <= asOfMs;

function lateness(row: Parameters<typeof nextDue>[0], asOfMs: number): number | undefined {
  const due = nextDue(row);
  return due && asOfMs - Date.parse(due.at);
}
