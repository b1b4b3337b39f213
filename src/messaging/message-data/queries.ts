import type { Sql } from '../../platform/database/sql.ts';

interface JourneyDataRow {
  team_id: string;
  journey_id: string;
  sealed_data: string;
}

export async function insertJourneyData(
  sql: Sql,
  teamId: string,
  rows: readonly Omit<JourneyDataRow, 'team_id'>[],
): Promise<void> {
  await sql`
    insert into journey_data (team_id, journey_id, sealed_data)
    select ${teamId}, journey_id, sealed_data
    from unnest(${rows.map(({ journey_id }) => journey_id)}::uuid[],
      ${rows.map(({ sealed_data }) => sealed_data)}::text[]) as data (journey_id, sealed_data)`;
}

/** Reads one by one by their keys, even with a plan for outdated statistics. */
export async function listJourneyData(
  sql: Sql,
  journeys: readonly Omit<JourneyDataRow, 'sealed_data'>[],
): Promise<JourneyDataRow[]> {
  return sql<JourneyDataRow[]>`
    select data.team_id, data.journey_id, data.sealed_data
    from unnest(${journeys.map(({ team_id }) => team_id)}::uuid[],
      ${journeys.map(({ journey_id }) => journey_id)}::uuid[]) as requested (team_id, journey_id)
    cross join lateral (
      select * from journey_data
      where team_id = requested.team_id and journey_id between requested.journey_id and requested.journey_id
      order by journey_id limit 1
    ) data`;
}

/** Deletes the data of all journeys of contacts. */
export async function deleteJourneyData(
  sql: Sql,
  { teamId, contactIds }: { teamId: string; contactIds: readonly string[] },
): Promise<number> {
  const rows = await sql`
    delete from journey_data data using journeys t
    where t.team_id = ${teamId} and t.contact_id = any(${[...contactIds]}::uuid[])
      and data.team_id = ${teamId} and data.journey_id = t.id`;
  return rows.count;
}
