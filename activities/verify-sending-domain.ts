import type { SendingDomainConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/client.ts';
import { createTextLookup } from '../src/platform/egress/lookup.ts';
import { end, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { applyCheck, lookUpRecords } from '../src/team/sending-domains/check.ts';
import { listOverdueDomains, sendingDomains } from '../src/team/sending-domains/queries.ts';
import type { SendingDomainRow } from '../src/team/sending-domains/queries.ts';
import { sendingDomainJob } from '../workflows/jobs.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';

interface Tools {
  database: Database;
  sending: { domains: SendingDomainConfig };
}

export function verifySendingDomain({ database, sending: { domains } }: Tools): Job {
  const lookup = createTextLookup(domains.dnsServers);

  /** Checks the records of the domain if that is due; undefined where it was deleted. */
  async function check(teamId: string, id: string): Promise<SendingDomainRow | undefined> {
    const row = await database.read((sql) => sendingDomains.find(sql, teamId, id));
    if (!row || Date.parse(row.next_check_at) > Date.now()) return row;
    const found = await lookUpRecords(row, lookup, domains);
    return database.transact((sql) => applyCheck(sql, row, found, domains));
  }

  return {
    shape: sendingDomainJob,
    // Longer than a check takes.
    overdue: [untouchedFor(60, listOverdueDomains)],
    async round({ teamId, id }) {
      const row = await check(teamId, id);
      if (!row) {
        const details = 'The sending domain was deleted: its records are not looked up any more.';
        return end({ outcome: 'deleted' }, details);
      }
      const dueAt = Date.parse(row.next_check_at);
      const at = toTimestamp(dueAt);
      return waitUntil(dueAt, `Records looked up at ${at}`, describe(row, at), {
        shown: { dueAt },
      });
    },
  };
}

function describe({ domain, status, record_statuses: records }: SendingDomainRow, at: string) {
  const found = Object.entries(records).map(([purpose, seen]) => `${purpose} ${seen}`);
  return (
    `The sending domain ${domain} is ${status}. Its DNS records: ${found.join(', ')}. ` +
    `They are looked up again at ${at}.`
  );
}
