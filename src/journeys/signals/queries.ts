import type { Sql } from '../../platform/database/sql.ts';
import type { Trigger } from '../../campaigns/messages/message.ts';
import { isOpenRow } from '../queries.ts';

/** An event of a contact, with the fields that journeys need. */
export interface JourneySignal {
  contact_id: string;
  kind: string;
  occurred_at: string;
  /** Whether the contact did it. */
  is_engagement: boolean;
  /** Whether it applies to every journey of the contact, even if it names one. */
  is_for_all: boolean;
  journey_id?: string | undefined;
  template_id?: string | undefined;
  page_id?: string | undefined;
}

/** A message that waited for what happened. */
export interface Triggered {
  journey_id: string;
  message_id: string;
  trigger: Trigger;
  at: string;
  /** Time zone of the contact, or of the team if the contact has none. */
  timezone: string;
}

/**
 * Applies events to the open journeys of contacts: an event that names a journey is about that
 * one, one that names a template about the journey in it, any other about all. Moves
 * `last_engaged_at` and `current_page_id`, never back, and returns the messages that waited for it.
 */
export async function recordSignals(
  sql: Sql,
  teamId: string,
  signals: readonly JourneySignal[],
): Promise<Triggered[]> {
  return sql<Triggered[]>`
    with signals as (
      select * from jsonb_to_recordset(${JSON.stringify(signals)}::text::jsonb) as e (
        contact_id uuid, kind text, occurred_at timestamptz, is_engagement boolean,
        is_for_all boolean, journey_id uuid, template_id uuid, page_id uuid)
    ),
    hit as materialized (
      select t.id, t.contact_id, t.template_id, t.template_version, t.scheduled_steps, t.decided_message_ids,
        e.kind, e.occurred_at, e.page_id, e.is_engagement and (e.journey_id is not null
          or e.template_id is not null) as is_engaged
      from signals e
      cross join lateral (
        select * from journeys t
        where t.team_id = ${teamId} and t.contact_id between e.contact_id and e.contact_id
          and ${sql.unsafe(isOpenRow)} and t.enrolled_at <= e.occurred_at
          and (e.is_for_all or case when e.journey_id is not null then t.id = e.journey_id
            else e.template_id is null or t.template_id = e.template_id end)
        order by t.contact_id, t.enrolled_at desc, t.id desc
        offset 0
      ) t
    ),
    latest as (
      select id, max(occurred_at) as engaged_at,
        (array_agg(page_id order by occurred_at desc) filter (
          where kind = 'page.viewed' and page_id is not null))[1] as page_id
      from hit where is_engaged
      group by id
    ),
    locked as materialized (
      select t.id from journeys t
      where t.team_id = ${teamId} and t.id in (select id from latest)
      order by t.id
      for no key update
    ),
    moved as (
      update journeys t
      set last_engaged_at = greatest(t.last_engaged_at, latest.engaged_at),
        current_page_id = case when t.last_engaged_at > latest.engaged_at then t.current_page_id
          else coalesce(latest.page_id, t.current_page_id) end
      from latest join locked on locked.id = latest.id
      where t.team_id = ${teamId} and t.id = latest.id
    )
    select hit.id as journey_id, (step ->> 'id')::uuid as message_id,
      (array_agg(step -> 'trigger'))[1] as trigger, min(hit.occurred_at) as at,
      min(coalesce(c.timezone, team.timezone)) as timezone
    from hit
    join template_versions v on v.team_id = ${teamId} and v.template_id = hit.template_id
      and v.version = hit.template_version
    cross join lateral jsonb_array_elements(v.awaiting) as step
    join contacts c on c.team_id = ${teamId} and c.id = hit.contact_id
    join teams team on team.id = ${teamId}
    where case step -> 'trigger' ->> 'kind'
        when 'on_event' then step -> 'trigger' ->> 'event_kind' = hit.kind
        else hit.kind = 'page.viewed'
          and lower(step -> 'trigger' ->> 'page_id') = hit.page_id::text end
      and not hit.scheduled_steps ? (step ->> 'id')
      and (step ->> 'id')::uuid <> all(hit.decided_message_ids)
    group by 1, 2`;
}

/**
 * Schedules messages, each once: a scheduled or decided message stays unchanged. A paused or
 * deferred journey gets its due time when it resumes.
 */
export async function awaitMessages(
  sql: Sql,
  teamId: string,
  due: readonly { journey_id: string; message_id: string; due_at: string }[],
): Promise<void> {
  await sql`
    with requested as (
      select journey_id, message_id, due_at
      from jsonb_to_recordset(${JSON.stringify(due)}::text::jsonb)
        as w (journey_id uuid, message_id uuid, due_at text)
    ),
    locked as materialized (
      select t.id, t.decided_message_ids from journeys t
      where t.team_id = ${teamId} and t.id in (select journey_id from requested)
        and ${sql.unsafe(isOpenRow)}
      order by t.id
      for no key update
    ),
    fresh as (
      select locked.id, jsonb_object_agg(w.message_id, jsonb_build_object('due_at', w.due_at))
        as scheduled_steps, min(w.due_at::timestamptz) as due_at
      from requested w
      join locked on locked.id = w.journey_id and w.message_id <> all(locked.decided_message_ids)
      group by locked.id
    )
    update journeys t
    set scheduled_steps = fresh.scheduled_steps || t.scheduled_steps, updated_at = now(),
      next_due_at = case when t.status <> 'paused' and not t.was_due_when_paused
        then least(t.next_due_at, fresh.due_at) end
    from fresh
    where t.team_id = ${teamId} and t.id = fresh.id`;
}
