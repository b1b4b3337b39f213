import type { Sql } from '../platform/database/sql.ts';
import { actionNotAllowed } from '../platform/http/errors.ts';
import { end } from './ending/end.ts';
import type { JourneyRow } from './journey.ts';
import { requireJourney } from './queries.ts';
import { allowedActions, mayAct } from './rules.ts';
import type { JourneyAction } from './rules.ts';

/** Throws 409 where the state of a journey, which is locked, does not allow the action. */
export function checkAction({ status }: JourneyRow, action: JourneyAction): void {
  if (mayAct(status, action)) return;
  throw actionNotAllowed('journey', { state: status, action, allowed: allowedActions(status) });
}

/** Ends a journey that is locked, at the wish of a client. */
export async function cancel(sql: Sql, { team_id, id }: JourneyRow): Promise<JourneyRow> {
  await end(sql, team_id, [id], { status: 'canceled', reason: 'canceled_by_user' });
  return requireJourney(sql, team_id, id);
}
