import { Type } from 'typebox';
import { CentsSum, Count } from '../../platform/schema/fields.ts';
import { bucketStarts } from '../../platform/time/period.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { Rate, insight, rate } from '../declaration.ts';
import type { Asked } from '../declaration.ts';
import { narrowed } from './conditions.ts';
import { campaignEngagement } from './campaign-engagement.ts';
import { campaignEnrollment } from './campaign-enrollment.ts';
import { campaignPerformance } from './campaign-performance.ts';
import { messages } from './messages.ts';
import { objectiveTotalValue } from './objective-total-value.ts';
import { totalValueOfOpenedProducts } from './opened-products.ts';

const counts = {
  contacts: Count('Active ones, made before the end'),
  enrolled: Count('total_enrolled of campaign-enrollment'),
  reached: Count('From the totals of campaign-performance'),
  engaged: Count('From the totals of campaign-engagement'),
  messages_delivered: Count('From the totals of messages'),
  clicks: Count('clicked of the totals of messages'),
  completions: Count('total_completions of objective-total-value'),
  value_cents: CentsSum(),
  accounts_opened: Count('From total-value-of-opened-products'),
  opened_balance_cents: CentsSum(),
};
const names = [
  ...(['contacts', 'enrolled', 'reached', 'engaged', 'messages_delivered', 'clicks'] as const),
  ...(['completions', 'value_cents', 'accounts_opened', 'opened_balance_cents'] as const),
];
const rates = {
  engagement_rate: Rate('From the totals of campaign-engagement'),
  completion_rate: Rate('From the totals of campaign-performance'),
};
const Figures = Type.Object({ ...counts, ...rates });
const Change = Type.Object({
  ...Object.fromEntries(names.map((name) => [name, Rate()])),
  engagement_rate: Rate(),
  completion_rate: Rate(),
});

export const performance = insight({
  name: 'performance',
  summary: 'Main figures compared with the previous period',
  definition:
    'The figures of other insights over the period, and over the one of equal length just before ' +
    'it. Value is of all completions within the period, whether a journey led to them or not. ' +
    'change is (current - previous) / previous, null where there was nothing before.',
  datasets: [
    'journeys',
    'message_deliveries',
    'engagement_events',
    'objective_completions',
    'accounts',
  ],
  version: 2,
  isSummed: true,
  filters: ['template', 'cohort'],
  value: Type.Object({ current: Figures, previous: Figures, change: Change }),
  async compute(asked) {
    const current = await figuresOf(asked);
    const previous = await figuresOf(before(asked));
    const change = (now: number | null, then: number | null) =>
      now === null || then === null ? null : rate(now - then, then);
    return {
      current,
      previous,
      change: {
        ...Object.fromEntries(names.map((name) => [name, change(current[name], previous[name])])),
        engagement_rate: change(current.engagement_rate, previous.engagement_rate),
        completion_rate: change(current.completion_rate, previous.completion_rate),
      },
    };
  },
});

/** The same for the period of equal length before. */
function before(asked: Asked): Asked {
  const { start, end } = asked.period;
  const lengthMs = Date.parse(end) - Date.parse(start);
  const earlier = toTimestamp(Date.parse(start) - lengthMs);
  const period = { ...asked.period, start: earlier, end: start };
  return { ...asked, period, starts: bucketStarts(period) };
}

async function figuresOf(asked: Asked) {
  const { sql, teamId, period } = asked;
  const enrollment = await campaignEnrollment.compute(asked);
  const { totals: engagement } = await campaignEngagement.compute(asked);
  const { totals: campaigns } = await campaignPerformance.compute(asked);
  const { totals: sent } = await messages.compute(asked);
  const value = await objectiveTotalValue.compute(asked);
  const products = await totalValueOfOpenedProducts.compute(asked);
  const [{ contacts }] = await sql<[{ contacts: number }]>`
    select count(*) as contacts from (select t.*, t.id as contact_id from contacts t) t
    where t.team_id = ${teamId} and t.status = 'active' and t.inserted_at < ${period.end}
      ${narrowed(asked, 't', ['cohort'])}`;
  return {
    contacts,
    enrolled: enrollment.total_enrolled,
    reached: campaigns.reached,
    engaged: engagement.engaged,
    engagement_rate: engagement.engagement_rate,
    messages_delivered: sent.delivered,
    clicks: sent.clicked,
    completions: value.total_completions,
    completion_rate: campaigns.completion_rate,
    value_cents: value.total_value_cents,
    accounts_opened: products.accounts_opened,
    opened_balance_cents: products.total_balance_cents,
  };
}
