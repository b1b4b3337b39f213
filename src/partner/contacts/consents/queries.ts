import type { Sql } from '../../../database/client.ts';
import type { ListSource } from '../../../listing/sql.ts';
import type { ConsentChange } from '../rules.ts';

export function consentChangeSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'contact_consent_changes t',
    select: `t.*, 'contact_consent_change' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid',
      values: [teamId, contactId],
    },
  };
}

export async function insertConsentChanges(
  sql: Sql,
  teamId: string,
  contactId: string,
  clientId: string | null,
  changes: readonly ConsentChange[],
): Promise<void> {
  const rows = changes.map(({ channel, consent, previous }) => ({
    team_id: teamId,
    contact_id: contactId,
    channel,
    consent: sql.json(consent),
    previous: sql.json(previous),
    client_id: clientId,
  }));
  await sql`insert into contact_consent_changes ${sql(rows)} /* team_id is in the rows */`;
}
