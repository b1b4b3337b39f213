import { Type } from 'typebox';
import { Id, OneOf, Timestamp } from '../../platform/schema/fields.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { insights } from '../../insights/answers.ts';
import { FreshSource, readInsightQuery, computeInsight } from '../../insights/envelope.ts';
import type { Filters, Insight } from '../../insights/declaration.ts';
import { channels } from '../../campaigns/messages/message.ts';
import { requireTemplate } from '../../campaigns/templates/queries.ts';
import { operation } from '../operation-type.ts';

const nameOf = ({ name, isOfTemplate = false }: Insight) =>
  isOfTemplate ? `template-${name}` : name;
const byName = new Map(insights.map((one) => [nameOf(one), one]));

export const insightsExport = operation({
  kind: 'insights.export',
  category: 'insights',
  summary: 'Compute an insight and store it as the result of an execution',
  notes:
    'As the endpoints of the insights answer, for the moment at which it runs. Those of one template ' +
    'are called template-… and take a template_id.',
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'async',
  scopes: ['partner:insights:read'],
  rateLimitClass: 'bulk',
  audit: { none: 'run' },
  input: Type.Object(
    {
      name: OneOf([...byName.keys()]),
      template_id: Type.Optional(Id('Narrows the answer; needed by the insights of one template')),
      cohort_id: Type.Optional(Id()),
      channel: Type.Optional(OneOf([...channels])),
      period: Type.Optional(Type.String({ maxLength: 100 })),
      timezone: Type.Optional(Type.String({ maxLength: 64 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    name: Type.String(),
    value: Type.Unknown({ description: 'As the catalog of the insights says' }),
    computed_at: Timestamp(),
    source: FreshSource,
  }),
  async apply({ sql, teamId }, items) {
    const outcomes = [];
    for (const item of items) {
      const one = byName.get(item.name);
      if (!one) throw new Error('the schema lets known names in only');
      const filters = filtersOf(one, item);
      const [templateId] = filters.templateIds ?? [];
      if (templateId !== undefined) await requireTemplate(sql, teamId, templateId);
      const { period, timezone } = item;
      const query = await readInsightQuery(sql, teamId, { period, timezone, filters });
      outcomes.push({
        status: 'created' as const,
        resource_type: 'insight',
        resource_id: null,
        output: await computeInsight(sql, teamId, one, query),
      });
    }
    return outcomes;
  },
});

interface Requested {
  template_id?: string;
  cohort_id?: string;
  channel?: string;
}

/** Throws 422 for what the insight is not narrowed by, and for the template that it needs. */
function filtersOf(one: Insight, { template_id, cohort_id, channel }: Requested): Filters {
  const taken = { template: template_id, cohort: cohort_id, channel };
  const problems: Problem[] = [];
  for (const name of ['template', 'cohort', 'channel'] as const) {
    const isNeeded = name === 'template' && one.isOfTemplate === true;
    if (taken[name] === undefined && !isNeeded) continue;
    if (taken[name] !== undefined && (isNeeded || one.filters.includes(name))) continue;
    const pointer = `/${name === 'channel' ? name : `${name}_id`}`;
    problems.push(
      isNeeded
        ? {
            code: 'validation_failed',
            detail: 'An insight of one template needs its template_id.',
            meta: { pointer, rule: 'required' },
          }
        : {
            code: 'validation_failed',
            detail: `This insight is not narrowed by a ${name}.`,
            meta: { pointer, rule: 'unknown_field' },
          },
    );
  }
  if (problems.length > 0) throw failAll(problems);
  return {
    ...(template_id !== undefined && { templateIds: [template_id.toLowerCase()] }),
    ...(cohort_id !== undefined && { cohortId: cohort_id.toLowerCase() }),
    ...(channel !== undefined && { channel }),
  };
}
