import { Type } from 'typebox';
import { Count } from '../../platform/schema/fields.ts';
import { templateStatuses } from '../../campaigns/templates/rules.ts';
import { countsOf, filled, insight, seriesOf, sum } from '../declaration.ts';
import { bucketOf, narrowed } from './conditions.ts';

export const overallNumberOfCampaigns = insight({
  name: 'overall-number-of-campaigns',
  summary: 'Number of campaigns by status, over time',
  definition:
    'Templates that were made before the end of the period and are not deleted, by the status that ' +
    'they had at its end. launched, archived and expired count changes to that status within the ' +
    'period, so that a template can count twice; resuming is no launch. active is how many were ' +
    'launched at the end of a bucket.',
  datasets: ['templates'],
  version: 1,
  filters: ['template'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    total: Count(),
    by_status: Type.Object(Object.fromEntries(templateStatuses.map((name) => [name, Count()]))),
    launched_in_period: Count(),
    archived_in_period: Count(),
    expired_in_period: Count(),
    active_at_end: Count(),
    series: seriesOf({ launched: Count(), active: Count() }),
  }),
  async compute(asked) {
    const { sql, teamId, period, starts } = asked;
    const templates = sql`
      select t.id from (select t.*, t.id as template_id from templates t) t
      where t.team_id = ${teamId} and t.deleted_at is null ${narrowed(asked, 't', ['template'])}`;
    const statuses = await sql<{ key: string; count: number }[]>`
      select coalesce((
        select s.to_status from template_status_changes s
        where s.team_id = ${teamId} and s.template_id = t.id and s.occurred_at < ${period.end}
        order by s.sequence desc limit 1), 'draft') as key, count(*) as count
      from templates t
      where t.team_id = ${teamId} and t.inserted_at < ${period.end} and t.id in (${templates})
      group by 1`;
    const changes = await sql<{ bucket: number; key: string; count: number }[]>`
      select ${bucketOf(asked, 's.occurred_at')} as bucket, s.to_status as key, count(*) as count
      from template_status_changes s
      where s.team_id = ${teamId} and s.occurred_at >= ${period.start}
        and s.occurred_at < ${period.end} and s.template_id in (${templates})
        and (s.to_status in ('archived', 'expired')
          or s.to_status = 'launched' and s.action = 'launch')
      group by 1, 2`;
    const ends = [...starts.slice(1), period.end];
    const active = await sql<{ bucket: number; active: number }[]>`
      select e.bucket, count(*) as active
      from unnest(${ends}::timestamptz[]) with ordinality as e (at, bucket)
      join templates t on t.team_id = ${teamId} and t.inserted_at < e.at and t.id in (${templates})
      where 'launched' = (
        select s.to_status from template_status_changes s
        where s.team_id = ${teamId} and s.template_id = t.id and s.occurred_at < e.at
        order by s.sequence desc limit 1)
      group by 1`;
    const within = (status: string) =>
      sum(
        changes.filter(({ key }) => key === status),
        ({ count }) => count,
      );
    const count = countsOf(statuses);
    const launches = changes.filter(({ key }) => key === 'launched');
    const launched = filled(asked, launches, (row) => ({ launched: row?.count ?? 0 }));
    return {
      bucket: period.bucket,
      total: sum(statuses, (row) => row.count),
      by_status: Object.fromEntries(templateStatuses.map((status) => [status, count(status)])),
      launched_in_period: within('launched'),
      archived_in_period: within('archived'),
      expired_in_period: within('expired'),
      active_at_end: count('launched'),
      series: filled(asked, active, (row) => ({ active: row?.active ?? 0 })).map((point, at) => ({
        ...point,
        launched: launched[at]?.launched ?? 0,
      })),
    };
  },
});
