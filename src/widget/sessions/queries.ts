import type { Assurance } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** Sessions of one link at most; a further one ends the oldest. */
const sessionsPerLink = 20;

export interface SessionRow {
  team_id: string;
  id: string;
  journey_id: string;
  contact_id: string;
  assurance: Assurance;
  expires_at: string;
}

/** A session that is to be opened; by a token or by a link. */
export interface NewSession extends Omit<SessionRow, 'id' | 'expires_at'> {
  secret_hash: Buffer;
  widget_instance_id: string | null;
  token_id: string | null;
  client_id: string | null;
  link_generation: number | null;
  scopes: readonly string[];
  locale: string | null;
}

/**
 * Opens a session for a number of days at most; it ends with its journey. The same token again is
 * the same session. Bootstraps of one token wait for each other: one that inserts at the same time
 * would meet the secret of the other before its token.
 */
export async function openSessionRow(
  sql: Sql,
  session: NewSession,
  maxDays: number,
): Promise<SessionRow> {
  const [row] = await sql<[SessionRow]>`
    with token_lock as materialized (
      select pg_advisory_xact_lock(hashtextextended('session ' || ${session.token_id}::uuid, 0))
    )
    insert into recipient_sessions as s
      (team_id, secret_hash, journey_id, contact_id, widget_instance_id, token_id, opened_by_token,
       client_id, link_generation, scopes, assurance, assured_at, last_seen_at, locale, expires_at)
    select ${session.team_id}::uuid, ${session.secret_hash}, j.id, j.contact_id,
      ${session.widget_instance_id}::uuid, ${session.token_id}::uuid, ${session.token_id}::uuid,
      ${session.client_id}::uuid, ${session.link_generation}::int,
      ${[...session.scopes]}::text[], ${session.assurance}, now(), now(),
      ${session.locale},
      now() + make_interval(days => ${maxDays})
    from journeys j, token_lock
    where j.team_id = ${session.team_id} and j.id = ${session.journey_id}
    on conflict (team_id, token_id) where token_id is not null do update
    set secret_hash = excluded.secret_hash, assurance = excluded.assurance,
      last_seen_at = now(), updated_at = now()
    returning s.*`;
  return row;
}

/**
 * Ends sessions of a link beyond its limit: unidentified ones first, then the oldest. Otherwise the
 * holder of a forwarded link could end the session of the customer.
 */
export async function boundSessions(sql: Sql, teamId: string, journeyId: string): Promise<void> {
  await sql`
    delete from recipient_sessions
    where team_id = ${teamId} and id in (
      select id from recipient_sessions
      where team_id = ${teamId} and journey_id = ${journeyId} and link_generation is not null
      order by assurance <> 'none' and last_seen_at > now() - interval '30 minutes' desc,
        inserted_at desc, id desc
      offset ${sessionsPerLink}
    )`;
}

/** The session of a caller; undefined for a token that has opened none. */
export async function findSession(
  sql: Sql,
  teamId: string,
  id: string | null,
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select * from recipient_sessions where team_id = ${teamId} and id = ${id}::uuid`;
  return row;
}

/** Locks a session against its end until the transaction ends; false if it has ended already. */
export async function lockSession(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from recipient_sessions where team_id = ${teamId} and id = ${id} for no key update`;
  return rows.length > 0;
}

/**
 * Raises the assurance of a session, under another secret. The token that opened it is revoked and
 * leads to the session no more: its holder need not be the one who has passed the challenge.
 */
export async function verifySession(
  sql: Sql,
  teamId: string,
  id: string,
  {
    assurance,
    secretHash,
    tokenLifetimeSeconds,
  }: { assurance: Assurance; secretHash: Buffer; tokenLifetimeSeconds: number },
): Promise<SessionRow> {
  await sql`
    insert into revoked_tokens (token_id, expires_at)
    select token_id, now() + make_interval(secs => ${tokenLifetimeSeconds})
    from recipient_sessions
    where team_id = ${teamId} and id = ${id} and token_id is not null
    on conflict do nothing`;
  const [row] = await sql<[SessionRow]>`
    update recipient_sessions
    set assurance = ${assurance}, assured_at = now(), last_seen_at = now(), token_id = null,
      secret_hash = ${secretHash}, updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *`;
  return row;
}

/** Ends a session, and the token that opened it, which would open another one. */
export async function deleteSession(
  sql: Sql,
  teamId: string,
  id: string,
  tokenLifetimeSeconds: number,
): Promise<void> {
  await sql`
    with ended as (
      delete from recipient_sessions where team_id = ${teamId} and id = ${id}
      returning opened_by_token
    )
    insert into revoked_tokens (token_id, expires_at)
    select opened_by_token, now() + make_interval(secs => ${tokenLifetimeSeconds})
    from ended where opened_by_token is not null
    on conflict do nothing`;
}

/** Counts a bootstrap of a widget. */
export async function recordBootstrap(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update widget_instances
    set bootstrap_count = bootstrap_count + 1, last_bootstrapped_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** The fields of a journey that determine whether its link is valid, with the tier of its team. */
export interface LinkedJourneyRow {
  contact_id: string;
  tier: string;
}

/**
 * Undefined if a newer link has replaced this one, if the journey or its contact was deleted, or if
 * the team is suspended.
 */
export async function findLinkedJourney(
  sql: Sql,
  link: { team_id: string; id: string; link_generation: number },
): Promise<LinkedJourneyRow | undefined> {
  const [row] = await sql<LinkedJourneyRow[]>`
    select j.contact_id, t.tier
    from journeys j
    join teams t on t.id = j.team_id and t.suspended_at is null
    join contacts c on c.team_id = j.team_id and c.id = j.contact_id and c.erased_at is null
    where j.team_id = ${link.team_id} and j.id = ${link.id}
      and j.link_generation = ${link.link_generation}
      and coalesce(j.completed_at, j.exited_at, 'infinity') + interval '24 hours' > now()`;
  return row;
}

/** Deletes sessions that are over, a chunk of them. */
export async function pruneSessions(sql: Sql, limit: number): Promise<number> {
  const sessions = await sql`
    delete from recipient_sessions
    where (team_id, id) in (
      select s.team_id, s.id from recipient_sessions s
      join journeys j on j.team_id = s.team_id and j.id = s.journey_id
      where s.expires_at < now()
        or coalesce(j.completed_at, j.exited_at) + interval '24 hours' < now()
      limit ${limit}
    )`;
  return sessions.count;
}
