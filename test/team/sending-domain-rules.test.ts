import { describe, expect, test } from '@jest/globals';
import {
  coveringDomain,
  expectedRecords,
  isExampleAddress,
  outcomeOfCheck,
  statusOfRecord,
} from '../../src/team/sending-domains/rules.ts';

const published = {
  domain: 'bank.test',
  challenge: 'c0ffee',
  dkim_selector: 'onward-1',
  dkim_public_key: 'AAAA+/BB',
};

function statusOf(purpose: string, texts: readonly string[] | undefined, include?: string) {
  const record = expectedRecords(published, include).find((one) => one.purpose === purpose);
  if (!record) throw new Error(purpose);
  return statusOfRecord(record, texts);
}

describe('a record', () => {
  test.each([
    ['ownership', ['other', 'onward-verification=c0ffee'], 'found'],
    ['ownership', ['onward-verification=c0ffee0'], 'different'],
    ['ownership', ['x onward-verification=c0ffee'], 'different'],
    ['ownership', [], 'missing'],
    ['ownership', undefined, 'unknown'],
    ['dkim', ['v=DKIM1; k=rsa; p=AAAA+/BB'], 'found'],
    ['dkim', ['k=rsa;p=AAAA +/BB;'], 'found'],
    ['dkim', ['v=DKIM1; p='], 'different'],
    ['dkim', ['v=DKIM1; p=AAAA+/BC'], 'different'],
    ['dmarc', ['v=DMARC1; p=reject; rua=mailto:a@bank.test'], 'found'],
    ['dmarc', ['v=DMARC1'], 'different'],
  ] as const)('%s of %j is %s', (purpose, texts, status) => {
    expect(statusOf(purpose, texts)).toBe(status);
  });

  test('spf is shown only where the operator names a mechanism, and needs that one', () => {
    const include = 'include:spf.onward.test';
    expect(expectedRecords(published, undefined).map(({ purpose }) => purpose)).not.toContain(
      'spf',
    );
    expect(statusOf('spf', ['v=spf1 a include:spf.onward.test -all'], include)).toBe('found');
    expect(statusOf('spf', ['v=spf1 include:spf.onward.test.evil.test'], include)).toBe(
      'different',
    );
  });
});

describe('a check', () => {
  const hour = 3_600_000;
  const after = (
    status: 'pending' | 'verified' | 'failed',
    last: 'found' | 'missing' | 'unknown' | undefined,
    alike: number,
    now: 'found' | 'different' | 'missing' | 'unknown',
    seenMs = 0,
    nowMs = hour,
  ) =>
    outcomeOfCheck(
      {
        status,
        record_statuses: last === undefined ? {} : { ownership: last },
        checks_alike: alike,
        seenMs,
      },
      { ownership: now, dkim: 'found' },
      { nowMs, recheckMs: hour },
    );

  test('verifies a domain whose record is found, also one that failed', () => {
    expect(after('pending', undefined, 0, 'found')).toMatchObject({ status: 'verified' });
    expect(after('failed', 'missing', 4, 'found')).toMatchObject({ status: 'verified' });
  });

  test('fails a verified domain only when its record is missing twice in a row', () => {
    const first = after('verified', 'found', 9, 'missing');
    expect(first).toMatchObject({ status: 'verified', checksAlike: 1 });
    expect(first.pauseMs).toBeLessThanOrEqual(60_000);
    expect(after('verified', 'missing', 1, 'missing')).toMatchObject({ status: 'failed' });
    expect(after('verified', 'unknown', 3, 'missing')).toMatchObject({ status: 'verified' });
  });

  test('that nobody answers proves nothing for three days', () => {
    expect(after('verified', 'unknown', 50, 'unknown', 0, 71 * hour)).toMatchObject({
      status: 'verified',
    });
    expect(after('verified', 'unknown', 50, 'unknown', 0, 73 * hour)).toMatchObject({
      status: 'failed',
    });
    expect(after('pending', 'unknown', 2, 'unknown')).toMatchObject({ status: 'pending' });
  });

  test('comes later and later, at most at half of the time within which a domain must fail', () => {
    const pauses = [0, 1, 2, 3, 20, 1_000].map((alike) => {
      return after('pending', 'missing', alike, 'missing').pauseMs;
    });
    expect(pauses).toEqual([15_000, 30_000, 60_000, 120_000, hour / 2, hour / 2]);
  });
});

test('a domain covers itself and what is below it, the nearest one first', () => {
  const domains = [{ domain: 'bank.test' }, { domain: 'mail.bank.test' }];
  expect(coveringDomain(domains, 'a@bank.test')).toBe(domains[0]);
  expect(coveringDomain(domains, 'a@BANK.test')).toBe(domains[0]);
  expect(coveringDomain(domains, 'a@x.mail.bank.test')).toBe(domains[1]);
  expect(coveringDomain(domains, 'a@notbank.test')).toBeUndefined();
  expect(coveringDomain(domains, 'bank.test@evil.test')).toBeUndefined();
  expect(coveringDomain(domains, 'a@bank.test.evil.test')).toBeUndefined();
});

test('only names that nobody can own are examples', () => {
  for (const name of ['example.com', 'mail.example.org', 'bank.example', 'a.b.test', 'x.localhost'])
    expect(isExampleAddress(`a@${name}`)).toBe(true);
  for (const name of [
    'notexample.com',
    'example.de',
    'example.com.evil.dev',
    'test.dev',
    'contest',
  ])
    expect(isExampleAddress(`a@${name}`)).toBe(false);
});
