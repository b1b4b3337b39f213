import type { Sql } from '../../platform/database/sql.ts';
import { contactsUnsubscribed } from '../hooks.ts';
import type { ConsentChange } from '../rules.ts';
import { insertConsentChanges } from './queries.ts';

/** Keeps what was recorded of contacts that are written already. */
export async function recordConsentChanges(
  sql: Sql,
  teamId: string,
  clientId: string | null,
  changes: readonly (ConsentChange & { contactId: string })[],
): Promise<void> {
  await insertConsentChanges(sql, teamId, clientId, changes);
  const unsubscribed = changes.filter(({ consent }) => consent.status === 'unsubscribed');
  if (unsubscribed.length === 0) return;
  const ids = unsubscribed.map(({ contactId }) => contactId);
  await contactsUnsubscribed(sql, teamId, [...new Set(ids)]);
}
