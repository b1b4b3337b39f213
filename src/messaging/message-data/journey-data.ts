import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { openData } from './message-data.ts';
import type { MessageData } from './message-data.ts';
import { insertJourneyData, listJourneyData } from './queries.ts';

/** Place to which the data of an enrollment is sealed. */
export function journeyDataSealContext(teamId: string, journeyId: string): string[] {
  return ['journey_data', 'data', teamId, journeyId];
}

/** Stores the data of new journeys, by their ids. */
export async function storeJourneyData(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  dataOf: ReadonlyMap<string, MessageData>,
): Promise<void> {
  const rows = [...dataOf].map(([journey_id, data]) => ({
    journey_id,
    sealed_data: keyring.seal(JSON.stringify(data), journeyDataSealContext(teamId, journey_id)),
  }));
  if (rows.length > 0) await insertJourneyData(sql, teamId, rows);
}

/** The data of journeys, by their ids, as far as they have some. */
export async function openJourneyData(
  sql: Sql,
  keyring: Keyring,
  journeys: readonly { team_id: string; journey_id: string }[],
): Promise<Map<string, MessageData>> {
  if (journeys.length === 0) return new Map();
  const rows = await listJourneyData(sql, journeys);
  return new Map(
    rows.map(({ team_id, journey_id, sealed_data }) => [
      journey_id,
      openData(keyring, sealed_data, journeyDataSealContext(team_id, journey_id)),
    ]),
  );
}
