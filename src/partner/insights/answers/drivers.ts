import { Type } from 'typebox';
import { Count } from '../../../fields.ts';
import { Rate, Truncated, insight, rate, rowsOf, top } from '../declaration.ts';
import { differenceInterval } from '../intervals.ts';
import { narrowed } from '../queries.ts';

/** Smaller groups say nothing. */
const minimumSample = 30;
const dimensions = ['message', 'page', 'channel', 'widget', 'cohort', 'entry'] as const;

interface Row {
  dimension: (typeof dimensions)[number];
  id: string;
  label: string | null;
  exposed: number;
  exposed_completed: number;
}
interface Base {
  is_holdout: boolean;
  journeys: number;
  contacts: number;
  completed: number;
}
const Group = Type.Object({ contacts: Count(), completion_rate: Rate() });

export const drivers = insight({
  name: 'drivers',
  summary: 'What goes along with completed objectives, and how recipients compare with the holdout',
  definition:
    'Journeys that began within the period; one is completed when it led to a completion. The ' +
    'baseline are all but those held back. A journey is exposed to a message, page, widget or ' +
    'channel by an event of a person about it before its first completion, or by its cohort or its ' +
    'way of entry. lift is the rate of the exposed beside that of the others, minus 1; lift_pp their ' +
    'difference in points of 100, ci95 its interval (Newcombe). Groups below 30 are left out. It ' +
    'shows what goes together, not what causes what; only the holdout does.',
  datasets: ['journeys', 'engagement_events', 'objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    outcome: Type.Literal('objective.completed'),
    baseline: Group,
    holdout: Type.Union([Group, Type.Null()]),
    drivers: rowsOf(
      Type.Object({
        dimension: Type.Enum([...dimensions]),
        id: Type.String(),
        label: Type.String(),
        exposed: Count('Journeys'),
        exposed_rate: Rate(),
        unexposed_rate: Rate(),
        lift: Rate(),
        lift_pp: Type.Number(),
        ci95: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        significant: Type.Boolean({ description: 'Whether ci95 leaves out 0' }),
      }),
    ),
    truncated: Truncated,
    minimum_sample: Count(),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const begun = sql`
      select j.id, j.contact_id, j.is_holdout, j.enrolled_via, j.cohort_id, j.enrolled_at,
        (select min(c.completed_at) from objective_completions c
         where c.team_id = ${teamId} and c.contact_id = j.contact_id and c.journey_id = j.id
           and c.voided_at is null) as completed_at
      from journeys j
      where j.team_id = ${teamId} and j.enrolled_at >= ${period.start}
        and j.enrolled_at < ${period.end} ${narrowed(asked, 'j')}`;
    const bases = await sql<Base[]>`
      select is_holdout, count(*) as journeys, count(distinct contact_id) as contacts,
        count(completed_at) as completed
      from (${begun}) j group by 1 /* team_id is in the condition */`;
    const rows = await sql<Row[]>`
      with begun as materialized (${begun}),
      touched as (
        select b.id as journey_id, touch.dimension, touch.id, b.completed_at
        from begun b
        join engagement_events e on e.team_id = ${teamId} and e.journey_id = b.id
          and not e.is_machine and e.occurred_at >= ${period.start}
          and e.occurred_at < coalesce(b.completed_at, 'infinity')
          and e.kind not like 'journey.%' and e.kind not like 'objective.%'
        cross join lateral (values
          ('message', e.message_id::text), ('page', e.page_id::text),
          ('widget', e.widget_instance_id::text),
          ('channel', case when e.channel in ('email', 'sms', 'push', 'web') then e.channel end)
        ) touch (dimension, id)
        where not b.is_holdout and touch.id is not null
        union
        select b.id, own.dimension, own.id, b.completed_at
        from begun b
        cross join lateral (values ('cohort', b.cohort_id::text), ('entry', b.enrolled_via))
          own (dimension, id)
        where not b.is_holdout and own.id is not null
      )
      select t.dimension, t.id, count(*) as exposed, count(t.completed_at) as exposed_completed,
        coalesce(max(m.name), max(p.name), max(w.name), max(c.name), t.id) as label
      from touched t
      left join messages m on t.dimension = 'message' and m.team_id = ${teamId} and m.id::text = t.id
      left join pages p on t.dimension = 'page' and p.team_id = ${teamId} and p.id::text = t.id
      left join widget_instances w
        on t.dimension = 'widget' and w.team_id = ${teamId} and w.id::text = t.id
      left join cohorts c on t.dimension = 'cohort' and c.team_id = ${teamId} and c.id::text = t.id
      group by 1, 2`;
    const baseline = bases.find((base) => !base.is_holdout) ?? nobody;
    const holdout = bases.find((base) => base.is_holdout);
    const found = rows.flatMap((row) => {
      const one = { hits: row.exposed_completed, of: row.exposed };
      const other = { hits: baseline.completed - one.hits, of: baseline.journeys - one.of };
      if (one.of < minimumSample || other.of < minimumSample) return [];
      const ci95 = differenceInterval(one, other).map(rounded);
      const [low = 0, high = 0] = ci95;
      const [exposedRate, otherRate] = [one.hits / one.of, other.hits / other.of];
      return {
        dimension: row.dimension,
        id: row.id,
        label: row.label ?? row.id,
        exposed: one.of,
        exposed_rate: rate(one.hits, one.of),
        unexposed_rate: rate(other.hits, other.of),
        lift: rate(exposedRate - otherRate, otherRate),
        lift_pp: rounded((exposedRate - otherRate) * 100),
        ci95,
        significant: low > 0 || high < 0,
      };
    });
    const { rows: shown, truncated } = top(
      found,
      (row) => row.lift_pp,
      ({ dimension, id }) => `${dimension} ${id}`,
    );
    return {
      outcome: 'objective.completed' as const,
      baseline: groupOf(baseline),
      holdout: holdout ? groupOf(holdout) : null,
      drivers: shown,
      truncated,
      minimum_sample: minimumSample,
    };
  },
});

const nobody: Base = { is_holdout: false, journeys: 0, contacts: 0, completed: 0 };
const groupOf = ({ contacts, completed, journeys }: Base) => ({
  contacts,
  completion_rate: rate(completed, journeys),
});
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
