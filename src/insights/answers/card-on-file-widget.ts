import { Type } from 'typebox';
import { Count } from '../../platform/schema/fields.ts';
import { Rate, Truncated, filled, insight, rate, rowsOf, seriesOf, top } from '../declaration.ts';
import { bucketOf, widgetEvents } from './conditions.ts';

export const cardOnFileWidget = insight({
  name: 'card-on-file-widget',
  summary: 'Progress of recipients in saving their card at merchants',
  definition:
    'Events of people in widgets of the kind card_on_file: widget.loaded, widget.started, ' +
    'widget.submitted (a merchant is selected), widget.completed and widget.failed, the merchant ' +
    'being properties.merchant.',
  datasets: ['engagement_events'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    loads: Count(),
    unique_contacts: Count('Who loaded it'),
    starts: Count(),
    merchants_selected: Count(),
    completed: Count(),
    failed: Count(),
    start_rate: Rate('starts / loads'),
    completion_rate: Rate('completed / starts'),
    by_merchant: rowsOf(
      Type.Object({
        merchant: Type.String(),
        started: Count(),
        completed: Count(),
        failed: Count(),
      }),
    ),
    truncated: Truncated,
    series: seriesOf({ loads: Count(), completed: Count() }),
  }),
  async compute(asked) {
    const { sql, period } = asked;
    const events = widgetEvents(asked, 'card_on_file');
    const [all] = await sql<
      [
        Record<
          'loads' | 'unique_contacts' | 'starts' | 'merchants_selected' | 'completed' | 'failed',
          number
        >,
      ]
    >`
      select count(*) filter (where kind = 'widget.loaded') as loads,
        count(distinct visitor) filter (where kind = 'widget.loaded') as unique_contacts,
        count(*) filter (where kind = 'widget.started') as starts,
        count(*) filter (where kind = 'widget.submitted') as merchants_selected,
        count(*) filter (where kind = 'widget.completed') as completed,
        count(*) filter (where kind = 'widget.failed') as failed
      from (${events}) e /* team_id is in the condition */`;
    const merchants = await sql<
      { merchant: string; started: number; completed: number; failed: number }[]
    >`
      select properties ->> 'merchant' as merchant,
        count(*) filter (where kind in ('widget.started', 'widget.submitted')) as started,
        count(*) filter (where kind = 'widget.completed') as completed,
        count(*) filter (where kind = 'widget.failed') as failed
      from (${events}) e
      where properties ->> 'merchant' is not null
      group by 1 /* team_id is in the condition */`;
    const byTime = await sql<{ bucket: number; loads: number; completed: number }[]>`
      select ${bucketOf(asked, 'e.occurred_at')} as bucket,
        count(*) filter (where kind = 'widget.loaded') as loads,
        count(*) filter (where kind = 'widget.completed') as completed
      from (${events}) e group by 1 /* team_id is in the condition */`;
    const { rows, truncated } = top(
      merchants,
      ({ completed }) => completed,
      ({ merchant }) => merchant,
    );
    return {
      bucket: period.bucket,
      ...all,
      start_rate: rate(all.starts, all.loads),
      completion_rate: rate(all.completed, all.starts),
      by_merchant: rows,
      truncated,
      series: filled(asked, byTime, (row) => ({
        loads: row?.loads ?? 0,
        completed: row?.completed ?? 0,
      })),
    };
  },
});
