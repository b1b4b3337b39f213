import { createHash } from 'node:crypto';
import type { AuditEventRow } from '../queries.ts';

/** A line of the chain; the first has the number 1. */
export interface Seal {
  number: number;
  event_id: string;
  hash: Uint8Array;
}

/** What the first line of a chain follows. */
export const chainStart: Pick<Seal, 'number' | 'hash'> = {
  number: 0,
  hash: new Uint8Array(32),
};

/** SHA-256 over the hash before and everything that the line says. Its form must never change. */
function hashOf(previous: Uint8Array, event: AuditEventRow): Uint8Array {
  const { id, team_id, action, resource_type, resource_id, changed_fields } = event;
  const { client_id, request_id, occurred_at } = event;
  const said = [id, team_id, action, resource_type, resource_id, changed_fields, client_id];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([...said, request_id, occurred_at]))
    .digest();
}

/** Continues a chain by events in their order. */
export function chain(
  head: Pick<Seal, 'number' | 'hash'>,
  events: readonly AuditEventRow[],
): Seal[] {
  let { number, hash } = head;
  return events.map((event) => {
    number += 1;
    hash = hashOf(hash, event);
    return { number, event_id: event.id, hash };
  });
}

/** What is wrong with a line of the chain, given the one before; undefined where it holds. */
export function breachOf(
  before: Pick<Seal, 'number' | 'hash'>,
  seal: Seal,
  event: AuditEventRow | undefined,
): string | undefined {
  if (seal.number !== before.number + 1) return 'lines before it were removed from the chain';
  if (!event) return 'its event was removed';
  const isWhole = Buffer.from(hashOf(before.hash, event)).equals(seal.hash);
  return isWhole ? undefined : 'its event, or the chain, was changed';
}
