import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, filled, insight, rate, seriesOf } from '../declaration.ts';
import { bucketOf, engagedWithin } from './conditions.ts';

const kinds = ['presented', 'passed', 'failed', 'locked'] as const;

export const templateSecurePersonalization = insight({
  name: 'secure-personalization',
  summary: 'Identity verifications of the recipients of a template',
  definition:
    'Counts the events identity.challenge_* of the contacts of the template. The time to pass is ' +
    'measured from the latest challenge of the contact; by_factor counts by properties.factor.',
  datasets: ['engagement_events'],
  version: 1,
  filters: ['cohort'],
  isOfTemplate: true,
  value: Type.Object({
    template_id: Id(),
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    challenges_presented: Count(),
    passed: Count(),
    failed: Count(),
    locked: Count(),
    pass_rate: Rate('passed / challenges_presented'),
    unique_contacts: Count(),
    median_seconds_to_pass: Type.Union([Type.Number(), Type.Null()]),
    by_factor: Type.Array(
      Type.Object({
        factor: Type.String(),
        presented: Count(),
        passed: Count(),
        failed: Count(),
      }),
    ),
    series: seriesOf({ presented: Count(), passed: Count() }),
  }),
  async compute(asked) {
    const { sql, period, filters } = asked;
    const [template_id = ''] = filters.templateIds ?? [];
    const events = sql`
      select replace(e.kind, 'identity.challenge_', '') as kind, e.contact_id, e.journey_id,
        e.occurred_at, e.properties ->> 'factor' as factor
      from engagement_events e /* team_id is in the condition */
      where ${engagedWithin(asked)} and e.kind in ${sql(kinds.map((kind) => `identity.challenge_${kind}`))}`;
    const [all] = await sql<
      [Record<(typeof kinds)[number] | 'contacts', number> & { median: number | null }]
    >`
      with events as materialized (${events})
      select count(*) filter (where kind = 'presented') as presented,
        count(*) filter (where kind = 'passed') as passed,
        count(*) filter (where kind = 'failed') as failed,
        count(*) filter (where kind = 'locked') as locked,
        count(distinct contact_id) as contacts,
        (select percentile_cont(0.5) within group (order by extract(epoch from p.took))
         from (
           select e.occurred_at - (
             select max(b.occurred_at) from events b
             where b.kind = 'presented' and b.contact_id = e.contact_id
               and b.journey_id is not distinct from e.journey_id
               and b.occurred_at <= e.occurred_at) as took
           from events e where e.kind = 'passed'
         ) p where p.took is not null) as median
      from events /* team_id is in the condition */`;
    const factors = await sql<
      { factor: string; presented: number; passed: number; failed: number }[]
    >`
      select factor, count(*) filter (where kind = 'presented') as presented,
        count(*) filter (where kind = 'passed') as passed,
        count(*) filter (where kind = 'failed') as failed
      from (${events}) e where factor is not null
      group by 1 order by 1 /* team_id is in the condition */`;
    const byTime = await sql<{ bucket: number; presented: number; passed: number }[]>`
      select ${bucketOf(asked, 'e.occurred_at')} as bucket,
        count(*) filter (where kind = 'presented') as presented,
        count(*) filter (where kind = 'passed') as passed
      from (${events}) e group by 1 /* team_id is in the condition */`;
    return {
      template_id,
      bucket: period.bucket,
      challenges_presented: all.presented,
      passed: all.passed,
      failed: all.failed,
      locked: all.locked,
      pass_rate: rate(all.passed, all.presented),
      unique_contacts: all.contacts,
      median_seconds_to_pass: all.median,
      by_factor: factors,
      series: filled(asked, byTime, (row) => ({
        presented: row?.presented ?? 0,
        passed: row?.passed ?? 0,
      })),
    };
  },
});
