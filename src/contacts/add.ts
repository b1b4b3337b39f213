import type { Keyring } from '../platform/auth/keyring.ts';
import type { Sql } from '../platform/database/sql.ts';
import { digestsOf, restoreSuppressions } from './suppressions/erased/erased.ts';
import { insertContact, refreshEmailStatus } from './queries.ts';
import type { ContactRow, NewContact } from './queries.ts';

/**
 * Inserts a contact. Its address is suppressed again where it was when its owner was erased. Throws
 * 409 where the unique_id is in use.
 */
export async function addContact(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  id: string,
  contact: NewContact,
): Promise<ContactRow> {
  const digests = digestsOf(keyring, contact).map(({ digest }) => digest);
  const { has_erased_suppression, ...row } = await insertContact(sql, teamId, id, contact, digests);
  if (!has_erased_suppression) return row;
  await restoreSuppressions(sql, keyring, teamId, [contact]);
  return refreshEmailStatus(sql, teamId, row);
}
