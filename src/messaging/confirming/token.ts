import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';

const kind = { prefix: 'doc', purpose: 'confirmation' } as const;

/** The address at which a recipient confirms a consent. */
export function confirmationUrl(
  publicBaseUrl: string,
  keyring: Keyring,
  confirmation: { team_id: string; id: string },
): string {
  const token = signName(keyring, kind, packIds(confirmation.team_id, confirmation.id));
  return `${publicBaseUrl}/confirm/${token}`;
}

/** The confirmation of a token; undefined where it is not one of ours. */
export function readConfirmationToken(
  keyring: Keyring,
  token: string,
): { team_id: string; id: string } | undefined {
  const bytes = readSignedName(keyring, kind, token);
  return bytes && { team_id: unpackId(bytes, 0), id: unpackId(bytes, 1) };
}
