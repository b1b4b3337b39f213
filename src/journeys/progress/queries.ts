import type { Sql } from '../../platform/database/sql.ts';

/** The newest deliveries of a template among which the skipped ones are counted by reason. */
const searchedAtMost = 50_000;

/** Numbers of a template that is under way, for operators. */
export interface TemplateProgress {
  enrolled: number;
  active: number;
  /** Messages by what became of them; one may stand for several, such as sent and opened. */
  messages: Record<string, number>;
  /** Skipped messages by reason, among the newest 50,000 messages. */
  skipped: Record<string, number>;
  /** When the next step of a journey is due. */
  next_step_at: string | null;
}

/** Reads the numbers of a template. Costs the same however many messages it has sent. */
export async function readProgress(
  sql: Sql,
  { team_id: teamId, id }: { team_id: string; id: string },
): Promise<TemplateProgress> {
  const [row] = await sql<[TemplateProgress]>`
    with figures as (
      select coalesce(sum(s.queued), 0) as queued, coalesce(sum(s.sent), 0) as sent,
        coalesce(sum(s.delivered), 0) as delivered, coalesce(sum(s.opened), 0) as opened,
        coalesce(sum(s.clicked), 0) as clicked, coalesce(sum(s.bounced), 0) as bounced,
        coalesce(sum(s.failed), 0) as failed, coalesce(sum(s.skipped), 0) as skipped,
        coalesce(sum(s.unsubscribed), 0) as unsubscribed
      from messages m join message_stats s on s.team_id = m.team_id and s.message_id = m.id
      where m.team_id = ${teamId} and m.template_id = ${id}
    ),
    counts as (
      select coalesce(sum(enrolled), 0)::float8 as enrolled, coalesce(sum(open), 0)::float8 as active
      from template_journey_counts where team_id = ${teamId} and template_id = ${id}
    ),
    reasons as (
      select skip_reason, count(*) as count
      from (
        select skip_reason from message_deliveries
        where team_id = ${teamId} and template_id = ${id}
        order by inserted_at desc, id desc
        limit ${searchedAtMost}
      ) newest
      where skip_reason is not null
      group by skip_reason
    )
    select counts.*,
      to_jsonb(figures) as messages,
      (select coalesce(jsonb_object_agg(skip_reason, count), '{}') from reasons) as skipped,
      (select min(due.next_due_at) from journey_lanes l cross join lateral (
         select next_due_at from journeys
         where lane_of_contact(contact_id) = l.lane and team_id = ${teamId}
           and template_id = ${id} and next_due_at is not null
         order by next_due_at limit 1) due) as next_step_at
    from counts, figures`;
  return row;
}
