import type { Sql } from '../../platform/database/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { InsightAnswer } from '../envelope.ts';
import type { Filters } from '../declaration.ts';

/** Cache entries of a team. Requests beyond them are computed each time. */
const maxEntriesOfTeam = 500;

/** Time after which a query that took too long is retried, unless the worker has computed it. */
const leftToWorker = '10 minutes';

/** The query as written: the period is relative to the time of the computation. */
export interface CachedQuery {
  name: string;
  isOfTemplate: boolean;
  version: number;
  period: string | undefined;
  timezone: string;
  filters: Filters;
}

export interface CachedAnswer {
  /** Null: the computation exceeded the limit of a request, and the worker is to do it. */
  answer: InsightAnswer | null;
  /** RFC 3339. */
  expires_at: string;
  /** No request for it within the last hour. */
  is_forgotten: boolean;
}

export async function findCachedAnswer(
  sql: Sql,
  teamId: string,
  key: string,
): Promise<CachedAnswer | undefined> {
  const [cached] = await sql<[CachedAnswer?]>`
    select answer, expires_at, asked_at < now() - interval '1 hour' as is_forgotten
    from insight_cache
    where team_id = ${teamId} and key = ${key} and case
      when answer is null then asked_at > now() - ${leftToWorker}::interval
      else expires_at > now() end`;
  return cached;
}

export async function recordRequest(sql: Sql, teamId: string, key: string): Promise<void> {
  await sql`
    update insight_cache set asked_at = now() where team_id = ${teamId} and key = ${key}`;
}

export interface Keeping {
  key: string;
  question: CachedQuery;
  answer: InsightAnswer;
  timeToLiveMs: number;
}

/** Stores a requested answer in place of an older one. */
export async function putAnswer(sql: Sql, teamId: string, cached: Keeping): Promise<void> {
  await sql`
    insert into insight_cache (team_id, key, question, answer, expires_at, asked_at)
    select ${teamId}, ${cached.key}, ${json(cached.question)}::text::json, ${json(cached.answer)}::text::json,
      ${endOf(cached)}, now()
    where ${hasRoom(sql, teamId, cached.key)}
    on conflict (team_id, key) do update
    set answer = excluded.answer, expires_at = excluded.expires_at, asked_at = excluded.asked_at
    where insight_cache.expires_at < excluded.expires_at`;
}

/** Stores a recomputed answer, unless a newer one is there. */
export async function refreshAnswer(sql: Sql, teamId: string, cached: Omit<Keeping, 'question'>) {
  await sql`
    update insight_cache set answer = ${json(cached.answer)}::text::json, expires_at = ${endOf(cached)}
    where team_id = ${teamId} and key = ${cached.key} and expires_at < ${endOf(cached)}`;
}

/**
 * Leaves a computation that exceeds the limit of a request to the worker. An expired entry of the
 * same key is deleted, so that the key counts as waiting.
 */
export async function enqueueComputation(
  sql: Sql,
  teamId: string,
  { key, question }: Pick<Keeping, 'key' | 'question'>,
): Promise<void> {
  await sql`
    insert into insight_cache (team_id, key, question, expires_at, asked_at)
    select ${teamId}, ${key}, ${json(question)}::text::json, now(), now()
    where ${hasRoom(sql, teamId, key)}
    on conflict (team_id, key) do update
    set asked_at = excluded.asked_at,
      answer = case when insight_cache.expires_at > now() then insight_cache.answer end`;
}

/** Whether a team may have one more; one that is there is not one more. */
const hasRoom = (sql: Sql, teamId: string, key: string) => sql`
  (select count(*) from insight_cache where team_id = ${teamId} and key <> ${key}) < ${maxEntriesOfTeam}`;
const json = (value: object) => JSON.stringify(value);
const endOf = ({ answer, timeToLiveMs }: Pick<Keeping, 'answer' | 'timeToLiveMs'>) =>
  toTimestamp(Date.parse(answer.computed_at) + timeToLiveMs);

export async function dropAnswer(sql: Sql, teamId: string, key: string): Promise<void> {
  await sql`delete from insight_cache where team_id = ${teamId} and key = ${key}`;
}

export interface StaleAnswer {
  team_id: string;
  key: string;
  question: CachedQuery;
}

/** Answers that expire within so many seconds and were requested within a day, oldest first. */
export async function listStaleAnswers(sql: Sql, withinSeconds: number, limit: number) {
  return sql<StaleAnswer[]>`
    select team_id, key, question from insight_cache
    where expires_at < now() + make_interval(secs => ${withinSeconds})
      and asked_at > now() - interval '1 day'
    order by expires_at
    limit ${limit} /* any team: each has answers to renew */`;
}

/** Deletes expired answers without a request within a day. */
export async function pruneAnswers(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from insight_cache
    where expires_at < now() and asked_at <= now() - interval '1 day'
    /* any team: each has answers that end */`;
  return count;
}

/** Limits the duration of each later statement of the transaction. */
export async function limitStatements(sql: Sql, ms: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`;
}
