import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Sql } from '../platform/database/sql.ts';
import { isUuid } from '../platform/schema/fields.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import type { Endpoint } from '../platform/http/endpoint.ts';
import { failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import type { Services } from '../platform/http/services.ts';
import { channels } from '../campaigns/messages/message.ts';
import { requireTemplate } from '../campaigns/templates/queries.ts';
import { insights } from './answers.ts';
import { envelopeOf, readInsightQuery } from './envelope.ts';
import { withTitles } from './titles.ts';
import type { FilterName, Filters, Insight } from './declaration.ts';
import {
  QueryTooExpensive,
  requestBudget,
  timeToLiveMs,
  keyOf,
  questionOf,
  findFresh,
  computeWithin,
} from './cache/cache.ts';
import { enqueueComputation, putAnswer, recordRequest } from './cache/queries.ts';

const tag = 'Insights';
const scope = 'partner:insights:read';
const rateClass = 'insights';

const parameters = {
  template: ['filter[template_id]', 'filter[template_id][in]'],
  cohort: ['filter[cohort_id]'],
  channel: ['filter[channel]'],
} as const satisfies Record<FilterName, readonly string[]>;

const filterTexts = {
  'filter[template_id]': 'Only about this template',
  'filter[template_id][in]': 'Only about these templates, by commas; 100 at most',
  'filter[cohort_id]': 'Only about contacts who are members of this cohort now',
  'filter[channel]': `Only this channel: ${channels.join(', ')}`,
};

const Query = Type.Object({
  period: Type.Optional(
    Type.String({ description: 'Such as P30D, last_month, 2026-Q1 or 2026-01-01/2026-02-01' }),
  ),
  timezone: Type.Optional(Type.String({ description: 'IANA; the team’s if absent' })),
});

const pascal = (name: string) =>
  name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());

/** The sentences that all insights share. */
const sharedText =
  'The period is the last 30 days unless the parameters name another one, and an answer can ' +
  'be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that ' +
  'takes too long is refused with invalid_period and is computed in the background: ' +
  'repeat it later, or shorten the period.';

function insightEndpoint(one: Insight): Endpoint {
  const { name, summary, definition, filters, isOfTemplate = false } = one;
  const taken = filters.flatMap((filter): string[] => [...parameters[filter]]);
  const filterFields = Object.entries(filterTexts).flatMap(([parameter, description]) =>
    taken.includes(parameter)
      ? [[parameter, Type.Optional(Type.String({ description }))] as const]
      : [],
  );
  return {
    ...(isOfTemplate
      ? {
          id: `getTemplateInsight${pascal(name)}`,
          path: `/v2/partner/templates/{template_id}/insights/${name}`,
        }
      : {
          id: `getAdvancedInsight${pascal(name)}`,
          path: `/v2/partner/insights/advanced/${name}`,
        }),
    method: 'GET',
    status: 200,
    summary,
    tag,
    scope,
    rateClass,
    description: `${definition} ${sharedText}`,
    errors: ['invalid_period', 'invalid_timezone', 'invalid_filter_value'],
    query: Type.Object({ ...Query.properties, ...Object.fromEntries(filterFields) }),
    response: envelopeOf(one),
    // Statements that agree with each other, on a connection that nobody else waits for.
    transaction: { deadlineMs: requestBudget.deadlineMs },
    async handle({ sql, teamId, services, params: { template_id: templateId }, request }) {
      const { search, headers } = request;
      const read = readFilters(search);
      if (templateId !== undefined) await requireTemplate(sql, teamId, templateId);
      const asked = {
        period: search.get('period') ?? undefined,
        timezone: search.get('timezone') ?? undefined,
        filters: templateId === undefined ? read : { ...read, templateIds: [templateId] },
      };
      const moment = await readInsightQuery(sql, teamId, asked);
      const question = questionOf(one, moment.period, asked);
      const key = keyOf(question);
      const cached = bypassesCache(headers)
        ? undefined
        : await findFresh(sql, teamId, key, moment.period);
      if (cached) {
        if (cached.isForgotten) aside(services, (w) => recordRequest(w, teamId, key));
        return cached.answer;
      }
      const startedAtMs = performance.now();
      try {
        const answer = await computeWithin(requestBudget, sql, teamId, one, moment);
        if (performance.now() - startedAtMs >= services.config.insights.keptFromMs) {
          aside(services, (w) => putAnswer(w, teamId, { key, question, answer, timeToLiveMs }));
        }
        return answer;
      } catch (error) {
        if (error instanceof QueryTooExpensive)
          aside(services, (w) => enqueueComputation(w, teamId, { key, question }));
        throw error;
      }
    },
  };
}

const bypassesCache = ({ 'cache-control': wish = '' }: IncomingHttpHeaders) =>
  /\bno-(?:cache|store)\b/i.test(wish);

/** Runs without delaying the response; if it fails, the next request computes the insight. */
function aside({ database, log }: Services, work: (sql: Sql) => Promise<void>): void {
  database.transact(work).catch((error: unknown) => {
    log.warn({ err: error }, 'the insight cache cannot be written');
  });
}

/** Reads the filters of the query. Throws 400 `invalid_filter_value` with all problems. */
function readFilters(search: URLSearchParams): Filters {
  const problems: Problem[] = [];
  const refuse = (parameter: string, detail: string) => {
    problems.push({ code: 'invalid_filter_value', detail, meta: { parameter } });
  };
  const ids = (parameter: string, most: number) => {
    const sent = search.get(parameter)?.split(',');
    if (sent === undefined) return undefined;
    if (sent.length <= most && sent.every(isUuid)) return sent.map((id) => id.toLowerCase());
    refuse(parameter, most === 1 ? 'It must be an id.' : `It must be 1 to ${String(most)} ids.`);
    return undefined;
  };
  const one = ids('filter[template_id]', 1);
  const several = ids('filter[template_id][in]', 100);
  const [cohortId] = ids('filter[cohort_id]', 1) ?? [];
  const channel = search.get('filter[channel]') ?? undefined;
  if (channel !== undefined && !channels.some((known) => known === channel)) {
    refuse('filter[channel]', `It must be one of ${channels.join(', ')}.`);
  }
  if (problems.length > 0) throw failAll(problems);
  // Both hold where both are given.
  const templateIds = one && several ? one.filter((id) => several.includes(id)) : (one ?? several);
  return {
    ...(templateIds && { templateIds }),
    ...(cohortId !== undefined && { cohortId }),
    ...(channel !== undefined && { channel }),
  };
}

export const listInsights = endpoint({
  id: 'listInsights',
  method: 'GET',
  path: '/v2/partner/insights',
  summary: 'List the insights with their definitions and the schemas of their values',
  description:
    'Returns the insights with their definitions, their filters and the JSON Schemas of their ' +
    'values. The list is complete and is not paged. Choose from it the insight to request.',
  tag,
  scope,
  rateClass: 'meta',
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        name: Type.String(),
        operation_id: Type.String(),
        path: Type.String(),
        summary: Type.String(),
        definition: Type.String({ description: 'Definition of each figure in words' }),
        datasets: Type.Array(Type.String()),
        version: Type.Integer({ description: 'Rises when the definition changes' }),
        filters: Type.Array(Type.String()),
        value_schema: Type.Unknown({
          description: 'JSON Schema of value; the title of each field is its name for people',
        }),
      }),
    ),
  }),
  handle() {
    return Promise.resolve({ data: catalog });
  },
});

const answers = insights.map((one) => ({ one, endpoint: insightEndpoint(one) }));

const catalog = answers.map(({ one, endpoint: { id, path } }) => ({
  name: one.name,
  operation_id: id,
  path,
  summary: one.summary,
  definition: one.definition,
  datasets: [...one.datasets],
  version: one.version,
  filters: one.filters.flatMap((filter) => [...parameters[filter]]),
  value_schema: withTitles(one.name, one.value),
}));

export const insightEndpoints = [listInsights, ...answers.map((answer) => answer.endpoint)];
