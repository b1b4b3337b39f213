import type { Sql } from '../../src/platform/database/sql.ts';
import { claimSends } from '../../src/messaging/send-queue/claiming/queries.ts';
import type { Channel } from '../../src/messaging/send-queue/queries.ts';

/** Claims messages of one channel that go through the provider of the settings. */
export function takeShared(
  sql: Sql,
  lane: number,
  { channel, room }: { channel: Channel; room: number },
  asOfMs: number,
  isUrgent = false,
) {
  const rooms = { shared: [{ channel, room }], own: [] };
  const asOf = new Date(asOfMs).toISOString();
  return claimSends(sql, lane, rooms, { isUrgent, asOf, leaseMs: 60_000, offeredTo: undefined });
}
