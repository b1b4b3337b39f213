import { Type } from 'typebox';
import { Count } from '../../platform/schema/fields.ts';
import { Rate, Truncated, insight, rate, rowsOf, top } from '../declaration.ts';
import { differenceInterval } from '../intervals.ts';
import { narrowed } from './conditions.ts';

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
  summary:
    'Factors that go with completed objectives, and recipients compared with the holdout group',
  definition:
    'Journeys that began within the period; one is completed when it led to a completion, ' +
    'and the baseline are all but those held back. A journey is exposed to a message, page, widget or ' +
    'channel by an event of a person about it before its first completion, or by its cohort or its ' +
    'way of entry. The field lift is the rate of the exposed divided by that of the others, minus 1; ' +
    'lift_pp their difference in points of 100, ci95 its interval (Newcombe); groups below 30 are ' +
    'left out, and only the holdout shows what causes what.',
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
      select j.id, j.contact_id, j.is_holdout, j.enrolled_via, j.cohort_id, c.completed_at
      from journeys j
      left join (
        select c.journey_id, c.contact_id, min(c.completed_at) as completed_at
        from objective_completions c
        where c.team_id = ${teamId} and c.journey_id is not null and c.voided_at is null
        group by 1, 2
      ) c on c.journey_id = j.id and c.contact_id = j.contact_id
      where j.team_id = ${teamId} and j.enrolled_at >= ${period.start}
        and j.enrolled_at < ${period.end} ${narrowed(asked, 'j')}`;
    const bases = await sql<Base[]>`
      select is_holdout, count(*) as journeys, count(distinct contact_id) as contacts,
        count(completed_at) as completed
      from (${begun}) j group by 1 /* team_id is in the condition */`;
    // Once for each journey and what it was exposed to, then counted; names come last.
    const rows = await sql<Row[]>`
      with begun as materialized (${begun}),
      touched as materialized (
        select e.journey_id, b.completed_at is not null as is_completed, e.message_id, e.page_id,
          e.widget_instance_id, e.channel
        from engagement_events e
        join begun b on b.id = e.journey_id and not b.is_holdout
          and (b.completed_at is null or e.occurred_at < b.completed_at)
        where e.team_id = ${teamId} and e.journey_id is not null and not e.is_machine
          and e.occurred_at >= ${period.start}
          and e.kind not like 'journey.%' and e.kind not like 'objective.%'
        group by 1, 2, 3, 4, 5, 6
      ),
      counted as (
        select 'message' as dimension, message_id::text as id, count(*) as exposed,
          count(*) filter (where is_completed) as exposed_completed
        from (select distinct journey_id, is_completed, message_id from touched) t
        where message_id is not null group by 2
        union all
        select 'page', page_id::text, count(*), count(*) filter (where is_completed)
        from (select distinct journey_id, is_completed, page_id from touched) t
        where page_id is not null group by 2
        union all
        select 'widget', widget_instance_id::text, count(*), count(*) filter (where is_completed)
        from (select distinct journey_id, is_completed, widget_instance_id from touched) t
        where widget_instance_id is not null group by 2
        union all
        select 'channel', channel, count(*), count(*) filter (where is_completed)
        from (select distinct journey_id, is_completed, channel from touched) t
        where channel in ('email', 'sms', 'push', 'web') group by 2
        union all
        select 'cohort', cohort_id::text, count(*), count(completed_at)
        from begun where not is_holdout and cohort_id is not null group by 2
        union all
        select 'entry', enrolled_via, count(*), count(completed_at)
        from begun where not is_holdout group by 2
      )
      select t.*, coalesce(m.name, p.name, w.name, c.name, t.id) as label
      from counted t
      left join messages m on t.dimension = 'message' and m.team_id = ${teamId} and m.id::text = t.id
      left join pages p on t.dimension = 'page' and p.team_id = ${teamId} and p.id::text = t.id
      left join widget_instances w
        on t.dimension = 'widget' and w.team_id = ${teamId} and w.id::text = t.id
      left join cohorts c on t.dimension = 'cohort' and c.team_id = ${teamId} and c.id::text = t.id`;
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
