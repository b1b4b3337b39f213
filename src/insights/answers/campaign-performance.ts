import { Type } from 'typebox';
import { CentsSum, Count, Id } from '../../platform/schema/fields.ts';
import { Rate, Truncated, insight, rate, rowsOf, sum, top } from '../declaration.ts';
import { enrolledWithin } from './conditions.ts';

const figures = {
  enrolled: Count('Journeys'),
  reached: Count('Contacts that a message was sent to'),
  delivered: Count('Contacts that a message was delivered to'),
  delivery_rate: Rate('delivered / reached'),
  opened: Count('Contacts'),
  open_rate: Rate('opened / delivered'),
  clicked: Count('Contacts'),
  click_rate: Rate('clicked / delivered'),
  unsubscribed: Count('Contacts'),
  objectives_completed: Count('Completions that these journeys led to'),
  completed_journeys: Count('Journeys with one at least'),
  completion_rate: Rate('completed_journeys / enrolled'),
  value_cents: CentsSum(),
  value_cents_per_enrolled: Type.Union([CentsSum('value_cents / enrolled'), Type.Null()]),
};

interface Counts {
  enrolled: number;
  reached: number;
  delivered: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  objectives_completed: number;
  completed_journeys: number;
  value_cents: number;
}
interface Row extends Counts {
  template_id: string;
  name: string;
}

export const campaignPerformance = insight({
  name: 'campaign-performance',
  summary: 'Outcomes of enrollments, by campaign',
  definition:
    'Journeys that began within the period, without those held back; of them all messages and all ' +
    'completions that they led to, up to now. Messages are counted by contact. Totals add up the ' +
    'campaigns.',
  datasets: ['journeys', 'message_deliveries', 'objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    campaigns: rowsOf(Type.Object({ template_id: Id(), name: Type.String(), ...figures })),
    truncated: Truncated,
    totals: Type.Object(figures),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const rows = await sql<Row[]>`
      with begun as materialized (
        select j.id, j.template_id, j.contact_id from journeys j where ${enrolledWithin(asked)}
      ),
      sent as (
        select b.template_id,
          count(distinct b.contact_id) filter (where d.sent_at is not null) as reached,
          count(distinct b.contact_id) filter (where d.delivered_at is not null) as delivered,
          count(distinct b.contact_id) filter (
            where d.delivered_at is not null and d.first_opened_at is not null) as opened,
          count(distinct b.contact_id) filter (
            where d.delivered_at is not null and d.first_clicked_at is not null) as clicked,
          count(distinct b.contact_id) filter (where d.unsubscribed_at is not null) as unsubscribed
        from begun b
        join message_deliveries d
          on d.team_id = ${teamId} and d.journey_id = b.id and d.inserted_at >= ${period.start}
        group by 1
      ),
      completed as (
        select b.template_id, count(*) as objectives_completed,
          count(distinct b.id) as completed_journeys, to_safe_integer(sum(c.value_cents)) as value_cents
        from begun b
        join objective_completions c
          on c.team_id = ${teamId} and c.contact_id = b.contact_id and c.journey_id = b.id
            and c.voided_at is null
        group by 1
      )
      select b.template_id, t.name, b.enrolled,
        coalesce(s.reached, 0) as reached, coalesce(s.delivered, 0) as delivered,
        coalesce(s.opened, 0) as opened, coalesce(s.clicked, 0) as clicked,
        coalesce(s.unsubscribed, 0) as unsubscribed,
        coalesce(c.objectives_completed, 0) as objectives_completed,
        coalesce(c.completed_journeys, 0) as completed_journeys,
        coalesce(c.value_cents, 0) as value_cents
      from (select template_id, count(*) as enrolled from begun group by 1) b
      join templates t on t.team_id = ${teamId} and t.id = b.template_id
      left join sent s using (template_id)
      left join completed c using (template_id)`;
    const { rows: shown, truncated } = top(
      rows,
      ({ enrolled }) => enrolled,
      ({ template_id: id }) => id,
    );
    const total = (of: (row: Row) => number) => sum(rows, of);
    return {
      campaigns: shown.map(withRates),
      truncated,
      totals: withRates({
        enrolled: total((row) => row.enrolled),
        reached: total((row) => row.reached),
        delivered: total((row) => row.delivered),
        opened: total((row) => row.opened),
        clicked: total((row) => row.clicked),
        unsubscribed: total((row) => row.unsubscribed),
        objectives_completed: total((row) => row.objectives_completed),
        completed_journeys: total((row) => row.completed_journeys),
        value_cents: total((row) => row.value_cents),
      }),
    };
  },
});

const withRates = <Figures extends Counts>(row: Figures) => ({
  ...row,
  delivery_rate: rate(row.delivered, row.reached),
  open_rate: rate(row.opened, row.delivered),
  click_rate: rate(row.clicked, row.delivered),
  completion_rate: rate(row.completed_journeys, row.enrolled),
  value_cents_per_enrolled: row.enrolled === 0 ? null : Math.round(row.value_cents / row.enrolled),
});
