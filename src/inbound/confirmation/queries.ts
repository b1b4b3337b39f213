import type { Sql } from '../../platform/database/sql.ts';
import type { ReceiverKind } from '../receiver.ts';

export interface ConfirmationRow {
  id: string;
  day: string;
  team_id: string;
  receiver_id: string;
  receiver_kind: ReceiverKind;
  topic_arn: string;
  attempts: number;
  received_at: string;
  receiver_inserted_at: string;
  settings: Record<string, unknown>;
  raw_id: string;
  sealed_callback: string | null;
}

/** The wish of a topic with the receiver's settings of now. */
export async function findConfirmation(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ConfirmationRow | undefined> {
  const [row] = await sql<ConfirmationRow[]>`
    select d.id, d.day, d.team_id, d.receiver_id, d.receiver_kind,
      d.payload ->> 'topic_arn' as topic_arn, d.attempts, d.received_at,
      r.inserted_at as receiver_inserted_at, r.settings, coalesce(d.batch_id, d.id) as raw_id,
      raw.sealed_callback
    from inbound_deliveries d
    join incoming_webhook_receivers r on r.team_id = d.team_id and r.id = d.receiver_id
    left join inbound_raw raw on raw.day = d.day and raw.id = coalesce(d.batch_id, d.id)
    where d.team_id = ${teamId} and d.id = ${id} and d.status = 'pending_confirmation'
      and r.deleted_at is null`;
  return row;
}

/** Writes down how a confirmation went; a topic that is confirmed is pinned. No pause: the last try. */
export async function writeConfirmed(
  sql: Sql,
  { team_id, receiver_id, day, id, topic_arn }: ConfirmationRow,
  isDone: boolean,
  pauseMs: number | undefined,
): Promise<void> {
  await sql`
    update inbound_deliveries
    set status = case when ${isDone} then 'processed' else status end, attempts = attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${pauseMs === undefined ? null : pauseMs / 1_000}),
      processed_at = case when ${isDone} then now() end,
      error = case when not ${isDone} then jsonb_build_object('code', 'confirmation_failed',
        'detail', 'The topic did not take the confirmation.') end
    where team_id = ${team_id} and day = ${day} and id = ${id}`;
  if (!isDone) return;
  await sql`
    update incoming_webhook_receivers
    set settings = settings || jsonb_build_object('topic_arns',
        coalesce(settings -> 'topic_arns', '[]') || to_jsonb(${topic_arn}::text)),
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${receiver_id}
      and not coalesce(settings -> 'topic_arns' ? ${topic_arn}, false)`;
}
