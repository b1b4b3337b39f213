import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueTime } from '../../src/journeys/timing/due-time.ts';
import { grantSlots, slotsMs } from '../../src/journeys/timing/rate-slots.ts';
import { variantOf } from '../../src/campaigns/messages/variant.ts';
import { toWall } from '../../src/platform/time/zoned-time.ts';

const ms = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');

// In 2026 New York goes to UTC-4 on 8 March at 02:00 and back to UTC-5 on 1 November at 02:00.
const due: readonly [what: string, timing: object, from: string, zone: string, at: string][] = [
  ['without a delay at once', {}, '2026-03-01T10:00:00Z', 'UTC', '2026-03-01T10:00:00Z'],
  ['after hours', { delay: 'PT36H' }, '2026-03-01T10:00:00Z', 'UTC', '2026-03-02T22:00:00Z'],
  ['after minutes', { delay: 'PT5M' }, '2026-03-01T10:00:00Z', 'UTC', '2026-03-01T10:05:00Z'],
  ['after weeks', { delay: 'P2W' }, '2026-01-01T10:00:00Z', 'UTC', '2026-01-15T10:00:00Z'],
  [
    'days later at the same time of day, over a spring change',
    { delay: 'P3D' },
    '2026-03-06T17:00:00Z',
    'America/New_York',
    '2026-03-09T16:00:00Z',
  ],
  [
    'days later at the same time of day, over an autumn change',
    { delay: 'P1D' },
    '2026-10-31T16:00:00Z',
    'America/New_York',
    '2026-11-01T17:00:00Z',
  ],
  [
    'hours are hours over a change',
    { delay: 'PT24H' },
    '2026-03-07T17:00:00Z',
    'America/New_York',
    '2026-03-08T17:00:00Z',
  ],
  [
    'days and hours together',
    { delay: 'P1DT2H' },
    '2026-03-01T10:00:00Z',
    'UTC',
    '2026-03-02T12:00:00Z',
  ],
  [
    'at a time of day, today',
    { at_local_time: '09:00' },
    '2026-06-01T06:30:00Z',
    'Europe/Berlin',
    '2026-06-01T07:00:00Z',
  ],
  [
    'at a time of day that is over, tomorrow',
    { at_local_time: '09:00' },
    '2026-06-01T07:00:01Z',
    'Europe/Berlin',
    '2026-06-02T07:00:00Z',
  ],
  [
    'at a time of day to the moment',
    { at_local_time: '09:00' },
    '2026-06-01T07:00:00Z',
    'Europe/Berlin',
    '2026-06-01T07:00:00Z',
  ],
  [
    'at a time that the clock leaps over, as much later',
    { delay: 'P1D', at_local_time: '02:30' },
    '2026-03-07T06:00:00Z',
    'America/New_York',
    '2026-03-08T07:30:00Z',
  ],
  [
    'at a time that comes twice, never before the delay is over',
    { at_local_time: '01:30' },
    '2026-11-01T06:10:00Z',
    'America/New_York',
    '2026-11-01T06:30:00Z',
  ],
  [
    'where midnight is another day',
    { delay: 'P1D', at_local_time: '08:00' },
    '2026-01-01T12:00:00Z',
    'Pacific/Auckland',
    '2026-01-02T19:00:00Z',
  ],
  [
    'on the next of its weekdays (Monday), at the same time',
    { weekday_mask: 1 },
    '2026-11-25T10:00:00Z',
    'UTC',
    '2026-11-30T10:00:00Z',
  ],
  [
    'today if it is one of its weekdays (Wednesday)',
    { weekday_mask: 4 },
    '2026-11-25T10:00:00Z',
    'UTC',
    '2026-11-25T10:00:00Z',
  ],
  [
    'on working days at nine, behind a weekend',
    { weekday_mask: 31, at_local_time: '09:00' },
    '2026-11-27T20:00:00Z',
    'America/New_York',
    '2026-11-30T14:00:00Z',
  ],
  [
    'by the weekday there, not here',
    { weekday_mask: 64 },
    '2026-11-28T20:00:00Z',
    'Asia/Tokyo',
    '2026-11-28T20:00:00Z',
  ],
  [
    'at its date, whenever that is',
    { date: '2026-12-01T12:00:00Z' },
    '2026-01-01T00:00:00Z',
    'UTC',
    '2026-12-01T12:00:00Z',
  ],
  [
    'on its date at a time of day',
    { date: '2026-12-01T00:00:00Z', at_local_time: '18:00' },
    '2026-01-01T00:00:00Z',
    'America/New_York',
    '2026-12-01T23:00:00Z',
  ],
];

test.each(due)('a step is due %s', (_what, timing, from, zone, at) => {
  expect(iso(dueTime(timing, ms(from), zone))).toBe(at);
});

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia'];
const instants = fc.integer({ min: ms('2025-01-01T00:00:00Z'), max: ms('2028-01-01T00:00:00Z') });

test('a step with a time of day is due after its delay, and at most eight days later', () => {
  fc.assert(
    fc.property(
      instants,
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 1, max: 127 }),
      (from, zone, hour, weekday_mask) => {
        const at_local_time = `${String(hour).padStart(2, '0')}:00`;
        const at = dueTime({ at_local_time, weekday_mask }, from, zone);
        expect(at).toBeGreaterThanOrEqual(from);
        expect(at - from).toBeLessThanOrEqual(8 * 86_400_000);
        // The hour after, where the clock leaps over it.
        expect([hour, hour + 1]).toContain(new Date(toWall(at, zone)).getUTCHours());
      },
    ),
  );
});

test('sends are granted at an even pace', () => {
  expect(grantSlots(3, 60, 10_000)).toEqual([10_000, 11_000, 12_000]);
  expect(grantSlots(3, 7, 0)).toEqual([0, 8_571, 17_143]);
  expect(slotsMs(3, 60)).toBe(3_000);
  expect(slotsMs(1, 60_000)).toBe(1);
});

test('a contact keeps its variant, and each variant gets its share', () => {
  const variants = [
    { key: 'a', weight: 30 },
    { key: 'b', weight: 10 },
  ];
  const messageId = randomUUID();
  const contacts = Array.from({ length: 2_000 }, () => randomUUID());
  const keys = contacts.map((id) => variantOf(variants, messageId, id));
  expect(contacts.map((id) => variantOf(variants, messageId, id))).toEqual(keys);
  const share = keys.filter((key) => key === 'b').length / keys.length;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.3);
  expect(variantOf([], messageId, contacts[0] ?? '')).toBeUndefined();
});
