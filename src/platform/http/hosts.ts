import type { HostsConfig } from '../config/service.ts';
import { isLoopbackHost } from '../config/hosts.ts';
import { fail } from './errors.ts';
import type { KnownTeamStates } from './team-states.ts';

/** The host of a request: one of the service, or that of the tracked links of a team. */
export type KnownHost = { kind: 'service' } | { kind: 'tracking'; name: string; teamId: string };

/** Finds what a host belongs to, without a query; undefined for an unknown host. */
export function createHosts(
  { names, acceptsLoopback }: HostsConfig,
  teamStates: KnownTeamStates,
): (host: string | undefined) => Promise<KnownHost | undefined> {
  const own: ReadonlySet<string> = new Set(names);
  return async (host) => {
    if (host === undefined) return acceptsLoopback ? { kind: 'service' } : undefined;
    if (own.has(host) || (acceptsLoopback && isLoopbackHost(host))) return { kind: 'service' };
    const teamId = (await teamStates.current()).teamOfHost.get(host);
    return teamId === undefined ? undefined : { kind: 'tracking', name: host, teamId };
  };
}

/** The 421 of a request to an unknown host, or to one that does not serve the path. */
export function misdirected() {
  return fail('misdirected_request', {
    detail: 'No service at this address has the host name in the header Host.',
  });
}
