/** Deliveries of a deleted subscription are canceled, and cannot be read. */
export const deliveryStatuses = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'suppressed',
] as const;

/** Deliveries of one status and event type, and the attempts that they had. */
export interface CountRow {
  status: string;
  event_type: string;
  deliveries: number;
  attempts: number;
}

/** Times that attempts took, in ms; null where there were none. */
export interface Latency {
  p50_ms: number | null;
  p95_ms: number | null;
}

/** Sums groups of deliveries; every status is there, and the rate is null where nothing is over. */
export function sumCounts(rows: readonly CountRow[], latency: Latency) {
  const by_status: Record<string, number> = Object.fromEntries(
    deliveryStatuses.map((name) => [name, 0]),
  );
  const by_event_type: Record<string, number> = {};
  let total = 0;
  let attempts = 0;
  for (const row of rows) {
    total += row.deliveries;
    attempts += row.attempts;
    by_status[row.status] = (by_status[row.status] ?? 0) + row.deliveries;
    by_event_type[row.event_type] = (by_event_type[row.event_type] ?? 0) + row.deliveries;
  }
  const { delivered = 0, failed = 0 } = by_status;
  const over = delivered + failed;
  const success_rate = over === 0 ? null : delivered / over;
  return { total, by_status, by_event_type, success_rate, attempts, ...latency };
}
