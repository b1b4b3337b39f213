import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../../platform/config/hosts.ts';
import { tokenLifetimeSeconds } from '../../platform/auth/jwt.ts';
import type { LocalAccess, LocalTeam, Services } from '../../platform/http/services.ts';
import { hasPageKey, keyIsMissing } from './page-key.ts';

/** Tokens that a page on this machine needs to call the API without a sign-in. */
interface LocalSession {
  teams: { name: string; is_sample: boolean; access_token: string; expires_in: number }[];
  /** Says which command prints the address to open; absent where the browser has the key. */
  missing?: string;
}

/**
 * Tokens for the pages of `npm start`; undefined for everybody but a page of this origin in a browser
 * on this machine. The header `Host` keeps out names of others that lead here (DNS rebinding), and
 * `Sec-Fetch-Site`, which only browsers send, the pages of other origins; a request through a proxy or
 * a tunnel is from elsewhere. Tunnels without such headers lack the key of the addresses.
 */
export async function localSession(
  { local, tokens }: { local?: LocalAccess | undefined; tokens: Services['tokens'] },
  request: IncomingMessage,
): Promise<LocalSession | undefined> {
  if (!local || !isOnThisMachine(request)) return undefined;
  if (!hasPageKey(local, request)) return { teams: [], missing: keyIsMissing };
  const issue = async ({ name, isSample, ...grant }: LocalTeam) => ({
    ...{ name, is_sample: isSample, expires_in: tokenLifetimeSeconds },
    access_token: await tokens.issue({ ...grant, isOfPerson: true }),
  });
  return { teams: await Promise.all(local.teams().map(issue)) };
}

function isOnThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = Object.keys(headers).some((name) =>
    /^(forwarded|via|x-real-ip|x-forwarded-)/.test(name),
  );
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    isLoopbackHost((headers.host ?? '').replace(/:\d{1,5}$/, '')) &&
    !isForwarded &&
    headers['sec-fetch-site'] === 'same-origin'
  );
}

const isLoopback = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
