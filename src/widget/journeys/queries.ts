import type { Sql } from '../../platform/database/sql.ts';
import type { VersionContent } from '../../campaigns/templates/history/queries.ts';

/** A journey with the template version that it uses, and the progress of the recipient. */
export interface ShownJourneyRow {
  id: string;
  team_id: string;
  template_id: string;
  contact_id: string;
  status: string;
  enrolled_at: string;
  deadline_at: string | null;
  completed_at: string | null;
  current_page_id: string | null;
  link_generation: number;
  template_name: string;
  content: Pick<VersionContent, 'pages' | 'content_blocks' | 'secure_personalization'>;
  objectives: { id: string; key: string; name: string; completed_at: string | null }[];
  /** Kinds of events that were recorded of each page. */
  page_events: Readonly<Record<string, readonly string[]>>;
}

/** The journey as its recipient sees it; undefined if there is none. */
export async function findShownJourney(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ShownJourneyRow | undefined> {
  // Earlier completions count too, if the objective is completed once.
  const [row] = await sql<ShownJourneyRow[]>`
    select j.id, j.team_id, j.template_id, j.contact_id, j.status, j.enrolled_at, j.deadline_at,
      j.completed_at, j.current_page_id, j.link_generation, t.name as template_name, v.content,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', o.id, 'key', o.key, 'name', o.name,
          'completed_at', rfc3339(done.completed_at)) order by listed.place)
        from jsonb_array_elements_text(v.content -> 'objective_ids')
          with ordinality as listed (id, place)
        join objectives o on o.team_id = j.team_id and o.id = listed.id::uuid
        left join lateral (
          select c.completed_at from objective_completions c
          where c.team_id = j.team_id and c.objective_id = o.id and c.contact_id = j.contact_id
            and c.voided_at is null and (not o.is_repeatable or c.completed_at >= j.enrolled_at)
          order by c.completed_at limit 1
        ) as done on true
      ), '[]') as objectives,
      coalesce((
        select jsonb_object_agg(page_id, kinds) from (
          select e.page_id, jsonb_agg(distinct e.kind) as kinds from engagement_events e
          where e.team_id = j.team_id and e.contact_id = j.contact_id and e.journey_id = j.id
            and e.page_id is not null
          group by e.page_id
        ) as seen
      ), '{}') as page_events
    from journeys j
    join templates t on t.team_id = j.team_id and t.id = j.template_id
    join template_versions v on v.team_id = j.team_id and v.template_id = j.template_id
      and v.version = j.template_version
    where j.team_id = ${teamId} and j.id = ${id}`;
  return row;
}
