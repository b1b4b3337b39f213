import type { Sql } from '../../../platform/database/sql.ts';
import type { FileSourceRow } from '../../file-sources/queries.ts';
import { grantColumns } from '../access/queries.ts';
import type { Grant } from '../access/queries.ts';
import type { Matching } from './rules.ts';

/** The active sources of a team for a server. */
export async function listSources(
  sql: Sql,
  teamId: string,
  serverId: string,
): Promise<(Matching & { id: string })[]> {
  return sql<(Matching & { id: string })[]>`
    select id, server_username, server_path from file_sources
    where team_id = ${teamId} and server_id = ${serverId} and is_active and deleted_at is null`;
}

/**
 * Locks the fetches of the team until the end of the transaction, so that no other begins or is
 * claimed.
 */
export async function lockFetches(sql: Sql, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`file_fetches ${teamId}`}, 0))`;
}

/** A version of a file at a source. */
export interface Version {
  sourceId: string;
  path: string;
  completedAt: string;
}

/** Whether the version waits, is being fetched, or was. */
export async function isKnown(
  sql: Sql,
  teamId: string,
  { sourceId, path, completedAt }: Version,
): Promise<boolean> {
  const rows = await sql`
    select from file_fetches
    where team_id = ${teamId} and file_source_id = ${sourceId} and path = ${path}
      and completed_at = ${completedAt}::timestamptz(3)`;
  return rows.length > 0;
}

export async function countOpenFetches(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from file_fetches
    where team_id = ${teamId} and next_attempt_at is not null`;
  return row.count;
}

/** Inserts a fetch with its upload, and returns the id of both. */
export async function insertFetch(
  sql: Sql,
  teamId: string,
  { sourceId, path, completedAt }: Version,
  { deliveryId, sha256 }: { deliveryId: string; sha256: string | null },
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    with upload as (
      insert into sftp_uploads (team_id, file_source_id, path, status, inbound_delivery_id)
      values (${teamId}, ${sourceId}, ${path}, 'receiving', ${deliveryId})
      returning team_id, id
    )
    insert into file_fetches
      (team_id, sftp_upload_id, file_source_id, path, completed_at, sha256)
    select team_id, id, ${sourceId}, ${path}, ${completedAt}::timestamptz(3), ${sha256} from upload
    returning sftp_upload_id as id`;
  return row.id;
}

/** A source as it is used, its secret opened. */
export interface OpenSource extends Pick<
  FileSourceRow,
  | 'id'
  | 'source_kind'
  | 'host'
  | 'port'
  | 'base_path'
  | 'username'
  | 'host_key_fingerprints'
  | 'authentication'
> {
  secret: string;
}

/** A fetch that waits. */
export interface OpenFetch {
  team_id: string;
  sftp_upload_id: string;
  file_source_id: string;
  path: string;
  sha256: string | null;
  next_attempt_at: string;
  attempts: number;
  token: number;
}

/** Locks a fetch that is not done until the end of the transaction. */
export async function lockFetch(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<OpenFetch | undefined> {
  const [row] = await sql<OpenFetch[]>`
    select team_id, sftp_upload_id, file_source_id, path, sha256, next_attempt_at, attempts, token
    from file_fetches
    where team_id = ${teamId} and sftp_upload_id = ${id} and next_attempt_at is not null
    for update`;
  return row;
}

/** Number of other files of the team that are being fetched. */
export async function countOthers(
  sql: Sql,
  { team_id, sftp_upload_id }: OpenFetch,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from file_fetches
    where team_id = ${team_id} and sftp_upload_id <> ${sftp_upload_id}
      and next_attempt_at is not null and lease_expires_at > now()`;
  return row.count;
}

/** Claims a fetch for a worker and returns its token. */
export async function writeClaim(
  sql: Sql,
  { team_id, sftp_upload_id }: OpenFetch,
  leaseSeconds: number,
): Promise<number> {
  const [row] = await sql<[{ token: number }]>`
    update file_fetches
    set token = token + 1, lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    where team_id = ${team_id} and sftp_upload_id = ${sftp_upload_id}
    returning token`;
  return row.token;
}

/** Ends the lease; the next attempt is made after a pause. */
export async function writePause(
  sql: Sql,
  { team_id, sftp_upload_id }: OpenFetch,
  { seconds, attempts, errorCode }: { seconds: number; attempts: number; errorCode: string | null },
): Promise<string> {
  const [row] = await sql<[{ next_attempt_at: string }]>`
    update file_fetches
    set next_attempt_at = now() + make_interval(secs => ${seconds}), lease_expires_at = null,
      attempts = ${attempts}, last_error_code = coalesce(${errorCode}, last_error_code)
    where team_id = ${team_id} and sftp_upload_id = ${sftp_upload_id}
    returning next_attempt_at`;
  return row.next_attempt_at;
}

/** Renews the lease; returns whether the claim is still valid and the source active. */
export async function renewLease(
  sql: Sql,
  { team_id, sftp_upload_id, token }: OpenFetch,
  leaseSeconds: number,
): Promise<{ is_active: boolean; is_suspended: boolean } | undefined> {
  const [row] = await sql<{ is_active: boolean; is_suspended: boolean }[]>`
    update file_fetches f
    set lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    from file_sources s
    join teams m on m.id = s.team_id
    left join clients c on c.team_id = s.team_id and c.id = s.client_id
    where f.team_id = ${team_id} and f.sftp_upload_id = ${sftp_upload_id} and f.token = ${token}
      and f.next_attempt_at is not null and s.team_id = ${team_id} and s.id = f.file_source_id
    returning s.is_active and s.deleted_at is null as is_active,
      m.suspended_at is not null or c.suspended_at is not null as is_suspended`;
  return row;
}

/** Lets the next worker begin immediately. */
export async function releaseLease(
  sql: Sql,
  { team_id, sftp_upload_id, token }: OpenFetch,
): Promise<void> {
  await sql`
    update file_fetches set lease_expires_at = null
    where team_id = ${team_id} and sftp_upload_id = ${sftp_upload_id} and token = ${token}`;
}

/** The import has begun: the version is not fetched again. */
export async function writeDone(sql: Sql, { team_id, sftp_upload_id }: OpenFetch): Promise<void> {
  await sql`
    update file_fetches set next_attempt_at = null, lease_expires_at = null
    where team_id = ${team_id} and sftp_upload_id = ${sftp_upload_id}`;
}

/** Forgets a fetch that failed, so that another callback or a replay can begin it again. */
export async function deleteFetch(sql: Sql, { team_id, sftp_upload_id }: OpenFetch): Promise<void> {
  await sql`
    delete from file_fetches
    where team_id = ${team_id} and sftp_upload_id = ${sftp_upload_id}`;
}

export type SealedSource = Omit<OpenSource, 'secret'> & Matching & { sealed_credential: string };

/** An active source with its sealed credential. */
export async function findSealedSource(
  sql: Sql,
  { team_id, file_source_id }: OpenFetch,
): Promise<SealedSource | undefined> {
  const [row] = await sql<SealedSource[]>`
    select id, source_kind, host, port, base_path, username, host_key_fingerprints, authentication,
      server_username, server_path, sealed_credential
    from file_sources
    where team_id = ${team_id} and id = ${file_source_id} and is_active and deleted_at is null
      and sealed_credential is not null`;
  return row;
}

/** Claims the test of a source that was requested, unless another one of the team is tested. */
export async function claimTest(
  sql: Sql,
  teamId: string,
  id: string,
  leaseSeconds: number,
): Promise<SealedSource | undefined> {
  const [row] = await sql<SealedSource[]>`
    update file_sources set test_started_at = now()
    where team_id = ${teamId} and id = ${id} and test_requested_at is not null
      and deleted_at is null and not exists (
        select from file_sources
        where team_id = ${teamId} and id <> ${id} and test_requested_at is not null
          and test_started_at > now() - make_interval(secs => ${leaseSeconds}))
    returning id, source_kind, host, port, base_path, username, host_key_fingerprints,
      authentication, server_username, server_path, sealed_credential`;
  return row;
}

export async function isTestRequested(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from file_sources
    where team_id = ${teamId} and id = ${id} and test_requested_at is not null
      and deleted_at is null`;
  return rows.length > 0;
}

/** Ends the test of a source; without a failure it has succeeded. */
export async function writeTest(
  sql: Sql,
  teamId: string,
  id: string,
  failure: { code: string; detail: string } | undefined,
): Promise<void> {
  await sql`
    update file_sources
    set test_requested_at = null, test_started_at = null, tested_at = now(), test_error_code = ${failure?.code ?? null},
      test_error_detail = ${failure?.detail ?? null}
    where team_id = ${teamId} and id = ${id} and test_requested_at is not null`;
}

/** Sources whose test is late. */
export async function listOverdueTests(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from file_sources
    where test_requested_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and deleted_at is null
    order by test_requested_at limit ${limit} /* any team: the relay serves all */`;
}

/** Purpose of the files of an active source. */
export async function findSourceGrant(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<Grant | undefined> {
  const [row] = await sql<Grant[]>`
    select ${grantColumns(sql, 'file_sources')} from file_sources
    where team_id = ${teamId} and id = ${id} and is_active and deleted_at is null
      and exists (select from teams t where t.id = ${teamId} and t.suspended_at is null)`;
  return row;
}

export async function recordFetch(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update file_sources set last_fetched_at = now() where team_id = ${teamId} and id = ${id}`;
}

/** Fetches that are late and that no worker has. */
export async function listOverdueFetches(
  sql: Sql,
  overdueMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select sftp_upload_id as id, team_id from file_fetches
    where next_attempt_at < now() - make_interval(secs => ${overdueMs / 1_000})
      and coalesce(lease_expires_at < now(), true)
    order by next_attempt_at limit ${limit} /* any team: the relay serves all */`;
}
