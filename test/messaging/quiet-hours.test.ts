import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quietUntil } from '../../src/messaging/recipients/quiet-hours.ts';

const ms = (text: string) => Date.parse(text);
const iso = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString().replace('.000Z', 'Z');

// In 2026 New York goes to UTC-4 on 8 March at 02:00 and back to UTC-5 on 1 November at 02:00.
const night = { start: '21:00', end: '08:00' };
const noon = { start: '12:00', end: '14:00' };
const quiet: readonly [
  what: string,
  hours: typeof night,
  now: string,
  zone: string,
  until: string | undefined,
][] = [
  ['not before they start', night, '2026-06-01T18:59:59Z', 'Europe/Berlin', undefined],
  ['from their start', night, '2026-06-01T19:00:00Z', 'Europe/Berlin', '2026-06-02T06:00:00Z'],
  ['behind midnight', night, '2026-06-01T23:30:00Z', 'Europe/Berlin', '2026-06-02T06:00:00Z'],
  ['not from their end', night, '2026-06-02T06:00:00Z', 'Europe/Berlin', undefined],
  ['within a day', noon, '2026-06-01T12:30:00Z', 'UTC', '2026-06-01T14:00:00Z'],
  ['not before a day’s', noon, '2026-06-01T11:59:00Z', 'UTC', undefined],
  ['not after a day’s', noon, '2026-06-01T14:00:00Z', 'UTC', undefined],
  [
    'over a spring change, an hour shorter',
    night,
    '2026-03-08T02:00:00Z',
    'America/New_York',
    '2026-03-08T12:00:00Z',
  ],
  [
    'over an autumn change, an hour longer',
    night,
    '2026-11-01T01:00:00Z',
    'America/New_York',
    '2026-11-01T13:00:00Z',
  ],
  [
    'until an end that comes twice, the second time',
    { start: '21:00', end: '01:30' },
    '2026-11-01T06:10:00Z',
    'America/New_York',
    '2026-11-01T06:30:00Z',
  ],
];

test.each(quiet)('quiet hours hold %s', (_what, hours, now, zone, until) => {
  expect(iso(quietUntil(hours, ms(now), zone))).toBe(until);
});

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia'];
const instants = fc.integer({ min: ms('2025-01-01T00:00:00Z'), max: ms('2028-01-01T00:00:00Z') });

test('quiet hours end in the future and within a day and a change of the clock, wherever it is', () => {
  const times = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), times, times, (now, zone, start, end) => {
      fc.pre(start !== end);
      const until = quietUntil({ start, end }, now, zone);
      if (until === undefined) return;
      expect(until).toBeGreaterThan(now);
      expect(until - now).toBeLessThanOrEqual(25 * 3_600_000);
    }),
  );
});
