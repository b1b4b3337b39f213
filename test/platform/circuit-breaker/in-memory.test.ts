import { beforeEach, expect, test } from '@jest/globals';
import { createBreaker } from '../../../src/platform/circuit-breaker/in-memory.ts';
import type {
  Breaker,
  BreakerTransition,
} from '../../../src/platform/circuit-breaker/in-memory.ts';
import { faultOf } from '../../../src/messaging/send-queue/send-outcomes.ts';
import type { SendResult } from '../../../src/messaging/providers/sender.ts';

const sent: SendResult = { kind: 'sent', providerMessageId: 'id', recipient: 'r' };
const refused: SendResult = { kind: 'refused', code: 'http_400' };
const busy: SendResult = { kind: 'later', code: 'smtp_451' };
const broken: SendResult = { kind: 'later', code: 'http_500', outage: { isSure: false } };
const unknown: SendResult = { kind: 'later', code: 'http_401', outage: { isSure: true } };
const throttled = (retryAfterMs: number): SendResult => ({
  ...{ kind: 'later', code: 'http_429', outage: { isSure: true, retryAfterMs } },
});

let breaker: Breaker;
let transitions: BreakerTransition[];
beforeEach(() => {
  transitions = [];
  const policy = { probeScheduleMs: [100, 300], probeTimeoutMs: 1_000 };
  breaker = createBreaker(policy, (transition) => transitions.push(transition));
});

const record = (result: SendResult, nowMs: number, isProbe = false) =>
  breaker.recordResult(faultOf(result), isProbe, nowMs);
function probe(result: SendResult, nowMs: number) {
  expect(breaker.stateAt(nowMs)).toEqual({ kind: 'due' });
  breaker.beginProbe(nowMs);
  return record(result, nowMs, true);
}

test('a fault that is certainly the provider’s opens the breaker, and its message uses an attempt', () => {
  expect(record(unknown, 0)).toBeUndefined();
  expect(breaker.stateAt(0)).toEqual({ kind: 'open', probeAtMs: 100 });
  expect(record(unknown, 1)).toBe(100);
  expect(transitions).toEqual([{ kind: 'opened', code: 'http_401', probeAtMs: 100 }]);
});

test('faults that may be those of a message open the breaker after five in a row', () => {
  for (let at = 0; at < 4; at += 1) expect(record(broken, at)).toBeUndefined();
  record(sent, 4);
  for (let at = 0; at < 4; at += 1) record(broken, at);
  record(refused, 4);
  for (let at = 0; at < 4; at += 1) record(broken, at);
  record(busy, 4);
  expect(breaker.stateAt(5)).toEqual({ kind: 'closed' });
  for (let at = 5; at < 10; at += 1) record(broken, at);
  expect(breaker.stateAt(9)).toEqual({ kind: 'open', probeAtMs: 109 });
});

test('probes are made one at a time, and come later and later', () => {
  record(unknown, 0);
  expect(breaker.stateAt(99).kind).toBe('open');
  breaker.beginProbe(100);
  expect(breaker.stateAt(101)).toEqual({ kind: 'probing' });
  expect(record(unknown, 110, true)).toBe(410);
  expect(probe(broken, 410)).toBe(710);
  expect(probe(broken, 710)).toBe(1_010);
  expect(transitions.map(({ kind }) => kind)).toEqual([
    'opened',
    'probe_failed',
    'probe_failed',
    'probe_failed',
  ]);
});

test.each([
  ['taken', sent],
  ['refused for its own sake', refused],
  ['put off for its own sake', busy],
])('a probe that is %s closes it', (_, result) => {
  record(unknown, 0);
  expect(probe(result, 150)).toBeUndefined();
  expect(breaker.stateAt(150)).toEqual({ kind: 'closed' });
  expect(transitions.at(-1)).toEqual({ kind: 'closed', outageMs: 150 });
  // The window starts again from zero.
  for (let at = 200; at < 204; at += 1) record(broken, at);
  expect(breaker.stateAt(204)).toEqual({ kind: 'closed' });
});

test('an outcome in flight at the opening neither closes the breaker nor moves the probe, except by Retry-After', () => {
  record(unknown, 0);
  record(sent, 10);
  expect(record(broken, 20)).toBe(100);
  expect(record(throttled(500), 30)).toBe(530);
  expect(breaker.stateAt(529)).toEqual({ kind: 'open', probeAtMs: 530 });
});

test('the breaker stays open for the Retry-After time of the provider', () => {
  record(throttled(5_000), 0);
  expect(breaker.stateAt(4_999)).toEqual({ kind: 'open', probeAtMs: 5_000 });
  expect(probe(throttled(60_000), 5_000)).toBe(65_000);
});

test('a probe without a message, or lost with its lane, is made by another', () => {
  record(unknown, 0);
  breaker.beginProbe(100);
  breaker.abandonProbe();
  expect(breaker.stateAt(100)).toEqual({ kind: 'due' });
  breaker.beginProbe(100);
  expect(breaker.stateAt(1_099)).toEqual({ kind: 'probing' });
  expect(breaker.stateAt(1_100)).toEqual({ kind: 'due' });
});
