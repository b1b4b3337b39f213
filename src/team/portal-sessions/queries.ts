import type { Sql } from '../../platform/database/sql.ts';
import { deleteChunk } from '../../platform/database/delete-chunk.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { PortalSessionRow } from './portal-session.ts';

/** Sessions of a team whose time is not over. */
export const maxLivePortalSessions = 1_000;

const columns = `t.team_id, t.id, t.client_id, t.label, t.page, t.scopes, t.allowed_origins,
  t.link_expires_at, t.expires_at, t.opened_at, t.lock_version, t.inserted_at,
  t.updated_at, 'portal_session' as type`;

export function portalSessionSource(teamId: string): ListSource {
  return {
    from: 'portal_sessions t',
    select: columns,
    where: { text: 't.team_id = $1 and t.ended_at is null', values: [teamId] },
  };
}

export type NewPortalSession = Pick<
  PortalSessionRow,
  'client_id' | 'label' | 'page' | 'scopes' | 'allowed_origins' | 'link_expires_at' | 'expires_at'
> & { secret_hash: Uint8Array };

export async function insertPortalSession(sql: Sql, teamId: string, session: NewPortalSession) {
  const [row] = await sql<[PortalSessionRow]>`
    insert into portal_sessions ${sql({ team_id: teamId, ...session })}
    returning *, 'portal_session' as type`;
  return row;
}

export async function countLivePortalSessions(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from portal_sessions
    where team_id = ${teamId} and expires_at > now() and ended_at is null`;
  return row.count;
}

export async function requirePortalSession(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<PortalSessionRow> {
  const [row] = await sql<PortalSessionRow[]>`
    select ${sql.unsafe(columns)} from portal_sessions t
    where t.team_id = ${teamId} and t.id = ${id} and t.ended_at is null`;
  if (!row) throw notFound('portal_session');
  return row;
}

export async function endPortalSession(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update portal_sessions
    set ended_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id} and ended_at is null`;
}

/**
 * Opens the session of a link, once; undefined where the link opens none. A changed client has
 * ended its sessions, like its tokens.
 */
export async function openPortalSession(sql: Sql, id: string, secretHash: Uint8Array) {
  const [row] = await sql<(PortalSessionRow & { team_name: string; seconds_left: number })[]>`
    update portal_sessions t
    set opened_at = now(), lock_version = t.lock_version + 1, updated_at = now()
    from teams, clients c
    where t.id = ${id} and t.secret_hash = ${secretHash} /* any team: the link names the session */
      and t.opened_at is null and t.ended_at is null and t.link_expires_at > now()
      and teams.id = t.team_id and c.team_id = t.team_id and c.id = t.client_id
      and c.suspended_at is null and c.tokens_valid_after <= t.inserted_at
    returning ${sql.unsafe(columns)}, teams.name as team_name,
      floor(extract(epoch from t.expires_at - now()))::int as seconds_left`;
  return row;
}

/**
 * Origins of the pages that may frame a session, also one that is over: its frame then says so.
 * Undefined for an unknown session.
 */
export async function findPortalFrame(sql: Sql, id: string) {
  const [row] = await sql<{ allowed_origins: string[]; is_over: boolean }[]>`
    select allowed_origins, (expires_at <= now() or ended_at is not null) as is_over
    from portal_sessions where id = ${id} /* any team: the address names it */`;
  return row;
}

/**
 * The client in whose name operators open the pages of a team. It has no secret and no scopes, so
 * that nobody gets a token by it but through a session.
 */
export async function operatorClient(sql: Sql, teamId: string): Promise<string> {
  const name = 'Pages for operators';
  const [known] = await sql<{ id: string }[]>`
    select id from clients
    where team_id = ${teamId} and name = ${name} and scopes = '{}' and suspended_at is null`;
  if (known) return known.id;
  const [made] = await sql<[{ id: string }]>`
    insert into clients (team_id, name, scopes) values (${teamId}, ${name}, '{}') returning id`;
  return made.id;
}

/** Deletes a chunk of the sessions that ended a week ago. */
export async function prunePortalSessions(sql: Sql, limit: number): Promise<number> {
  const where = sql`expires_at < now() - interval '7 days'`;
  return deleteChunk(sql, { table: 'portal_sessions', key: 'team_id, id', where, limit });
}
