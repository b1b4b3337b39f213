import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, insight, rate, top } from '../declaration.ts';
import type { Asked } from '../declaration.ts';
import { completedWithin, engagedWithin } from './conditions.ts';

interface Row {
  objective_id: string;
  key: string;
  content_type: 'message' | 'page' | 'landing_page';
  id: string;
  name: string | null;
  exposed: number;
  clicked: number;
  completions_last_touch: number;
}

export const objectiveContent = insight({
  name: 'objective-content',
  summary: 'Content last viewed before the completion of an objective',
  definition:
    'For each completion within the period the last event of a person by its contact before it, ' +
    'within the attribution window of the objective, about a message, a page or a landing page. ' +
    'exposed are contacts with a delivered message or a view of the page within the period; ' +
    'clicked, contacts with a click.',
  datasets: ['objective_completions', 'engagement_events'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    objectives: Type.Array(
      Type.Object({
        objective_id: Id(),
        key: Type.String(),
        content: Type.Array(
          Type.Object({
            content_type: Type.Enum(['message', 'page', 'landing_page']),
            id: Id(),
            name: Type.Optional(Type.String()),
            exposed: Count(),
            clicked: Count(),
            completions_last_touch: Count(),
            completion_rate: Rate('completions_last_touch / exposed'),
          }),
        ),
      }),
    ),
  }),
  async compute(asked) {
    const { sql, teamId } = asked;
    const rows = await sql<Row[]>`
      with touches as (
        select c.objective_id, last.content_type, last.content_id, count(*) as completions
        from objective_completions c
        join objectives o on o.team_id = ${teamId} and o.id = c.objective_id
        cross join lateral (
          select ${contentOf(asked)} from engagement_events e
          where e.team_id = ${teamId} and e.contact_id = c.contact_id and not e.is_machine
            and e.occurred_at <= c.completed_at
            and e.occurred_at >= c.completed_at - make_interval(days => o.attribution_window_days)
            and coalesce(e.message_id, e.page_id, e.landing_page_id) is not null
            and e.kind in ${sql(touchKinds)}
          order by e.occurred_at desc, e.id desc limit 1
        ) last
        where ${completedWithin(asked)}
        group by 1, 2, 3
      ),
      each_once as (
        select ${contentOf(asked)}, e.contact_id, bool_or(e.kind in (
            'message.delivered', 'page.viewed', 'landing_page.viewed')) as is_exposed,
          bool_or(e.kind in (
            'message.clicked', 'page.cta_clicked', 'landing_page.cta_clicked')) as has_clicked
        from engagement_events e
        where ${engagedWithin(asked)} and e.contact_id is not null
          and coalesce(e.message_id, e.page_id, e.landing_page_id) is not null
          and e.kind in ${sql(seenKinds)}
        group by 1, 2, 3
      ),
      seen as materialized (
        select content_type, content_id, count(*) filter (where is_exposed) as exposed,
          count(*) filter (where has_clicked) as clicked
        from each_once group by 1, 2
      )
      select t.objective_id, o.key, t.content_type, t.content_id as id,
        coalesce(m.name, p.name, l.name) as name, coalesce(s.exposed, 0) as exposed,
        coalesce(s.clicked, 0) as clicked, t.completions as completions_last_touch
      from touches t
      join objectives o on o.team_id = ${teamId} and o.id = t.objective_id
      left join seen s using (content_type, content_id)
      left join messages m on m.team_id = ${teamId} and m.id = t.content_id
      left join pages p on p.team_id = ${teamId} and p.id = t.content_id
      left join landing_pages l on l.team_id = ${teamId} and l.id = t.content_id`;
    const keys = new Map(rows.map((row) => [row.objective_id, row.key]));
    const objectives = [...keys].map(([objective_id, key]) => ({
      objective_id,
      key,
      content: top(
        rows.filter((row) => row.objective_id === objective_id),
        (row) => row.completions_last_touch,
        ({ id }) => id,
      ).rows.map((row) => ({
        ...row,
        completion_rate: rate(row.completions_last_touch, row.exposed),
      })),
    }));
    return { objectives: objectives.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
  },
});

const touchKinds = [
  'message.delivered',
  'message.opened',
  'message.clicked',
  'page.viewed',
  'page.cta_clicked',
  'page.form_submitted',
  'landing_page.viewed',
  'landing_page.cta_clicked',
];

/** That count for content by the contacts that they are of. */
const seenKinds = [
  'message.delivered',
  'message.clicked',
  'page.viewed',
  'page.cta_clicked',
  'landing_page.viewed',
  'landing_page.cta_clicked',
];

function contentOf({ sql }: Asked) {
  return sql`
    case when e.message_id is not null then 'message'
      when e.page_id is not null then 'page' else 'landing_page' end as content_type,
    coalesce(e.message_id, e.page_id, e.landing_page_id) as content_id`;
}
