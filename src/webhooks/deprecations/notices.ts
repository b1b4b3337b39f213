import { LRUCache } from 'lru-cache';
import { forEachAlone, teamLoop } from '../../platform/batching/isolate.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { DeprecationNotices } from '../../platform/http/deprecated-calls.ts';
import type { DeprecatedItem } from '../../platform/http/deprecation.ts';
import { patternsOf } from '../../platform/events/patterns.ts';
import { recordEvents } from '../../platform/events/record.ts';
import type { Log } from '../../platform/observability/log.ts';
import { teamDeprecationNotice as type } from '../../team/events.ts';
import { deprecatedEventTypes } from '../../platform/events/registered-types.ts';
import { insertNotices, listMissingNotices } from './queries.ts';

/** Deprecated event types that `event_types` of a subscription list by name. */
export function deprecatedAmong(eventTypes: readonly string[]): DeprecatedItem[] {
  return deprecatedEventTypes().filter(({ target }) =>
    eventTypes.includes(target.event_type ?? ''),
  );
}

/**
 * Records one event for each deprecated part of the interface that the team uses and was not
 * notified of. A team without a subscription to this event is notified when it uses the part again.
 * The primary key of the notices decides between concurrent calls.
 */
export async function recordDeprecationNotices(
  sql: Sql,
  teamId: string,
  items: readonly DeprecatedItem[],
): Promise<void> {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (byId.size === 0) return;
  const notices = await insertNotices(sql, teamId, [...byId.keys()].sort(), patternsOf(type));
  const events = notices.map(({ item, sequence }) => {
    const data = { id: teamId, type: 'team', team_id: teamId, deprecation: byId.get(item) };
    return { type, data, sequence };
  });
  recordEvents(sql, teamId, events);
}

const noticeLoop = teamLoop('deprecation-notices');

/**
 * Notifies teams whose subscriptions list a deprecated event type since before it was deprecated,
 * or since before they subscribed to notices. Returns the number of missing notices, at most
 * `limit`.
 */
export async function notifySubscribers(
  database: Database,
  limit: number,
  log: Log,
): Promise<number> {
  const items = deprecatedEventTypes();
  const types = items.map(({ id, target }) => ({ id, event_type: target.event_type ?? '' }));
  const missing = await database.read((sql) =>
    listMissingNotices(sql, types, patternsOf(type), limit),
  );
  const teams = [...new Set(missing.map(({ team_id }) => team_id))].map((id) => ({ id }));
  let done = 0;
  await forEachAlone({ database, log }, noticeLoop, teams, async ({ id: teamId }) => {
    const ids = missing.flatMap(({ team_id, item }) => (team_id === teamId ? item : []));
    const some = items.filter(({ id }) => ids.includes(id));
    await database.transact((sql) => recordDeprecationNotices(sql, teamId, some));
    done += ids.length;
  });
  // Those of teams that failed would be found again at once.
  return done;
}

/** Time for which a process caches whether a team is to be notified. */
const restMs = 60_000;
const maxKnown = 10_000;

export function createDeprecationNotices(database: Database, log: Log): DeprecationNotices {
  const known = new LRUCache<string, true>({ max: maxKnown, ttl: restMs });
  return {
    async record(teamId, item) {
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
