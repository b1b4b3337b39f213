import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';

export interface ReceiverSecret {
  name: string;
  hint: string;
  expires_at: string | null;
  inserted_at: string;
}

/** Seal context of a secret: it opens for no other receiver. */
export function receiverSecretSealContext(teamId: string, receiverId: string): string[] {
  return ['incoming_webhook_receiver_secrets', 'sealed_secret', teamId, receiverId];
}

/** The live secrets without their text, newest first. */
export async function listReceiverSecrets(
  sql: Sql,
  teamId: string,
  receiverId: string,
): Promise<ReceiverSecret[]> {
  return sql<ReceiverSecret[]>`
    select name, hint, expires_at, inserted_at
    from incoming_webhook_receiver_secrets
    where team_id = ${teamId} and receiver_id = ${receiverId}
      and (expires_at is null or expires_at > now())
    order by inserted_at desc, name`;
}

/**
 * Makes a secret the current one of its name, or clears the name if the text is null. The previous
 * secret is accepted until the overlap ends; older ones are deleted.
 */
export async function writeReceiverSecret(
  sql: Sql,
  keyring: Keyring,
  receiver: { teamId: string; receiverId: string },
  secret: { name: string; text: string | null },
  overlapSeconds: number,
): Promise<void> {
  const { teamId, receiverId } = receiver;
  const { name, text } = secret;
  await sql`
    delete from incoming_webhook_receiver_secrets
    where team_id = ${teamId} and receiver_id = ${receiverId} and name = ${name}
      and (expires_at is not null or ${text === null})`;
  if (text === null) return;
  await sql`
    update incoming_webhook_receiver_secrets
    set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where team_id = ${teamId} and receiver_id = ${receiverId} and name = ${name}`;
  const sealed = keyring.seal(text, receiverSecretSealContext(teamId, receiverId));
  await sql`
    insert into incoming_webhook_receiver_secrets (team_id, receiver_id, name, sealed_secret, hint)
    values (${teamId}, ${receiverId}, ${name}, ${sealed}, ${Array.from(text).slice(-4).join('')})`;
}

/** End of the overlap of a rotation of these secrets that is still under way. */
export async function findReceiverRotationEnd(
  sql: Sql,
  teamId: string,
  receiverId: string,
  names: readonly string[],
): Promise<string | undefined> {
  const [row] = await sql<{ expires_at: string }[]>`
    select expires_at from incoming_webhook_receiver_secrets
    where team_id = ${teamId} and receiver_id = ${receiverId} and name = any(${[...names]})
      and expires_at > now()
    order by expires_at desc limit 1`;
  return row?.expires_at;
}

export interface PendingConfirmation {
  delivery_id: string;
  topic_arn: string;
  received_at: string;
}

/** The newest request of a topic, or of one topic, that nobody has confirmed. */
export async function findPendingConfirmation(
  sql: Sql,
  teamId: string,
  receiverId: string,
  topicArn?: string,
): Promise<PendingConfirmation | undefined> {
  const [row] = await sql<PendingConfirmation[]>`
    select id as delivery_id, payload ->> 'topic_arn' as topic_arn, received_at
    from inbound_deliveries
    where team_id = ${teamId} and receiver_id = ${receiverId} and status = 'pending_confirmation'
      and received_at > now() - interval '3 days'
      and (${topicArn ?? null}::text is null or payload ->> 'topic_arn' = ${topicArn ?? null})
    order by received_at desc, id desc
    limit 1`;
  return row;
}

/** Records a confirmation request of a topic for the receiver's workflow. */
export async function askToConfirm(
  sql: Sql,
  teamId: string,
  receiverId: string,
  deliveryId: string,
): Promise<void> {
  await sql`
    update inbound_deliveries set next_attempt_at = now()
    where team_id = ${teamId} and receiver_id = ${receiverId} and id = ${deliveryId}
      and status = 'pending_confirmation'`;
}
