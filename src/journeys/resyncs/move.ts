import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { forceCustomPlans } from '../../platform/database/planner-settings.ts';
import type { Log } from '../../platform/observability/log.ts';
import { endSome, end } from '../ending/end.ts';
import { lockForEnrollment, takesRecipients } from '../enrollment/enroll.ts';
import { endingOf } from '../rules.ts';
import {
  claimResync,
  noteMoved,
  finishResync,
  listBehind,
  lockHeld,
  moveDeadlines,
  release,
  resyncLoopName,
} from './queries.ts';
import type { Resync } from './queries.ts';
import { countMembers, findScan, forgetArrivals } from '../scans/queries.ts';
import { enrollArrivals, scanTogether } from '../scans/scan.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';

interface RowOfTeam {
  team_id: string;
  id: string;
}

/** A journey that cannot follow its template ends; the others of the template follow it. */
const resyncLoop: RowLoop<RowOfTeam> = {
  name: resyncLoopName,
  keyOf: ({ team_id, id }) => ({ team_id, id }),
  fail: (sql, { team_id, id }) => end(sql, team_id, [id], { status: 'failed', reason: 'error' }),
};

const idsOf = (rows: readonly RowOfTeam[]) => rows.map(({ id }) => id);

/**
 * Gives some of the journeys that were due while their template was paused a time again; returns how
 * many it has looked at: none when nothing is left.
 */
export async function releaseSome(
  sql: Sql,
  log: Log,
  template: RowOfTeam,
  limit: number,
): Promise<number> {
  const held = await lockHeld(sql, template, limit);
  await isolate(sql, log, resyncLoop, held, (some) => release(sql, template.team_id, idsOf(some)));
  return held.length;
}

/**
 * Gives some of the open journeys behind an id the deadline of their template; returns the last of
 * them, null for none.
 */
async function moveSomeDeadlines(
  sql: Sql,
  log: Log,
  template: RowOfTeam,
  after: string,
  limit: number,
): Promise<string | null> {
  const found = await listBehind(sql, template, after, limit);
  const moving = found.filter(({ differs }) => differs);
  await isolate(sql, log, resyncLoop, moving, (some) =>
    moveDeadlines(sql, template.team_id, idsOf(some)),
  );
  return found.at(-1)?.id ?? null;
}

export interface JourneyDependencies {
  database: Database;
  log: Log;
  /** Aborted when the worker stops: a round ends after the current journeys. */
  stopping: AbortSignal;
}

/** Result of a round for the journeys of a template. */
export interface JourneyOutlook {
  /** Members of the target cohorts by their counters, and how far the count has got. */
  members: number;
  seen: number;
  enrolled: number;
  /** In this round. */
  ended: number;
  released: number;
  isDone: boolean;
}

/** A round may take this long: shorter than work may lie untouched. */
const budgetMs = 5_000;
const deadlineMs = 30_000;
/** Duration of one transaction, during which the template cannot be paused. */
const targetMs = 200;
const [fewest, first, most] = [50, 250, 2_000];

interface JourneyRound {
  teamId: string;
  templateId: string;
  /** Until something else is due of the template. */
  withinMs: number;
}

/**
 * Applies the state of a template to its journeys for some seconds, in batches. Each batch reads
 * the template again, then enrolls members and arrivals, resumes paused journeys, moves deadlines
 * or ends open journeys.
 */
export async function moveJourneys(
  { database, log, stopping }: JourneyDependencies,
  { teamId, templateId, withinMs }: JourneyRound,
): Promise<JourneyOutlook> {
  const place = { team_id: teamId, id: templateId };
  const resync = await database.read((sql) => claimResync(sql, place));
  const counts = { ended: 0, released: 0 };
  const beganAtMs = performance.now();
  let after = resync?.deadline_cursor ?? null;
  let limit: number = first;
  let isDone = false;
  while (!isDone && !stopping.aborted) {
    const startedAtMs = performance.now();
    if (startedAtMs - beganAtMs > Math.min(budgetMs, withinMs)) break;
    const pending = resync && after !== null ? { ...resync, deadline_cursor: after } : undefined;
    const step: Step = await database.transact(
      async (sql) => {
        await forceCustomPlans(sql);
        const template = await lockForEnrollment(sql, teamId, templateId);
        return moveSome(sql, log, template, pending, limit);
      },
      { deadlineMs },
    );
    if (step.isScanDue) {
      const scan = { teamId, templateId, scanId: templateId };
      await scanTogether({ database, log }, scan, limit, deadlineMs);
    }
    limit = nextLimit(limit, performance.now() - startedAtMs);
    counts.ended += step.ended ?? 0;
    counts.released += step.released ?? 0;
    if (step.after !== undefined) ({ after } = step);
    isDone = step.moved === 0;
  }
  if (isDone && resync) await database.transact((sql) => finishResync(sql, place, resync.revision));
  return database.read(async (sql) => {
    const scan = await findScan(sql, teamId, templateId);
    return {
      members: scan ? await countMembers(sql, scan) : 0,
      seen: scan?.seen_count ?? 0,
      enrolled: scan?.enrolled_count ?? 0,
      ...counts,
      isDone,
    };
  });
}

interface Step {
  /** Rows that were read; 0 means that nothing is left to do. */
  moved: number;
  /** Members wait for enrollment, which takes transactions of its own. */
  isScanDue?: boolean;
  ended?: number;
  released?: number;
  /** Behind which journey deadlines are to be moved next; null when all are. */
  after?: string | null;
}

const nothing: Step = { moved: 0 };

async function moveSome(
  sql: Sql,
  log: Log,
  template: TemplateRow,
  deadlines: (Resync & { deadline_cursor: string }) | undefined,
  limit: number,
): Promise<Step> {
  const ending = endingOf(template.status);
  if (ending) {
    const { looked, ended } = await endSome(sql, log, template, ending, limit);
    return { moved: looked + (await forgetArrivals(sql, template, limit)), ended };
  }
  if (deadlines) {
    const { deadline_cursor: cursor } = deadlines;
    const after = await moveSomeDeadlines(sql, log, template, cursor, limit);
    await noteMoved(sql, template, { ...deadlines, deadline_cursor: after });
    return { moved: 1, after };
  }
  if (!takesRecipients(template)) return nothing;
  const released = await releaseSome(sql, log, template, limit);
  if (released > 0) return { moved: released, released };
  const scan = await findScan(sql, template.team_id, template.id);
  if (scan && scan.finished_at === null) return { moved: 1, isScanDue: true };
  return { moved: await enrollArrivals(sql, log, template, limit) };
}

function nextLimit(limit: number, tookMs: number): number {
  const fitting = Math.round((limit * targetMs) / Math.max(tookMs, 1));
  return Math.max(fewest, Math.min(most, limit * 2, fitting));
}
