import type { Sql } from '../../database/client.ts';
import type { AskedFactor, CodesSent, Failures } from './rules.ts';

export interface ChallengeRow {
  team_id: string;
  id: string;
  session_id: string;
  factor: AskedFactor;
  status: 'open' | 'passed' | 'failed';
  expires_at: string;
  is_expired: boolean;
  /** Of a code that was sent, until it is decided. */
  sealed_code: string | null;
}

const shown = `t.*, t.expires_at <= now() as is_expired`;

/** Puts a question to the recipient of a session, instead of any before. */
export async function insertChallenge(
  sql: Sql,
  teamId: string,
  sessionId: string,
  factor: AskedFactor,
): Promise<ChallengeRow> {
  await sql`
    delete from identity_challenges where team_id = ${teamId} and session_id = ${sessionId}`;
  const [row] = await sql<[ChallengeRow]>`
    insert into identity_challenges as t (team_id, session_id, factor, expires_at)
    values (${teamId}, ${sessionId}, ${factor}, now() + interval '10 minutes')
    returning ${sql.unsafe(shown)}`;
  return row;
}

export async function findChallenge(
  sql: Sql,
  teamId: string,
  sessionId: string,
  id: string,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql<ChallengeRow[]>`
    select ${sql.unsafe(shown)} from identity_challenges t
    where t.team_id = ${teamId} and t.session_id = ${sessionId} and t.id = ${id}`;
  return row;
}

export async function closeChallenge(
  sql: Sql,
  teamId: string,
  id: string,
  status: 'passed' | 'failed',
): Promise<void> {
  await sql`
    update identity_challenges set status = ${status}, sealed_code = null
    where team_id = ${teamId} and id = ${id}`;
}

/** What is counted of a contact, locked: answers given at once are looked at one after the other. */
export async function lockFailures(
  sql: Sql,
  teamId: string,
  contactId: string,
): Promise<(Failures & CodesSent) | undefined> {
  await sql`
    insert into identity_failures (team_id, contact_id, failed_count, last_failed_at)
    values (${teamId}, ${contactId}, 0, now())
    on conflict do nothing`;
  const [row] = await sql<(Failures & CodesSent)[]>`
    select failed_count, last_failed_at, locked_until, codes_sent, codes_since
    from identity_failures
    where team_id = ${teamId} and contact_id = ${contactId}
    for update`;
  return row;
}

export async function writeFailures(
  sql: Sql,
  teamId: string,
  contactId: string,
  { failed_count, last_failed_at, locked_until }: Failures,
): Promise<void> {
  await sql`
    update identity_failures
    set failed_count = ${failed_count}, last_failed_at = ${last_failed_at},
      locked_until = ${locked_until}
    where team_id = ${teamId} and contact_id = ${contactId}`;
}

/** Counts a code about a contact whose failures are locked. */
export async function writeCodesSent(
  sql: Sql,
  teamId: string,
  contactId: string,
  { codes_sent, codes_since }: CodesSent,
): Promise<void> {
  await sql`
    update identity_failures set codes_sent = ${codes_sent}, codes_since = ${codes_since}
    where team_id = ${teamId} and contact_id = ${contactId}`;
}

/** Keeps the code that a challenge asks for. */
export async function keepCode(
  sql: Sql,
  teamId: string,
  id: string,
  sealedCode: string,
): Promise<void> {
  await sql`
    update identity_challenges set sealed_code = ${sealedCode}
    where team_id = ${teamId} and id = ${id}`;
}

/** The code that was sent a moment ago for a session, if it is still to be answered. */
export async function findFreshCode(
  sql: Sql,
  teamId: string,
  sessionId: string,
  factor: AskedFactor,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql<ChallengeRow[]>`
    select ${sql.unsafe(shown)} from identity_challenges t
    where t.team_id = ${teamId} and t.session_id = ${sessionId} and t.factor = ${factor}
      and t.status = 'open' and t.inserted_at > now() - interval '30 seconds'`;
  return row;
}

export async function forgetFailures(sql: Sql, teamId: string, contactId: string): Promise<void> {
  await sql`
    delete from identity_failures where team_id = ${teamId} and contact_id = ${contactId}`;
}
