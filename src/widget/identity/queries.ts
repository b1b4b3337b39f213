import { deleteChunk } from '../../platform/database/delete-chunk.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { guessLimits, noGuesses } from './guessing.ts';
import type { Guesses, Source, Totals } from './guessing.ts';
import type { AskedFactor } from './rules.ts';

export interface ChallengeRow {
  team_id: string;
  id: string;
  session_id: string;
  factor: AskedFactor;
  status: 'open' | 'passed' | 'failed';
  expires_at: string;
  is_expired: boolean;
  /** Wrong answers, from all networks. */
  failed_count: number;
  /** The code that was sent, until it is verified. */
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

/** Counts a wrong answer to a challenge. */
export async function countWrongAnswer(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update identity_challenges set failed_count = failed_count + 1
    where team_id = ${teamId} and id = ${id}`;
}

/** The contact of the challenge, and the digest of the network of the answers. */
export interface Guessed {
  teamId: string;
  contactId: string;
  sourceId: string;
}

/** Wrong answers about a contact, locked: concurrent answers are checked one after the other. */
export async function lockGuesses(
  sql: Sql,
  { teamId, contactId, sourceId }: Guessed,
): Promise<Guesses> {
  const [totals] = await sql<[Totals]>`
    insert into identity_failures as f (team_id, contact_id, last_failed_at)
    values (${teamId}, ${contactId}, now())
    on conflict (team_id, contact_id) do update set last_failed_at = f.last_failed_at
    returning knowledge_failed, knowledge_today, today_since, codes_failed, last_failed_at`;
  const [source] = await sql<Source[]>`
    select failed_count, last_failed_at, locked_until, lock_count, codes_sent, codes_since
    from identity_sources
    where team_id = ${teamId} and contact_id = ${contactId} and source_id = ${sourceId}`;
  return { totals, source: source ?? noGuesses };
}

/** Writes totals of a contact whose guesses are locked. */
export async function writeTotals(
  sql: Sql,
  { teamId, contactId }: Guessed,
  { knowledge_failed, knowledge_today, today_since, codes_failed, last_failed_at }: Totals,
): Promise<void> {
  await sql`
    update identity_failures
    set knowledge_failed = ${knowledge_failed}, knowledge_today = ${knowledge_today},
      today_since = ${today_since}, codes_failed = ${codes_failed},
      last_failed_at = ${last_failed_at}
    where team_id = ${teamId} and contact_id = ${contactId}`;
}

/** Stores the answers and requests of one network about a contact whose guesses are locked. */
export async function writeSource(
  sql: Sql,
  { teamId, contactId, sourceId }: Guessed,
  source: Source,
): Promise<void> {
  const row = { ...source, updated_at: new Date().toISOString() };
  await sql`
    insert into identity_sources
      ${sql({ team_id: teamId, contact_id: contactId, source_id: sourceId, ...row })}
    on conflict (team_id, contact_id, source_id) do update set ${sql(row)}`;
}

export async function forgetSource(
  sql: Sql,
  { teamId, contactId, sourceId }: Guessed,
): Promise<void> {
  await sql`
    delete from identity_sources
    where team_id = ${teamId} and contact_id = ${contactId} and source_id = ${sourceId}`;
}

/** Stores the code of a challenge. */
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

/** The code that was just sent for a session, if it can still be answered. */
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

/** Deletes guesses that no longer count, a chunk of them. */
export async function pruneGuesses(sql: Sql, limit: number): Promise<number> {
  const isRested = sql`
    last_failed_at < now() - make_interval(days => ${guessLimits.knowledgeRestDays})`;
  const isOld = sql`updated_at < now() - interval '3 days'`;
  const key = 'team_id, contact_id';
  const sourceKey = `${key}, source_id`;
  return Math.max(
    await deleteChunk(sql, { table: 'identity_failures', key, where: isRested, limit }),
    await deleteChunk(sql, { table: 'identity_sources', key: sourceKey, where: isOld, limit }),
  );
}
