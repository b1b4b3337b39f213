import { expect, test } from '@jest/globals';
import { afterFetch } from '../../activities/fetch-file.ts';
import { afterTest } from '../../activities/test-logins.ts';
import { afterCallbacks } from '../../activities/project-inbound.ts';
import { afterAttempts } from '../../activities/recover-webhook-subscription.ts';
import type { Round } from '../../src/platform/jobs/shape.ts';

// Details for operators at endings that are rare. The others are met by the tests in this folder.

const endOf = ({ details, next }: Round<unknown>) => [
  next.kind === 'end' ? next.result : next.kind,
  details,
];

test('a fetch that failed says what is to be corrected', () => {
  expect(endOf(afterFetch({ attempts: 3, lastError: 'file_not_found' }))).toEqual([
    { outcome: 'failed', attempts: 3, error: 'file_not_found' },
    '3 attempts. Last error: file_not_found. The fetch has failed: its source or the callback is ' +
      'to be corrected.',
  ]);
  expect(endOf(afterFetch({ attempts: 0 }))).toEqual([
    { outcome: 'ended', attempts: 0 },
    'Nothing was to be fetched: the fetch had ended before.',
  ]);
});

test.each([
  ['succeeded', 'The test has succeeded.'],
  ['login_refused', 'The test has failed: login_refused.'],
  ['ended', 'No test was requested any more.'],
])('a test of a login that is %s says so', (outcome, details) => {
  expect(endOf(afterTest(outcome, 'source'))).toEqual([{ outcome }, details]);
});

test.each([
  [2, 1, 'given_up', ' 2 applied so far. 1 given up: replay them once the cause is corrected.'],
  [2, 0, 'applied', ' 2 applied so far.'],
  [0, 0, 'ended', ''],
])('callbacks of which %d were applied and %d given up', (applied, givenUp, outcome, soFar) => {
  const none = { waiting: 0, next_at: null, last_error: null };
  expect(endOf(afterCallbacks(none, { applied, givenUp }))).toEqual([
    { outcome, applied, givenUp },
    `Nothing waits.${soFar}`,
  ]);
});

const replay = 'Replay them once the receiver works.';

test.each([
  [5, 2, 0, 'recovered', ' 5 delivered by this recovery so far.'],
  [
    ...([1, 30, 3, 'recovered'] as const),
    ` 1 delivered by this recovery so far. 3 deliveries failed permanently. ${replay}`,
  ],
  [
    ...([0, 6, 2, 'given_up'] as const),
    ` All 6 attempts failed, and the deliveries were given up. ${replay}`,
  ],
  [...([0, 0, 4, 'given_up'] as const), ` 4 deliveries became too old. ${replay}`],
])(
  'a recovery with %d delivered, %d failed and %d given up',
  (delivered, failed, givenUp, outcome, soFar) => {
    const counts = { delivered, failed, givenUp };
    expect(endOf(afterAttempts({ waiting: 0, isBreakerOpen: false }, counts, 0))).toEqual([
      { outcome, ...counts },
      `Nothing waits.${soFar}`,
    ]);
  },
);

test.each(['inactive', 'disabled', 'deleted'] as const)(
  'a recovery of a subscription that is %s says why nothing waits',
  (offCause) => {
    const counts = { delivered: 0, failed: 3, givenUp: 3 };
    const status = { waiting: 0, isBreakerOpen: false, offCause };
    const [result, details] = endOf(afterAttempts(status, counts, 0));
    expect(result).toEqual({ outcome: offCause, ...counts });
    expect(details).toMatch(
      new RegExp(`^Nothing waits; the subscription (is|was) ${offCause}.*3 deliveries failed`),
    );
  },
);
