import type { Sql } from '../../platform/database/sql.ts';
import type { Credential } from './access/queries.ts';

/** An uploaded file as its folder shows it. */
export interface FileRow {
  id: string;
  path: string;
  status: 'receiving' | 'received' | 'processing' | 'processed' | 'failed';
  size_bytes: number;
  sha256: string | null;
  upload_id: string | null;
  changed_at: string;
}

export async function insertReceiving(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into sftp_uploads (team_id, sftp_credential_id, path, status)
    values (${team_id}, ${id}, ${path}, 'receiving')
    returning id`;
  return row.id;
}

/** Notes a file that was refused before it had content; of many in an hour only the first. */
export async function insertRefused(
  sql: Sql,
  { team_id, id }: Credential,
  { path, code, detail, atMost }: { path: string; code: string; detail: string; atMost: number },
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    insert into sftp_uploads
      (team_id, sftp_credential_id, path, status, error_code, error_detail, completed_at)
    select ${team_id}, ${id}, ${path}, 'failed', ${code}, ${detail}, now()
    where (
      select count(*) from sftp_uploads
      where team_id = ${team_id} and sftp_credential_id = ${id} and size_bytes is null
        and status = 'failed' and inserted_at > now() - interval '1 hour'
    ) < ${atMost}
    returning id`;
  return row?.id;
}

/** Result of reading a file to its end. */
export interface Content {
  uploadId: string;
  sizeBytes: number;
  sha256: string;
}

/** Records that the content is complete. */
export async function writeContent(
  sql: Sql,
  teamId: string,
  id: string,
  { uploadId, sizeBytes, sha256 }: Content,
): Promise<void> {
  await sql`
    update sftp_uploads
    set upload_id = ${uploadId}, size_bytes = ${sizeBytes}, sha256 = ${sha256}, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Records that the file has arrived, under its name; false if it is no longer expected. */
export async function writeReceived(
  sql: Sql,
  teamId: string,
  id: string,
  path: string,
): Promise<boolean> {
  const done = await sql`
    update sftp_uploads set status = 'received', path = ${path}, updated_at = now()
    where team_id = ${teamId} and id = ${id} and status = 'receiving'`;
  return done.count > 0;
}

export async function writeImport(
  sql: Sql,
  teamId: string,
  id: string,
  runId: string,
): Promise<void> {
  await sql`
    update sftp_uploads set batch_operation_id = ${runId}
    where team_id = ${teamId} and id = ${id}`;
}

/** The code of a file that has not failed is a warning. */
export async function writeWarning(
  sql: Sql,
  teamId: string,
  id: string,
  { code, detail }: { code: string; detail: string },
): Promise<void> {
  await sql`
    update sftp_uploads set error_code = ${code}, error_detail = ${detail}
    where team_id = ${teamId} and id = ${id}`;
}

export async function writePath(sql: Sql, teamId: string, id: string, path: string) {
  await sql`
    update sftp_uploads set path = ${path}, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** Sets the format of the content to that of the final name. */
export async function writeFormat(
  sql: Sql,
  teamId: string,
  uploadId: string,
  format: 'csv' | 'ndjson',
): Promise<void> {
  await sql`
    update uploads set format = ${format} where team_id = ${teamId} and id = ${uploadId}`;
}

/** Ends a file that is not whole, or whose import cannot begin; drops its content. */
export async function writeFailed(
  sql: Sql,
  teamId: string,
  id: string,
  { code, detail }: { code: string; detail: string },
): Promise<boolean> {
  const [row] = await sql<{ upload_id: string | null }[]>`
    update sftp_uploads
    set status = 'failed', error_code = ${code}, error_detail = ${detail}, completed_at = now(),
      updated_at = now()
    where team_id = ${teamId} and id = ${id} and status in ('receiving', 'received')
      and batch_operation_id is null
    returning upload_id`;
  if (row?.upload_id) {
    await sql`delete from uploads where team_id = ${teamId} and id = ${row.upload_id}`;
  }
  return row !== undefined;
}

/** Files without an end: their worker was lost, or they were never renamed. */
export async function listAbandoned(
  sql: Sql,
  olderThanHours: number,
  limit: number,
): Promise<{ id: string; team_id: string; path: string; is_whole: boolean }[]> {
  return sql<{ id: string; team_id: string; path: string; is_whole: boolean }[]>`
    select id, team_id, path, size_bytes is not null as is_whole from sftp_uploads
    where status = 'receiving' and sftp_credential_id is not null and updated_at < now() - make_interval(hours => ${olderThanHours})
    order by updated_at limit ${limit} /* any team: maintenance */`;
}

const shown = `id, path, status, size_bytes, sha256, upload_id, updated_at as changed_at`;

/** The newest file of each name below a folder, and of these the newest. */
export async function listFiles(
  sql: Sql,
  { team_id, id }: Credential,
  folder: string,
  { days, limit }: { days: number; limit: number },
): Promise<FileRow[]> {
  return sql<FileRow[]>`
    select ${sql.unsafe(shown)} from (
      select distinct on (path) * from sftp_uploads
      where team_id = ${team_id} and sftp_credential_id = ${id} and size_bytes is not null
        and path > ${`${folder}/`} and path < ${`${folder}0`} and removed_at is null
        and inserted_at > now() - make_interval(days => ${days})
      order by path, inserted_at desc, id desc
    ) newest
    order by inserted_at desc, id desc limit ${limit} /* team_id is in the inner one */`;
}

/** The newest whole file of a path that is still shown. */
export async function findFile(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  days: number,
): Promise<FileRow | undefined> {
  const [row] = await sql<FileRow[]>`
    select ${sql.unsafe(shown)} from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and removed_at is null
      and inserted_at > now() - make_interval(days => ${days})
    order by inserted_at desc, id desc limit 1`;
  return row;
}

/** Locks the newest whole file of a path that waits for its rename, or that was imported. */
export async function lockWhole(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await sql<FileRow[]>`
    select ${sql.unsafe(shown)} from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and removed_at is null
      and (status <> 'failed' or batch_operation_id is not null)
    order by inserted_at desc, id desc limit 1
    for update`;
  return row;
}

/** Locks the newest file of a path that waits. */
export async function lockWaiting(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await sql<FileRow[]>`
    select ${sql.unsafe(shown)} from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and status = 'receiving'
    order by inserted_at desc, id desc limit 1
    for update`;
  return row;
}

/** Older files of the path that wait and that another file replaces. */
export async function listReplaced(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  newId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and status = 'receiving' and id <> ${newId}`;
  return rows.map((row) => row.id);
}

/** Whether the newest imported file of a path has the digest. */
export async function isImported(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  sha256: string,
): Promise<boolean> {
  const [row] = await sql<{ sha256: string | null }[]>`
    select sha256 from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and batch_operation_id is not null
    order by inserted_at desc, id desc limit 1`;
  return row?.sha256 === sha256;
}

/** Ends a file that is not imported because it says something about another one. */
export async function writeUsed(sql: Sql, teamId: string, id: string): Promise<void> {
  const [row] = await sql<{ upload_id: string | null }[]>`
    update sftp_uploads set status = 'processed', completed_at = now(), updated_at = now()
    where team_id = ${teamId} and id = ${id} and status = 'receiving'
    returning upload_id`;
  if (row?.upload_id) {
    await sql`delete from uploads where team_id = ${teamId} and id = ${row.upload_id}`;
  }
}

/** Hides the files of a path, but for one. */
export async function writeRemoved(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  exceptId: string | null = null,
): Promise<void> {
  await sql`
    update sftp_uploads set removed_at = now()
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and removed_at is null
      and id is distinct from ${exceptId}`;
}

/** Links the newest file of a path to the first callback about it; false where there is none. */
export async function linkCallback(
  sql: Sql,
  teamId: string,
  credentialId: string,
  path: string,
  deliveryId: string,
): Promise<boolean> {
  const updated = await sql`
    update sftp_uploads set inbound_delivery_id = coalesce(inbound_delivery_id, ${deliveryId})
    where team_id = ${teamId} and id = (
      select id from sftp_uploads
      where team_id = ${teamId} and sftp_credential_id = ${credentialId} and path = ${path}
        and size_bytes is not null and status <> 'receiving'
      order by inserted_at desc, id desc limit 1
    )`;
  return updated.count > 0;
}
