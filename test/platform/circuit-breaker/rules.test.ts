import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  countTries,
  doubledPause,
  opensByShare,
  opensInARow,
  scheduledPause,
} from '../../../src/platform/circuit-breaker/rules.ts';

describe('the breaker of a subscription', () => {
  const policy = { firstPauseMs: 30_000, maxPauseMs: 900_000 };

  test('opens at ten attempts within a minute of which eight have failed', () => {
    const counted = (tries: number, failures: number) => ({ startedAtMs: 0, tries, failures });
    expect(opensByShare(counted(9, 9), 10)).toBe(false);
    expect(opensByShare(counted(10, 7), 10)).toBe(false);
    expect(opensByShare(counted(10, 8), 10)).toBe(true);
    const older = countTries(undefined, 0, 9, 9);
    expect(countTries(older, 60_000, 1, 1)).toMatchObject({ tries: 10, failures: 10 });
    expect(countTries(older, 60_001, 1, 1)).toMatchObject({ tries: 1, failures: 1 });
  });

  test('probes after 30 s, then 1, 2, 4 and 8 min, then every 15', () => {
    const pauses: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      pauses.push(doubledPause(policy, pauses.at(-1) ?? null));
    }
    expect(pauses.map((pauseMs) => pauseMs / 60_000)).toEqual([0.5, 1, 2, 4, 8, 15, 15]);
  });
});

test('a schedule that doubles has the same pauses as the doubling rule', () => {
  const policy = fc.record({
    firstPauseMs: fc.integer({ min: 1, max: 60_000 }),
    maxPauseMs: fc.integer({ min: 60_000, max: 3_600_000 }),
  });
  fc.assert(
    fc.property(policy, fc.integer({ min: 0, max: 40 }), (given, probes) => {
      const doubling: number[] = [];
      for (let at = 0; at < 30; at += 1) {
        doubling.push(doubledPause(given, doubling.at(-1) ?? null));
      }
      const pauseMs = scheduledPause(doubling, probes);
      expect(pauseMs).toBe(Math.min(given.firstPauseMs * 2 ** probes, given.maxPauseMs));
    }),
  );
});

test('five failures in a row open a circuit', () => {
  expect([1, 4, 5, 6].map(opensInARow)).toEqual([false, false, true, true]);
});
