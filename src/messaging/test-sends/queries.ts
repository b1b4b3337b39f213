import type { Sql } from '../../platform/database/sql.ts';
import { announceUrgent } from '../send-queue/urgent-work.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';

/** Whether an address is that of a confirmed test recipient, or the e-mail of an active user. */
export async function isConfirmed(
  sql: Sql,
  teamId: string,
  { channel, address, digests }: { channel: string; address: string; digests: readonly string[] },
): Promise<boolean> {
  const rows = await sql`
    select 1 from test_recipients
    where team_id = ${teamId} and digest = any(${[...digests]}::text[]) and status = 'confirmed'
    union all
    select 1 from users
    where team_id = ${teamId} and folded(email) = folded(${address}) and status = 'active'
      and deleted_at is null and ${channel} = 'email'
    limit 1`;
  return rows.length > 0;
}

/** Puts a message into the queue for addresses that try it. */
export async function insertTestSends(
  sql: Sql,
  teamId: string,
  { message_id, channel }: { message_id: string; channel: MessageRow['channel'] },
  sends: readonly { id: string; sealed: string }[],
): Promise<void> {
  const rows = await sql<{ lane: number }[]>`
    insert into message_sends (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at,
      is_urgent, test_message_id, sealed_test_address)
    select ${teamId}, id, lane_of_contact(id), ${channel}, now(), now(), true, ${message_id}, sealed
    from unnest(${sends.map(({ id }) => id)}::uuid[],
      ${sends.map(({ sealed }) => sealed)}::text[]) as test (id, sealed)
    returning lane`;
  announceUrgent(sql, rows);
}
