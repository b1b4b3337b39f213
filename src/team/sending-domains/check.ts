import type { Sql } from '../../platform/database/sql.ts';
import type { TextLookup } from '../../platform/egress/lookup.ts';
import type { SendingDomainConfig } from '../../platform/config.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { sendingDomainFailed, sendingDomainVerified } from '../events.ts';
import { presentDomain } from './present.ts';
import { lockExistingDomain, writeCheck } from './queries.ts';
import type { SendingDomainRow } from './queries.ts';
import { expectedRecords, outcomeOfCheck, statusOfRecord } from './rules.ts';
import type { RecordStatuses } from './rules.ts';

/** Looks up the records of a domain, all together. */
export async function lookUpRecords(
  row: SendingDomainRow,
  lookup: TextLookup,
  { spfInclude }: SendingDomainConfig,
): Promise<RecordStatuses> {
  const statuses: RecordStatuses = {};
  await Promise.all(
    expectedRecords(row, spfInclude).map(async (record) => {
      statuses[record.purpose] = statusOfRecord(record, await lookup(record.name));
    }),
  );
  return statuses;
}

/**
 * Stores the result of a lookup, which began with this row, and records the event of a change, in
 * the caller's transaction. Undefined where the domain was deleted meanwhile.
 */
export async function applyCheck(
  sql: Sql,
  { team_id, id, next_check_at }: SendingDomainRow,
  found: RecordStatuses,
  { recheckMs, spfInclude }: SendingDomainConfig,
): Promise<SendingDomainRow | undefined> {
  const before = await lockExistingDomain(sql, team_id, id);
  if (!before) return undefined;
  const nowMs = Date.now();
  const now = new Date(nowMs).toISOString();
  const seenMs = before.seen_at === null ? undefined : Date.parse(before.seen_at);
  const { status, checksAlike, pauseMs } = outcomeOfCheck({ ...before, seenMs }, found, {
    nowMs,
    recheckMs,
  });
  const isChanged = status !== before.status;
  const { record_statuses: statuses } = before;
  // Another check was requested meanwhile: records that were published for it may have been missed.
  const isDueAgain = before.next_check_at !== next_check_at;
  const isNews =
    isChanged || Object.entries(found).some(([of, seen]) => Reflect.get(statuses, of) !== seen);
  const after = await writeCheck(
    sql,
    before,
    {
      status,
      record_statuses: found,
      checks_alike: checksAlike,
      seen_at: found.ownership === 'found' ? now : before.seen_at,
      verified_at: isChanged && status === 'verified' ? now : before.verified_at,
      failed_at: !isChanged ? before.failed_at : status === 'failed' ? now : null,
      last_checked_at: now,
      next_check_at: isDueAgain ? before.next_check_at : toTimestamp(nowMs + pauseMs),
    },
    isNews,
  );
  if (isChanged) {
    recordEvent(sql, {
      teamId: team_id,
      type: status === 'verified' ? sendingDomainVerified : sendingDomainFailed,
      data: presentDomain(after, spfInclude),
      sequence: after.lock_version,
    });
  }
  return after;
}
