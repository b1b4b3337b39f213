import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';

const kind = { prefix: 'dou', purpose: 'unsubscribe' } as const;

/** The address at which the recipient of a delivery unsubscribes from its channel. */
export function unsubscribeUrl(
  publicBaseUrl: string,
  keyring: Keyring,
  delivery: { team_id: string; id: string },
): string {
  const token = signName(keyring, kind, packIds(delivery.team_id, delivery.id));
  return `${publicBaseUrl}/unsubscribe/${token}`;
}

/** The delivery of a token; undefined for an invalid one. */
export function readUnsubscribeToken(
  keyring: Keyring,
  token: string,
): { team_id: string; id: string } | undefined {
  const bytes = readSignedName(keyring, kind, token);
  return bytes && { team_id: unpackId(bytes, 0), id: unpackId(bytes, 1) };
}
