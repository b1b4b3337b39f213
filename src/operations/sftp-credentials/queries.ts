import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { SftpConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { Rights } from '../sftp/access/principal.ts';
import { newKeyPair } from './key-pairs.ts';
import type { PublicKey } from './key-pairs.ts';
import { statusByClock } from './sftp-credential.ts';
import type { SftpCredential } from './sftp-credential.ts';

type Fields = Static<typeof SftpCredential>;

/** Fields of a credential that clients write, without its key. */
export interface SftpCredentialContent extends Pick<Fields, 'name' | 'purpose' | 'allowed_cidrs'> {
  expires_at: string | null;
}

export interface SftpCredentialRow
  extends
    SftpCredentialContent,
    Rights,
    Pick<Fields, 'id' | 'type' | 'team_id' | 'username' | 'host' | 'port' | 'home_directory'>,
    Pick<Fields, 'host_key_fingerprints' | 'is_active' | 'status' | 'upload_count'>,
    Pick<Fields, 'inserted_at' | 'updated_at'>,
    PublicKey {
  revoked_at: string | null;
  last_used_at: string | null;
  last_upload_at: string | null;
  lock_version: number;
}

/** The resource, from a row with the alias t; host and port are added. */
const shown = `t.*, 'sftp_credential' as type, ${statusByClock} as status,
  ${statusByClock} = 'active' as is_active,
  '/' || t.team_id || '/' || t.username as home_directory,
  array(select fingerprint_sha256 from sftp_host_keys order by key_type) as host_key_fingerprints`;

export function sftpCredentialSource(teamId: string, { host, port }: SftpConfig): ListSource {
  return {
    // In the tables, because counting does without the select.
    from: 'sftp_credentials t cross join (select $2::text as host, $3::int as port) as server',
    select: `${shown}, server.host, server.port`,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId, host, port] },
  };
}

/** Throws 404. */
export async function requireSftpCredential(
  sql: Sql,
  teamId: string,
  id: string,
  { host, port }: SftpConfig,
): Promise<SftpCredentialRow> {
  const [row] = await sql<SftpCredentialRow[]>`
    select ${sql.unsafe(shown)}, ${host}::text as host, ${port}::int as port
    from sftp_credentials t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  if (!row) throw notFound('sftp_credential');
  return row;
}

/** Locks the credential until the end of the transaction. Throws 404. */
export async function lockSftpCredential(
  sql: Sql,
  teamId: string,
  id: string,
  { host, port }: SftpConfig,
): Promise<SftpCredentialRow> {
  const [row] = await sql<SftpCredentialRow[]>`
    select ${sql.unsafe(shown)}, ${host}::text as host, ${port}::int as port
    from sftp_credentials t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update of t`;
  if (!row) throw notFound('sftp_credential');
  return row;
}

export async function countActiveSftpCredentials(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from sftp_credentials
    where team_id = ${teamId} and deleted_at is null and revoked_at is null
      and (expires_at is null or expires_at > now())`;
  return row.count;
}

export async function findSftpCredentialByKey(sql: Sql, teamId: string, fingerprint: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from sftp_credentials
    where team_id = ${teamId} and fingerprint_sha256 = ${fingerprint} and deleted_at is null`;
  return row;
}

/** Inserts under a user name of its own and returns the id. */
export async function insertSftpCredential(
  sql: Sql,
  teamId: string,
  credential: SftpCredentialContent & Rights & PublicKey,
): Promise<string> {
  for (;;) {
    const row = { team_id: teamId, username: newUsername(), ...credential };
    const [made] = await sql<{ id: string }[]>`
      insert into sftp_credentials ${sql(row)}
      on conflict (username) do nothing
      returning id /* team_id is in the row */`;
    if (made) return made.id;
  }
}

export async function updateSftpCredentialRow(
  sql: Sql,
  { team_id, id }: SftpCredentialRow,
  changes: Partial<SftpCredentialContent & Rights & { revoked_at: string; deleted_at: string }>,
): Promise<void> {
  await sql`
    update sftp_credentials
    set ${sql(changes)}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}`;
}

/** Creates the host key of the SFTP server, by which clients recognize it, if there is none. */
export async function ensureSftpHostKey(sql: Sql, keyring: Keyring): Promise<void> {
  const keys = await sql`select from sftp_host_keys limit 1`;
  if (keys.length > 0) return;
  const { key, privateKey } = newKeyPair();
  const { key_type, public_key, fingerprint_sha256 } = key;
  const sealed_private_key = keyring.seal(privateKey, sftpHostKeySealContext(key_type));
  const row = { key_type, public_key, fingerprint_sha256, sealed_private_key };
  await sql`insert into sftp_host_keys ${sql(row)} on conflict do nothing`;
}

/** Seal context of the private key of our SFTP server. */
export function sftpHostKeySealContext(keyType: string): string[] {
  return ['sftp_host_keys', 'sealed_private_key', '', keyType];
}

function newUsername(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return `do-${Array.from({ length: 8 }, () => letters[randomInt(letters.length)] ?? '').join('')}`;
}
