import type { Sql } from '../../platform/database/sql.ts';
import { findVersion } from '../../campaigns/templates/history/queries.ts';
import { earliestOf } from '../lanes/rules.ts';
import { firstSteps } from '../lanes/steps.ts';
import { listTimezones } from './queries.ts';
import type { EnrollmentRules, Start } from './queries.ts';

/**
 * Starts of the journeys that this transaction enrolls, by timezone, so that each journey is
 * written once. A timezone with a step that is due already has no start here: a lane starts such
 * journeys.
 */
export async function startsOf(
  sql: Sql,
  { team_id, id, template_version }: EnrollmentRules,
  contactIds: readonly string[],
): Promise<Start[]> {
  const content = await findVersion(sql, team_id, id, template_version);
  if (!content) return [];
  const zones = await listTimezones(sql, team_id, contactIds);
  return zones.flatMap(({ timezone, now }) => {
    const enrolled = { enrolled_at: now, scheduled_steps: {}, decided_message_ids: [] };
    const nowMs = Date.parse(now);
    const scheduled_steps = firstSteps(content, enrolled, nowMs, timezone);
    const next_due_at = earliestOf(scheduled_steps);
    const isDue = next_due_at !== null && Date.parse(next_due_at) <= nowMs;
    return isDue ? [] : [{ timezone, scheduled_steps, next_due_at }];
  });
}
