import type { Sql } from '../../../../database/client.ts';

/** A consent that a recipient is to confirm, and where it was asked for. */
export interface ConsentConfirmation {
  team_id: string;
  id: string;
  contact_id: string;
  channel: 'email' | 'sms';
  journey_id: string;
  template_id: string;
  widget_instance_id: string;
  expires_at: string;
  confirmed_at: string | null;
}

export type NewConfirmation = Omit<
  ConsentConfirmation,
  'team_id' | 'id' | 'expires_at' | 'confirmed_at'
>;

export async function insertConfirmation(
  sql: Sql,
  teamId: string,
  { contact_id, channel, journey_id, template_id, widget_instance_id }: NewConfirmation,
): Promise<ConsentConfirmation> {
  const [row] = await sql<[ConsentConfirmation]>`
    insert into consent_confirmations
      (team_id, contact_id, channel, journey_id, template_id, widget_instance_id, expires_at)
    values (${teamId}, ${contact_id}, ${channel}, ${journey_id}, ${template_id},
      ${widget_instance_id}, now() + interval '7 days')
    returning *`;
  return row;
}

/** Whether a contact was asked for this consent and can still confirm it. */
export async function isAskedToConfirm(
  sql: Sql,
  teamId: string,
  contactId: string,
  channel: ConsentConfirmation['channel'],
): Promise<boolean> {
  const rows = await sql`
    select 1 from consent_confirmations
    where team_id = ${teamId} and contact_id = ${contactId} and channel = ${channel}
      and confirmed_at is null and expires_at > now()
    limit 1`;
  return rows.length > 0;
}

/** When the oldest of so many confirmations within a day was asked for; undefined: fewer were. */
export async function findNthOfDay(
  sql: Sql,
  teamId: string,
  contactId: string,
  count: number,
): Promise<string | undefined> {
  const [row] = await sql<{ inserted_at: string }[]>`
    select inserted_at from consent_confirmations
    where team_id = ${teamId} and contact_id = ${contactId}
      and inserted_at > now() - interval '1 day'
    order by inserted_at desc offset ${count - 1} limit 1`;
  return row?.inserted_at;
}

/** The confirmation if it still can be given, locked. One that was given stays so. */
export async function lockConfirmation(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ConsentConfirmation | undefined> {
  const [row] = await sql<ConsentConfirmation[]>`
    select * from consent_confirmations
    where team_id = ${teamId} and id = ${id} and expires_at > now()
    for update`;
  return row;
}

export async function writeConfirmed(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update consent_confirmations set confirmed_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Deletes confirmations that are over, a chunk of them. */
export async function pruneConfirmations(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from consent_confirmations c
    using (
      select team_id, id from consent_confirmations where expires_at < now() limit ${limit}
    ) gone
    where c.team_id = gone.team_id and c.id = gone.id /* any team: maintenance serves all */`;
  return rows.count;
}
