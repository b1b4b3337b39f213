import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Database } from '../../platform/database/client.ts';
import { forceCustomPlans } from '../../platform/database/planner-settings.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { enroll, lockForEnrollment, takesRecipients } from '../enrollment/enroll.ts';
import { startsOf } from '../enrollment/starts.ts';
import {
  addEnrolled,
  advanceScan,
  findScan,
  insertScan,
  leaveCohort,
  lockOpenScan,
  lockUnmoved,
  nextMembers,
  takeArrivals,
} from './queries.ts';
import type { ScanRow, ScannedMember } from './queries.ts';

/** Starts a scan that enrolls the current members of the cohorts of a launched template. */
export async function beginScan(
  sql: Sql,
  team_id: string,
  { id, entry, target_cohort_ids: cohort_ids }: TemplateRow,
): Promise<void> {
  if (entry !== 'on_launch_snapshot') return;
  await insertScan(sql, { team_id, id, template_id: id, cohort_ids });
}

/**
 * Enrolls the next members of a scan in the caller's transaction. The enrollments and the position
 * commit together, so that a crash repeats or skips no member. The template comes from
 * `lockForEnrollment` and is launched. Returns the number of members; undefined if the scan is
 * finished.
 */
export async function scanOn(
  sql: Sql,
  template: TemplateRow,
  scanId: string,
  limit: number,
): Promise<number | undefined> {
  const scan = await lockOpenScan(sql, template.team_id, scanId);
  if (!scan) return undefined;
  const members = await nextMembers(sql, scan, limit);
  await enrollMembers(sql, template, scan, members);
  await moveOn(sql, scan, members, members.length < limit);
  return members.length;
}

/** Transactions of one scan that run at the same time: one for each core of a small machine. */
const atOnce = 2;

/** A contact that cannot be enrolled is left out; the enrollment can be requested in the API. */
const enrollmentsOf = (team_id: string): RowLoop<{ contact_id: string }> => ({
  name: 'enrollments',
  keyOf: ({ contact_id }) => ({ team_id, id: contact_id }),
});

interface ScanPlace {
  teamId: string;
  templateId: string;
  scanId: string;
}

/**
 * Enrolls the next members of a scan in several transactions at the same time, each of `limit`
 * members and with the template as it is then. The position follows when all have committed: what a
 * crash repeats is refused, since it was enrolled after the start of the scan.
 */
export async function scanTogether(
  { database, log }: { database: Database; log: Log },
  { teamId, templateId, scanId }: ScanPlace,
  limit: number,
  deadlineMs: number,
): Promise<void> {
  const page = await database.read(async (sql) => {
    const scan = await findScan(sql, teamId, scanId);
    return scan && { scan, members: await nextMembers(sql, scan, limit * atOnce) };
  });
  if (!page || page.scan.finished_at !== null) return;
  const { scan, members } = page;
  const parts = Array.from({ length: atOnce }, (_, at) =>
    members.slice(at * limit, (at + 1) * limit),
  ).filter((part) => part.length > 0);
  const enrolling = parts.map((part) =>
    database.transact(
      async (sql) => {
        await forceCustomPlans(sql);
        const template = await lockForEnrollment(sql, teamId, templateId);
        if (!takesRecipients(template)) return undefined;
        const parts = await isolate(sql, log, enrollmentsOf(teamId), part, (some) =>
          enrollMembers(sql, template, scan, some),
        );
        return parts.length;
      },
      { deadlineMs },
    ),
  );
  // Waits for all of them, also when one fails.
  await Promise.allSettled(enrolling);
  if ((await Promise.all(enrolling)).includes(undefined)) return;
  const isLast = members.length < limit * atOnce;
  await database.transact(async (sql) => {
    if (await lockUnmoved(sql, scan)) await moveOn(sql, scan, members, isLast);
  });
}

/** Enrolls members of the cohort that a scan is at, and counts and returns the enrolled. */
async function enrollMembers(
  sql: Sql,
  template: TemplateRow,
  scan: ScanRow,
  members: readonly ScannedMember[],
): Promise<number> {
  if (members.length === 0) return 0;
  const contactIds = members.map(({ contact_id }) => contact_id);
  const evaluated = await enroll(sql, template, {
    contactIds,
    via: 'cohort',
    cohortId: scan.cohort_ids[scan.position - 1] ?? null,
    since: scan.started_at,
    starts: await startsOf(sql, template, contactIds),
  });
  const enrolled = evaluated.filter(({ refusal }) => refusal === null).length;
  // Last, since the other transactions of the scan wait for this row.
  await addEnrolled(sql, scan, enrolled);
  return enrolled;
}

/** Moves a scan, which is locked, behind members, and behind the cohort after its last. */
async function moveOn(
  sql: Sql,
  scan: ScanRow,
  members: readonly ScannedMember[],
  isLast: boolean,
): Promise<void> {
  if (members.length > 0) await advanceScan(sql, scan, members);
  if (isLast) await leaveCohort(sql, scan);
}

/** Enrolls contacts that came to the cohorts of a launched template, and are members still. */
export async function enrollArrivals(
  sql: Sql,
  log: Log,
  template: TemplateRow,
  limit: number,
): Promise<number> {
  const arrivals = await takeArrivals(sql, template, limit);
  const staying = arrivals.filter(({ is_member: isMember }) => isMember);
  for (const [cohortId, some] of groupBy(staying, ({ cohort_id }) => cohort_id)) {
    await isolate(sql, log, enrollmentsOf(template.team_id), some, async (arrived) => {
      const contactIds = arrived.map(({ contact_id }) => contact_id);
      const starts = await startsOf(sql, template, contactIds);
      await enroll(sql, template, { contactIds, via: 'cohort', cohortId, starts });
    });
  }
  return arrivals.length;
}
