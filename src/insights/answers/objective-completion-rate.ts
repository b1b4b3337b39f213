import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { groupBy } from '../../platform/group-by.ts';
import {
  Rate,
  Truncated,
  filled,
  insight,
  rate,
  rowsOf,
  seriesOf,
  sum,
  top,
} from '../declaration.ts';
import { bucketOf, enrolledWithin } from './conditions.ts';

const Days = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const figures = {
  journeys: Count('With the objective'),
  completed: Count(),
  completion_rate: Rate('completed / journeys'),
  median_days_to_complete: Days('Days of 24 hours from enrollment to the first completion'),
  p90_days: Days('Within which nine of ten of them completed it'),
};

interface Counted {
  objective_id: string;
  key: string;
  name: string;
  bucket: number;
  journeys: number;
}
/** Counts of an objective, of a bucket, or of all. */
interface Done {
  objective_id: string | null;
  bucket: number | null;
  completed: number;
  median_days: number | null;
  p90_days: number | null;
}

export const objectiveCompletionRate = insight({
  name: 'objective-completion-rate',
  summary: 'Completion rate and time to completion, by objective',
  definition:
    'Journeys that began within the period, without those held back, once for each objective of ' +
    'their template. It is completed when the contact did so after the enrollment and within the ' +
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
    // Journeys are counted by template before they are multiplied by its objectives; only those that
    // were completed are looked at one by one.
    const begun = sql`
      select j.id, j.template_id, j.contact_id, j.enrolled_at,
        ${bucketOf(asked, 'j.enrolled_at')} as bucket
      from journeys j /* team_id is in the condition */
      where ${enrolledWithin(asked)}`;
    const counts = await sql<Counted[]>`
      select o.id as objective_id, o.key, o.name, b.bucket, sum(b.journeys)::bigint as journeys
      from (select template_id, bucket, count(*) as journeys from (${begun}) j group by 1, 2) b
      join template_objectives t on t.team_id = ${teamId} and t.template_id = b.template_id
      join objectives o on o.team_id = ${teamId} and o.id = t.objective_id
      group by 1, 2, 3, 4`;
    const done = await sql<Done[]>`
      with done as materialized (
        select o.id as objective_id, j.bucket,
          (extract(epoch from min(c.completed_at) - j.enrolled_at) / 86400)::float8 as days
        from (${begun}) j
        join template_objectives t on t.team_id = ${teamId} and t.template_id = j.template_id
        join objectives o on o.team_id = ${teamId} and o.id = t.objective_id
        join objective_completions c on c.team_id = ${teamId} and c.contact_id = j.contact_id
          and c.objective_id = o.id and c.voided_at is null and c.completed_at >= j.enrolled_at
          and c.completed_at <= j.enrolled_at + make_interval(days => o.attribution_window_days)
        group by j.id, o.id, j.bucket, j.enrolled_at
      )
      select objective_id, null::int as bucket, count(*) as completed,
        percentile_cont(0.5) within group (order by days) as median_days,
        percentile_cont(0.9) within group (order by days) as p90_days
      from done group by grouping sets ((objective_id), ())
      union all
      select null, bucket, count(*), null, null from done group by bucket`;
    const doneOf = (objectiveId: string | null) => {
      const row = done.find((one) => one.bucket === null && one.objective_id === objectiveId);
      return row ?? nothing;
    };
    const byId = groupBy(counts, (row) => row.objective_id);
    const objectives = [...byId.values()].flatMap((of) => {
      const [first] = of;
      if (!first) return [];
      const { objective_id, key, name } = first;
      const journeys = sum(of, (row) => row.journeys);
      return [{ objective_id, key, name, ...withRate(journeys, doneOf(objective_id)) }];
    });
    const completedBy = new Map(done.map(({ bucket, completed }) => [bucket, completed]));
    const { rows: shown, truncated } = top(
      objectives,
      ({ journeys }) => journeys,
      ({ objective_id: id }) => id,
    );
    return {
      bucket: period.bucket,
      objectives: shown,
      truncated,
      overall: withRate(
        sum(counts, (row) => row.journeys),
        doneOf(null),
      ),
      series: filled(asked, addedUp(counts), (row) => {
        const completed = row ? (completedBy.get(row.bucket) ?? 0) : 0;
        const journeys = row?.journeys ?? 0;
        return { journeys, completed, rate: rate(completed, journeys) };
      }),
    };
  },
});

const nothing = { completed: 0, median_days: null, p90_days: null };

function withRate(journeys: number, row: Pick<Done, keyof typeof nothing>) {
  const { completed, median_days, p90_days } = row;
  return {
    journeys,
    completed,
    completion_rate: rate(completed, journeys),
    median_days_to_complete: rounded(median_days),
    p90_days: rounded(p90_days),
  };
}

/** Journeys of all objectives, by bucket. */
function addedUp(counts: readonly Counted[]) {
  const journeys = new Map<number, number>();
  for (const row of counts)
    journeys.set(row.bucket, (journeys.get(row.bucket) ?? 0) + row.journeys);
  return [...journeys].map(([bucket, sum]) => ({ bucket, journeys: sum }));
}

const rounded = (days: number | null) =>
  days === null ? null : Math.round(days * 10_000) / 10_000;
