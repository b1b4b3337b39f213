import type { Sql } from '../../platform/database/sql.ts';
import {
  findEventType,
  isEventPattern,
  isNamedByPartners,
} from '../../platform/events/registered-types.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { findCustomPatterns } from '../../engagement/custom-event-types/queries.ts';

/**
 * The entries of `event_types` that name neither a type of the service nor a custom one of the team.
 * An entry that the subscription has already may name a custom type that was deleted.
 */
export async function findUnknownPatterns(
  sql: Sql,
  teamId: string,
  { event_types = [] }: { event_types?: string[] | undefined },
  before: { event_types: readonly string[] } = { event_types: [] },
): Promise<ReadonlySet<string>> {
  const others = event_types.filter(
    (pattern) => !isEventPattern(pattern) && !before.event_types.includes(pattern),
  );
  const named = others.filter(isNamedByPartners);
  const custom = named.length > 0 ? await findCustomPatterns(sql, teamId, named) : new Set();
  return new Set(others.filter((pattern) => !custom.has(pattern)));
}

/** The type of the service, or the custom one of the team, that has this name. */
export async function findTypeOfTeam(
  sql: Sql,
  teamId: string,
  name: string,
): Promise<EventType | undefined> {
  const type = findEventType(name);
  if (!type || !isNamedByPartners(name)) return type;
  const isDefined = (await findCustomPatterns(sql, teamId, [name])).has(name);
  return isDefined && !name.endsWith('.*') ? { ...type, name } : undefined;
}
