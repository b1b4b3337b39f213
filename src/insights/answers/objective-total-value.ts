import { Type } from 'typebox';
import { Cents, CentsSum, Count, Id } from '../../platform/schema/fields.ts';
import { Truncated, insight, rowsOf, sum, top } from '../declaration.ts';
import { completedWithin } from './conditions.ts';

interface Row {
  objective_id: string;
  key: string;
  name: string;
  unit_value_cents: number;
  completions: number;
  value_cents: number;
  attributed_value_cents: number;
}

export const objectiveTotalValue = insight({
  name: 'objective-total-value',
  summary: 'Total value of completions, by objective',
  definition:
    'Completions within the period by objective, voided ones left out, and the value that each was ' +
    'credited with; attributed is what journeys led to. Every active objective is there.',
  datasets: ['objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    objectives: rowsOf(
      Type.Object({
        objective_id: Id(),
        key: Type.String(),
        name: Type.String(),
        completions: Count(),
        unit_value_cents: Cents('Value that a completion is credited with now'),
        value_cents: CentsSum(),
        attributed_value_cents: CentsSum(),
      }),
    ),
    truncated: Truncated,
    total_completions: Count(),
    total_value_cents: CentsSum(),
    attributed_value_cents: CentsSum(),
  }),
  async compute(asked) {
    const { sql, teamId } = asked;
    const rows = await sql<Row[]>`
      select o.id as objective_id, o.key, o.name, o.value_cents as unit_value_cents,
        coalesce(c.completions, 0) as completions, coalesce(c.value_cents, 0) as value_cents,
        coalesce(c.attributed_value_cents, 0) as attributed_value_cents
      from objectives o
      left join (
        select c.objective_id, count(*) as completions, to_safe_integer(sum(c.value_cents)) as value_cents,
          to_safe_integer(sum(c.value_cents) filter (where c.attribution = 'journey'))
            as attributed_value_cents
        from objective_completions c where ${completedWithin(asked)} group by 1
      ) c on c.objective_id = o.id
      where o.team_id = ${teamId} and o.deleted_at is null
        and (c.objective_id is not null or (o.is_active and o.archived_at is null))`;
    const { rows: shown, truncated } = top(
      rows,
      (row) => row.value_cents,
      ({ objective_id: id }) => id,
    );
    return {
      objectives: shown,
      truncated,
      total_completions: sum(rows, (row) => row.completions),
      total_value_cents: sum(rows, (row) => row.value_cents),
      attributed_value_cents: sum(rows, (row) => row.attributed_value_cents),
    };
  },
});
