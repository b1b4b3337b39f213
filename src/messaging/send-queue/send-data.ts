import type { Keyring } from '../../platform/auth/keyring.ts';
import type { TakenSend } from './queries.ts';

/** Values that a requested send fills in as `data`. */
export type SendData = Readonly<Record<string, unknown>>;

/** Place to which the data of a send is sealed. */
export function sendDataPlace(teamId: string, id: string): string[] {
  return ['message_sends', 'data', teamId, id];
}

export function openSendData(
  keyring: Keyring,
  { team_id, id, sealed_data }: Pick<TakenSend, 'team_id' | 'id' | 'sealed_data'>,
): SendData {
  if (sealed_data === null) return {};
  const data: unknown = JSON.parse(keyring.open(sealed_data, sendDataPlace(team_id, id)));
  return isData(data) ? data : {};
}

const isData = (value: unknown): value is SendData => typeof value === 'object' && value !== null;
