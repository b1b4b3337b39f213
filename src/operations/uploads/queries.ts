import type { Upload } from '../batch/uploads/upload.ts';
import type { UploadFormat } from '../batch/uploads/upload.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';

/** Size of every part but the last, so that an offset in the file determines the part. */
export const partBytes = 1_000_000;
/** Retention of a file that no operation is reading. */
const lifetime = '24 hours';

export type UploadRow = Upload & { lock_version: number };

/** Key of an upload. */
export interface UploadKey {
  teamId: string;
  id: string;
}

const shown = `t.*, 'upload' as type`;

/** Files that a team may send at the same time; each of them has a part in memory. */
const maxConcurrentUploads = 10;

/** Begins an upload, which is invisible until it is completed. Throws 429. */
export async function insertUpload(
  sql: Sql,
  teamId: string,
  format: UploadFormat,
): Promise<UploadKey> {
  const [row] = await sql<{ id: string }[]>`
    insert into uploads (team_id, format, expires_at)
    select ${teamId}, ${format}, now() + ${lifetime}::interval
    where ${maxConcurrentUploads} > (
      select count(*) from uploads
      where team_id = ${teamId} and status = 'receiving'
        and updated_at > now() - interval '10 minutes')
    returning id`;
  if (row) return { teamId, id: row.id };
  throw fail('too_many_operations', {
    detail: `The team is sending ${String(maxConcurrentUploads)} files already.`,
    meta: { max: maxConcurrentUploads },
    headers: { 'Retry-After': '10' },
  });
}

/** Stores a part; throws if the upload was discarded meanwhile. */
export async function insertPart(
  sql: Sql,
  { teamId, id }: UploadKey,
  number: number,
  bytes: Buffer,
): Promise<void> {
  const kept = await sql`
    with upload as (
      update uploads set size_bytes = size_bytes + ${bytes.length}, updated_at = now()
      where team_id = ${teamId} and id = ${id} and status = 'receiving'
      returning team_id, id
    )
    insert into upload_parts (team_id, upload_id, number, bytes)
    select team_id, id, ${number}::int, ${bytes}::bytea from upload`;
  if (kept.count === 0) throw new Error('the upload was given up');
}

/** Makes an upload what it is from then on. */
export async function completeUpload(
  sql: Sql,
  { teamId, id }: UploadKey,
  sha256: string,
): Promise<UploadRow> {
  const [row] = await sql<UploadRow[]>`
    update uploads as t
    set status = 'received', sha256 = ${sha256}, expires_at = now() + ${lifetime}::interval,
      updated_at = now()
    where team_id = ${teamId} and id = ${id} and status = 'receiving'
    returning ${sql.unsafe(shown)}`;
  if (row) return row;
  throw new Error('the upload was given up');
}

/** An upload that can be read, if there is one. */
async function findUpload(sql: Sql, teamId: string, id: string): Promise<UploadRow | undefined> {
  const [row] = await sql<UploadRow[]>`
    select ${sql.unsafe(shown)} from uploads t
    where team_id = ${teamId} and id = ${id} and status = 'received' and expires_at > now()`;
  return row;
}

/** The file of an operation, which is retained for it beyond its lifetime. */
export async function findKept(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const [row] = await sql<UploadRow[]>`
    select ${sql.unsafe(shown)} from uploads t
    where team_id = ${teamId} and id = ${id} and status = 'received'`;
  return row;
}

/** Throws 404. */
export async function requireUpload(sql: Sql, teamId: string, id: string): Promise<UploadRow> {
  return (await findUpload(sql, teamId, id)) ?? notFound();
}

/** The same, locked until the end of the transaction. */
export async function lockUpload(sql: Sql, teamId: string, id: string): Promise<UploadRow> {
  const [row] = await sql<UploadRow[]>`
    select ${sql.unsafe(shown)} from uploads t
    where team_id = ${teamId} and id = ${id} and status = 'received' and expires_at > now()
    for update`;
  return row ?? notFound();
}

function notFound(): never {
  throw fail('not_found', { detail: 'No such upload.', meta: { resource: 'upload' } });
}

/** Like findUpload, but prevents its deletion until the end of the transaction. */
export async function findUploadToUse(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const [row] = await sql<UploadRow[]>`
    select ${sql.unsafe(shown)} from uploads t
    where team_id = ${teamId} and id = ${id} and status = 'received' and expires_at > now()
    for key share`;
  return row;
}

/** True while an operation may still read it. */
export async function isInUse(sql: Sql, { teamId, id }: UploadKey): Promise<boolean> {
  const rows = await sql`
    select from operation_runs
    where team_id = ${teamId} and upload_id = ${id}
      and status in ('queued', 'validating', 'running', 'canceling')
    limit 1`;
  return rows.length > 0;
}

/** Deletes an upload with its parts, in any state. */
export async function removeUpload(sql: Sql, { teamId, id }: UploadKey): Promise<void> {
  await sql`delete from uploads where team_id = ${teamId} and id = ${id}`;
}

/** The bytes of a file from a place on, at most so many: fewer at its end. */
export async function readBytes(
  sql: Sql,
  { teamId, id }: UploadKey,
  offset: number,
  length: number,
): Promise<Buffer> {
  const end = offset + length;
  const [first, last] = [Math.floor(offset / partBytes), Math.floor((end - 1) / partBytes)];
  const parts = await sql<{ bytes: Buffer }[]>`
    select substring(bytes
      from greatest(${offset}::bigint - number::bigint * ${partBytes}::int, 0)::int + 1
      for (least(${end}::bigint - number::bigint * ${partBytes}::int, ${partBytes}::int) -
        greatest(${offset}::bigint - number::bigint * ${partBytes}::int, 0))::int) as bytes
    from upload_parts
    where team_id = ${teamId} and upload_id = ${id} and number between ${first} and ${last}
    order by number`;
  const [only, ...more] = parts;
  if (only && more.length === 0) return only.bytes;
  return Buffer.concat(parts.map(({ bytes }) => bytes));
}

/** Deletes uploads that were never completed, and those whose time is over; returns how many. */
export async function pruneUploads(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from uploads /* any team: housekeeping */
    where (team_id, id) in (
      select team_id, id from uploads u
      where (status = 'receiving' and updated_at < now() - interval '1 hour')
        or (expires_at < now() and not exists (
          select from operation_runs r
          where r.team_id = u.team_id and r.upload_id = u.id
            and r.status in ('queued', 'validating', 'running', 'canceling')))
      limit ${limit}
    )`;
  return count;
}
