import type { Retention } from './team.ts';

/** Whether codes and confirmations may be sent to a number by SMS. */
export function isSmsAllowed(phone: string, allowedPrefixes: readonly string[]): boolean {
  if (allowedPrefixes.length === 0) return true;
  return allowedPrefixes.some((prefix) => phone.startsWith(prefix));
}

/** Terms that hold for what is stored already; absent means the longest one. */
const terms = [
  'inbound_deliveries_days',
  'webhook_events_days',
  'engagement_days',
  'operation_results_days',
] as const;

/** Whether a change of the retention deletes something earlier than before. */
export function isShortened(before: Retention | null, after: Retention | null): boolean {
  // Without a term of its own, the read log ends.
  const readsDays = (retention: Retention | null) => retention?.contact_reads_days ?? 0;
  if (readsDays(after) < readsDays(before)) return true;
  return terms.some((term) => (after?.[term] ?? Infinity) < (before?.[term] ?? Infinity));
}
