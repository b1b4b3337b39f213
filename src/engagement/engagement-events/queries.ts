import type { Fragment, Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { EngagementEvent, ReferenceField } from './engagement-event.ts';

type Nullable<Fields> = {
  [Key in keyof Fields]-?: undefined extends Fields[Key]
    ? Exclude<Fields[Key], undefined> | null
    : Fields[Key];
};
export type EngagementEventRow = Nullable<EngagementEvent>;

/** An event to be stored: what is absent has no value. */
export type NewEngagementEvent = Omit<EngagementEvent, 'type' | 'team_id'>;

/** The events of a team, or those that carry an id of one of its resources. */
export function engagementSource(
  teamId: string,
  parent?: { column: 'contact_id' | 'template_id' | 'journey_id'; id: string },
): ListSource {
  const ofParent = parent ? ` and t.${parent.column} = $2::uuid` : '';
  return {
    from: 'engagement_events t',
    select: `t.*, 'engagement_event' as type`,
    where: {
      text: `t.team_id = $1::uuid${ofParent}`,
      values: parent ? [teamId, parent.id] : [teamId],
    },
  };
}

/** Throws 404. */
export async function requireEngagementEvent(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<EngagementEventRow> {
  const [row] = await sql<EngagementEventRow[]>`
    select *, 'engagement_event' as type
    from engagement_events
    where team_id = ${teamId} and id = ${id}`;
  if (row) return row;
  throw fail('not_found', {
    detail: 'No such engagement event.',
    meta: { resource: 'engagement_event' },
  });
}

/**
 * Stores each unique_id once per team and kind, or once per team for custom events; concurrent
 * writers wait for each other at its key. Keys are inserted in their order, so that two batches with
 * the same events cannot deadlock. Returns the ids of the stored events.
 */
export async function insertEngagementEvents(
  sql: Sql,
  teamId: string,
  events: readonly NewEngagementEvent[],
): Promise<Set<string>> {
  const rows = events.map((event) => ({ ...event, team_id: teamId }));
  const stored = await sql<{ id: string }[]>`
    with sent as (
      select *
      from jsonb_populate_recordset(null::engagement_events, ${JSON.stringify(rows)}::text::jsonb)
    ),
    fresh as (
      insert into engagement_event_keys (team_id, kind, unique_id, event_id, occurred_at)
      select team_id, engagement_key_kind(kind), unique_id, id, occurred_at
      from sent
      where unique_id is not null
      order by engagement_key_kind(kind), unique_id
      on conflict do nothing
      returning event_id
    )
    insert into engagement_events
    select *
    from sent
    where unique_id is null or id in (select event_id from fresh)
    returning id`;
  return new Set(stored.map(({ id }) => id));
}

/**
 * Inserts events of journeys, alone or as a part of a statement: one for each row of `journeys`, a
 * query with id, contact_id, template_id, kind and occurred_at. They have no unique_id and are not
 * engagement of the contact, so the hook of recorded engagement is not called.
 */
export function insertJourneyEvents(
  sql: Sql,
  teamId: string,
  journeys: Fragment,
  properties?: { exit_reason: string },
): Fragment {
  return sql`
    insert into engagement_events (team_id, id, kind, channel, contact_id, journey_id, template_id,
      occurred_at, received_at, source, is_machine, properties)
    select ${teamId}, gen_random_uuid(), j.kind, 'system', j.contact_id, j.id, j.template_id,
      j.occurred_at, j.occurred_at, 'system', false, ${properties ? sql.json(properties) : null}::jsonb
    from (${journeys}) j`;
}

/** The ids of the events that hold these keys, by kind and unique_id. */
export async function findEventsByKey(
  sql: Sql,
  teamId: string,
  keys: readonly { kind: string; unique_id: string }[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ kind: string; unique_id: string; event_id: string }[]>`
    select requested.kind, k.unique_id, k.event_id
    from unnest(${keys.map(({ kind }) => kind)}::text[],
      ${keys.map(({ unique_id }) => unique_id)}::text[]) as requested (kind, unique_id)
    join engagement_event_keys k
      on k.team_id = ${teamId} and k.kind = engagement_key_kind(requested.kind)
        and k.unique_id = requested.unique_id`;
  return new Map(rows.map((row) => [keyOf(row), row.event_id]));
}

export const keyOf = ({ kind, unique_id }: { kind: string; unique_id: string }) =>
  `${kind} ${unique_id}`;

export type References = Partial<Record<ReferenceField, readonly string[]>>;

/** The referenced rows that the team owns; messages, pages and journeys with their template. */
export async function findReferences(sql: Sql, teamId: string, ids: References) {
  const of = (field: ReferenceField) => [...(ids[field] ?? [])];
  return sql<{ field: ReferenceField; id: string; template_id: string | null }[]>`
    select 'contact_id' as field, id, null::uuid as template_id
    from contacts
    where team_id = ${teamId} and id = any(${of('contact_id')}::uuid[]) and deleted_at is null
    union all
    select 'template_id', id, id
    from templates
    where team_id = ${teamId} and id = any(${of('template_id')}::uuid[]) and deleted_at is null
    union all
    select 'message_id', id, template_id
    from messages
    where team_id = ${teamId} and id = any(${of('message_id')}::uuid[])
    union all
    select 'page_id', id, template_id
    from pages
    where team_id = ${teamId} and id = any(${of('page_id')}::uuid[])
    union all
    select 'journey_id', id, template_id
    from journeys
    where team_id = ${teamId} and id = any(${of('journey_id')}::uuid[])
    union all
    select 'objective_id', id, null
    from objectives
    where team_id = ${teamId} and id = any(${of('objective_id')}::uuid[]) and deleted_at is null
    union all
    select 'account_id', id, null
    from accounts
    where team_id = ${teamId} and id = any(${of('account_id')}::uuid[]) and deleted_at is null`;
}

/** Deletes events of teams with a shorter term, up to a limit; returns their number. */
export async function pruneEngagementEvents(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<[{ pruned: number }]>`select prune_engagement_events(${limit}) as pruned`;
  return row.pruned;
}
