import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, Truncated, insight, rate, rowsOf, sum, top } from '../declaration.ts';
import { engagedWithin, narrowed } from './conditions.ts';

const counts = {
  enrolled: Count('Journeys that were open at some time of the period'),
  engaged: Count('Contacts of these journeys who did something'),
  engagement_rate: Rate('engaged / enrolled'),
  opens: Count(),
  clicks: Count(),
  page_views: Count(),
  widget_interactions: Count(),
  replies: Count(),
};
const Campaign = Type.Object({
  template_id: Id(),
  name: Type.String(),
  status: Type.String(),
  ...counts,
});

interface Row {
  template_id: string;
  name: string;
  status: string;
  enrolled: number;
  engaged: number;
  opens: number;
  clicks: number;
  page_views: number;
  widget_interactions: number;
  replies: number;
}

export const campaignEngagement = insight({
  name: 'campaign-engagement',
  summary: 'Recipients who engaged, by campaign',
  definition:
    'Journeys that began before the end of the period and did not end before its start, without ' +
    'those held back. Engaged is who of their contacts has an event of a person within the period ' +
    'about the template: message.opened, message.clicked, page.*, widget.*, contact.replied. The ' +
    'other figures count such events, and totals add up the campaigns.',
  datasets: ['journeys', 'engagement_events'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    campaigns: rowsOf(Campaign),
    truncated: Truncated,
    totals: Type.Object(counts),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const rows = await sql<Row[]>`
      with open as (
        select j.template_id, j.contact_id, count(*) as journeys from journeys j
        where j.team_id = ${teamId} and not j.is_holdout and j.enrolled_at < ${period.end}
          and coalesce(j.completed_at, j.exited_at, 'infinity') >= ${period.start}
          ${narrowed(asked, 'j')}
        group by 1, 2
      ),
      done as (
        select e.template_id, e.contact_id,
          count(*) filter (where e.kind = 'message.opened') as opens,
          count(*) filter (where e.kind = 'message.clicked') as clicks,
          count(*) filter (where e.kind = 'page.viewed') as page_views,
          count(*) filter (where e.kind like 'widget.%') as widget_interactions,
          count(*) filter (where e.kind = 'contact.replied') as replies
        from engagement_events e
        where ${engagedWithin(asked)} and e.template_id is not null
          and (e.kind in ('message.opened', 'message.clicked', 'contact.replied')
            or e.kind like 'page.%' or e.kind like 'widget.%')
        group by 1, 2
      ),
      campaigns as (
        select coalesce(o.template_id, d.template_id) as template_id,
          coalesce(sum(o.journeys), 0)::bigint as enrolled,
          count(*) filter (where o.contact_id is not null and d.template_id is not null) as engaged,
          coalesce(sum(d.opens), 0)::bigint as opens,
          coalesce(sum(d.clicks), 0)::bigint as clicks,
          coalesce(sum(d.page_views), 0)::bigint as page_views,
          coalesce(sum(d.widget_interactions), 0)::bigint as widget_interactions,
          coalesce(sum(d.replies), 0)::bigint as replies
        from open o
        full join done d on d.template_id = o.template_id and d.contact_id = o.contact_id
        group by 1
      )
      select c.*, t.name, t.status
      from campaigns c join templates t on t.team_id = ${teamId} and t.id = c.template_id`;
    const { rows: shown, truncated } = top(
      rows,
      ({ engaged }) => engaged,
      ({ template_id: id }) => id,
    );
    const total = (of: (row: Row) => number) => sum(rows, of);
    return {
      campaigns: shown.map(withRate),
      truncated,
      totals: withRate({
        enrolled: total((row) => row.enrolled),
        engaged: total((row) => row.engaged),
        opens: total((row) => row.opens),
        clicks: total((row) => row.clicks),
        page_views: total((row) => row.page_views),
        widget_interactions: total((row) => row.widget_interactions),
        replies: total((row) => row.replies),
      }),
    };
  },
});

const withRate = <Figures extends { engaged: number; enrolled: number }>(row: Figures) => ({
  ...row,
  engagement_rate: rate(row.engaged, row.enrolled),
});
