import type { Sql } from '../../../platform/database/sql.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import type { PreparedMessage } from '../prepared-message.ts';
import { putOffTemplate } from './queries.ts';

/** Where one message waits for its template, all of it that is due does. */
export async function putOffPaused(
  sql: Sql,
  lane: number,
  looked: readonly PreparedMessage[],
  asOf: string,
) {
  const paused = new Map<string, { team_id: string; until: string }>();
  for (const { send, templateId, outcome } of looked) {
    if (outcome.kind !== 'wait' || !outcome.withTemplate || templateId === undefined) continue;
    const until = toTimestamp(outcome.untilMs);
    paused.set(templateId, { team_id: send.team_id, until });
  }
  for (const [template_id, { team_id, until }] of paused) {
    await putOffTemplate(sql, lane, { team_id, template_id }, { asOf, until });
  }
}
