import { forEachAlone } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { sftpFileUploadFailed } from '../events.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { requireSftpUpload, writeBegun, writeEnd } from '../sftp-uploads/queries.ts';
import { readFileName } from './file-names.ts';
import { listAbandoned, writeFailed } from './queries.ts';

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

const abandonedLoop: RowLoop<{ team_id: string; id: string }> = {
  name: 'sftp-files',
  keyOf: ({ team_id, id }) => ({ team_id, id }),
};

/**
 * Ends files whose worker was lost, and those without a rename within a day; returns their number.
 */
export async function endAbandoned(database: Database, limit: number, log: Log): Promise<number> {
  const rows = await database.read((sql) => listAbandoned(sql, hoursToRename, limit));
  let ended = 0;
  await forEachAlone({ database, log }, abandonedLoop, rows, async (row) => {
    const { id, team_id, path, is_whole } = row;
    const isDigest = readFileName(path.slice(path.lastIndexOf('/') + 1)).kind === 'digest';
    const failure = is_whole ? (isDigest ? digestUnused : neverRenamed) : connectionLost;
    await database.transact((sql) => failUpload(sql, team_id, id, failure));
    ended += 1;
  });
  return ended;
}

const hoursToRename = 24;
export const connectionLost = {
  code: 'connection_lost',
  detail: 'The connection ended before the file was complete.',
};
const neverRenamed = {
  code: 'never_renamed',
  detail:
    'It kept its temporary name for a day. Names of files to import end in .csv or .ndjson, and do ' +
    'not begin with `.`, `~`, `tmp_` or `tmp-`.',
};
const digestUnused = {
  code: 'digest_unused',
  detail:
    'No file with this SHA-256 arrived within a day. Upload the .sha256 file before its file.',
};
const canceled = { code: 'canceled', detail: 'The import was canceled.' };
const unknown = { code: 'operation_failed', detail: 'The import failed.' };
