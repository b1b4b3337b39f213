import type { Sql } from '../../../platform/database/sql.ts';

/** A completion that is looked for a cause of. */
export interface Requested {
  contactId: string;
  completedAt: string;
  objective: {
    id: string;
    attribution_window_days: number;
    attribution_model: 'any_touch' | 'last_touch';
  };
}

/** Journey and message that a completion is attributed to. */
export interface Attributed {
  attribution: 'journey' | 'organic';
  journey_id: string | null;
  template_id: string | null;
  message_id: string | null;
}

/**
 * Attributes completions, in their order, to the latest journey of the contact whose version lists
 * the objective. The journey must have begun within the window of the objective before the
 * completion. With `last_touch`, the message that the contact opened or clicked last is included.
 * Holdout journeys get no completions.
 */
export async function attributeCompletions(
  sql: Sql,
  teamId: string,
  requested: readonly Requested[],
): Promise<Attributed[]> {
  if (requested.length === 0) return [];
  return sql<Attributed[]>`
    select case when found.id is null then 'organic' else 'journey' end as attribution,
      found.id as journey_id, found.template_id, touch.message_id
    from unnest(${requested.map(({ contactId }) => contactId)}::uuid[],
      ${requested.map(({ completedAt }) => completedAt)}::timestamptz[],
      ${requested.map(({ objective }) => objective.id)}::uuid[],
      ${requested.map(({ objective }) => objective.attribution_window_days)}::int[],
      ${requested.map(({ objective }) => objective.attribution_model)}::text[])
      with ordinality as w (contact_id, completed_at, objective_id, days, model, place)
    left join lateral (
      select t.id, t.template_id, t.enrolled_at from journeys t
      join template_versions v on v.team_id = t.team_id and v.template_id = t.template_id
        and v.version = t.template_version
      where t.team_id = ${teamId} and t.contact_id = w.contact_id and not t.is_holdout
        and w.objective_id = any(v.objective_ids) and t.enrolled_at <= w.completed_at
        and t.enrolled_at >= w.completed_at - make_interval(days => w.days)
      order by t.enrolled_at desc, t.id desc
      limit 1
    ) as found on true
    left join lateral (
      select e.message_id from engagement_events e
      where e.team_id = ${teamId} and e.contact_id = w.contact_id and e.journey_id = found.id
        and e.kind in ('message.opened', 'message.clicked') and e.message_id is not null
        and not e.is_machine and e.occurred_at <= w.completed_at
        and e.occurred_at >= found.enrolled_at
      order by e.occurred_at desc, e.id desc
      limit 1
    ) as touch on w.model = 'last_touch'
    order by w.place`;
}
