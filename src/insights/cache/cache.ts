import { createHash } from 'node:crypto';
import type { Sql } from '../../platform/database/sql.ts';
import { isUnavailable, isStatementTimeout } from '../../platform/database/failures.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Period } from '../../platform/time/period.ts';
import { requireTemplate } from '../../campaigns/templates/queries.ts';
import { insights } from '../answers.ts';
import type { Filters, Insight } from '../declaration.ts';
import { readInsightQuery, computeInsight } from '../envelope.ts';
import type { InsightAnswer } from '../envelope.ts';
import { dropAnswer, findCachedAnswer, limitStatements, refreshAnswer } from './queries.ts';
import type { CachedQuery, StaleAnswer } from './queries.ts';

/**
 * Time to live of a cache entry. Each scheduled run renews the entries that would expire before the
 * next run.
 */
export const timeToLiveMs = 600_000;

/** Time limits of one statement and of a whole answer; most take a small part of them. */
export interface Limits {
  statementMs: number;
  deadlineMs: number;
}
export const requestBudget: Limits = { statementMs: 15_000, deadlineMs: 45_000 };
export const workerBudget: Limits = { statementMs: 60_000, deadlineMs: 100_000 };

export function questionOf(
  { name, isOfTemplate = false, version }: Insight,
  { timezone }: Period,
  asked: { period: string | undefined; filters: Filters },
): CachedQuery {
  const { templateIds, ...filters } = asked.filters;
  const sorted = templateIds && { templateIds: templateIds.toSorted() };
  return {
    name,
    isOfTemplate,
    version,
    period: asked.period,
    timezone,
    filters: { ...filters, ...sorted },
  };
}

export const keyOf = (question: CachedQuery) =>
  createHash('sha256').update(JSON.stringify(question)).digest('hex');

/**
 * Whether an answer covers nearly the requested period: `today` starts a new period at midnight.
 */
function isOf({ source: { window } }: InsightAnswer, { start, end }: Period): boolean {
  const apartMs = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b));
  return apartMs(window.start, start) <= timeToLiveMs && apartMs(window.end, end) <= timeToLiveMs;
}

/**
 * The cached answer of a query, if it is still about its period. Throws QueryTooExpensive where the
 * query took too long before and waits for the worker.
 */
export async function findFresh(sql: Sql, teamId: string, key: string, period: Period) {
  const cached = await findCachedAnswer(sql, teamId, key);
  if (cached?.answer === null) throw new QueryTooExpensive();
  if (!cached || !isOf(cached.answer, period)) return undefined;
  const source = { ...cached.answer.source, kind: 'cache' as const };
  const answer = { ...cached.answer, expires_at: cached.expires_at, source };
  return { answer, isForgotten: cached.is_forgotten };
}

/** More rows than an answer may wait for: the caller can ask for fewer, or later. */
export class QueryTooExpensive extends HttpError {
  constructor() {
    super([
      {
        code: 'invalid_period',
        detail:
          'The period holds more than can be answered at once. It is being worked out now: ask ' +
          'again in some minutes. Or ask for a shorter one, narrow it by a filter, or use ' +
          'insights.export.',
        meta: { parameter: 'period' },
      },
    ]);
  }
}

/** Computes an insight. Throws QueryTooExpensive when Postgres has ended a statement that took too long. */
export async function computeWithin(
  { statementMs }: Limits,
  ...asked: Parameters<typeof computeInsight>
): Promise<InsightAnswer> {
  const [sql] = asked;
  await limitStatements(sql, statementMs);
  try {
    return await computeInsight(...asked);
  } catch (error) {
    throw isStatementTimeout(error) ? new QueryTooExpensive() : error;
  }
}

/**
 * Recomputes a cached answer as of now by `look`, whose statements see one snapshot, and stores it
 * by `write`. An answer that can no longer be computed is dropped, so that the next request gets
 * the reason. Returns whether it was stored; throws only where Postgres is unavailable.
 */
export async function renew(
  { team_id: teamId, key, question }: StaleAnswer,
  look: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
): Promise<boolean> {
  const { name, isOfTemplate, version, filters } = question;
  const one = insights.find(
    (known) => known.name === name && (known.isOfTemplate ?? false) === isOfTemplate,
  );
  if (one?.version !== version) return drop();
  const startedAtMs = performance.now();
  try {
    const answer = await look(async (sql) => {
      const [templateId] = filters.templateIds ?? [];
      if (isOfTemplate && templateId !== undefined) await requireTemplate(sql, teamId, templateId);
      const moment = await readInsightQuery(sql, teamId, question);
      return computeWithin(workerBudget, sql, teamId, one, moment);
    });
    await write((sql) => refreshAnswer(sql, teamId, { key, answer, timeToLiveMs }));
    return true;
  } catch (error) {
    // An error of one query must not block the others.
    const isLate = performance.now() - startedAtMs >= workerBudget.deadlineMs;
    if (isUnavailable(error) && !isLate) throw error;
    return drop();
  }

  async function drop() {
    await write((sql) => dropAnswer(sql, teamId, key));
    return false;
  }
}
