import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Database } from '../../../platform/database/client.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Egress } from '../../../platform/egress/client.ts';
import { fileFetches } from '../../../platform/http/metrics.ts';
import { fileSourceSealContext } from '../../file-sources/queries.ts';
import { removeUpload } from '../../uploads/queries.ts';
import { receiveUpload } from '../../uploads/receive-upload.ts';
import type { UploadRow } from '../../uploads/queries.ts';
import { sourceSender } from '../access/sender.ts';
import { completeUpload } from '../complete-upload.ts';
import { failUpload } from '../upload-status.ts';
import type { Failure } from '../upload-status.ts';
import { formatOfName } from '../file-names.ts';
import { folderFor } from '../rules.ts';
import type { FolderName } from '../rules.ts';
import { claimFetch } from './claim.ts';
import type { Claim } from './claim.ts';
import { Interrupted } from '../../../platform/temporal/interrupted.ts';
import { failures, fetchFailureOf } from './failure.ts';
import type { FetchFailure } from './failure.ts';
import { openByHttps } from './https-client.ts';
import {
  deleteFetch,
  lockFetch,
  releaseLease,
  renewLease,
  writeDone,
  writePause,
} from './queries.ts';
import type { OpenFetch, OpenSource } from './queries.ts';
import { leaseSeconds, remoteNames } from './rules.ts';
import type { FetchLimits } from './rules.ts';
import { createScope } from './scope.ts';
import type { FetchScope } from './scope.ts';
import { openBySftp } from './sftp-client.ts';

export interface Fetching {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  limits: FetchLimits;
  /** Pauses before each further attempt; how many there are is the number of attempts but one. */
  scheduleMs: readonly number[];
  /** Aborted when the worker is to end. */
  stopping: AbortSignal;
}

/** State of a fetch. */
export interface FetchOutlook {
  /** Time of the next check; undefined once it is done. */
  nextAtMs?: number;
  attempts: number;
  /** The code of the last failure. */
  lastError?: string;
}

/**
 * Fetches a file if it is due, and begins its import. Throws if the source is not the cause: the
 * fetch is then claimed again later.
 */
export async function fetchDueFile(
  fetching: Fetching,
  { teamId, uploadId, asOfMs }: { teamId: string; uploadId: string; asOfMs: number },
): Promise<FetchOutlook> {
  const { database } = fetching;
  const claimed = await database.transact((sql) => claimFetch(sql, teamId, uploadId, asOfMs));
  if (claimed === undefined) return { attempts: 0 };
  if ('nextAt' in claimed) {
    return { attempts: claimed.attempts, nextAtMs: Date.parse(claimed.nextAt) };
  }
  const { fetch } = claimed;
  try {
    const upload = await fetchFile(fetching, claimed);
    const refusal = await database.transact((sql) => finish(sql, fetch, upload));
    fileFetches.inc({ outcome: refusal?.code ?? 'fetched' });
    return { attempts: fetch.attempts + 1, ...(refusal && { lastError: refusal.code }) };
  } catch (error) {
    const failure = fetchFailureOf(error);
    if (failure) {
      fileFetches.inc({ outcome: failure.failure.code });
      return database.transact((sql) => recordFetch(sql, fetching, fetch, failure));
    }
    await database.transact((sql) => releaseLease(sql, fetch)).catch(() => undefined);
    throw error;
  }
}

/** Ends a fetch that failed because of errors of the service. */
export async function giveUpFetch(database: Database, teamId: string, id: string): Promise<void> {
  await database.transact(async (sql) => {
    const fetch = await lockFetch(sql, teamId, id);
    if (fetch) await end(sql, fetch, failures.giveUp().failure);
  });
}

/** Reads the file into an upload that nothing uses yet. */
async function fetchFile(fetching: Fetching, { fetch, source }: Claim): Promise<UploadRow> {
  if (!source) throw failures.inactive();
  const { database, keyring, egress, limits, stopping } = fetching;
  const names = remoteNames(source, fetch.path);
  if (!names) throw failures.notReadable('The file source no longer answers for the file.');
  const { sealed_credential, ...rest } = source;
  const place = fileSourceSealContext(fetch.team_id, source.id);
  const opened: OpenSource = { ...rest, secret: keyring.open(sealed_credential, place) };
  const scope = createScope(egress, limits, stopping);
  const renewing = keepLease(database, scope, fetch);
  try {
    const file = await scope.opening(() =>
      opened.source_kind === 'sftp'
        ? openBySftp(scope, opened, names)
        : openByHttps(egress, scope, opened, names),
    );
    const upload = await receiveUpload(database, {
      teamId: fetch.team_id,
      format: formatOf(fetch),
      stream: scope.read(file),
      limitBytes: limits.fileBytes,
    });
    if (fetch.sha256 === null || fetch.sha256 === upload.sha256) return upload;
    await database.transact((sql) => removeUpload(sql, { teamId: fetch.team_id, id: upload.id }));
    throw failures.changed();
  } finally {
    clearInterval(renewing);
    scope.close();
  }
}

/** Renews the lease while the file comes; ends the attempt once it is another's or in vain. */
function keepLease(database: Database, scope: FetchScope, fetch: OpenFetch): NodeJS.Timeout {
  return setInterval(() => {
    database
      .transact((sql) => renewLease(sql, fetch, leaseSeconds))
      .then((lease) => {
        if (!lease) scope.interrupt(new Interrupted('another worker has the fetch'));
        else if (lease.is_suspended) scope.interrupt(new Interrupted('the source is suspended'));
        else if (!lease.is_active) scope.interrupt(failures.inactive());
      })
      // Postgres may be away for a moment; the writes of the file notice it, too.
      .catch(() => undefined);
  }, renewalMs);
}

const renewalMs = (leaseSeconds * 1_000) / 6;

/** Begins the import, unless another worker has claimed the fetch meanwhile. */
async function finish(sql: Sql, fetch: OpenFetch, upload: UploadRow): Promise<Failure | undefined> {
  const { team_id: teamId, sftp_upload_id: id, path } = fetch;
  const held = await lockFetch(sql, teamId, id);
  if (held?.token !== fetch.token) {
    await removeUpload(sql, { teamId, id: upload.id });
    return undefined;
  }
  const sender = sourceSender(teamId, fetch.file_source_id);
  const refusal = await completeUpload(sql, {
    sender,
    id,
    path,
    format: formatOf(fetch),
    folder: await folderOf(sql, sender),
    content: { uploadId: upload.id, sizeBytes: upload.size_bytes, sha256: upload.sha256 },
  });
  await (refusal ? deleteFetch(sql, fetch) : writeDone(sql, fetch));
  return refusal;
}

/** The drop folder whose files become what those of the source do. */
async function folderOf(sql: Sql, sender: ReturnType<typeof sourceSender>): Promise<FolderName> {
  const grant = await sender.findGrant(sql);
  return folderFor(grant?.purpose) ?? 'contacts';
}

function formatOf({ path }: OpenFetch): 'csv' | 'ndjson' {
  return formatOfName(path) ?? 'csv';
}

/** Schedules the retry of a failed attempt, or ends the fetch. */
async function recordFetch(
  sql: Sql,
  { scheduleMs }: Fetching,
  fetch: OpenFetch,
  { failure, isTemporary }: FetchFailure,
): Promise<FetchOutlook> {
  const { team_id: teamId, sftp_upload_id: id } = fetch;
  const attempts = fetch.attempts + 1;
  const held = await lockFetch(sql, teamId, id);
  if (held?.token !== fetch.token) return { attempts };
  const pauseMs = isTemporary ? scheduleMs[fetch.attempts] : undefined;
  const lastError = failure.code;
  if (pauseMs === undefined) {
    await end(sql, fetch, failure);
    return { attempts, lastError };
  }
  const pause = { seconds: pauseMs / 1_000, attempts, errorCode: failure.code };
  return { attempts, lastError, nextAtMs: Date.parse(await writePause(sql, fetch, pause)) };
}

async function end(sql: Sql, fetch: OpenFetch, failure: Failure): Promise<void> {
  await failUpload(sql, fetch.team_id, fetch.sftp_upload_id, failure);
  await deleteFetch(sql, fetch);
}
