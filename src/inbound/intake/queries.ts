import type { Sql } from '../../platform/database/sql.ts';
import type { ReceiverKind } from '../receiver.ts';

export interface StoredReceiver {
  id: string;
  team_id: string;
  tier: string;
  receiver_kind: ReceiverKind;
  is_active: boolean;
  dedup_window_seconds: number;
  signature_required: boolean;
  settings: Record<string, unknown>;
  inserted_at: string;
  secrets: { name: string; sealed_secret: string; expires_at: string | null }[];
}

/** The receiver of an address with its live secrets, newest first. */
export async function findReceiver(sql: Sql, id: string): Promise<StoredReceiver | undefined> {
  const [row] = await sql<StoredReceiver[]>`
    select r.id, r.team_id, t.tier, r.receiver_kind, r.is_active, r.dedup_window_seconds,
      r.signature_required, r.settings, r.inserted_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', s.name, 'sealed_secret', s.sealed_secret,
          'expires_at', s.expires_at) order by s.inserted_at desc)
        from incoming_webhook_receiver_secrets s
        where s.team_id = r.team_id and s.receiver_id = r.id
          and (s.expires_at is null or s.expires_at > now())
      ), '[]') as secrets
    from incoming_webhook_receivers r
    join teams t on t.id = r.team_id
    where r.id = ${id} and r.deleted_at is null /* any team: the address names a receiver */`;
  return row;
}

interface Place {
  teamId: string;
  receiverId: string;
}

export interface Claim {
  dedup_key: string;
  delivery_id: string;
}

/**
 * Claims the keys that nobody has claimed within the window, which counts from their first
 * acceptance. A key is claimed once, also by concurrent callers of any process: they wait for each
 * other in the order of keys. Returns the keys that were claimed.
 */
export async function claimKeys(
  sql: Sql,
  { teamId, receiverId }: Place,
  day: string,
  windowSeconds: number,
  claims: readonly Claim[],
): Promise<Set<string>> {
  const rows = await sql<{ dedup_key: string }[]>`
    insert into inbound_dedup_keys as k
      (team_id, receiver_id, dedup_key, delivery_id, day, received_at, expires_at)
    select ${teamId}::uuid, ${receiverId}::uuid, c.dedup_key, c.delivery_id, ${day}::date,
      clock_timestamp(), clock_timestamp() + make_interval(secs => ${windowSeconds})
    from unnest(${claims.map((claim) => claim.dedup_key)}::text[],
      ${claims.map((claim) => claim.delivery_id)}::uuid[]) as c (dedup_key, delivery_id)
    order by c.dedup_key collate "C"
    on conflict (team_id, receiver_id, dedup_key) do update
    set delivery_id = excluded.delivery_id, day = excluded.day, received_at = clock_timestamp(),
      expires_at = clock_timestamp() + make_interval(secs => ${windowSeconds})
    where k.expires_at <= clock_timestamp()
    returning dedup_key`;
  return new Set(rows.map((row) => row.dedup_key));
}

export interface First {
  dedup_key: string;
  delivery_id: string;
  day: string;
}

/** The first deliveries of claimed keys. */
export async function findFirst(
  sql: Sql,
  { teamId, receiverId }: Place,
  keys: readonly string[],
): Promise<First[]> {
  return sql<First[]>`
    select dedup_key, delivery_id, day
    from inbound_dedup_keys
    where team_id = ${teamId} and receiver_id = ${receiverId} and dedup_key = any(${[...keys]})`;
}

/** Adds duplicates to their first deliveries. */
export async function countDuplicates(
  sql: Sql,
  { teamId }: Place,
  firsts: readonly { delivery_id: string; day: string; count: number }[],
): Promise<void> {
  for (const day of new Set(firsts.map((first) => first.day))) {
    const ofDay = firsts.filter((first) => first.day === day);
    await sql`
      update inbound_deliveries d
      set duplicate_count = d.duplicate_count + f.count
      from unnest(${ofDay.map((first) => first.delivery_id)}::uuid[],
        ${ofDay.map((first) => first.count)}::int[]) as f (id, count)
      where d.team_id = ${teamId} and d.day = ${day} and d.id = f.id`;
  }
}

export interface TokenUse {
  delivery_id: string;
  day: string;
  content_key: string;
}

/** The event that a token has proved at a receiver. */
export async function findTokenUse(
  sql: Sql,
  { teamId, receiverId }: Place,
  tokenHash: Uint8Array,
): Promise<TokenUse | undefined> {
  const [known] = await sql<TokenUse[]>`
    select delivery_id, day, content_key from inbound_tokens
    where team_id = ${teamId} and receiver_id = ${receiverId} and token_hash = ${tokenHash}`;
  return known;
}

/** Stores the digest of the body that came with a signature, unless there is one; returns the stored one. */
export async function claimSignature(
  sql: Sql,
  signatureHash: Uint8Array,
  bodySha256: string,
): Promise<string> {
  const [row] = await sql<[{ body_sha256: string }]>`
    insert into inbound_proofs as p (proof_hash, body_sha256) values (${signatureHash}, ${bodySha256})
    on conflict (proof_hash) do update set body_sha256 = p.body_sha256
    returning body_sha256 /* any team: the same key may be that of several */`;
  return row.body_sha256;
}

/** Notes that a token proves one content; what it proved before, where it has been used. */
export async function useToken(
  sql: Sql,
  place: Place,
  tokenHash: Uint8Array,
  use: TokenUse,
): Promise<TokenUse | undefined> {
  const made = await sql`
    insert into inbound_tokens (team_id, receiver_id, token_hash, content_key, delivery_id, day)
    values (${place.teamId}, ${place.receiverId}, ${tokenHash}, ${use.content_key},
      ${use.delivery_id}, ${use.day})
    on conflict do nothing
    returning delivery_id`;
  return made.length > 0 ? undefined : findTokenUse(sql, place, tokenHash);
}

/** Rows of `inbound_deliveries` and of `inbound_raw`, with every column; sent as JSON. */
export function insertDeliveries(
  sql: Sql,
  deliveries: readonly object[],
  raw: readonly object[],
): Promise<unknown> {
  return sql`
    with bytes as (
      insert into inbound_raw
      select * from jsonb_populate_recordset(null::inbound_raw,
        ${JSON.stringify(raw)}::text::jsonb)
    )
    insert into inbound_deliveries
    select * from jsonb_populate_recordset(null::inbound_deliveries,
      ${JSON.stringify(deliveries)}::text::jsonb) /* team_id is in the rows */`.execute();
}

/** Statistics of a receiver that one process has collected since its last write. */
export interface Observation extends Place {
  lastReceivedAt: string | null;
  lastFailureAt: string | null;
  /** Refused signatures since the last good one, or since the last write where there was none. */
  failures: number;
  hasReset: boolean;
}

/** Adds to the counters of a receiver; returns the refusals in a row before and after. */
export async function recordObservation(
  sql: Sql,
  { teamId, receiverId, lastReceivedAt, lastFailureAt, failures, hasReset }: Observation,
): Promise<{ before: number; after: number }> {
  const [row] = await sql<{ before: number; after: number }[]>`
    update incoming_webhook_receiver_states
    set last_received_at = greatest(last_received_at, ${lastReceivedAt}::timestamptz),
      last_signature_failure_at
        = greatest(last_signature_failure_at, ${lastFailureAt}::timestamptz),
      consecutive_signature_failures
        = case when ${hasReset} then 0 else consecutive_signature_failures end + ${failures}::int
    where team_id = ${teamId} and receiver_id = ${receiverId}
    returning
      case when ${hasReset} then 0 else old.consecutive_signature_failures end as before,
      new.consecutive_signature_failures as after`;
  return row ?? { before: 0, after: 0 };
}

/** Number of the rejected callbacks that get a row in this hour; the others are only counted. */
export async function admitRejections(
  sql: Sql,
  { teamId, receiverId }: Place,
  count: number,
  maxPerHour: number,
): Promise<number> {
  const [row] = await sql<[{ admitted: number }]>`
    insert into inbound_rejections as r (team_id, receiver_id, hour, stored, dropped)
    values (${teamId}, ${receiverId}, date_trunc('hour', now()), least(${count}::int, ${maxPerHour}),
      greatest(0, ${count}::int - ${maxPerHour}))
    on conflict (team_id, receiver_id, hour) do update
    set stored = least(${maxPerHour}, r.stored + ${count}),
      dropped = r.dropped + greatest(0, r.stored + ${count} - ${maxPerHour})
    returning new.stored - coalesce(old.stored, 0) as admitted`;
  return row.admitted;
}

/** The receiver as events show it, with the next sequence of its events. */
export async function nextReceiverEvent(
  sql: Sql,
  { teamId, receiverId }: Place,
  publicBaseUrl: string,
) {
  const [row] = await sql<({ id: string; event_sequence: number } & object)[]>`
    with state as (
      update incoming_webhook_receiver_states set event_sequence = event_sequence + 1
      where team_id = ${teamId} and receiver_id = ${receiverId}
      returning *
    )
    select t.*, 'incoming_webhook_receiver' as type, s.last_received_at,
      s.last_signature_failure_at, s.consecutive_signature_failures, s.event_sequence,
      ${publicBaseUrl} || '/v2/webhooks/inbound/' || t.receiver_kind || '/' || t.id as receive_url
    from incoming_webhook_receivers t
    join state s on s.team_id = t.team_id and s.receiver_id = t.id
    where t.team_id = ${teamId} and t.id = ${receiverId} and t.deleted_at is null`;
  return row;
}
