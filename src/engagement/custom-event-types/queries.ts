import { withJson } from '../../platform/database/json-columns.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';
import type { CustomEventTypeRow } from './custom-event-type.ts';

type NewCustomEventType = Pick<CustomEventTypeRow, 'name' | 'description' | 'schema'>;
type CustomEventTypeContent = Pick<CustomEventTypeRow, 'description' | 'schema'>;

export function customEventTypeSource(teamId: string): ListSource {
  return {
    from: 'custom_event_types t',
    select: `t.*, 'custom_event_type' as type`,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
  };
}

/** Throws 404. */
export async function requireCustomEventType(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<CustomEventTypeRow> {
  const [row] = await sql<CustomEventTypeRow[]>`
    select *, 'custom_event_type' as type from custom_event_types
    where team_id = ${teamId} and id = ${id} and deleted_at is null`;
  return row ?? notFound();
}

/** Locks the event type until the end of the transaction. Throws 404. */
export async function lockCustomEventType(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<CustomEventTypeRow> {
  const [row] = await sql<CustomEventTypeRow[]>`
    select *, 'custom_event_type' as type from custom_event_types
    where team_id = ${teamId} and id = ${id} and deleted_at is null
    for update`;
  return row ?? notFound();
}

/** Undefined if another event type of the team has the name. */
export async function insertCustomEventType(
  sql: Sql,
  teamId: string,
  type: NewCustomEventType,
): Promise<CustomEventTypeRow | undefined> {
  const row = withJson(sql, { team_id: teamId, ...type }, ['schema']);
  const [made] = await sql<CustomEventTypeRow[]>`
    insert into custom_event_types ${sql(row)}
    on conflict (team_id, name) where deleted_at is null do nothing
    returning *, 'custom_event_type' as type`;
  return made;
}

export async function findCustomEventTypeId(
  sql: Sql,
  teamId: string,
  name: string,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from custom_event_types
    where team_id = ${teamId} and name = ${name} and deleted_at is null`;
  return row;
}

export async function updateCustomEventTypeRow(
  sql: Sql,
  teamId: string,
  id: string,
  type: CustomEventTypeContent,
): Promise<CustomEventTypeRow> {
  const [row] = await sql<[CustomEventTypeRow]>`
    update custom_event_types
    set ${sql(withJson(sql, type, ['schema']), 'description', 'schema')},
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, 'custom_event_type' as type`;
  return row;
}

/** Events of the type stay as they are. */
export async function deleteCustomEventTypeRow(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<void> {
  await sql`
    update custom_event_types
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

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
    select pattern from unnest(${[...patterns]}::text[]) as wanted (pattern)
    where exists (
      select from custom_event_types t
      where t.team_id = ${teamId} and t.deleted_at is null
        and (t.name = pattern
          or right(pattern, 2) = '.*' and starts_with(t.name, left(pattern, -1))))`;
  return new Set(rows.map(({ pattern }) => pattern));
}

function notFound(): never {
  throw fail('not_found', {
    detail: 'No such custom event type.',
    meta: { resource: 'custom_event_type' },
  });
}
