import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter } from '../../src/platform/egress/retry-after.ts';
import { shardsOf } from '../../src/webhooks/dispatch/lane-claims.ts';
import {
  crossesFailureThreshold,
  errorCodeOf,
  firstRound,
  isSuccess,
  classifyFailure,
  mustDisable,
  nextAttemptAt,
  nextRound,
} from '../../src/webhooks/retries/rules.ts';
import {
  keyOf,
  signatureOf,
  signedHeaders,
} from '../../src/webhooks/webhook-subscriptions/secrets.ts';

const seconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const production = { scheduleMs: seconds.map((one) => one * 1_000), jitter: 0.2 };
const hour = 3_600_000;

describe('the schedule', () => {
  test('has ten attempts within 76 hours, and ends', () => {
    const exact = { ...production, jitter: 0 };
    let atMs = 0;
    let attempts = 1;
    for (;;) {
      const next = nextAttemptAt(exact, attempts, atMs, 0, 0.5);
      if (next === undefined) break;
      attempts += 1;
      atMs = next;
    }
    expect(attempts).toBe(10);
    expect(atMs / hour).toBeCloseTo(75.6, 1);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('varies pause %d by no more than a fifth', (step) => {
    const pauseMs = production.scheduleMs[step] ?? 0;
    for (const random of [0, 0.25, 0.5, 0.75, 1 - Number.EPSILON]) {
      const next = nextAttemptAt(production, step, 0, 0, random) ?? NaN;
      expect(next).toBeGreaterThanOrEqual(pauseMs * 0.8);
      expect(next).toBeLessThanOrEqual(pauseMs * 1.2);
    }
    expect(nextAttemptAt(production, step, 0, 0, 0)).toBe(pauseMs * 0.8);
  });

  test('waits for the Retry-After time of a receiver, and never less than its own pause', () => {
    const after = (retryAfterMs: number) =>
      nextAttemptAt({ ...production, jitter: 0 }, 2, 0, retryAfterMs, 0);
    expect(after(1_000)).toBe(300_000);
    expect(after(hour)).toBe(hour);
  });
});

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 0],
  // A day at most.
  ['2592000', 86_400_000],
  ['Sat, 28 Feb 2026 09:30:00 GMT', 86_400_000],
  ['Sat, 31 Jan 2026 09:30:10 GMT', 10_000],
  ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
  ['Saturday, 31-Jan-26 09:30:10 GMT', 10_000],
  ['Sat Jan 31 09:30:10 2026', 10_000],
  ['Sat, 31 Jan 2026 09:30:10', 10_000],
  ['2026-01-31T10:30:10+01:00', 10_000],
  // A header that comes twice.
  ['30, 30', 30_000],
  ['5,120', 120_000],
  ['120.5', 120_500],
  ['0.0001', 1],
  ['soon', 0],
  ['retry 2099', 0],
  ['3600 s', 0],
  ['30, soon', 0],
  ['2099', 2_099_000],
  ['', 0],
  [',', 0],
  ['-5', 0],
  [undefined, 0],
])('Retry-After %p means %d ms', (value, expected) => {
  expect(parseRetryAfter(value, Date.parse('2026-01-31T09:30:00Z'))).toBe(expected);
});

test('2xx alone is success; 410 and refused addresses end a delivery, and all other outcomes are retried', () => {
  expect([199, 200, 204, 299, 300, 307, 404, 500].filter(isSuccess)).toEqual([200, 204, 299]);
  expect([302, 404, 410, 429, 503, 600, 999].map(errorCodeOf)).toEqual([
    ...['http_3xx', 'http_4xx', 'gone', 'throttled', 'http_5xx'],
    ...['http_6xx', 'http_9xx'],
  ]);
  expect(
    ['gone', 'target_not_allowed', 'http_3xx', 'dns_error', 'timeout'].map(classifyFailure),
  ).toEqual(['gone', 'permanent', 'retry', 'retry', 'retry']);
});

test('notices are due at 5, 7 and 9 permanent failures, once each, also if several count together', () => {
  const told = (steps: readonly number[]) =>
    steps.filter((after, at) => crossesFailureThreshold(steps[at - 1] ?? 0, after));
  expect(told([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toEqual([5, 7, 9]);
  expect(told([4, 8, 12])).toEqual([8, 12]);
  expect([9, 10, 11].map((count) => mustDisable(count, 10))).toEqual([false, true, true]);
});

test.each([1, 3, 4, 7, 256])('%d lanes have each shard once', (lanes) => {
  const shards = Array.from({ length: lanes }, (_, lane) => shardsOf(lane, lanes)).flatMap(
    ({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at),
  );
  expect(shards).toEqual(Array.from({ length: 256 }, (_, shard) => shard));
});

describe('a signature', () => {
  // The vector of the specification of Standard Webhooks.
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const body = '{"test": 2432232314}';
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

  test('is the one of the specification, with and without the prefix of the secret', () => {
    for (const text of [secret, `whsec_${secret}`]) {
      expect(signatureOf(keyOf(text), id, '1614265330', body)).toBe(expected);
    }
  });

  test('changes with the time of the attempt, and the id does not', () => {
    const [first, second] = [1_614_265_330, 1_614_265_331].map((at) =>
      signedHeaders([keyOf(secret)], id, at, body),
    );
    expect(first).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': expected,
    });
    expect(second?.['webhook-id']).toBe(id);
    expect(second?.['webhook-signature']).not.toBe(expected);
  });
});

describe('the rounds of a recovery', () => {
  const after = (rounds: readonly (readonly [made: number, failed: number])[]) => {
    let size = firstRound;
    return rounds.map(([made, failed]) => (size = nextRound(size, { made, failed })));
  };

  test('grow while at most a quarter fails, up to 32', () => {
    const good = [2, 4, 8, 16, 32].map((made) => [made, Math.floor(made / 4)] as const);
    expect(after(good)).toEqual([4, 8, 16, 32, 32]);
  });

  test('stay while up to half fails, and shrink if more fails', () => {
    const rounds = [
      [2, 0],
      [4, 0],
      [8, 3],
      [8, 4],
      [8, 5],
      [4, 3],
      [2, 2],
    ] as const;
    expect(after(rounds)).toEqual([4, 8, 8, 8, 4, 2, 2]);
  });

  test('start again from the first size if all attempts fail', () => {
    expect(
      after([
        [2, 0],
        [4, 0],
        [8, 0],
        [16, 16],
      ]),
    ).toEqual([4, 8, 16, firstRound]);
  });
});
