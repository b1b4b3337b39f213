import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { openJourneyData } from '../message-data/journey-data.ts';
import { openData } from '../message-data/message-data.ts';
import type { MessageData } from '../message-data/message-data.ts';
import type { QueuedDelivery, ClaimedSend } from './queries.ts';

/** Place to which the data of a send is sealed. */
export function sendDataSealContext(teamId: string, id: string): string[] {
  return ['message_sends', 'data', teamId, id];
}

/** Data of a requested send. */
export function openSendData(
  keyring: Keyring,
  { team_id, id, sealed_data }: Pick<ClaimedSend, 'team_id' | 'id' | 'sealed_data'>,
): MessageData {
  return sealed_data === null
    ? {}
    : openData(keyring, sealed_data, sendDataSealContext(team_id, id));
}

/** Data of the journeys of deliveries, by the ids of the journeys, where a message declares data. */
export async function openDeclaredData(
  sql: Sql,
  keyring: Keyring,
  claimed: readonly { delivery: QueuedDelivery; message: MessageRow }[],
): Promise<Map<string, MessageData>> {
  const journeys = claimed.flatMap(({ delivery: { team_id, journey_id }, message }) =>
    message.data_schema && journey_id !== null ? [{ team_id, journey_id }] : [],
  );
  return openJourneyData(sql, keyring, journeys);
}
