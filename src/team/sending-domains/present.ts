import type { SendingDomainRow } from './queries.ts';
import { expectedRecords } from './rules.ts';

/** A domain with the records to publish, as the API and its events show it. */
export function presentDomain<Row extends SendingDomainRow>(
  row: Row,
  spfInclude: string | undefined,
) {
  const { status, record_statuses: statuses } = row;
  return {
    ...row,
    dns_records: expectedRecords(row, spfInclude).map(({ purpose, name, value }) => ({
      purpose,
      record_type: 'TXT' as const,
      name,
      value,
      status: statuses[purpose] ?? ('unchecked' as const),
    })),
    is_signed: status === 'verified' && statuses.dkim === 'found',
  };
}
