import type { SendingDomainConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { listVerifiedDomains } from './queries.ts';
import type { VerifiedDomain } from './queries.ts';
import { coveringDomain, isExampleAddress } from './rules.ts';

type SenderRules = Pick<SendingDomainConfig, 'acceptsExamples'>;

/** Whether one of these domains, all verified, allows an address as a sender. */
export function isAllowedSender(
  { acceptsExamples }: SenderRules,
  verified: readonly VerifiedDomain[],
  address: string,
): boolean {
  if (coveringDomain(verified, address)) return true;
  return acceptsExamples && isExampleAddress(address);
}

/** Whether a team may send from an address at this moment. */
export async function maySendFrom(
  sql: Sql,
  rules: SenderRules,
  teamId: string,
  address: string,
): Promise<boolean> {
  return isAllowedSender(rules, await listVerifiedDomains(sql, [teamId]), address);
}
