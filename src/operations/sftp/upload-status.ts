import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { sftpFileUploadFailed } from '../events.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { requireSftpUpload } from '../sftp-uploads/queries.ts';
import { listAbandoned, writeBegun, writeEnd, writeFailed } from './queries.ts';

/** Why a file is not imported, for its sftp_upload. */
export interface Failure {
  code: string;
  detail: string;
}

/** The fields of a run that its file needs. */
interface Run {
  team_id: string;
  id: string;
  source: string;
  status: string;
  error: Problem | null;
}

/** Ends a file that will not be imported, and notifies subscribers; once. */
export async function failUpload(
  sql: Sql,
  teamId: string,
  id: string,
  failure: Failure,
): Promise<void> {
  if (await writeFailed(sql, teamId, id, failure)) await publishFailure(sql, teamId, id);
}

export async function publishFailure(sql: Sql, teamId: string, id: string): Promise<void> {
  const data = await requireSftpUpload(sql, teamId, id);
  recordEvent(sql, { teamId, type: sftpFileUploadFailed, data, sequence: 2 });
}

/** Records the start of the import of a file. */
export async function markStarted(sql: Sql, { team_id, id, source }: Run): Promise<void> {
  if (source === 'sftp') await writeBegun(sql, team_id, id);
}

/** A file shares the fate of its import, in the transaction that ends that. */
export async function markFinished(sql: Sql, run: Run): Promise<void> {
  const { team_id: teamId, source, status, error } = run;
  if (source !== 'sftp') return;
  const isCanceled = status === 'canceled';
  const isFailed = status === 'failed' || isCanceled;
  const failure = error ?? (isCanceled ? canceled : unknown);
  const id = await writeEnd(sql, teamId, run.id, isFailed ? failure : null);
  if (id !== undefined && isFailed) await publishFailure(sql, teamId, id);
}

/**
 * Ends files whose worker was lost, and those without a rename within a day; returns their number.
 */
export async function endAbandoned(database: Database, limit: number): Promise<number> {
  const rows = await database.read((sql) => listAbandoned(sql, hoursToRename, limit));
  for (const { id, team_id, is_whole } of rows) {
    const failure = is_whole ? neverRenamed : connectionLost;
    await database.transact((sql) => failUpload(sql, team_id, id, failure));
  }
  return rows.length;
}

const hoursToRename = 24;
export const connectionLost = {
  code: 'connection_lost',
  detail: 'The connection ended before the file was whole.',
};
const neverRenamed = { code: 'never_renamed', detail: 'It kept its temporary name for a day.' };
const canceled = { code: 'canceled', detail: 'The import was canceled.' };
const unknown = { code: 'operation_failed', detail: 'The import failed.' };
