import type { SendingDomainConfig } from '../platform/config.ts';
import type { Sql } from '../platform/database/sql.ts';
import type { TeamStates } from '../platform/http/team-states.ts';
import { listTeamStates } from './queries.ts';
import { addressAt, isExampleAddress } from './sending-domains/rules.ts';

/** A tracking host belongs to its team while the team may send from it. */
export async function readTeamStates(
  sql: Sql,
  { acceptsExamples }: Pick<SendingDomainConfig, 'acceptsExamples'>,
): Promise<TeamStates> {
  const teamOfHost = new Map<string, string>();
  const suspended = new Set<string>();
  const linkDays = new Map<string, number>();
  for (const { id, is_suspended, link_days, domain, is_verified } of await listTeamStates(sql)) {
    if (is_suspended) suspended.add(id);
    if (link_days !== null) linkDays.set(id, link_days);
    if (domain === null) continue;
    const isProven = is_verified || (acceptsExamples && isExampleAddress(addressAt(domain)));
    if (isProven) teamOfHost.set(domain, id);
  }
  return { teamOfHost, suspended, linkDays };
}
