import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';
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

/** Signs the addresses of one delivery. Everything that they mean is in them, so no row is written. */
export function trackedUrls(baseUrl: string, keyring: Keyring, send: TrackedSend) {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(Date.parse(send.inserted_at), 0, timeBytes);
  const head = Buffer.concat([packIds(send.team_id, send.id), time]);
  const sign = (...parts: readonly Buffer[]) => signName(keyring, kind, Buffer.concat(parts));
  return {
    open: () => `${baseUrl}/t/o/${sign(head)}.gif`,
    click: (target: string) => `${baseUrl}/t/c/${sign(head, Buffer.from(target))}`,
  };
}

/** Whether a path has the form of a tracked link, valid or not. */
export const isTrackedPath = (path: string) => /^\/t\/[oc]\//.test(path);

/** The link of a path; undefined for one that the service has not signed. */
export function readTrackedPath(keyring: Keyring, path: string): TrackedLink | undefined {
  const [, page, token = '', ending] = /^\/t\/([oc])\/([\w~-]+)(\.gif)?$/.exec(path) ?? [];
  if (page === undefined || (page === 'o') !== (ending !== undefined)) return undefined;
  const bytes = readSignedName(keyring, kind, token);
  if (!bytes || (page === 'o') !== (bytes.length === headBytes)) return undefined;
  const insertedMs = bytes.readUIntBE(idBytes, timeBytes);
  const send = {
    team_id: unpackId(bytes, 0),
    id: unpackId(bytes, 1),
    inserted_at: new Date(insertedMs).toISOString(),
  };
  return { send, target: page === 'o' ? null : bytes.subarray(headBytes).toString() };
}
