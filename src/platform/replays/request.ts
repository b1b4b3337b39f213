import type { Sql } from '../database/sql.ts';
import { unlessConflict } from '../database/on-conflict.ts';
import { fail, failAll } from '../http/errors.ts';
import { signalJob } from '../jobs/queries.ts';
import { cancelReplayRow, findOpenReplay } from './queries.ts';
import type { ReplayTable, StoredReplay } from './queries.ts';
import { isOpen, maxWindowMs } from './rules.ts';
import type { ReplayStatus } from './rules.ts';
import { toTimestamp } from '../time/rules.ts';

/** Ids or filter, one of the two. Throws 422. */
export function checkOneGiven(ids: unknown, filter: unknown): void {
  if ((ids === undefined) !== (filter === undefined)) return;
  throw fail('validation_failed', {
    detail: 'Send either delivery_ids or filter.',
    meta: { pointer: '', rule: 'one_of', expected: ['delivery_ids', 'filter'] },
  });
}

/** Throws 404 with a line for each id that was not found. */
export function checkKnown(
  requested: readonly string[],
  known: ReadonlySet<string>,
  resource: string,
): void {
  const unknown = requested.flatMap((id, at) => (known.has(id) ? [] : [at]));
  if (unknown.length === 0) return;
  throw failAll(
    unknown.map((at) => ({
      code: 'not_found',
      detail: 'No such delivery.',
      meta: { resource, pointer: `/delivery_ids/${String(at)}` },
    })),
  );
}

/** The window of a filter, which ends now at the latest; at most 30 days. Throws 422. */
export function replayWindow(filter: { since?: string; until?: string }, nowMs: number) {
  const untilMs = Math.min(nowMs, filter.until === undefined ? nowMs : Date.parse(filter.until));
  const sinceMs = filter.since === undefined ? untilMs - maxWindowMs : Date.parse(filter.since);
  if (sinceMs >= untilMs) {
    throw fail('validation_failed', {
      detail: 'The window must start in the past and end after its start.',
      meta: { pointer: '/filter/since', rule: 'window' },
    });
  }
  if (untilMs - sinceMs > maxWindowMs) {
    throw fail('replay_window_too_large', {
      detail: 'The window may span 30 days at most.',
      meta: { pointer: '/filter/since', max_days: 30 },
    });
  }
  return { since: toTimestamp(sinceMs), until: toTimestamp(untilMs) };
}

/** Cancels a replay that the caller has locked; what it has replayed stays so. Throws 409. */
export async function cancelReplay<Row extends StoredReplay>(
  sql: Sql,
  table: ReplayTable,
  replay: Row,
): Promise<Row> {
  checkOpen(replay.status);
  const canceled = await cancelReplayRow(sql, table, replay);
  await signalJob(sql, { name: table.type }, canceled.id, canceled.team_id);
  return canceled;
}

/** Throws 409 where there is nothing to cancel. */
function checkOpen(status: ReplayStatus): void {
  if (isOpen(status)) return;
  throw fail('invalid_state_transition', {
    detail: 'The replay is finished.',
    meta: { state: status, action: 'cancel', allowed_actions: [] },
  });
}

/** Returns the result that a replay would have; nothing is stored. */
export function previewReplay<Asked extends { matched: number }>(asked: Asked, replayable: number) {
  const now = new Date().toISOString();
  return {
    ...asked,
    status: 'completed' as const,
    dry_run: true,
    replayed: replayable,
    succeeded: 0,
    failed: 0,
    skipped: asked.matched - replayable,
    inserted_at: now,
    finished_at: now,
  };
}

/** Starts a replay. Throws 409 while another one of the owner is open. */
export async function startReplay<Row extends { id: string }>(
  sql: Sql,
  table: ReplayTable,
  { teamId, ownerId }: { teamId: string; ownerId: string },
  insert: () => Promise<Row>,
): Promise<Row> {
  const replay = await unlessConflict(sql, table.openIndex, insert);
  if (!replay) {
    throw fail('replay_in_progress', {
      detail: 'Another replay is still running; wait until it ends, or cancel it.',
      meta: { id: await findOpenReplay(sql, table, teamId, ownerId) },
    });
  }
  await signalJob(sql, { name: table.type }, replay.id, teamId);
  return replay;
}
