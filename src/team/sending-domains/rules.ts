import type { DnsRecord } from './sending-domain.ts';

/** Rules of sending domains, without I/O or clock. */

export type RecordPurpose = DnsRecord['purpose'];
export type RecordStatus = Exclude<DnsRecord['status'], 'unchecked'>;
export type RecordStatuses = Partial<Record<RecordPurpose, RecordStatus>>;

/** Texts of the records that a domain publishes. */
export interface Published {
  domain: string;
  challenge: string;
  dkim_selector: string;
  dkim_public_key: string;
}

/** A record that teams publish, and the test whether one that was found fits. */
export interface ExpectedRecord extends Pick<DnsRecord, 'purpose' | 'name' | 'value'> {
  fits(text: string): boolean;
}

/** The records of a domain. `spfInclude` is the mechanism that the operator names for SPF. */
export function expectedRecords(
  { domain, challenge, dkim_selector, dkim_public_key }: Published,
  spfInclude: string | undefined,
): ExpectedRecord[] {
  const ownership = `onward-verification=${challenge}`;
  const records: ExpectedRecord[] = [
    {
      purpose: 'ownership',
      name: `_onward-challenge.${domain}`,
      value: ownership,
      fits: (text) => text.trim() === ownership,
    },
    {
      purpose: 'dkim',
      name: `${dkim_selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${dkim_public_key}`,
      fits: (text) => tagOf(text, 'p') === dkim_public_key,
    },
  ];
  if (spfInclude !== undefined) {
    records.push({
      purpose: 'spf',
      name: domain,
      value: `v=spf1 ${spfInclude} ~all`,
      fits: (text) => /^v=spf1 /i.test(text) && text.split(/\s+/).includes(spfInclude),
    });
  }
  records.push({
    purpose: 'dmarc',
    name: `_dmarc.${domain}`,
    value: 'v=DMARC1; p=none',
    fits: (text) => /^v=DMARC1\s*;/i.test(text) && tagOf(text, 'p') !== undefined,
  });
  return records;
}

/** The value of a tag in a record of tags such as `v=DKIM1; p=…`; white space is no part of it. */
function tagOf(text: string, name: string): string | undefined {
  for (const tag of text.split(';')) {
    const at = tag.indexOf('=');
    if (at > 0 && tag.slice(0, at).trim() === name) return tag.slice(at + 1).replace(/\s+/g, '');
  }
  return undefined;
}

/** Status of a record; `texts` are those of its name, undefined where no server answered. */
export function statusOfRecord(
  { fits }: ExpectedRecord,
  texts: readonly string[] | undefined,
): RecordStatus {
  if (texts === undefined) return 'unknown';
  if (texts.some(fits)) return 'found';
  return texts.length > 0 ? 'different' : 'missing';
}

/** A domain before a check. */
interface Checked {
  status: 'pending' | 'verified' | 'failed';
  record_statuses: RecordStatuses;
  checks_alike: number;
  /** When the ownership record was last seen, in ms. */
  seenMs: number | undefined;
}

interface CheckOutcome {
  status: Checked['status'];
  checksAlike: number;
  pauseMs: number;
}

/** Name servers that do not answer prove nothing; after this time the domain has failed. */
const unansweredMs = 3 * 86_400_000;
const firstPauseMs = 15_000;
/** A record that is missed once is looked up again before its domain fails. */
const secondLookMs = 60_000;

/**
 * The status after a check, and the pause until the next one. A verified domain whose record has
 * disappeared fails within `recheckMs`: checks come twice as often.
 */
export function outcomeOfCheck(
  before: Checked,
  found: RecordStatuses,
  { nowMs, recheckMs }: { nowMs: number; recheckMs: number },
): CheckOutcome {
  const ownership = found.ownership ?? 'unknown';
  const isAlike = before.record_statuses.ownership === ownership;
  const checksAlike = isAlike ? before.checks_alike + 1 : 1;
  const longestMs = recheckMs / 2;
  const soonMs = Math.min(secondLookMs, recheckMs / 4);
  const growingMs = Math.min(firstPauseMs * 2 ** Math.min(checksAlike - 1, 20), longestMs);
  if (ownership === 'found') {
    // DNS of the other records often follows a little later.
    const isWhole = found.dkim === 'found';
    return { status: 'verified', checksAlike, pauseMs: isWhole ? longestMs : growingMs };
  }
  if (before.status !== 'verified')
    return { status: before.status, checksAlike, pauseMs: growingMs };
  const isSilent = ownership === 'unknown';
  const isOver = isSilent ? nowMs - (before.seenMs ?? nowMs) > unansweredMs : checksAlike > 1;
  if (isOver) return { status: 'failed', checksAlike: 1, pauseMs: Math.min(firstPauseMs, soonMs) };
  return {
    status: 'verified',
    checksAlike,
    pauseMs: isSilent ? Math.min(growingMs, longestMs) : soonMs,
  };
}

/** The domain of an address, in lower case. */
function domainOfAddress(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** An address of a domain, where a rule about senders decides about the domain itself. */
export const addressAt = (domain: string) => `links@${domain}`;

/** The verified domain that covers a sender: itself, or the nearest one above it. */
export function coveringDomain<Domain extends { domain: string }>(
  verified: readonly Domain[],
  sender: string,
): Domain | undefined {
  const name = domainOfAddress(sender);
  const covering = verified.filter(({ domain }) => name === domain || name.endsWith(`.${domain}`));
  return covering.sort((one, other) => other.domain.length - one.domain.length)[0];
}

// RFC 2606 and RFC 6761: nobody owns these names.
const exampleNames = /(^|\.)(example(\.(com|net|org))?|test|localhost|invalid)$/;

/** Whether an address belongs to a domain that is reserved for examples and tests. */
export function isExampleAddress(address: string): boolean {
  return exampleNames.test(domainOfAddress(address));
}
