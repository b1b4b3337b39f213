import type { Sql } from '../database/client.ts';
import type { OutgoingMessage } from '../sending/sender.ts';

export interface MailboxMessage {
  team_id: string;
  id: string;
  contact_id: string | null;
  channel: OutgoingMessage['content']['channel'];
  recipient: string;
  content: OutgoingMessage['content'];
  inserted_at: string;
}

/** Keeps messages; one that is there already stays as it is. */
export async function insertMailboxMessages(
  sql: Sql,
  messages: readonly Omit<MailboxMessage, 'inserted_at'>[],
): Promise<void> {
  await sql`
    insert into mailbox_messages (team_id, id, contact_id, channel, recipient, content)
    select team_id, id, contact_id, channel, recipient, content
    from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb) as m (
      team_id uuid, id uuid, contact_id uuid, channel text, recipient text, content jsonb)
    on conflict (team_id, id) do nothing`;
}

/** The newest messages of all teams, or of one. */
export async function listMailbox(
  sql: Sql,
  teamId: string | null,
  limit: number,
): Promise<MailboxMessage[]> {
  return sql<MailboxMessage[]>`
    select * from mailbox_messages
    where ${teamId}::uuid is null or team_id = ${teamId}
    order by inserted_at desc, id desc
    limit ${limit}`;
}

export async function findMailboxMessage(
  sql: Sql,
  id: string,
): Promise<MailboxMessage | undefined> {
  const [row] = await sql<MailboxMessage[]>`
    select * from mailbox_messages where id = ${id} /* any team: for the developer */`;
  return row;
}

/** Days that messages are kept. */
const keptDays = 7;

/** Deletes what is older, a chunk of it. */
export async function pruneMailbox(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from mailbox_messages
    where (team_id, id) in (
      select team_id, id from mailbox_messages
      where inserted_at < now() - make_interval(days => ${keptDays}) limit ${limit}
    )`;
  return rows.count;
}
