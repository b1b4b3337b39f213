import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { groupBy } from '../../platform/group-by.ts';
import { VariantKey, channels } from '../../campaigns/messages/message.ts';
import { skipReasons } from '../../messaging/message-deliveries/rules.ts';
import { Rate, Truncated, countsOf, insight, rate, rowsOf, sum, top } from '../declaration.ts';
import { narrowed } from './conditions.ts';
import { addends, findSpans, sums } from '../rollups/queries.ts';

const figures = {
  sent: Count(),
  delivered: Count(),
  bounced: Count(),
  failed: Count(),
  opened: Count('By a person'),
  opened_machine: Count('By a program that fetches mail ahead'),
  clicked: Count('By a person'),
  unsubscribed: Count(),
  complained: Count(),
  delivery_rate: Rate('delivered / sent'),
  open_rate: Rate('opened / delivered'),
  click_rate: Rate('clicked / delivered'),
  click_to_open_rate: Rate('clicked / opened'),
  bounce_rate: Rate('bounced / sent'),
  complaint_rate: Rate('complained / delivered'),
  unsubscribe_rate: Rate('unsubscribed / delivered'),
};

type Counts = Record<
  | 'sent'
  | 'delivered'
  | 'bounced'
  | 'failed'
  | 'opened'
  | 'opened_machine'
  | 'clicked'
  | 'unsubscribed'
  | 'complained',
  number
>;
type Row = Counts & {
  channel: (typeof channels)[number];
  message_id: string;
  template_id: string;
  name: string;
  topic_id: string | null;
  topic_name: string | null;
  variant_key: string | null;
};
const skips = Object.fromEntries(skipReasons.map((reason) => [reason, Count()]));

export const messages = insight({
  name: 'messages',
  summary: 'Outcomes of sent messages, by channel, message and topic',
  definition:
    'Deliveries whose sending, or failure to send, lies within the period, with all that is known ' +
    'of them up to now; skipped_by_reason counts those that were decided within the period and not ' +
    'sent. The field by_variant has the figures of a message for each variant that was sent, and is empty ' +
    'where none was; they add up to those of the message, and totals add up the messages. The field ' +
    'topics adds up the messages of each topic that they have now.',
  datasets: ['message_deliveries'],
  version: 2,
  isSummed: true,
  filters: ['template', 'cohort', 'channel'],
  value: Type.Object({
    channels: Type.Array(Type.Object({ channel: Type.Enum([...channels]), ...figures })),
    messages: rowsOf(
      Type.Object({
        message_id: Id(),
        name: Type.String(),
        template_id: Id(),
        channel: Type.Enum([...channels]),
        ...figures,
        by_variant: Type.Array(Type.Object({ variant_key: VariantKey, ...figures })),
      }),
    ),
    truncated: Truncated,
    topics: rowsOf(Type.Object({ topic_id: Id(), name: Type.String(), ...figures })),
    skipped_by_reason: Type.Object(skips),
    totals: Type.Object(figures),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const by = ['template', 'cohort', 'channel'] as const;
    const { summed, live } = await findSpans(asked);
    asked.from.isRollup ||= summed.length > 0;
    // `offset 0` makes Postgres read each span by the index; without it, it joins all deliveries
    // with the spans.
    const rows = await sql<Row[]>`
      select d.message_id, d.template_id, d.channel, m.name, m.topic_id, t.name as topic_name,
        nullif(d.variant_key, '') as variant_key, ${sums(sql)}
      from (
        select d.message_id, d.template_id, d.channel, d.variant_key, d.sent, d.delivered,
          d.bounced, d.failed, d.opened, d.opened_machine, d.clicked, d.unsubscribed, d.complained
        from unnest(${summed.map(({ from }) => from)}::timestamptz[],
          ${summed.map(({ to }) => to)}::timestamptz[]) as span (since, until)
        join delivery_counts_hourly d
          on d.team_id = ${teamId} and d.hour >= span.since and d.hour < span.until
            ${narrowed(asked, 'd', ['template', 'channel'])}
        union all
        select d.message_id, d.template_id, d.channel, coalesce(d.variant_key, '') as variant_key,
          ${addends(sql)}
        from unnest(${live.map(({ from }) => from)}::timestamptz[],
          ${live.map(({ to }) => to)}::timestamptz[]) as span (since, until)
        cross join lateral (
          select d.* from message_deliveries d
          where d.team_id = ${teamId} and coalesce(d.sent_at, d.failed_at) >= span.since
            and coalesce(d.sent_at, d.failed_at) < span.until ${narrowed(asked, 'd', by)}
          offset 0
        ) d
      ) d
      join messages m on m.team_id = ${teamId} and m.id = d.message_id
      left join topics t on t.team_id = ${teamId} and t.id = m.topic_id
      group by 1, 2, 3, 4, 5, 6, 7
      order by 7 nulls first`;
    const skipped = await sql<{ key: string; count: number }[]>`
      select d.skip_reason as key, count(*) as count from message_deliveries d
      where d.team_id = ${teamId} and d.skip_reason is not null
        and d.inserted_at >= ${period.start} and d.inserted_at < ${period.end}
        ${narrowed(asked, 'd', by)}
      group by 1`;
    const { rows: shown, truncated } = top(
      byMessage(rows),
      ({ sent }) => sent,
      ({ message_id: id }) => id,
    );
    const count = countsOf(skipped);
    return {
      channels: channels.map((channel) => ({
        channel,
        ...withRates(added(rows.filter((row) => row.channel === channel))),
      })),
      messages: shown,
      truncated,
      topics: byTopic(rows),
      skipped_by_reason: Object.fromEntries(skipReasons.map((reason) => [reason, count(reason)])),
      totals: withRates(added(rows)),
    };
  },
});

/** The rows of each message as one, with those of its variants. */
function byMessage(rows: readonly Row[]) {
  return [...groupBy(rows, ({ message_id: id }) => id).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { message_id, name, template_id, channel } = first;
    const by_variant = own.some(({ variant_key: key }) => key !== null) ? own.map(ofVariant) : [];
    return [{ message_id, name, template_id, channel, ...withRates(added(own)), by_variant }];
  });
}

/** The rows of the messages of each topic as one. A team has fewer topics than a list shows rows. */
function byTopic(rows: readonly Row[]) {
  const topics = [...groupBy(rows, ({ topic_id: id }) => id)].flatMap(([topic_id, own]) => {
    const name = own[0]?.topic_name ?? null;
    return topic_id === null || name === null ? [] : [{ topic_id, name, ...withRates(added(own)) }];
  });
  return top(
    topics,
    ({ sent }) => sent,
    ({ topic_id: id }) => id,
  ).rows;
}

function ofVariant(row: Row) {
  const { variant_key: key } = row;
  return { ...(key !== null && { variant_key: key }), ...withRates(added([row])) };
}

function added(rows: readonly Counts[]): Counts {
  const total = (name: keyof Counts) => sum(rows, (row) => row[name]);
  return {
    sent: total('sent'),
    delivered: total('delivered'),
    bounced: total('bounced'),
    failed: total('failed'),
    opened: total('opened'),
    clicked: total('clicked'),
    opened_machine: total('opened_machine'),
    unsubscribed: total('unsubscribed'),
    complained: total('complained'),
  };
}

const withRates = (row: Counts) => ({
  ...row,
  delivery_rate: rate(row.delivered, row.sent),
  open_rate: rate(row.opened, row.delivered),
  click_rate: rate(row.clicked, row.delivered),
  click_to_open_rate: rate(row.clicked, row.opened),
  bounce_rate: rate(row.bounced, row.sent),
  complaint_rate: rate(row.complained, row.delivered),
  unsubscribe_rate: rate(row.unsubscribed, row.delivered),
});
