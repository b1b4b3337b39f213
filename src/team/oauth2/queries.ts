import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';

export interface ClientRow {
  id: string;
  team_id: string;
  scopes: string[];
  allow_wildcards: boolean;
  /** Networks from which it may be used, in CIDR notation; null: any. */
  networks: string[] | null;
  tier: string;
}

export interface SecretRow {
  pepper_id: string;
  digest: Uint8Array;
}

/** A client that is not suspended, by the id that it authenticates with; the team is not known yet. */
export async function findClient(sql: Sql, clientId: string): Promise<ClientRow | undefined> {
  const [row] = await sql<ClientRow[]>`
    select c.id, c.team_id, c.scopes, c.allow_wildcards, c.networks,
      (select t.tier from teams t where t.id = c.team_id) as tier
    from clients c
    where c.id = ${clientId} and c.suspended_at is null /* any team: the client names itself */`;
  return row;
}

/**
 * The current secrets of a client that is not suspended, by the id that it authenticates with. Without any, a
 * secret that never matches is returned, so that an unknown client takes as long as a known one.
 */
export async function secretsToMatch(sql: Sql, clientId: string) {
  return sql<{ team_id: string | null; pepper_id: string | null; digest: Uint8Array }[]>`
    select c.team_id, s.pepper_id,
      coalesce(s.digest, decode(repeat('00', 32), 'hex')) as digest
    from (values (${clientId}::uuid)) asked (id)
    left join clients c on c.id = asked.id
    left join client_secrets s on s.team_id = c.team_id and s.client_id = c.id
      and c.suspended_at is null
      and (s.expires_at is null or s.expires_at > now()) /* any team: the client names itself */`;
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
    values (${tokenId}, ${toTimestamp(expiresAt.getTime())})
    on conflict do nothing`;
}

export interface NewClient {
  name: string;
  scopes: readonly string[];
  allowWildcards: boolean;
}

export interface ClientSummary {
  id: string;
  team_id: string;
  name: string;
  scopes: string[];
  allow_wildcards: boolean;
  networks: string[] | null;
  /** Null unless an operator has suspended it. */
  suspended_at: string | null;
  inserted_at: string;
}

export async function insertClient(sql: Sql, teamId: string, client: NewClient) {
  const { name, scopes, allowWildcards } = client;
  const [row] = await sql<[ClientSummary]>`
    insert into clients (team_id, name, scopes, allow_wildcards)
    values (${teamId}, ${name}, ${[...scopes]}, ${allowWildcards})
    returning *`;
  return row;
}

/** Clients of one team, or of all, with the last characters of the secrets that work. */
export async function listClients(
  sql: Sql,
  teamId?: string,
): Promise<(ClientSummary & { secret_hints: string[] })[]> {
  return sql<(ClientSummary & { secret_hints: string[] })[]>`
    select c.*, array(
      select s.hint from client_secrets s
      where s.team_id = c.team_id and s.client_id = c.id
        and (s.expires_at is null or s.expires_at > now())
      order by s.inserted_at desc
    ) as secret_hints
    from clients c
    where ${teamId ?? null}::uuid is null or c.team_id = ${teamId ?? null}
    order by c.inserted_at, c.id`;
}

/** A client in any state, for operators, who name it by its id alone. */
export async function findClientOfAnyTeam(sql: Sql, clientId: string) {
  const [row] = await sql<ClientSummary[]>`
    select * from clients where id = ${clientId} /* any team: operators */`;
  return row;
}

/** Stores a secret's digest; older secrets end when the overlap does, and at most one stays. */
export async function insertClientSecret(
  sql: Sql,
  client: { teamId: string; clientId: string },
  secret: { pepperId: string; digest: Buffer; hint: string },
  overlapSeconds: number,
): Promise<void> {
  const { teamId, clientId } = client;
  await sql`
    delete from client_secrets
    where team_id = ${teamId} and client_id = ${clientId}
      and id not in (
        select id from client_secrets
        where team_id = ${teamId} and client_id = ${clientId}
        order by inserted_at desc limit 1
      )`;
  await sql`
    update client_secrets set expires_at = now() + make_interval(secs => ${overlapSeconds})
    where team_id = ${teamId} and client_id = ${clientId}`;
  await sql`
    insert into client_secrets (team_id, client_id, pepper_id, digest, hint)
    values (${teamId}, ${clientId}, ${secret.pepperId}, ${secret.digest}, ${secret.hint})`;
}

/** Changes a client; a changed entitlement or state ends the tokens issued so far. */
export async function updateClient(
  sql: Sql,
  client: { teamId: string; clientId: string },
  change: { scopes?: readonly string[]; isSuspended?: boolean; allowWildcards?: boolean },
) {
  const [row] = await sql<ClientSummary[]>`
    update clients
    set scopes = coalesce(${change.scopes ? [...change.scopes] : null}, scopes),
      suspended_at = case when ${change.isSuspended ?? null}::boolean then coalesce(suspended_at, now())
        when not ${change.isSuspended ?? null}::boolean then null else suspended_at end,
      allow_wildcards = coalesce(${change.allowWildcards ?? null}, allow_wildcards),
      tokens_valid_after = now(), updated_at = now()
    where team_id = ${client.teamId} and id = ${client.clientId}
    returning *`;
  return row;
}

/** Sets the networks from which a client may be used; null: any. Its tokens stay. */
export async function setClientNetworks(
  sql: Sql,
  { teamId, clientId }: { teamId: string; clientId: string },
  networks: readonly string[] | null,
) {
  const [row] = await sql<ClientSummary[]>`
    update clients set networks = ${networks && [...networks]}::text[], updated_at = now()
    where team_id = ${teamId} and id = ${clientId}
    returning *`;
  return row;
}
