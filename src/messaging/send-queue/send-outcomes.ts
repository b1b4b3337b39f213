import type { Fault } from '../../platform/circuit-breaker/in-memory.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { SendResult } from '../providers/sender.ts';
import { hasDelivery } from './queries.ts';
import type { PutBack, DeliveryOutcome, ClaimedSend } from './queries.ts';
import type { SendOutcome } from './record-outcomes.ts';

/** It stays in the queue until then. */
export const deferred = (
  send: ClaimedSend,
  atMs: number,
  { is_attempt = false, is_passed = false }: Partial<Omit<PutBack, 'at'>> = {},
): SendOutcome => ({
  ...send,
  putBack: { at: toTimestamp(atMs), is_attempt, is_passed },
});

/** Adds the outcome of the delivery of a queue entry; a test or a notice has no delivery. */
export function withDeliveryOutcome(
  send: ClaimedSend,
  delivery: Pick<DeliveryOutcome, 'status'> & Partial<DeliveryOutcome>,
  nowMs: number,
): SendOutcome {
  const { team_id, id, delivery_inserted_at } = send;
  if (!hasDelivery(send)) return { team_id, id };
  const blank = { skip_reason: null, provider: null, provider_message_id: null, to_masked: null };
  const at = new Date(nowMs).toISOString();
  const place = { team_id, id, inserted_at: delivery_inserted_at, at };
  return { team_id, id, delivery: { ...blank, code: null, ...place, ...delivery } };
}

/** The fault of the provider in a result; undefined if the message alone is the cause. */
export function faultOf(result: SendResult): Fault | undefined {
  if (result.kind !== 'later' || !result.outage) return undefined;
  return { code: result.code, ...result.outage };
}
