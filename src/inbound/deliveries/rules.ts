import type { CountRow } from './queries.ts';

const statuses = [
  'processed',
  'failed',
  'ignored',
  'pending_confirmation',
  'rejected_signature',
  'rejected_invalid',
  'duplicate',
];
const signatureStatuses = ['verified', 'unsigned', 'invalid', 'missing', 'expired'];

/**
 * Sums groups of deliveries. A duplicate counts like the event that it repeats, but stands apart by
 * status, so that each sum is the total; only refused calls have no event type.
 */
export function sumCounts(rows: readonly CountRow[]) {
  const by_status = Object.fromEntries(statuses.map((name) => [name, 0]));
  const by_signature_status = Object.fromEntries(signatureStatuses.map((name) => [name, 0]));
  const by_event_type: Record<string, number> = {};
  let total = 0;
  for (const { status, event_type, signature_status, events, duplicates } of rows) {
    const all = events + duplicates;
    total += all;
    by_status[status] = (by_status[status] ?? 0) + events;
    by_status['duplicate'] = (by_status['duplicate'] ?? 0) + duplicates;
    by_signature_status[signature_status] = (by_signature_status[signature_status] ?? 0) + all;
    if (event_type !== null) by_event_type[event_type] = (by_event_type[event_type] ?? 0) + all;
  }
  return { total, by_status, by_event_type, by_signature_status };
}
