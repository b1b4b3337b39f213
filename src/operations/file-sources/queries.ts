import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import type { RowIn } from '../../platform/resources/table.ts';
import { Id } from '../../platform/schema/fields.ts';
import type { Rights } from '../sftp/access/principal.ts';
import type { Credential } from './credentials.ts';
import { FileSource } from './file-source.ts';
import type { SourceContent } from './rules.ts';

export const fileSources = table('file_sources', FileSource, {
  derived: {
    // The time of the request is that of a test that has not ended.
    test_status: `case when t.test_requested_at is not null then 'pending'
      when t.test_error_code is not null then 'failed'
      when t.tested_at is not null then 'succeeded' end`,
    test_error: `case when t.test_error_code is not null then jsonb_build_object(
      'code', t.test_error_code, 'detail', coalesce(t.test_error_detail, '')) end`,
  },
  // The rights with which its files are imported.
  hidden: { client_id: Type.Optional(Id()), scopes: Type.Array(Type.String()) },
  required: ['source_kind'],
  fixed: ['source_kind'],
});
export type FileSourceRow = RowIn<typeof fileSources>;

/** Seal context of a credential: it opens for no other source. */
export function fileSourceSealContext(teamId: string, id: string): string[] {
  return ['file_sources', 'sealed_credential', teamId, id];
}

/** Another source of the team for the same files. */
export async function findRival(
  sql: Sql,
  teamId: string,
  { server_id, server_path, server_username }: SourceContent,
  exceptId: string | null,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from file_sources
    where team_id = ${teamId} and server_id = ${server_id} and server_path = ${server_path}
      and coalesce(server_username, '') = ${server_username ?? ''} and deleted_at is null
      and id is distinct from ${exceptId}`;
  return row;
}

export async function insertFileSource(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  source: SourceContent & Rights & { credential: Credential },
): Promise<FileSourceRow> {
  const { credential, ...content } = source;
  const id = randomUUID();
  const columns = { ...content, ...sealed(keyring, teamId, id, credential) };
  await sql`
    insert into file_sources ${sql({ team_id: teamId, id, ...columns })}`;
  return fileSources.require(sql, teamId, id);
}

export async function updateFileSourceRow(
  sql: Sql,
  keyring: Keyring,
  { team_id, id }: FileSourceRow,
  content: SourceContent & Rights,
  credential: Credential | undefined,
): Promise<FileSourceRow> {
  const columns = {
    ...content,
    // The last test was one of other settings.
    tested_at: null,
    test_error_code: null,
    test_error_detail: null,
    ...(credential && {
      ...sealed(keyring, team_id, id, credential),
      credential_changed_at: new Date().toISOString(),
    }),
  };
  await sql`
    update file_sources
    set ${sql(columns)}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
  return fileSources.require(sql, team_id, id);
}

export async function requestTest(sql: Sql, { team_id, id }: FileSourceRow): Promise<void> {
  await sql`
    update file_sources
    set test_requested_at = now(), tested_at = null, test_error_code = null,
      test_error_detail = null
    where team_id = ${team_id} and id = ${id}`;
}

/** The source stays as a row, since files refer to it; its credential is forgotten. */
export async function deleteFileSourceRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update file_sources
    set deleted_at = now(), sealed_credential = null, lock_version = lock_version + 1,
      updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

function sealed(keyring: Keyring, teamId: string, id: string, credential: Credential) {
  return {
    authentication: credential.authentication,
    public_key: credential.publicKey,
    sealed_credential: keyring.seal(credential.secret, fileSourceSealContext(teamId, id)),
  };
}
