import type { Sql } from '../../platform/database/sql.ts';
import { byName } from '../../platform/events/event-type.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { runEvents } from '../events.ts';
import { withTitle } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { markFinished } from '../sftp/upload-status.ts';
import { endRun, listNextQueued } from './queries.ts';
import type { RunRow, StoredRun, Surface } from './queries.ts';
import { endVerb, maxRunning } from './rules.ts';
import type { RunStatus } from './rules.ts';
import { wakeRun } from './start.ts';

/** Ends a run that the caller has locked, notifies subscribers, and lets the next ones begin. */
export async function finishRun<From extends Surface>(
  sql: Sql,
  run: StoredRun<From>,
  status: RunStatus,
  error: Problem | null = null,
): Promise<RunRow<From>> {
  const ended = await endRun(sql, run, status, error);
  await markFinished(sql, ended);
  recordRunEvent(sql, ended, endVerb(status));
  for (const next of await listNextQueued(sql, ended.team_id, maxRunning)) {
    await wakeRun(sql, next);
  }
  return ended;
}

const types = byName(runEvents);

/** Records that a run has begun or ended, unless its client declined events. */
export function recordRunEvent(
  sql: Sql,
  run: RunRow,
  verb: 'started' | ReturnType<typeof endVerb>,
): void {
  if (!run.notify_webhook) return;
  const { team_id: teamId, type, lock_version: sequence } = run;
  recordEvent(sql, { teamId, type: types[`${type}.${verb}`], data: withoutDetail(run), sequence });
}

/** The detail of an error may quote a file, which needs the scopes of the operation. */
function withoutDetail<From extends Surface>({ error, ...run }: RunRow<From>) {
  return { ...run, error: error && { code: error.code, detail: withTitle(error).title } };
}
