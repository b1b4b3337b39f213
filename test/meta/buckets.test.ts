import { expect, test } from '@jest/globals';
import { bucketStart } from '../../src/meta/local-pages/script/buckets.ts';

const source = (zone: string, bucket: string) => ({ start: '', end: '', zone, bucket });

test.each([
  ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
  ['2026-11-01T05:00:00.000Z', 'America/New_York', '2026-11-01T01:00:00-04:00'],
  ['2026-11-01T06:00:00.000Z', 'America/New_York', '2026-11-01T01:00:00-05:00'],
  ['2026-06-01T00:00:00.000Z', 'America/St_Johns', '2026-05-31T21:30:00-02:30'],
])('an hour in a file, %s in %s, has its distance from UTC', (start, zone, text) => {
  expect(bucketStart(source(zone, 'hour'), start)).toBe(text);
  expect(Date.parse(text)).toBe(Date.parse(start));
});

test('a day in a file is the day of the zone that was asked', () => {
  const start = '2026-02-28T15:00:00.000Z';
  expect(bucketStart(source('Asia/Tokyo', 'day'), start)).toBe('2026-03-01');
  expect(bucketStart(source('UTC', 'day'), start)).toBe('2026-02-28');
});
