import type { SendingDomainConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import { createTextLookup } from '../src/platform/egress/lookup.ts';
import { applyCheck, lookUpRecords } from '../src/team/sending-domains/check.ts';
import { findSendingDomain } from '../src/team/sending-domains/queries.ts';
import type { SendingDomainRow } from '../src/team/sending-domains/queries.ts';

/** A sending domain for operators, and the time of its next check. */
export interface DomainOutlook {
  domain: string;
  status: string;
  /** Result of the last check by purpose of the record. */
  records: Readonly<Record<string, string>>;
  nextCheckAtMs: number;
}

export function createDomainActivities({
  database,
  sending: { domains },
}: {
  database: Database;
  sending: { domains: SendingDomainConfig };
}) {
  const lookup = createTextLookup(domains.dnsServers);
  return {
    /** Checks the records of the domain if that is due; undefined where it was deleted. */
    async checkSendingDomain({
      teamId,
      domainId,
    }: {
      teamId: string;
      domainId: string;
    }): Promise<DomainOutlook | undefined> {
      const row = await database.read((sql) => findSendingDomain(sql, teamId, domainId));
      if (!row) return undefined;
      if (Date.parse(row.next_check_at) > Date.now()) return outlookOf(row);
      const found = await lookUpRecords(row, lookup, domains);
      const after = await database.transact((sql) => applyCheck(sql, row, found, domains));
      return after && outlookOf(after);
    },
  };
}

function outlookOf({ domain, status, record_statuses, next_check_at }: SendingDomainRow) {
  return {
    domain,
    status,
    records: { ...record_statuses },
    nextCheckAtMs: Date.parse(next_check_at),
  };
}
