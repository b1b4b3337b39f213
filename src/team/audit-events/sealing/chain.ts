import { createHash } from 'node:crypto';
import type { Keyring } from '../../../platform/auth/keyring.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import type { AuditEventRow } from '../queries.ts';

/** A line of the chain; the first has the number 1. */
export interface Seal {
  number: number;
  event_id: string;
  hash: Uint8Array;
  /** The key of the seal; null for lines that were sealed before seals had keys. */
  key_id: string | null;
  /** When the worker sealed it, by its own clock. A keyed seal covers it. */
  inserted_at: string;
}

/** The end of a chain, which the next line continues. */
export type Head = Pick<Seal, 'number' | 'hash' | 'key_id'>;

/** The head of an empty chain. */
export const chainStart: Head = { number: 0, hash: new Uint8Array(32), key_id: null };

/** A line is late if it was sealed so long after its event: after an outage, or again. */
const lateAfterMs = 3_600_000;

/** SHA-256, as lines were sealed before seals had keys. Its form must never change. */
function plainHashOf(previous: Uint8Array, event: AuditEventRow): Uint8Array {
  const { id, team_id, action, resource_type, resource_id, changed_fields } = event;
  const { client_id, request_id, occurred_at } = event;
  const said = [id, team_id, action, resource_type, resource_id, changed_fields, client_id];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([...said, request_id, occurred_at]))
    .digest();
}

/**
 * HMAC-SHA-256 over the line before, the whole event and the time of the seal, so that a line
 * cannot be sealed again and backdated. Its form must never change.
 */
function keyedHashOf(
  keyring: Keyring,
  previous: Uint8Array,
  event: AuditEventRow,
  { key_id, inserted_at }: Pick<Seal, 'key_id' | 'inserted_at'>,
): Uint8Array {
  const { id, team_id, action, resource_type, resource_id, changed_fields } = event;
  const { client_id, actor, request_id, server_request_id, source_ip, user_agent } = event;
  const { reason, occurrence_count, item_count, occurred_at } = event;
  const text = JSON.stringify([
    Buffer.from(previous).toString('hex'),
    id,
    team_id,
    action,
    resource_type,
    resource_id,
    changed_fields,
    client_id,
    actor,
    request_id,
    server_request_id,
    source_ip,
    user_agent,
    reason,
    occurrence_count,
    occurred_at,
    inserted_at,
    // Lines that were sealed before events had counts of items retain their form.
    ...(typeof item_count === 'number' ? [item_count] : []),
  ]);
  return keyring.digest('audit_seal', text, key_id ?? undefined).digest;
}

/** A head as people and logs note it: `<number>:<hash>`. */
export function headText({ number, hash }: Pick<Head, 'number' | 'hash'>): string {
  return `${String(number)}:${Buffer.from(hash).toString('hex')}`;
}

/** Continues a chain by events in their order, with the current key. */
export function chain(
  keyring: Keyring,
  head: Head,
  events: readonly AuditEventRow[],
  sealedAt: Date,
): { seal: Seal; event: AuditEventRow }[] {
  const [key_id = null] = keyring.keyIds('audit_seal');
  const inserted_at = toTimestamp(sealedAt.getTime());
  let { number, hash } = head;
  return events.map((event) => {
    number += 1;
    hash = keyedHashOf(keyring, hash, event, { key_id, inserted_at });
    return { seal: { number, event_id: event.id, hash, key_id, inserted_at }, event };
  });
}

/** Problem of a line of the chain, given the one before; undefined if it is valid. */
export function breachOf(
  keyring: Keyring,
  before: Head,
  seal: Seal,
  event: AuditEventRow | undefined,
): string | undefined {
  if (seal.number !== before.number + 1) return 'lines before it were removed from the chain';
  if (!event) return 'its event was removed';
  const { key_id } = seal;
  if (key_id === null && before.key_id !== null) {
    return 'its seal has no key, although that of the line before has one';
  }
  if (key_id !== null && !keyring.keyIds('audit_seal').includes(key_id)) {
    return `the key ${key_id} of its seal is not among the keys of the service`;
  }
  const expected =
    key_id === null
      ? plainHashOf(before.hash, event)
      : keyedHashOf(keyring, before.hash, event, seal);
  const isWhole = Buffer.from(expected).equals(seal.hash);
  return isWhole ? undefined : 'its event, or the chain, was changed';
}

export function isLate({ inserted_at }: Seal, event: AuditEventRow | undefined): boolean {
  return (
    event !== undefined && Date.parse(inserted_at) - Date.parse(event.occurred_at) > lateAfterMs
  );
}
