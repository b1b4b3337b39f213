import { Type } from 'typebox';
import { Count } from '../../platform/schema/fields.ts';
import { Rate, countsOf, filled, insight, rate, seriesOf, sum } from '../declaration.ts';
import { bucketOf, widgetEvents } from './conditions.ts';

export const mobileAppWidget = insight({
  name: 'mobile-app-widget',
  summary: 'Recipients who visited an app store, and who then used mobile banking',
  definition:
    'Events of people in widgets of the kind mobile_app: widget.loaded, and widget.submitted for a ' +
    'click to a store, the platform being properties.platform (ios, android, anything else is ' +
    'other). A conversion is a contact who clicked and completed the objective mobile-banking ' +
    'within its attribution window after that.',
  datasets: ['engagement_events', 'objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    loads: Count(),
    unique_contacts: Count('Who loaded it'),
    store_clicks: Count(),
    by_platform: Type.Object({ ios: Count(), android: Count(), other: Count() }),
    click_rate: Rate('Contacts who clicked / unique_contacts'),
    mobile_banking_completions: Count(),
    conversion_rate: Rate('mobile_banking_completions / contacts who clicked'),
    series: seriesOf({ loads: Count(), store_clicks: Count() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const events = widgetEvents(asked, 'mobile_app');
    const [all] = await sql<
      [{ loads: number; unique_contacts: number; clickers: number; conversions: number }]
    >`
      with events as materialized (${events}),
      clicks as (
        select contact_id, occurred_at from events
        where kind = 'widget.submitted' and contact_id is not null
      )
      select count(*) filter (where kind = 'widget.loaded') as loads,
        count(distinct visitor) filter (where kind = 'widget.loaded') as unique_contacts,
        count(distinct visitor) filter (where kind = 'widget.submitted') as clickers,
        (select count(distinct k.contact_id) from clicks k
         join objectives o on o.team_id = ${teamId} and o.key = 'mobile-banking'
           and o.deleted_at is null
         join objective_completions c
           on c.team_id = ${teamId} and c.contact_id = k.contact_id and c.objective_id = o.id
             and c.voided_at is null and c.completed_at >= k.occurred_at
             and c.completed_at <= k.occurred_at + make_interval(days => o.attribution_window_days)
        ) as conversions
      from events`;
    const platforms = await sql<{ key: string; count: number }[]>`
      select case when properties ->> 'platform' in ('ios', 'android')
          then properties ->> 'platform' else 'other' end as key, count(*) as count
      from (${events}) e where kind = 'widget.submitted'
      group by 1 /* team_id is in the condition */`;
    const byTime = await sql<{ bucket: number; loads: number; store_clicks: number }[]>`
      select ${bucketOf(asked, 'e.occurred_at')} as bucket,
        count(*) filter (where kind = 'widget.loaded') as loads,
        count(*) filter (where kind = 'widget.submitted') as store_clicks
      from (${events}) e group by 1 /* team_id is in the condition */`;
    const count = countsOf(platforms);
    return {
      bucket: period.bucket,
      loads: all.loads,
      unique_contacts: all.unique_contacts,
      store_clicks: sum(platforms, (row) => row.count),
      by_platform: { ios: count('ios'), android: count('android'), other: count('other') },
      click_rate: rate(all.clickers, all.unique_contacts),
      mobile_banking_completions: all.conversions,
      conversion_rate: rate(all.conversions, all.clickers),
      series: filled(asked, byTime, (row) => ({
        loads: row?.loads ?? 0,
        store_clicks: row?.store_clicks ?? 0,
      })),
    };
  },
});
