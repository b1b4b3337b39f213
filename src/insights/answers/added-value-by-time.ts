import { Type } from 'typebox';
import { CentsSum, Count } from '../../platform/schema/fields.ts';
import { saturated } from '../../platform/schema/rules.ts';
import { filled, insight, seriesOf, sum } from '../declaration.ts';
import { bucketOf, completedWithin } from './conditions.ts';

export const addedValueByTime = insight({
  name: 'added-value-by-time',
  summary: 'Value added by journeys, over time',
  definition: 'Completions within the period that a journey led to, voided ones left out.',
  datasets: ['objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    series: seriesOf({
      completions: Count(),
      value_cents: CentsSum(),
      cumulative_value_cents: CentsSum('Since the start of the period'),
    }),
    total_completions: Count(),
    total_value_cents: CentsSum(),
  }),
  async compute(asked) {
    const { sql, period } = asked;
    const rows = await sql<{ bucket: number; completions: number; value_cents: number }[]>`
      select ${bucketOf(asked, 'c.completed_at')} as bucket, count(*) as completions,
        to_safe_integer(sum(c.value_cents)) as value_cents
      from objective_completions c
      where ${completedWithin(asked)} and c.attribution = 'journey'
      group by 1 /* team_id is in the condition */`;
    let cumulative = 0;
    const series = filled(asked, rows, (row) => {
      cumulative = saturated(cumulative + (row?.value_cents ?? 0));
      return {
        completions: row?.completions ?? 0,
        value_cents: row?.value_cents ?? 0,
        cumulative_value_cents: cumulative,
      };
    });
    return {
      bucket: period.bucket,
      series,
      total_completions: sum(rows, ({ completions }) => completions),
      total_value_cents: cumulative,
    };
  },
});
