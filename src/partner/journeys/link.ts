import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../auth/keyring.ts';

/** The journey that a link leads to, and which of its links it is. */
export interface LinkedJourney {
  team_id: string;
  id: string;
  link_generation: number;
}

const prefix = 'dol';
const nameBytes = 36;
const proofBytes = 16;

/**
 * The secret of a recipient's link: it names the journey and proves it with 128 bits, so that nothing
 * secret is stored. A fresh `link_generation` ends every earlier link.
 */
export function linkToken(keyring: Keyring, journey: LinkedJourney): string {
  const name = packed(journey);
  const [pepperId = ''] = keyring.pepperIds;
  return `${prefix}~${pepperId}~${name}~${proofOf(keyring, name, pepperId).toString('base64url')}`;
}

/**
 * The page that shows a recipient their journey. The token stands in the fragment, which browsers
 * send to nobody: it is in no log and no Referer.
 */
export function linkUrl(publicBaseUrl: string, keyring: Keyring, journey: LinkedJourney): string {
  return `${publicBaseUrl}/journey#${linkToken(keyring, journey)}`;
}

/**
 * The journey of a token; undefined where it is not one of ours. Whether it is the newest link of the
 * journey, its row says.
 */
export function readLinkToken(keyring: Keyring, token: string): LinkedJourney | undefined {
  const [kind, pepperId = '', name = '', proof = '', ...rest] = token.split('~');
  if (kind !== prefix || rest.length > 0 || !keyring.pepperIds.includes(pepperId)) return undefined;
  const given = Buffer.from(proof, 'base64url');
  if (given.length !== proofBytes) return undefined;
  if (!timingSafeEqual(given, proofOf(keyring, name, pepperId))) return undefined;
  const bytes = Buffer.from(name, 'base64url');
  return {
    team_id: uuidOf(bytes.subarray(0, 16)),
    id: uuidOf(bytes.subarray(16, 32)),
    link_generation: bytes.readUInt32BE(32),
  };
}

/** Short, since it travels in text messages. */
function packed({ team_id, id, link_generation }: LinkedJourney): string {
  const bytes = Buffer.alloc(nameBytes);
  bytes.write((team_id + id).replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(link_generation, 32);
  return bytes.toString('base64url');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const proofOf = (keyring: Keyring, name: string, pepperId: string) =>
  keyring.digest(`journey link ${name}`, pepperId).digest.subarray(0, proofBytes);
