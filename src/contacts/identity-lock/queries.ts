import type { Sql } from '../../platform/database/sql.ts';

/** Deletes the failed identity attempts of a contact, from all networks. */
export async function forgetGuesses(sql: Sql, teamId: string, contactId: string): Promise<void> {
  await sql`
    delete from identity_failures where team_id = ${teamId} and contact_id = ${contactId}`;
  await sql`
    delete from identity_sources where team_id = ${teamId} and contact_id = ${contactId}`;
}
