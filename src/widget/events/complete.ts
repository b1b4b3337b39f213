import type { Sql } from '../../platform/database/sql.ts';
import { recordCompletions } from '../../engagement/completions/record.ts';
import { holdObjectives } from '../../campaigns/objectives/queries.ts';
import { proofs } from '../journeys/render.ts';
import type { ShownJourneyRow } from '../journeys/queries.ts';

/** An event of a page, once it is recorded. */
export interface PageEvent {
  kind: string;
  page_id?: string | undefined;
  occurred_at: string;
}

/**
 * Completes the objectives of pages whose completion_rule these events meet, once per journey.
 * Pages of an ended journey, which are still shown, complete nothing.
 */
export async function completeByPages(
  sql: Sql,
  journey: ShownJourneyRow,
  events: readonly PageEvent[],
): Promise<void> {
  if (!['scheduled', 'active', 'paused'].includes(journey.status)) return;
  const met = new Map<string, string>();
  for (const { kind, page_id, occurred_at } of events) {
    const page = journey.content.pages.find(({ id }) => id === page_id);
    if (!page?.objective_id || page.completion_rule === 'objective_completed') continue;
    if (proofs[page.completion_rule] === kind) met.set(page.objective_id, occurred_at);
  }
  if (met.size === 0) return;
  const objectives = await holdObjectives(sql, journey.team_id, { ids: [...met.keys()], keys: [] });
  await recordCompletions(
    sql,
    journey.team_id,
    objectives
      .filter(({ is_active, archived_at }) => is_active && archived_at === null)
      .map((objective) => ({
        objective,
        contactId: journey.contact_id,
        completedAt: met.get(objective.id) ?? '',
        source: 'widget' as const,
        uniqueId: `journey:${journey.id}`,
      })),
  );
}
