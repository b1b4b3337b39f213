import type { Sql } from '../../platform/database/sql.ts';
import { findVersion } from '../../campaigns/templates/history/queries.ts';
import { earliestOf } from '../lanes/rules.ts';
import { firstSteps } from '../lanes/steps.ts';
import { listTimezones } from './queries.ts';
import type { EnrollmentRules, Start } from './queries.ts';

/**
 * How journeys begin that are enrolled in this transaction, by the timezones of their contacts, so
 * that each is written once. Nothing for a timezone in which a step is due already: a lane begins
 * such a journey as it decides over the step.
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
