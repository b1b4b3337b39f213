import type { Keyring } from '../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../platform/auth/signed-name.ts';
import { journeyAddress, journeyKind } from '../campaigns/rendering/addresses.ts';

/** The journey that a link leads to, and which of its links it is. */
export interface LinkedJourney {
  team_id: string;
  id: string;
  link_generation: number;
}

/**
 * The secret of a recipient's link: it names the journey and proves it with 128 bits, so that
 * nothing secret is stored. A fresh `link_generation` ends every earlier link.
 */
export function linkToken(keyring: Keyring, journey: LinkedJourney): string {
  const generation = Buffer.alloc(4);
  generation.writeUInt32BE(journey.link_generation);
  // Short, since it travels in text messages.
  return signName(
    keyring,
    journeyKind,
    Buffer.concat([packIds(journey.team_id, journey.id), generation]),
  );
}

/** The page that shows a recipient their journey. */
export function linkUrl(publicBaseUrl: string, keyring: Keyring, journey: LinkedJourney): string {
  return journeyAddress(publicBaseUrl, linkToken(keyring, journey));
}

/**
 * The journey of a token; undefined for an invalid one. The row of the journey determines whether
 * it is the newest link.
 */
export function readLinkToken(keyring: Keyring, token: string): LinkedJourney | undefined {
  const bytes = readSignedName(keyring, journeyKind, token);
  return (
    bytes && {
      team_id: unpackId(bytes, 0),
      id: unpackId(bytes, 1),
      link_generation: bytes.readUInt32BE(32),
    }
  );
}
