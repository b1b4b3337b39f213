import type { Sql } from '../../../platform/database/sql.ts';
import type { MessageRow } from '../message.ts';

/** Puts a message into the queue for addresses that try it. */
export async function insertTestSends(
  sql: Sql,
  teamId: string,
  { message_id, channel }: { message_id: string; channel: MessageRow['channel'] },
  sends: readonly { id: string; sealed: string }[],
): Promise<void> {
  await sql`
    insert into message_sends (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at,
      test_message_id, sealed_test_address)
    select ${teamId}, id, lane_of_contact(id), ${channel}, now(), now(), ${message_id}, sealed
    from unnest(${sends.map(({ id }) => id)}::uuid[],
      ${sends.map(({ sealed }) => sealed)}::text[]) as test (id, sealed)`;
}
