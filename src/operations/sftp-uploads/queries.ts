import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { SftpUpload } from './sftp-upload.ts';

type Fields = Static<typeof SftpUpload>;
type Optional =
  | 'sftp_credential_id'
  | 'file_source_id'
  | 'size_bytes'
  | 'sha256'
  | 'batch_operation_id'
  | 'error'
  | 'warning'
  | 'completed_at';

export type SftpUploadRow = Omit<Fields, Optional> & {
  [Key in Optional]: Exclude<Fields[Key], undefined> | null;
};

const said = `jsonb_build_object('code', t.error_code, 'detail', coalesce(t.error_detail, ''))`;
const shown = `t.*, 'sftp_upload' as type,
  case when t.error_code is not null and t.status = 'failed' then ${said} end as error,
  case when t.error_code is not null and t.status <> 'failed' then ${said} end as warning`;

export function sftpUploadSource(teamId: string): ListSource {
  return {
    from: 'sftp_uploads t',
    select: shown,
    where: { text: 't.team_id = $1', values: [teamId] },
  };
}

/** Throws 404. */
export async function requireSftpUpload(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<SftpUploadRow[]>`
    select ${sql.unsafe(shown)} from sftp_uploads t
    where t.team_id = ${teamId} and t.id = ${id}`;
  if (row) return row;
  throw fail('not_found', { detail: 'No such SFTP upload.', meta: { resource: 'sftp_upload' } });
}

/** Notes that the import of a file has begun. */
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
    set status = ${failure ? 'failed' : 'processed'},
      error_code = coalesce(${failure?.code ?? null}, error_code),
      error_detail = coalesce(${failure?.detail ?? null}, error_detail),
      completed_at = now(), updated_at = now()
    where team_id = ${teamId} and batch_operation_id = ${runId}
      and status in ('received', 'processing')
    returning id`;
  return row?.id;
}
