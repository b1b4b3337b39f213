import type { Sql } from '../platform/database/sql.ts';
import type { AccountRow } from '../contacts/accounts/queries.ts';
import type { AccountChange } from '../contacts/hooks.ts';
import { completeByAccounts } from './completions/record.ts';
import { recordSystemEvents } from './engagement-events/record.ts';
import type { SystemEvent } from './engagement-events/record.ts';

/** Records accounts that were opened or closed as engagement, and completes their objectives. */
export async function recordAccountChanges(
  sql: Sql,
  teamId: string,
  changes: readonly AccountChange[],
): Promise<void> {
  const now = new Date().toISOString();
  await recordSystemEvents(
    sql,
    teamId,
    changes.flatMap(({ after, kind }) => engagementOf(after, kind, now)),
  );
  await completeByAccounts(
    sql,
    teamId,
    changes
      .filter(({ before, after }) => before.opened_at === null && after.opened_at !== null)
      .map(({ after }) => after),
  );
}

function engagementOf(
  { id, contact_id, opened_at, closed_at }: AccountRow,
  kind: AccountChange['kind'],
  now: string,
): SystemEvent[] {
  if (kind === 'account.updated') return [];
  const at = (kind === 'account.opened' ? opened_at : closed_at) ?? now;
  // Stamps in the future are published as of now.
  return [{ kind, contact_id, account_id: id, occurred_at: at < now ? at : now }];
}
