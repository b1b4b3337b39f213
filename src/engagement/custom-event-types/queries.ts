import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';
import { CustomEventType } from './custom-event-type.ts';

export const customEventTypes = table('custom_event_types', CustomEventType, {
  required: ['name'],
  optional: ['description', 'schema'],
  fixed: ['name'],
  unique: { field: 'name', index: 'custom_event_types_name', code: 'key_taken' },
});

/** The schemas of the team's event types with these names, by name. */
export async function findDataSchemas(
  sql: Sql,
  teamId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, DataSchema>> {
  const rows = await sql<{ name: string; schema: DataSchema }[]>`
    select name, schema from custom_event_types
    where team_id = ${teamId} and name = any(${[...names]}::text[]) and deleted_at is null`;
  return new Map(rows.map(({ name, schema }) => [name, schema]));
}

/** Those of the names and of the prefixes, as `custom.card.*`, that an event type of the team has. */
export async function findCustomPatterns(
  sql: Sql,
  teamId: string,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ pattern: string }[]>`
    select pattern from unnest(${[...patterns]}::text[]) as requested (pattern)
    where exists (
      select from custom_event_types t
      where t.team_id = ${teamId} and t.deleted_at is null
        and (t.name = pattern
          or right(pattern, 2) = '.*' and starts_with(t.name, left(pattern, -1))))`;
  return new Set(rows.map(({ pattern }) => pattern));
}
