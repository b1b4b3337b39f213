import { notifyAfterCommit } from '../../platform/database/transaction-context.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** Name of the work notification for urgent messages of a lane. */
export const urgentWork = (lane: number) => `urgent_sends/${String(lane)}`;

/** Wakes the lanes of urgent messages after the commit of the caller's transaction. */
export function announceUrgent(sql: Sql, entries: readonly { lane: number }[]): void {
  for (const { lane } of entries) notifyAfterCommit(sql, urgentWork(lane));
}
