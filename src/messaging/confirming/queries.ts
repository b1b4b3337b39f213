import type { Sql } from '../../platform/database/sql.ts';

/** A consent that awaits confirmation by the recipient, and the place of the request. */
export interface ConsentConfirmation {
  team_id: string;
  id: string;
  contact_id: string;
  channel: 'email' | 'sms';
  /** The widget and the journey that it showed; null for a form of a landing page. */
  journey_id: string | null;
  template_id: string | null;
  widget_instance_id: string | null;
  landing_page_id: string | null;
  expires_at: string;
  confirmed_at: string | null;
}

/** By a widget in a journey, or by a form of a landing page. */
export type NewConfirmation = Pick<ConsentConfirmation, 'contact_id' | 'channel'> &
  Partial<Record<'journey_id' | 'template_id' | 'widget_instance_id' | 'landing_page_id', string>>;

export async function insertConfirmation(
  sql: Sql,
  teamId: string,
  { contact_id, channel, ...place }: NewConfirmation,
): Promise<ConsentConfirmation> {
  const { journey_id = null, template_id = null } = place;
  const { widget_instance_id = null, landing_page_id = null } = place;
  const [row] = await sql<[ConsentConfirmation]>`
    insert into consent_confirmations
      (team_id, contact_id, channel, journey_id, template_id, widget_instance_id, landing_page_id,
       expires_at)
    values (${teamId}, ${contact_id}, ${channel}, ${journey_id}, ${template_id},
      ${widget_instance_id}, ${landing_page_id}, now() + interval '7 days')
    returning *`;
  return row;
}

/** Number of confirmations sent to an address within a day, across all contacts that have it. */
export async function countAskedOf(
  sql: Sql,
  teamId: string,
  channel: ConsentConfirmation['channel'],
  { email, phone }: { email: string | null; phone: string | null },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from contacts t
    join consent_confirmations c on c.team_id = t.team_id and c.contact_id = t.id
    where t.team_id = ${teamId} and t.status <> 'archived'
      and (folded(t.email) = folded(${email}) or t.phone = ${phone})
      and c.channel = ${channel} and c.inserted_at > now() - interval '1 day'`;
  return row.count;
}

/** Returns whether a contact has an open confirmation of this consent that has not expired. */
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

/** Time of the nth newest confirmation request within a day; undefined if there were fewer. */
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

/** The locale of the contact who is asked; undefined where it has none, or was erased. */
export async function findLocaleAsked(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await sql<{ locale: string | null }[]>`
    select t.locale from consent_confirmations c
    join contacts t on t.team_id = c.team_id and t.id = c.contact_id
    where c.team_id = ${teamId} and c.id = ${id}`;
  return row?.locale ?? undefined;
}

export async function writeConfirmed(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update consent_confirmations set confirmed_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Returns whether the test recipient is confirmed now; an expired link confirms nothing. */
export async function confirmTestRecipient(sql: Sql, teamId: string, id: string): Promise<boolean> {
  await sql`
    update test_recipients
    set status = 'confirmed', confirmed_at = now(), link_expires_at = null,
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id} and status = 'pending' and link_expires_at > now()`;
  const rows = await sql`
    select from test_recipients
    where team_id = ${teamId} and id = ${id} and status = 'confirmed'`;
  return rows.length > 0;
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
