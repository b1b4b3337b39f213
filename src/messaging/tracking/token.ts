import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { KnownHost } from '../../platform/http/hosts.ts';
import type { DeliveryPlace } from '../message-deliveries/queries.ts';

const kind = { prefix: 'dok', purpose: 'tracking' } as const;
const idBytes = 32;
/** Milliseconds since 1970, big-endian. */
const timeBytes = 6;
const headBytes = idBytes + timeBytes;

/** A delivery of a team by its place. */
export type TrackedSend = DeliveryPlace & { team_id: string };

/** A link of a message: its picture, or one that leads to `target`. */
export interface TrackedLink {
  send: TrackedSend;
  /** Null for the picture. */
  target: string | null;
}

/** Where the links of a message lead. */
export interface LinkPlace {
  baseUrl: string;
  /** Tracking host of the team; absent for the hosts of the service. */
  domain?: string | undefined;
}

/**
 * Signs the addresses of one delivery. Everything that they mean is in them, so no row is written. A
 * tracking host is under the signature: no other team can make its links lead through it.
 */
export function trackedUrls({ baseUrl, domain }: LinkPlace, keyring: Keyring, send: TrackedSend) {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(Date.parse(send.inserted_at), 0, timeBytes);
  const head = Buffer.concat([packIds(send.team_id, send.id), time]);
  const sign = (...parts: readonly Buffer[]) =>
    signName(keyring, kind, Buffer.concat(parts), domain);
  return {
    open: () => `${baseUrl}/t/o/${sign(head)}.gif`,
    click: (target: string) => `${baseUrl}/t/c/${sign(head, Buffer.from(target))}`,
  };
}

/** Whether a path has the form of a tracked link, valid or not. */
export const isTrackedPath = (path: string) => /^\/t\/[oc]\//.test(path);

/** The link of a path; undefined for one that the service has not signed for this host. */
export function readTrackedPath(
  keyring: Keyring,
  path: string,
  host: KnownHost,
): TrackedLink | undefined {
  const [, page, token = '', ending] = /^\/t\/([oc])\/([\w~-]+)(\.gif)?$/.exec(path) ?? [];
  if (page === undefined || (page === 'o') !== (ending !== undefined)) return undefined;
  const bytes = readSignedName(
    keyring,
    kind,
    token,
    host.kind === 'tracking' ? host.name : undefined,
  );
  if (!bytes || (page === 'o') !== (bytes.length === headBytes)) return undefined;
  const insertedMs = bytes.readUIntBE(idBytes, timeBytes);
  const send = {
    team_id: unpackId(bytes, 0),
    id: unpackId(bytes, 1),
    inserted_at: toTimestamp(insertedMs),
  };
  if (host.kind === 'tracking' && send.team_id !== host.teamId) return undefined;
  return { send, target: page === 'o' ? null : bytes.subarray(headBytes).toString() };
}
