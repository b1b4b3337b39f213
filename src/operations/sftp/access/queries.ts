import type { Sql } from '../../../platform/database/sql.ts';
import type { Purpose } from '../rules.ts';

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

const isActive = `deleted_at is null and revoked_at is null
  and (expires_at is null or expires_at > now())
  and exists (select from teams where id = sftp_credentials.team_id and suspended_at is null)
  and not exists (select from clients c where c.team_id = sftp_credentials.team_id
    and c.id = sftp_credentials.client_id and c.suspended_at is not null)`;

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

export async function recordUse(sql: Sql, { team_id, id }: Credential): Promise<void> {
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

/** The rights of files by their sender. */
export interface Grant {
  purpose: Purpose;
  /** Scopes that the client gave which made or last changed the sender. */
  scopes: string[];
  /** Present entitlement of that client; empty while it is suspended. */
  entitled: string[];
}

/** The columns of a grant, from the table of its senders. */
export const grantColumns = (sql: Sql, senders: 'sftp_credentials' | 'file_sources') =>
  sql.unsafe(`purpose, scopes, array(
    select unnest(c.scopes) from clients c
    where c.team_id = ${senders}.team_id and c.id = ${senders}.client_id
      and c.suspended_at is null
  ) as entitled`);

/** The rights of credentials that are active at this moment; undefined for others. */
export async function findActiveGrant(
  sql: Sql,
  teamId: string,
  credentialId: string,
): Promise<Grant | undefined> {
  const [row] = await sql<Grant[]>`
    select ${grantColumns(sql, 'sftp_credentials')} from sftp_credentials
    where team_id = ${teamId} and id = ${credentialId} and ${sql.unsafe(isActive)}`;
  return row;
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

export async function findTier(sql: Sql, teamId: string): Promise<string> {
  const [row] = await sql<{ tier: string }[]>`
    select tier from teams where id = ${teamId} /* team_id is the id */`;
  return row?.tier ?? 'standard';
}

/** Credentials of a team by their user name, in any state. */
export async function findByUsername(
  sql: Sql,
  teamId: string,
  username: string,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from sftp_credentials where team_id = ${teamId} and username = ${username}`;
  return row;
}
