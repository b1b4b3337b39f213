import { Type } from 'typebox';
import { Count, Id } from '../../../fields.ts';
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
import { bucketOf, enrolledWithin, narrowed } from '../queries.ts';

interface Row {
  template_id: string;
  name: string;
  enrolled: number;
  reenrolled: number;
  holdout: number;
}

export const campaignEnrollment = insight({
  name: 'campaign-enrollment',
  summary: 'Who was enrolled in campaigns, and by which way',
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
      ...{ api: Count(), cohort: Count(), batch: Count(), sftp: Count(), ipaas: Count() },
      ...{ widget: Count(), manual: Count() },
    }),
    campaigns: rowsOf(
      Type.Object({
        ...{ template_id: Id(), name: Type.String(), enrolled: Count() },
        reenrolled: Count('Of them, not for the first time'),
        holdout: Count('Beside them'),
      }),
    ),
    truncated: Truncated,
    series: seriesOf({ enrolled: Count() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const campaigns = await sql<Row[]>`
      select j.template_id, t.name, count(*) filter (where not j.is_holdout) as enrolled,
        count(*) filter (where not j.is_holdout and j.seq > 1) as reenrolled,
        count(*) filter (where j.is_holdout) as holdout
      from journeys j join templates t on t.team_id = ${teamId} and t.id = j.template_id
      where j.team_id = ${teamId} and j.enrolled_at >= ${period.start}
        and j.enrolled_at < ${period.end} ${narrowed(asked, 'j')}
      group by 1, 2`;
    const bySource = await sql<{ key: string; count: number }[]>`
      select j.enrolled_via as key, count(*) as count from journeys j
      where ${enrolledWithin(asked)} group by 1 /* team_id is in the condition */`;
    const [{ contacts }] = await sql<[{ contacts: number }]>`
      select count(distinct j.contact_id) as contacts from journeys j
      where ${enrolledWithin(asked)} /* team_id is in the condition */`;
    const byTime = await sql<{ bucket: number; enrolled: number }[]>`
      select ${bucketOf(asked, 'j.enrolled_at')} as bucket, count(*) as enrolled from journeys j
      where ${enrolledWithin(asked)} group by 1 /* team_id is in the condition */`;
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
        ...{ api: count('api'), cohort: count('cohort'), batch: count('batch') },
        ...{ sftp: count('sftp'), ipaas: count('ipaas'), widget: count('widget') },
        manual: count('manual'),
      },
      campaigns: rows,
      truncated,
      series: filled(asked, byTime, (row) => ({ enrolled: row?.enrolled ?? 0 })),
    };
  },
});
