import { Type } from 'typebox';
import { Count, Id } from '../../../fields.ts';
import { Rate, Truncated, filled, insight, rate, rowsOf, seriesOf, top } from '../declaration.ts';
import { bucketOf, enrolledWithin } from '../queries.ts';

const Days = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const figures = {
  journeys: Count('With the objective'),
  completed: Count(),
  completion_rate: Rate('completed / journeys'),
  median_days_to_complete: Days('Of 24 hours, from enrolment to the first completion'),
  p90_days: Days('Within which nine of ten of them completed it'),
};

interface Row {
  objective_id: string | null;
  key: string;
  name: string;
  journeys: number;
  completed: number;
  median_days: number | null;
  p90_days: number | null;
}

export const objectiveCompletionRate = insight({
  name: 'objective-completion-rate',
  summary: 'How many journeys led to each objective, and how fast',
  definition:
    'Journeys that began within the period, without those held back, once for each objective of ' +
    'their template. It is completed when the contact did so after the enrolment and within the ' +
    'attribution window of the objective.',
  datasets: ['journeys', 'objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    objectives: rowsOf(
      Type.Object({ objective_id: Id(), key: Type.String(), name: Type.String(), ...figures }),
    ),
    truncated: Truncated,
    overall: Type.Object(figures),
    series: seriesOf({ journeys: Count(), completed: Count(), rate: Rate() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const pairs = sql`
      select j.enrolled_at, o.id as objective_id, o.key, o.name,
        (select extract(epoch from min(c.completed_at) - j.enrolled_at) / 86400
         from objective_completions c
         where c.team_id = ${teamId} and c.contact_id = j.contact_id and c.objective_id = o.id
           and c.voided_at is null and c.completed_at >= j.enrolled_at
           and c.completed_at <= j.enrolled_at + make_interval(days => o.attribution_window_days)
        )::float8 as days
      from journeys j
      join template_objectives t on t.team_id = ${teamId} and t.template_id = j.template_id
      join objectives o on o.team_id = ${teamId} and o.id = t.objective_id
      where ${enrolledWithin(asked)}`;
    const rows = await sql<Row[]>`
      select objective_id, key, name, count(*) as journeys, count(days) as completed,
        percentile_cont(0.5) within group (order by days) as median_days,
        percentile_cont(0.9) within group (order by days) as p90_days
      from (${pairs}) p
      group by grouping sets ((objective_id, key, name), ()) /* team_id is in the condition */`;
    const byTime = await sql<{ bucket: number; journeys: number; completed: number }[]>`
      select ${bucketOf(asked, 'p.enrolled_at')} as bucket, count(*) as journeys,
        count(days) as completed
      from (${pairs}) p group by 1 /* team_id is in the condition */`;
    const objectives = rows.flatMap(({ objective_id, key, name, ...row }) =>
      objective_id === null ? [] : [{ objective_id, key, name, ...withRate(row) }],
    );
    const [overall = nothing] = rows.filter((row) => row.objective_id === null);
    const { rows: shown, truncated } = top(
      objectives,
      ({ journeys }) => journeys,
      ({ objective_id: id }) => id,
    );
    return {
      bucket: period.bucket,
      objectives: shown,
      truncated,
      overall: withRate(overall),
      series: filled(asked, byTime, (row) => ({
        journeys: row?.journeys ?? 0,
        completed: row?.completed ?? 0,
        rate: rate(row?.completed ?? 0, row?.journeys ?? 0),
      })),
    };
  },
});

const nothing = { journeys: 0, completed: 0, median_days: null, p90_days: null };

function withRate(row: Pick<Row, keyof typeof nothing>) {
  const { journeys, completed, median_days, p90_days } = row;
  return {
    journeys,
    completed,
    completion_rate: rate(completed, journeys),
    median_days_to_complete: rounded(median_days),
    p90_days: rounded(p90_days),
  };
}

const rounded = (days: number | null) =>
  days === null ? null : Math.round(days * 10_000) / 10_000;
