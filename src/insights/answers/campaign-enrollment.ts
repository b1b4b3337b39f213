import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import {
  Truncated,
  countsOf,
  filled,
  insight,
  rowsOf,
  seriesOf,
  sum,
  top,
} from '../declaration.ts';
import { bucketOf, enrolledWithin, narrowed } from './conditions.ts';

/** Counts of a template, of a source or of a bucket. */
interface Row {
  template_id: string | null;
  name: string;
  source: string | null;
  bucket: number | null;
  enrolled: number;
  reenrolled: number;
  holdout: number;
}

export const campaignEnrollment = insight({
  name: 'campaign-enrollment',
  summary: 'Enrollments in campaigns, by source',
  definition:
    'Journeys that began within the period. Those held back for comparison count as holdout only.',
  datasets: ['journeys'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    total_enrolled: Count(),
    unique_contacts: Count(),
    by_source: Type.Object({
      api: Count(),
      cohort: Count(),
      batch: Count(),
      ipaas: Count(),
      widget: Count(),
    }),
    campaigns: rowsOf(
      Type.Object({
        template_id: Id(),
        name: Type.String(),
        enrolled: Count(),
        reenrolled: Count('Enrollments that are not the contact’s first in the campaign'),
        holdout: Count('Journeys of the holdout, not counted above'),
      }),
    ),
    truncated: Truncated,
    series: seriesOf({ enrolled: Count() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const counts = await sql<Row[]>`
      with begun as materialized (
        select j.template_id, j.enrolled_via as source, j.is_holdout, j.seq,
          ${bucketOf(asked, 'j.enrolled_at')} as bucket
        from journeys j
        where j.team_id = ${teamId} and j.enrolled_at >= ${period.start}
          and j.enrolled_at < ${period.end} ${narrowed(asked, 'j')}
      ),
      counted as (
        select template_id, source, bucket, count(*) filter (where not is_holdout) as enrolled,
          count(*) filter (where not is_holdout and seq > 1) as reenrolled,
          count(*) filter (where is_holdout) as holdout
        from begun group by grouping sets ((template_id), (source), (bucket))
      )
      select c.*, t.name
      from counted c left join templates t on t.team_id = ${teamId} and t.id = c.template_id`;
    const [{ contacts }] = await sql<[{ contacts: number }]>`
      select count(*) as contacts from (
        select distinct j.contact_id from journeys j
        where ${enrolledWithin(asked)} /* team_id is in the condition */
      ) each_once`;
    const campaigns = counts.flatMap(({ template_id, name, enrolled, reenrolled, holdout }) =>
      template_id === null ? [] : [{ template_id, name, enrolled, reenrolled, holdout }],
    );
    const bySource = counts.map(({ source: key, enrolled: count }) => ({ key, count }));
    const byTime = counts.flatMap(({ bucket, enrolled }) =>
      bucket === null ? [] : [{ bucket, enrolled }],
    );
    const { rows, truncated } = top(
      campaigns,
      ({ enrolled }) => enrolled,
      ({ template_id: id }) => id,
    );
    const count = countsOf(bySource);
    return {
      bucket: period.bucket,
      total_enrolled: sum(campaigns, ({ enrolled }) => enrolled),
      unique_contacts: contacts,
      by_source: {
        api: count('api'),
        cohort: count('cohort'),
        batch: count('batch'),
        ipaas: count('ipaas'),
        widget: count('widget'),
      },
      campaigns: rows,
      truncated,
      series: filled(asked, byTime, (row) => ({ enrolled: row?.enrolled ?? 0 })),
    };
  },
});
