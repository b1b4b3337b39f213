import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
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

/** Keeps what was recorded of any number of contacts. */
export async function insertConsentChanges(
  sql: Sql,
  teamId: string,
  clientId: string | null,
  changes: readonly (ConsentChange & { contactId: string })[],
): Promise<void> {
  if (changes.length === 0) return;
  const json = (of: (change: ConsentChange) => object) =>
    changes.map((change) => JSON.stringify(of(change)));
  await sql`
    insert into contact_consent_changes
      (team_id, contact_id, channel, consent, previous, client_id)
    select ${teamId}, contact_id, channel, consent::jsonb, previous::jsonb, ${clientId}::uuid
    from unnest(${changes.map(({ contactId }) => contactId)}::uuid[],
      ${changes.map(({ channel }) => channel)}::text[],
      ${json(({ consent }) => consent)}::text[], ${json(({ previous }) => previous)}::text[])
      as change (contact_id, channel, consent, previous)`;
}
