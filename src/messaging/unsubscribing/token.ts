import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';
import { choiceAddresses, choiceKind } from '../../campaigns/rendering/addresses.ts';

/** Addresses of one recipient, which are the same in every message program and never rewritten. */
interface ChoiceUrls {
  unsubscribe_url: string;
  preferences_url: string;
}

/** The addresses at which the recipient of a delivery unsubscribes, and chooses topics. */
export function choiceUrls(
  publicBaseUrl: string,
  keyring: Keyring,
  delivery: { team_id: string; id: string },
): ChoiceUrls {
  const token = signName(keyring, choiceKind, packIds(delivery.team_id, delivery.id));
  return choiceAddresses(publicBaseUrl, token);
}

/**
 * The page and the token that a path names, if it is one of these addresses: the only test of
 * whether a link is one by which a recipient chooses.
 */
export function readChoicePath(
  path: string,
): { page: 'unsubscribe' | 'preferences'; token: string } | undefined {
  const [, page, token = ''] = /^\/(unsubscribe|preferences)\/([\w~-]+)$/.exec(path) ?? [];
  return page === 'unsubscribe' || page === 'preferences' ? { page, token } : undefined;
}

/** The delivery of a token; undefined for an invalid one. */
export function readChoiceToken(
  keyring: Keyring,
  token: string,
): { team_id: string; id: string } | undefined {
  const bytes = readSignedName(keyring, choiceKind, token);
  return bytes && { team_id: unpackId(bytes, 0), id: unpackId(bytes, 1) };
}
