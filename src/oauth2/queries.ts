import type { Sql } from '../database/client.ts';

export interface ClientRow {
  id: string;
  team_id: string;
  scopes: string[];
  allow_wildcards: boolean;
}

export interface SecretRow {
  pepper_id: string;
  digest: Uint8Array;
}

/** An active client by the id that it authenticates with; the team is not known yet. */
export async function findClient(sql: Sql, clientId: string): Promise<ClientRow | undefined> {
  const [row] = await sql<ClientRow[]>`
    select id, team_id, scopes, allow_wildcards from clients
    where id = ${clientId} and is_active /* any team: the client names itself */`;
  return row;
}

/** The secrets that a client may use now: two at most while one is being replaced. */
export async function liveSecrets(
  sql: Sql,
  teamId: string,
  clientId: string,
): Promise<SecretRow[]> {
  return sql<SecretRow[]>`
    select pepper_id, digest from client_secrets
    where team_id = ${teamId} and client_id = ${clientId}
      and (expires_at is null or expires_at > now())`;
}

export async function revokeToken(sql: Sql, tokenId: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (token_id, expires_at)
    values (${tokenId}, ${expiresAt.toISOString()})
    on conflict do nothing`;
}
