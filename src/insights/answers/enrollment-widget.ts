import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, Truncated, filled, insight, rate, rowsOf, seriesOf, top } from '../declaration.ts';
import { bucketOf, enrolledWithin, widgetEvents } from './conditions.ts';

interface Row {
  widget_instance_id: string;
  name: string;
  loads: number;
  unique_visitors: number;
  form_starts: number;
  submissions: number;
}

export const enrollmentWidget = insight({
  name: 'enrollment-widget',
  summary: 'Conversion of visitors of enrollment forms to recipients',
  definition:
    'Events of people in widgets of the kind enrollment: widget.loaded, widget.started and ' +
    'widget.submitted; a visitor is a contact, or else properties.session_id. Enrolled are the ' +
    'journeys that began by a widget; duplicates are submissions with properties.outcome ' +
    '"duplicate", of people who were enrolled already.',
  datasets: ['engagement_events', 'journeys'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    loads: Count(),
    unique_visitors: Count(),
    form_starts: Count(),
    submissions: Count(),
    enrolled: Count(),
    duplicates: Count(),
    conversion_rate: Rate('enrolled / unique_visitors'),
    by_instance: rowsOf(
      Type.Object({
        widget_instance_id: Id(),
        name: Type.String(),
        loads: Count(),
        unique_visitors: Count(),
        form_starts: Count(),
        submissions: Count(),
      }),
    ),
    truncated: Truncated,
    series: seriesOf({ loads: Count(), submissions: Count(), enrolled: Count() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const events = widgetEvents(asked, 'enrollment');
    const instances = await sql<Row[]>`
      select e.widget_instance_id, w.name,
        count(*) filter (where kind = 'widget.loaded') as loads,
        count(distinct visitor) as unique_visitors,
        count(*) filter (where kind = 'widget.started') as form_starts,
        count(*) filter (where kind = 'widget.submitted') as submissions
      from (${events}) e
      join widget_instances w on w.team_id = ${teamId} and w.id = e.widget_instance_id
      group by 1, 2`;
    const [all] = await sql<[Omit<Row, 'widget_instance_id' | 'name'> & { duplicates: number }]>`
      select count(*) filter (where kind = 'widget.loaded') as loads,
        count(distinct visitor) as unique_visitors,
        count(*) filter (where kind = 'widget.started') as form_starts,
        count(*) filter (where kind = 'widget.submitted') as submissions,
        count(*) filter (
          where kind = 'widget.submitted' and properties ->> 'outcome' = 'duplicate') as duplicates
      from (${events}) e /* team_id is in the condition */`;
    const byTime = await sql<
      { bucket: number; loads: number; submissions: number; enrolled: number }[]
    >`
      select bucket, sum(loads) as loads, sum(submissions) as submissions,
        sum(enrolled) as enrolled
      from (
        select ${bucketOf(asked, 'e.occurred_at')} as bucket,
          (kind = 'widget.loaded')::int as loads, (kind = 'widget.submitted')::int as submissions,
          0 as enrolled
        from (${events}) e
        union all
        select ${bucketOf(asked, 'j.enrolled_at')}, 0, 0, 1 from journeys j
        where ${enrolledWithin(asked)} and j.enrolled_via = 'widget'
      ) points
      group by 1 /* team_id is in the condition */`;
    const enrolled = byTime.reduce((total, row) => total + row.enrolled, 0);
    const { rows, truncated } = top(
      instances,
      ({ loads }) => loads,
      ({ widget_instance_id: id }) => id,
    );
    return {
      bucket: period.bucket,
      ...all,
      enrolled,
      conversion_rate: rate(enrolled, all.unique_visitors),
      by_instance: rows,
      truncated,
      series: filled(asked, byTime, (row) => ({
        loads: row?.loads ?? 0,
        submissions: row?.submissions ?? 0,
        enrolled: row?.enrolled ?? 0,
      })),
    };
  },
});
