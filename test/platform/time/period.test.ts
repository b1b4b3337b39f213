import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { bucketStarts, readPeriod, readTimezone } from '../../../src/platform/time/period.ts';
import { calendarUnits, fromWall, startOf, toWall } from '../../../src/platform/time/zoned-time.ts';

const at = (now: string, timezone = 'UTC') => ({
  nowMs: Date.parse(now),
  timezone,
  teamCreatedMs: Date.parse('2025-03-10T12:00:00Z'),
});
const noon = '2026-11-18T12:00:00.000Z';

function windowOf(period: string | undefined, now = noon, timezone = 'UTC'): [string, string] {
  const { start, end } = readPeriod(period, at(now, timezone));
  const brief = (text: string) => text.replace(/:00\.000Z$/, 'Z');
  return [brief(start), brief(end)];
}

describe('a period', () => {
  test.each([
    [undefined, '2026-10-19T12:00Z', '2026-11-18T12:00Z'],
    ['P30D', '2026-10-19T12:00Z', '2026-11-18T12:00Z'],
    ['last_30_days', '2026-10-19T12:00Z', '2026-11-18T12:00Z'],
    ['P2W', '2026-11-04T12:00Z', '2026-11-18T12:00Z'],
    ['P1M', '2026-10-18T12:00Z', '2026-11-18T12:00Z'],
    ['P2Y', '2024-11-18T12:00Z', '2026-11-18T12:00Z'],
    ['last_12_months', '2025-11-18T12:00Z', '2026-11-18T12:00Z'],
    ['PT36H', '2026-11-17T00:00Z', '2026-11-18T12:00Z'],
    ['today', '2026-11-18T00:00Z', '2026-11-18T12:00Z'],
    ['yesterday', '2026-11-17T00:00Z', '2026-11-18T00:00Z'],
    ['this_week', '2026-11-16T00:00Z', '2026-11-18T12:00Z'],
    ['last_week', '2026-11-09T00:00Z', '2026-11-16T00:00Z'],
    ['this_month', '2026-11-01T00:00Z', '2026-11-18T12:00Z'],
    ['last_month', '2026-10-01T00:00Z', '2026-11-01T00:00Z'],
    ['this_quarter', '2026-10-01T00:00Z', '2026-11-18T12:00Z'],
    ['last_quarter', '2026-07-01T00:00Z', '2026-10-01T00:00Z'],
    ['this_year', '2026-01-01T00:00Z', '2026-11-18T12:00Z'],
    ['last_year', '2025-01-01T00:00Z', '2026-01-01T00:00Z'],
    ['all_time', '2025-03-10T12:00Z', '2026-11-18T12:00Z'],
    ['2025', '2025-01-01T00:00Z', '2026-01-01T00:00Z'],
    ['2026', '2026-01-01T00:00Z', '2026-11-18T12:00Z'],
    ['2026-Q2', '2026-04-01T00:00Z', '2026-07-01T00:00Z'],
    ['2026-02', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
    ['2026-W01', '2025-12-29T00:00Z', '2026-01-05T00:00Z'],
    ['2020-W53', '2020-12-28T00:00Z', '2021-01-04T00:00Z'],
    ['2026-02-28', '2026-02-28T00:00Z', '2026-03-01T00:00Z'],
    ['2026-01-01/2026-02-01', '2026-01-01T00:00Z', '2026-02-01T00:00Z'],
    ['2026-01-31/P1M', '2026-01-31T00:00Z', '2026-02-28T00:00Z'],
    ['2026-01-01T06:30:00Z/PT2H', '2026-01-01T06:30Z', '2026-01-01T08:30Z'],
    ['2026-01-01T06:30/2026-01-02', '2026-01-01T06:30Z', '2026-01-02T00:00Z'],
    ['2026-11-01/2027-01-01', '2026-11-01T00:00Z', '2026-11-18T12:00Z'],
  ])('%s is [%s, %s)', (period, start, end) => {
    expect(windowOf(period)).toEqual([start, end]);
  });

  test.each([
    '', 'nonsense', 'P0D', 'P', 'PT', 'P1DT1H', 'P1H', '-P1D', 'p30d', 'P732D', 'P3Y', 'PT99999H',
    '2026-13', '2026-02-30', '2026-Q5', '2026-W00', '2026-W54', '2025-W53', '0000', '2026-1', '26',
    '2026-02-01/2026-01-01', '2026-02-01/2026-02-01', '2026-01-01/', '/2026-01-01', 'P1D/P1D',
    '2026-01-01/2026-02-01/2026-03-01', '2020-01-01/2026-01-01', '2027', '2026-12', 'constructor',
    '2026-01-01/2026-13-01',
  ])('%j is refused', (period) => {
    expect(() => windowOf(period)).toThrow(HttpError);
    try {
      windowOf(period);
    } catch (error) {
      expect(error).toMatchObject({ status: 400, problems: [{ code: 'invalid_period' }] });
    }
  }); // prettier-ignore

  test('the longest has 731 days, two years with a leap day', () => {
    expect(windowOf('P731D')[0]).toBe('2024-11-17T12:00Z');
    expect(windowOf('2024-01-01/2026-01-01')).toEqual(['2024-01-01T00:00Z', '2026-01-01T00:00Z']);
  });

  test('all_time goes back five years at most, in months', () => {
    const old = { ...at(noon), teamCreatedMs: Date.parse('2010-01-01T00:00:00Z') };
    expect(readPeriod('all_time', old)).toMatchObject({
      start: '2021-11-18T12:00:00.000Z',
      bucket: 'month',
    });
  });

  test('today is no error in its first millisecond', () => {
    expect(windowOf('today', '2026-11-18T00:00:00.000Z')).toEqual([
      '2026-11-18T00:00Z',
      '2026-11-18T00:00Z',
    ]);
  });
});

describe('zones', () => {
  test.each([
    // Clocks go forward on 29 March 2026 and back on 25 October in Berlin.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['2026-03-29T02:30/PT1H', 'Europe/Berlin', '2026-03-29T01:30Z', '2026-03-29T02:30Z'],
    ['2026-10-25T02:30/PT1H', 'Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25T01:30Z'],
    ['2026-03-28T12:00/P1D', 'Europe/Berlin', '2026-03-28T11:00Z', '2026-03-29T10:00Z'],
    // A day without midnight begins at one o'clock; one with two midnights at the first.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    // Half hours, quarters, and a change of half an hour.
    ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15Z', '2026-06-01T18:15Z'],
    ['2026-10-04', 'Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
    ['2026-05', 'Pacific/Kiritimati', '2026-04-30T10:00Z', '2026-05-31T10:00Z'],
    ['2026-W10', 'America/New_York', '2026-03-02T05:00Z', '2026-03-09T04:00Z'],
  ])('%s in %s is [%s, %s)', (period, timezone, start, end) => {
    expect(windowOf(period, noon, timezone)).toEqual([start, end]);
  });

  test('a duration of days keeps the time of day over a change, hours do not', () => {
    const now = '2026-03-30T10:00:00.000Z';
    expect(windowOf('P2D', now, 'Europe/Berlin')[0]).toBe('2026-03-28T11:00Z');
    expect(windowOf('PT48H', now, 'Europe/Berlin')[0]).toBe('2026-03-28T10:00Z');
  });

  test('today is that of the zone', () => {
    const now = '2026-11-18T23:30:00.000Z';
    expect(windowOf('today', now, 'Asia/Tokyo')[0]).toBe('2026-11-18T15:00Z');
    expect(windowOf('today', now, 'America/Los_Angeles')[0]).toBe('2026-11-18T08:00Z');
  });

  test('names are zones, offsets and inventions are not', () => {
    expect(readTimezone('Europe/Berlin', 'UTC')).toBe('Europe/Berlin');
    expect(readTimezone(undefined, 'Asia/Tokyo')).toBe('Asia/Tokyo');
    for (const wrong of ['+05:00', '-08', 'Mars/Olympus', '']) {
      expect(() => readTimezone(wrong, 'UTC')).toThrow(HttpError);
    }
  });

  const zone = fc.constantFrom(
    'UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'America/Sao_Paulo',
    'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Gaza',
  ); // prettier-ignore
  const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });

  test('every instant lies in its unit, which begins where the one before ends', () => {
    fc.assert(
      fc.property(instant, zone, fc.constantFrom(...calendarUnits), (now, timezone, unit) => {
        const start = fromWall(startOf(unit, toWall(now, timezone)), timezone);
        expect(start).toBeLessThanOrEqual(now);
        const isStart = fromWall(startOf(unit, toWall(start, timezone)), timezone) === start;
        expect(isStart).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a clock that shows a time once is read back exactly', () => {
    fc.assert(
      fc.property(instant, zone, (now, timezone) => {
        const again = fromWall(toWall(now, timezone), timezone);
        expect(toWall(again, timezone)).toBe(toWall(now, timezone));
        expect(again).toBeLessThanOrEqual(now);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('buckets', () => {
  const of = (period: string, timezone = 'UTC') => readPeriod(period, at(noon, timezone));

  test.each([
    ['PT48H', 'hour'],
    ['P3D', 'day'],
    ['P92D', 'day'],
    ['P93D', 'week'],
    ['2025', 'week'],
    ['P366D', 'week'],
    ['P367D', 'month'],
  ])('%s is shown by the %s', (period, bucket) => {
    expect(of(period).bucket).toBe(bucket);
  });

  test('a day of 25 hours has 25, one of 23 has 23', () => {
    expect(bucketStarts(of('2026-10-25', 'Europe/Berlin'))).toHaveLength(25);
    expect(bucketStarts(of('2026-03-29', 'Europe/Berlin'))).toHaveLength(23);
    expect(of('2026-10-25', 'Europe/Berlin').bucket).toBe('hour');
  });

  test('they begin with the unit that holds the start, and end before the end', () => {
    expect(bucketStarts(of('2026-01-07T10:00:00Z/2026-01-10'))).toEqual([
      '2026-01-07T00:00:00.000Z',
      '2026-01-08T00:00:00.000Z',
      '2026-01-09T00:00:00.000Z',
    ]);
    const months = bucketStarts(of('2024-06-15/2026-01-01', 'America/New_York'));
    expect(months).toHaveLength(19);
    expect(months.slice(0, 2)).toEqual(['2024-06-01T04:00:00.000Z', '2024-07-01T04:00:00.000Z']);
  });

  test('rise, in every zone, over every change', () => {
    for (const timezone of ['America/Havana', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Gaza']) {
      for (const period of ['2011-12-20/2012-01-10', '2018-10-01/2018-12-01', 'P730D']) {
        const starts = bucketStarts(of(period, timezone));
        expect([...new Set(starts)].sort()).toEqual(starts);
      }
    }
  });
});
