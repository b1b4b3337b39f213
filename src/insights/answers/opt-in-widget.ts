import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, countsOf, filled, insight, rate, seriesOf } from '../declaration.ts';
import type { Asked } from '../declaration.ts';
import { bucketOf, widgetEvents } from './conditions.ts';

const byChannel = Type.Object({ email: Count(), sms: Count(), push: Count() });
const figures = {
  bucket: Type.Enum(['hour', 'day', 'week', 'month']),
  loads: Count(),
  unique_contacts: Count('Who loaded it or answered'),
  submissions: Count(),
  opt_ins: byChannel,
  opt_outs: byChannel,
  confirmed_double_opt_in: Count(),
  opt_in_rate: Rate('Contacts who opted in to a channel / unique_contacts'),
  series: seriesOf({ loads: Count(), opt_ins: Count(), opt_outs: Count() }),
};
const definition =
  'Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted ' +
  'and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in ' +
  'that was confirmed by a second step.';
const shared = { definition, datasets: ['engagement_events'], version: 1 } as const;

export const optInWidget = insight({
  ...shared,
  name: 'opt-in-widget',
  summary: 'Opt-ins of recipients, by channel',
  filters: ['template', 'cohort'],
  value: Type.Object(figures),
  compute,
});

export const templateOptInWidget = insight({
  ...shared,
  name: 'opt-in-widget',
  summary: 'Opt-ins of the recipients of a template, by channel',
  filters: ['cohort'],
  isOfTemplate: true,
  value: Type.Object({ template_id: Id(), ...figures }),
  async compute(asked) {
    const [template_id = ''] = asked.filters.templateIds ?? [];
    return { template_id, ...(await compute(asked)) };
  },
});

async function compute(asked: Asked) {
  const { sql, period } = asked;
  const events = widgetEvents(asked, 'opt_in');
  const [all] = await sql<
    [
      {
        loads: number;
        unique_contacts: number;
        submissions: number;
        granting: number;
        confirmed: number;
      },
    ]
  >`
    select count(*) filter (where kind = 'widget.loaded') as loads,
      count(distinct visitor) as unique_contacts,
      count(*) filter (where kind = 'widget.submitted') as submissions,
      count(distinct visitor) filter (where kind = 'opt_in.granted') as granting,
      count(*) filter (
        where kind = 'opt_in.granted' and properties ->> 'confirmed' = 'true') as confirmed
    from (${events}) e /* team_id is in the condition */`;
  const channels = await sql<{ key: string; count: number }[]>`
    select kind || ' ' || (properties ->> 'channel') as key, count(*) as count
    from (${events}) e where kind in ('opt_in.granted', 'opt_in.revoked')
    group by 1 /* team_id is in the condition */`;
  const byTime = await sql<{ bucket: number; loads: number; opt_ins: number; opt_outs: number }[]>`
    select ${bucketOf(asked, 'e.occurred_at')} as bucket,
      count(*) filter (where kind = 'widget.loaded') as loads,
      count(*) filter (where kind = 'opt_in.granted') as opt_ins,
      count(*) filter (where kind = 'opt_in.revoked') as opt_outs
    from (${events}) e group by 1 /* team_id is in the condition */`;
  const count = countsOf(channels);
  const ofKind = (kind: string) => ({
    email: count(`${kind} email`),
    sms: count(`${kind} sms`),
    push: count(`${kind} push`),
  });
  return {
    bucket: period.bucket,
    loads: all.loads,
    unique_contacts: all.unique_contacts,
    submissions: all.submissions,
    opt_ins: ofKind('opt_in.granted'),
    opt_outs: ofKind('opt_in.revoked'),
    confirmed_double_opt_in: all.confirmed,
    opt_in_rate: rate(all.granting, all.unique_contacts),
    series: filled(asked, byTime, (row) => ({
      loads: row?.loads ?? 0,
      opt_ins: row?.opt_ins ?? 0,
      opt_outs: row?.opt_outs ?? 0,
    })),
  };
}
