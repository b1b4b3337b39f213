import type { Sql } from '../../platform/database/sql.ts';
import type { OutgoingMessage } from '../providers/sender.ts';

export interface MailboxMessage {
  team_id: string;
  /** Null where the team is deleted. */
  team_name: string | null;
  id: string;
  contact_id: string | null;
  channel: OutgoingMessage['content']['channel'];
  recipient: string;
  content: OutgoingMessage['content'];
  /** Expiry of a secret in the message; null without a secret. */
  expires_at: string | null;
  inserted_at: string;
}

type NewMessage = Omit<MailboxMessage, 'inserted_at' | 'expires_at' | 'team_name'> &
  Partial<Pick<MailboxMessage, 'expires_at'>>;

const isKept = (sql: Sql) => sql`coalesce(expires_at > now(), true)`;
const teamName = (sql: Sql) =>
  sql`(select name from teams where teams.id = mailbox_messages.team_id) as team_name`;

/** Stores messages; an existing one is unchanged. */
export async function insertMailboxMessages(
  sql: Sql,
  messages: readonly NewMessage[],
): Promise<void> {
  await sql`
    insert into mailbox_messages
      (team_id, id, contact_id, channel, recipient, content, expires_at)
    select team_id, id, contact_id, channel, recipient, content, expires_at
    from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb) as m (
      team_id uuid, id uuid, contact_id uuid, channel text, recipient text, content jsonb,
      expires_at timestamptz)
    on conflict (team_id, id) do nothing`;
  await sql`
    delete from mailbox_messages
    where expires_at < now() /* any team: secrets of all end */`;
}

/** The newest messages of all teams, or of one; `to` is a part of the address. */
export async function listMailbox(
  sql: Sql,
  teamId: string | null,
  limit: number,
  to = '',
): Promise<MailboxMessage[]> {
  return sql<MailboxMessage[]>`
    select *, ${teamName(sql)} from mailbox_messages
    where (${teamId}::uuid is null or team_id = ${teamId}) and ${isKept(sql)}
      and (${to} = '' or strpos(lower(recipient), lower(${to})) > 0)
    order by inserted_at desc, id desc
    limit ${limit}`;
}

export async function findMailboxMessage(
  sql: Sql,
  id: string,
): Promise<MailboxMessage | undefined> {
  const [row] = await sql<MailboxMessage[]>`
    select *, ${teamName(sql)} from mailbox_messages
    where id = ${id} and ${isKept(sql)} /* any team: for the developer */`;
  return row;
}

/** Deletes a message whose secret has served its purpose. */
export async function forgetMailboxMessage(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`delete from mailbox_messages where team_id = ${teamId} and id = ${id}`;
}

/** Retention of messages in days. */
const keptDays = 7;

/** Deletes what is older, a chunk of it. */
export async function pruneMailbox(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from mailbox_messages
    where (team_id, id) in (
      select team_id, id from mailbox_messages
      where inserted_at < now() - make_interval(days => ${keptDays}) or expires_at < now()
      limit ${limit}
    )`;
  return rows.count;
}
