import type { Sql } from '../database/client.ts';
import type { Purpose } from './rules.ts';

/** SFTP credentials as the server needs them. */
export interface Credential {
  id: string;
  team_id: string;
  username: string;
  /** `<type> <base64>` */
  public_key: string;
  purpose: Purpose;
  allowed_cidrs: readonly string[];
}

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

const isActive = `deleted_at is null and revoked_at is null
  and (expires_at is null or expires_at > now())`;

/** The active credentials of a user name, which is unique in the service. */
export async function findActiveCredential(
  sql: Sql,
  username: string,
): Promise<Credential | undefined> {
  const [row] = await sql<Credential[]>`
    select id, team_id, username, public_key, purpose, allowed_cidrs from sftp_credentials
    where username = ${username} and ${sql.unsafe(isActive)} /* any team: before anybody is known */`;
  return row;
}

export async function noteUse(sql: Sql, { team_id, id }: Credential): Promise<void> {
  await sql`
    update sftp_credentials set last_used_at = now()
    where team_id = ${team_id} and id = ${id}`;
}

/** The purpose of credentials that are active at this moment; undefined for others. */
export async function findActivePurpose(
  sql: Sql,
  teamId: string,
  credentialId: string,
): Promise<Purpose | undefined> {
  const [row] = await sql<{ purpose: Purpose }[]>`
    select purpose from sftp_credentials
    where team_id = ${teamId} and id = ${credentialId} and ${sql.unsafe(isActive)}`;
  return row?.purpose;
}

/** Counts an upload; undefined when the credentials are no longer active. */
export async function countUpload(
  sql: Sql,
  { team_id, id }: Credential,
): Promise<Purpose | undefined> {
  const [row] = await sql<{ purpose: Purpose }[]>`
    update sftp_credentials set upload_count = upload_count + 1, last_upload_at = now()
    where team_id = ${team_id} and id = ${id} and ${sql.unsafe(isActive)}
    returning purpose`;
  return row?.purpose;
}

/** The private keys of our server are sealed to their kind. */
export async function listHostKeys(sql: Sql) {
  return sql<{ key_type: string; sealed_private_key: string }[]>`
    select key_type, sealed_private_key from sftp_host_keys order by key_type`;
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

/** What came of reading a file to its end. */
export interface Content {
  uploadId: string;
  sizeBytes: number;
  sha256: string;
}

/** Writes down that the content is whole. */
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

/** Writes down that the file is there, under its name; false when it is no longer waited for. */
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

export async function writePath(sql: Sql, teamId: string, id: string, path: string) {
  await sql`
    update sftp_uploads set path = ${path}, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** The content is read as what the final name says. */
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

/** Files whose end nobody saw: their worker is gone, or they were never renamed. */
export async function listAbandoned(
  sql: Sql,
  olderThanHours: number,
  limit: number,
): Promise<{ id: string; team_id: string; is_whole: boolean }[]> {
  return sql<{ id: string; team_id: string; is_whole: boolean }[]>`
    select id, team_id, size_bytes is not null as is_whole from sftp_uploads
    where status = 'receiving' and updated_at < now() - make_interval(hours => ${olderThanHours})
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
        and path > ${`${folder}/`} and path < ${`${folder}0`}
        and inserted_at > now() - make_interval(days => ${days})
      order by path, inserted_at desc, id desc
    ) newest
    where removed_at is null
    order by inserted_at desc, id desc limit ${limit} /* team_id is in the inner one */`;
}

/** The newest whole file of a path that is still shown. */
export async function findFile(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  days: number,
): Promise<FileRow | undefined> {
  const [row] = await sql<(FileRow & { is_removed: boolean })[]>`
    select ${sql.unsafe(shown)}, removed_at is not null as is_removed from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and inserted_at > now() - make_interval(days => ${days})
    order by inserted_at desc, id desc limit 1`;
  return row?.is_removed ? undefined : row;
}

/** Locks the newest whole file of a path that waits for its rename. */
export async function lockWaiting(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await sql<FileRow[]>`
    select ${sql.unsafe(shown)} from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and status = 'receiving' and removed_at is null
    order by inserted_at desc, id desc limit 1
    for update`;
  return row;
}

/** Older files of the path that wait for their rename: a new one takes their place. */
export async function listReplaced(
  sql: Sql,
  { team_id, id }: Credential,
  path: string,
  keptId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from sftp_uploads
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and status = 'receiving' and id <> ${keptId}`;
  return rows.map((row) => row.id);
}

export async function writeRemoved(sql: Sql, { team_id, id }: Credential, path: string) {
  await sql`
    update sftp_uploads set removed_at = now()
    where team_id = ${team_id} and sftp_credential_id = ${id} and path = ${path}
      and size_bytes is not null and removed_at is null`;
}

export async function findTier(sql: Sql, teamId: string): Promise<string> {
  const [row] = await sql<{ tier: string }[]>`
    select tier from teams where id = ${teamId} /* team_id is the id */`;
  return row?.tier ?? 'standard';
}

/** A file whose result can be read. */
export interface ResultRow {
  id: string;
  /** Of the uploaded file. */
  name: string;
  batch_operation_id: string | null;
  error_code: string | null;
  error_detail: string | null;
  result_size_bytes: number | null;
  completed_at: string;
}

const resultColumns = `id, name, batch_operation_id, error_code, error_detail, result_size_bytes,
  completed_at`;

/** Of each name the newest file, where its import is over. */
export async function listResults(
  sql: Sql,
  { team_id, id }: Credential,
  { days, limit }: { days: number; limit: number },
): Promise<ResultRow[]> {
  return sql<ResultRow[]>`
    select ${sql.unsafe(resultColumns)} from (
      select distinct on (name) * from (
        select *, substring(path from '[^/]+$') as name from sftp_uploads
        where team_id = ${team_id} and sftp_credential_id = ${id} and size_bytes is not null
          and status <> 'receiving' and path ~* '\\.(csv|ndjson)$'
          and inserted_at > now() - make_interval(days => ${days})
      ) named
      order by name, inserted_at desc, id desc
    ) newest
    where completed_at is not null
    order by completed_at desc, id desc limit ${limit} /* team_id is in the inner one */`;
}

/** The newest file of a name, whatever its folder; undefined until its import is over. */
export async function findResult(
  sql: Sql,
  { team_id, id }: Credential,
  name: string,
  paths: readonly string[],
  days: number,
): Promise<ResultRow | undefined> {
  const [row] = await sql<(Omit<ResultRow, 'completed_at'> & { completed_at: string | null })[]>`
    select ${sql.unsafe(resultColumns)} from (
      select *, ${name} as name from sftp_uploads
      where team_id = ${team_id} and sftp_credential_id = ${id} and path = any(${[...paths]})
        and size_bytes is not null and status <> 'receiving'
        and inserted_at > now() - make_interval(days => ${days})
      order by inserted_at desc, id desc limit 1
    ) newest /* team_id is in the inner one */`;
  return row && row.completed_at !== null ? { ...row, completed_at: row.completed_at } : undefined;
}

/** One line of a result: RFC 4180, and nothing that a spreadsheet would run. */
const resultLine = `i.index || ',' || i.status || ',' || coalesce(i.resource_id::text, '') || ',' ||
  coalesce((
    select string_agg(e.problem ->> 'code', ';' order by e.place) || ',"' || replace(
      regexp_replace(string_agg(e.problem ->> 'detail', ' ' order by e.place),
        '^([=+@\\t\\r-])', '''\\1'), '"', '""') || '"'
    from jsonb_array_elements(i.errors) with ordinality as e (problem, place)
  ), ',') || e'\\r\\n'`;

/** How long the lines of each so many items are, in bytes. */
export async function listResultPieces(
  sql: Sql,
  teamId: string,
  runId: string | null,
  pieceItems: number,
): Promise<{ index: number; length: number }[]> {
  return sql<{ index: number; length: number }[]>`
    select min(i.index) / ${pieceItems} * ${pieceItems} as index,
      sum(octet_length(${sql.unsafe(resultLine)}))::int as length
    from operation_items i
    where i.team_id = ${teamId} and i.run_id = ${runId}
    group by i.index / ${pieceItems}
    order by 1`;
}

/** The lines of the items from an index on. */
export async function readResultPiece(
  sql: Sql,
  teamId: string,
  runId: string | null,
  fromIndex: number,
  pieceItems: number,
): Promise<string> {
  const [row] = await sql<[{ lines: string }]>`
    select coalesce(string_agg(${sql.unsafe(resultLine)}, '' order by i.index), '') as lines
    from operation_items i
    where i.team_id = ${teamId} and i.run_id = ${runId}
      and i.index >= ${fromIndex} and i.index < ${fromIndex + pieceItems}`;
  return row.lines;
}

export async function writeResultSize(
  sql: Sql,
  teamId: string,
  id: string,
  sizeBytes: number,
): Promise<void> {
  await sql`
    update sftp_uploads set result_size_bytes = ${sizeBytes}
    where team_id = ${teamId} and id = ${id}`;
}

export async function writeBegun(sql: Sql, teamId: string, runId: string): Promise<void> {
  await sql`
    update sftp_uploads set status = 'processing', updated_at = now()
    where team_id = ${teamId} and batch_operation_id = ${runId} and status = 'received'`;
}

/** Ends the file of an import; returns its id, once. */
export async function writeEnd(
  sql: Sql,
  teamId: string,
  runId: string,
  failure: { code: string; detail: string } | null,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    update sftp_uploads
    set status = ${failure ? 'failed' : 'processed'}, error_code = ${failure?.code ?? null},
      error_detail = ${failure?.detail ?? null}, completed_at = now(), updated_at = now()
    where team_id = ${teamId} and batch_operation_id = ${runId}
      and status in ('received', 'processing')
    returning id`;
  return row?.id;
}

/** Credentials of a team by their user name, whatever their state. */
export async function findByUsername(
  sql: Sql,
  teamId: string,
  username: string,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from sftp_credentials where team_id = ${teamId} and username = ${username}`;
  return row;
}

/** Links the newest file of a path to the first callback about it; false where there is none. */
export async function noteTold(
  sql: Sql,
  teamId: string,
  credentialId: string,
  path: string,
  deliveryId: string,
): Promise<boolean> {
  const told = await sql`
    update sftp_uploads set inbound_delivery_id = coalesce(inbound_delivery_id, ${deliveryId})
    where team_id = ${teamId} and id = (
      select id from sftp_uploads
      where team_id = ${teamId} and sftp_credential_id = ${credentialId} and path = ${path}
        and size_bytes is not null and status <> 'receiving'
      order by inserted_at desc, id desc limit 1
    )`;
  return told.count > 0;
}
