import type { Sql } from '../../platform/database/sql.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { enroll } from '../enrollment/enroll.ts';
import { startsOf } from '../enrollment/starts.ts';
import {
  advanceScan,
  insertScan,
  leaveCohort,
  lockOpenScan,
  nextMembers,
  takeArrivals,
} from './queries.ts';

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
  if (members.length > 0) {
    const contactIds = members.map(({ contact_id }) => contact_id);
    const judged = await enroll(sql, template, {
      contactIds,
      via: 'cohort',
      cohortId: scan.cohort_ids[scan.position - 1] ?? null,
      since: scan.started_at,
      starts: await startsOf(sql, template, contactIds),
    });
    const enrolled = judged.filter(({ refusal }) => refusal === null).length;
    await advanceScan(sql, scan, { last: members.at(-1), seen: members.length, enrolled });
  }
  if (members.length < limit) await leaveCohort(sql, scan);
  return members.length;
}

/** Enrolls contacts that came to the cohorts of a launched template, and are members still. */
export async function enrollArrivals(
  sql: Sql,
  template: TemplateRow,
  limit: number,
): Promise<number> {
  const arrivals = await takeArrivals(sql, template, limit);
  const staying = arrivals.filter(({ is_member: isMember }) => isMember);
  for (const cohortId of new Set(staying.map(({ cohort_id }) => cohort_id))) {
    const contactIds = staying.flatMap((one) =>
      one.cohort_id === cohortId ? [one.contact_id] : [],
    );
    const starts = await startsOf(sql, template, contactIds);
    await enroll(sql, template, { contactIds, via: 'cohort', cohortId, starts });
  }
  return arrivals.length;
}
