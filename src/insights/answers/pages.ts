import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { Rate, Truncated, insight, rate, rowsOf, sum, top } from '../declaration.ts';
import { engagedWithin } from './conditions.ts';

const figures = {
  views: Count(),
  unique_contacts: Count('Who viewed it'),
  cta_clicks: Count(),
  unique_clickers: Count(),
  click_rate: Rate('unique_clickers / unique_contacts'),
  completions: Count('Contacts who did what completes the page'),
  completion_rate: Rate('completions / unique_contacts'),
};

interface Row {
  page_id: string;
  template_id: string;
  name: string;
  views: number;
  unique_contacts: number;
  cta_clicks: number;
  unique_clickers: number;
  completions: number;
}

export const pages = insight({
  name: 'pages',
  summary: 'Views, clicks and completions, by page',
  definition:
    'Events of people within the period, by page: page.viewed, page.cta_clicked, page.form_submitted. ' +
    'A contact completes a page by its completion_rule; an objective counts when it is completed ' +
    'within the period, after a view. Totals add up the pages, so that a contact counts once for each.',
  datasets: ['engagement_events', 'objective_completions'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    pages: rowsOf(
      Type.Object({ page_id: Id(), template_id: Id(), name: Type.String(), ...figures }),
    ),
    truncated: Truncated,
    totals: Type.Object(figures),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const rows = await sql<Row[]>`
      with each_once as materialized (
        select e.page_id, e.contact_id,
          count(*) filter (where e.kind = 'page.viewed') as views,
          count(*) filter (where e.kind = 'page.cta_clicked') as cta_clicks,
          count(*) filter (where e.kind = 'page.form_submitted') as submissions,
          min(e.occurred_at) filter (where e.kind = 'page.viewed') as viewed_at
        from engagement_events e
        where ${engagedWithin(asked)} and e.page_id is not null
          and e.kind in ('page.viewed', 'page.cta_clicked', 'page.form_submitted')
        group by 1, 2
      )
      select p.id as page_id, p.template_id, p.name, sum(s.views)::bigint as views,
        count(s.contact_id) filter (where s.views > 0) as unique_contacts,
        sum(s.cta_clicks)::bigint as cta_clicks,
        count(s.contact_id) filter (where s.cta_clicks > 0) as unique_clickers,
        count(s.contact_id) filter (where case p.completion_rule
          when 'viewed' then s.views > 0
          when 'cta_clicked' then s.cta_clicks > 0
          when 'form_submitted' then s.submissions > 0
          else s.views > 0 and exists (
            select from objective_completions c
            where c.team_id = ${teamId} and c.contact_id = s.contact_id
              and c.objective_id = p.objective_id and c.voided_at is null
              and c.completed_at >= s.viewed_at and c.completed_at < ${period.end})
        end) as completions
      from each_once s join pages p on p.team_id = ${teamId} and p.id = s.page_id
      group by p.id, p.template_id, p.name`;
    const shown = top(
      rows,
      ({ views }) => views,
      ({ page_id: id }) => id,
    );
    const total = (of: (row: Row) => number) => sum(rows, of);
    return {
      pages: shown.rows.map(withRates),
      truncated: shown.truncated,
      totals: withRates({
        views: total((row) => row.views),
        unique_contacts: total((row) => row.unique_contacts),
        cta_clicks: total((row) => row.cta_clicks),
        unique_clickers: total((row) => row.unique_clickers),
        completions: total((row) => row.completions),
      }),
    };
  },
});

const withRates = <Figures extends Omit<Row, 'page_id' | 'template_id' | 'name'>>(
  row: Figures,
) => ({
  ...row,
  click_rate: rate(row.unique_clickers, row.unique_contacts),
  completion_rate: rate(row.completions, row.unique_contacts),
});
