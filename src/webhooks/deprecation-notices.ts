import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/database/client.ts';
import type { Sql } from '../platform/database/sql.ts';
import type { DeprecationNotices } from '../platform/http/deprecated-calls.ts';
import type { DeprecatedItem } from '../platform/http/deprecation.ts';
import { patternsOf } from '../platform/events/patterns.ts';
import { recordEvents } from '../platform/events/record.ts';
import type { Log } from '../platform/observability/log.ts';
import { teamDeprecationNotice as type } from '../team/events.ts';
import { deprecatedEventTypes } from './event-catalog.ts';

/** Deprecated event types that `event_types` of a subscription list by name. */
export function deprecatedAmong(eventTypes: readonly string[]): DeprecatedItem[] {
  return deprecatedEventTypes().filter(({ target }) =>
    eventTypes.includes(target.event_type ?? ''),
  );
}

/**
 * Records one event for each deprecated part of the interface that the team uses and was not notified
 * of. A team without a subscription to this event is notified when it uses the part again. The
 * primary key of the notices decides between concurrent calls.
 */
export async function recordDeprecationNotices(
  sql: Sql,
  teamId: string,
  items: readonly DeprecatedItem[],
): Promise<void> {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (byId.size === 0) return;
  const notices = await sql<{ item: string; sequence: number }[]>`
    insert into deprecation_notices (team_id, item)
    select ${teamId}::uuid, item
    from unnest(${[...byId.keys()].sort()}::text[]) as item
    where exists (
      select from webhook_subscriptions
      where team_id = ${teamId} and deleted_at is null
        and event_types && ${patternsOf(type)}::text[]
    )
    on conflict (team_id, item) do nothing
    returning item, sequence`;
  const events = notices.map(({ item, sequence }) => {
    const data = { id: teamId, type: 'team', team_id: teamId, deprecation: byId.get(item) };
    return { type, data, sequence };
  });
  recordEvents(sql, teamId, events);
}

/**
 * Notifies teams whose subscriptions list a deprecated event type since before it was deprecated, or
 * since before they subscribed to notices. Returns how many notices were missing, at most `limit`.
 */
export async function notifySubscribers(database: Database, limit: number): Promise<number> {
  const items = deprecatedEventTypes();
  const missing = await database.read(
    (sql) => sql<{ team_id: string; item: string }[]>`
      select distinct s.team_id, d.item
      from unnest(${items.map(({ id }) => id)}::text[],
        ${items.map(({ target }) => target.event_type ?? '')}::text[]) as d (item, event_type)
      join webhook_subscriptions s on s.event_types @> array[d.event_type] and s.deleted_at is null
      where exists (
        select from webhook_subscriptions l
        where l.team_id = s.team_id and l.deleted_at is null
          and l.event_types && ${patternsOf(type)}::text[]
      ) and not exists (
        select from deprecation_notices n where n.team_id = s.team_id and n.item = d.item
      )
      order by 1, 2
      limit ${limit}`,
  );
  for (const teamId of new Set(missing.map(({ team_id }) => team_id))) {
    const ids = missing.flatMap(({ team_id, item }) => (team_id === teamId ? item : []));
    const some = items.filter(({ id }) => ids.includes(id));
    await database.transact((sql) => recordDeprecationNotices(sql, teamId, some));
  }
  return missing.length;
}

/** How long a process does not ask again whether a team is to be notified. */
const restMs = 60_000;
const maxKnown = 10_000;

export function createDeprecationNotices(database: Database, log: Log): DeprecationNotices {
  const known = new LRUCache<string, true>({ max: maxKnown, ttl: restMs });
  return {
    async note(teamId, item) {
      const key = `${teamId} ${item.id}`;
      if (known.has(key)) return;
      known.set(key, true);
      try {
        await database.transact((sql) => recordDeprecationNotices(sql, teamId, [item]));
      } catch (error) {
        known.delete(key);
        log.warn({ err: error, item: item.id }, 'a deprecation notice was not recorded');
      }
    },
  };
}
