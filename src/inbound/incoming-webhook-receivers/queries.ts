import type { Sql } from '../../platform/database/sql.ts';
import { withJson } from '../../platform/database/json-columns.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { IncomingWebhookReceiver } from './incoming-webhook-receiver.ts';

export interface ReceiverRow extends RowOf<typeof IncomingWebhookReceiver> {
  /** Settings for the verification of signatures, without the secrets. */
  settings: Record<string, unknown>;
}

export type ReceiverContent = Pick<
  ReceiverRow,
  'name' | 'is_active' | 'dedup_window_seconds' | 'signature_required' | 'settings'
>;

/** The resource, from a row with the alias t and its state s; the address is added. */
const shown = `t.*, 'incoming_webhook_receiver' as type, s.last_received_at,
  s.last_signature_failure_at, s.consecutive_signature_failures`;
const tables = `incoming_webhook_receivers t
  join incoming_webhook_receiver_states s on s.team_id = t.team_id and s.receiver_id = t.id`;
const address = `server.base || '/v2/webhooks/inbound/' || t.receiver_kind || '/' || t.id
  as receive_url`;

export function receiverSource(teamId: string, publicBaseUrl: string): ListSource {
  return {
    // In the tables, because counting does without the select.
    from: `${tables} cross join (select $2::text as base) as server`,
    select: `${shown}, ${address}`,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId, publicBaseUrl] },
  };
}

/** Throws 404. */
export async function requireReceiver(
  sql: Sql,
  teamId: string,
  id: string,
  publicBaseUrl: string,
): Promise<ReceiverRow> {
  const [row] = await sql<ReceiverRow[]>`
    select ${sql.unsafe(shown)}, ${sql.unsafe(address)}
    from ${sql.unsafe(tables)} cross join (select ${publicBaseUrl}::text as base) as server
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  if (!row) throw notFound('incoming_webhook_receiver');
  return row;
}

/** Locks the receiver, not its state, until the end of the transaction. Throws 404. */
export async function lockReceiver(
  sql: Sql,
  teamId: string,
  id: string,
  publicBaseUrl: string,
): Promise<ReceiverRow> {
  const [row] = await sql<ReceiverRow[]>`
    select ${sql.unsafe(shown)}, ${sql.unsafe(address)}
    from ${sql.unsafe(tables)} cross join (select ${publicBaseUrl}::text as base) as server
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  if (!row) throw notFound('incoming_webhook_receiver');
  return row;
}

/** Inserts the receiver with its state, and returns its id. */
export async function insertReceiver(
  sql: Sql,
  teamId: string,
  receiver: ReceiverContent & Pick<ReceiverRow, 'receiver_kind'>,
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into incoming_webhook_receivers
      ${sql(withJson(sql, { team_id: teamId, ...receiver }, ['settings']))}
    returning id`;
  await sql`
    insert into incoming_webhook_receiver_states (team_id, receiver_id)
    values (${teamId}, ${row.id})`;
  return row.id;
}

/** Raises the version in any case: what is changed may be a secret. */
export async function updateReceiverRow(
  sql: Sql,
  { team_id, id }: ReceiverRow,
  content: ReceiverContent,
): Promise<void> {
  const { name, is_active, dedup_window_seconds, signature_required, settings } = content;
  const columns = { name, is_active, dedup_window_seconds, signature_required, settings };
  await sql`
    update incoming_webhook_receivers
    set ${sql(withJson(sql, columns, ['settings']))}, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
}

export async function deleteReceiverRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update incoming_webhook_receivers
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}
