import type { Sql } from '../../platform/database/sql.ts';

/** Inserts the notices that are new, in a team that subscribes to one of the patterns. */
export async function insertNotices(
  sql: Sql,
  teamId: string,
  items: readonly string[],
  patterns: readonly string[],
): Promise<{ item: string; sequence: number }[]> {
  return sql`
    insert into deprecation_notices (team_id, item)
    select ${teamId}::uuid, item
    from unnest(${[...items]}::text[]) as item
    where exists (
      select from webhook_subscriptions
      where team_id = ${teamId} and deleted_at is null
        and event_types && ${[...patterns]}::text[]
    )
    on conflict (team_id, item) do nothing
    returning item, sequence`;
}

/** Notices that teams lack: they list a deprecated event type and subscribe to the patterns. */
export async function listMissingNotices(
  sql: Sql,
  types: readonly { id: string; event_type: string }[],
  patterns: readonly string[],
  limit: number,
): Promise<{ team_id: string; item: string }[]> {
  return sql`
    select distinct s.team_id, d.item
    from unnest(${types.map(({ id }) => id)}::text[],
      ${types.map(({ event_type }) => event_type)}::text[]) as d (item, event_type)
    join webhook_subscriptions s on s.event_types @> array[d.event_type] and s.deleted_at is null
    where exists (
      select from webhook_subscriptions l
      where l.team_id = s.team_id and l.deleted_at is null
        and l.event_types && ${[...patterns]}::text[]
    ) and not exists (
      select from deprecation_notices n where n.team_id = s.team_id and n.item = d.item
    )
    order by 1, 2
    limit ${limit} /* any team: the worker notifies all */`;
}
