import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TracingConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { createTracer } from '../../../src/platform/observability/tracer.ts';
import { takePort } from '../../support/ports.ts';
import { startCollector } from './collector.ts';
import type { Collector } from './collector.ts';

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.stop());

const tracerWith = (changes: Partial<TracingConfig> = {}) =>
  createTracer(
    {
      url: `${collector.url}/v1/traces`,
      headers: {},
      serviceName: 'tests',
      resource: {},
      sampler: { name: 'parentbased_always_on', ratio: 1 },
      trustsCallers: false,
      ...changes,
    },
    createLog('silent', 'tests'),
  );

const theirs = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const callerWith = (flags: string) => `00-${theirs.traceId}-${theirs.spanId}-${flags}`;

test('requests that the sampler leaves out have no span, also where a caller asks for one', async () => {
  for (const name of ['always_off', 'parentbased_always_off'] as const) {
    const tracer = tracerWith({ sampler: { name, ratio: 1 } });
    expect(tracer.start('none', {})).toBeUndefined();
    expect(tracer.start('none', { caller: callerWith('01') })).toBeUndefined();
    await tracer.stop();
  }
  for (const name of ['traceidratio', 'parentbased_traceidratio'] as const) {
    const tracer = tracerWith({ sampler: { name, ratio: 0.25 } });
    const started = [...Array(2_000).keys()].filter(() => tracer.start('some', {}));
    expect(started.length / 2_000).toBeCloseTo(0.25, 1);
    // The trace of the parent is one that was sampled.
    const parent = tracer.start('some', {}) ?? { traceparent: '00-0-0-01' };
    if ('traceId' in parent)
      expect(tracer.start('child', { parent: parent.traceparent })).toBeDefined();
    await tracer.stop();
  }
});

test('a share of traces is kept regardless of what callers send, unless the proxy in front is trusted', async () => {
  const sampler = { name: 'parentbased_traceidratio', ratio: 0.25 } as const;
  const shareOf = (trustsCallers: boolean, caller: string) => {
    const tracer = tracerWith({ sampler, trustsCallers });
    const started = [...Array(2_000).keys()].filter(() => tracer.start('some', { caller }));
    stopping.push(tracer.stop());
    return started.length / 2_000;
  };
  const stopping: Promise<void>[] = [];
  expect(shareOf(false, callerWith('01'))).toBeCloseTo(0.25, 1);
  expect(shareOf(true, 'nonsense')).toBeCloseTo(0.25, 1);
  expect(shareOf(true, callerWith('01'))).toBe(1);
  expect(shareOf(true, callerWith('00'))).toBe(0);
  await Promise.all(stopping);
});

test('the setting for a trusted proxy continues its trace and follows its decision', async () => {
  const tracer = tracerWith({ trustsCallers: true });
  const span = tracer.start('continued', { caller: callerWith('01') });
  expect(span?.traceId).toBe(theirs.traceId);
  span?.end();
  expect(tracer.start('left out', { caller: callerWith('00') })).toBeUndefined();
  for (const caller of [undefined, '', 'nonsense', callerWith('01').toUpperCase()]) {
    const own = tracer.start('own', { caller });
    expect(own?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(own?.traceId).not.toBe(theirs.traceId);
  }
  await tracer.stop();
  expect(collector.spans.find(({ name }) => name === 'continued')).toMatchObject({
    ...{ traceId: theirs.traceId, parentId: theirs.spanId, links: [], service: 'tests' },
  });
});

test('a span of past work has the context that its children know', async () => {
  const tracer = tracerWith();
  const parent = tracer.start('request', {});
  const traceparent = `00-${parent?.traceId ?? ''}-00000000000000ab-01`;
  const past = { traceparent, startedAt: new Date(Date.now() - 60_000) };
  const run = tracer.start('run', { parent: parent?.traceparent ?? '', past });
  expect(run?.traceparent).toBe(traceparent);
  run?.end('TimeoutFailure');
  expect(tracer.start('next', {})?.spanId).not.toBe('00000000000000ab');
  await tracer.stop();
  const found = collector.spans.find(({ name }) => name === 'run');
  expect(found).toMatchObject({ parentId: parent?.spanId, isError: true });
  expect(found?.attributes).toEqual({ 'error.type': 'TimeoutFailure' });
});

test('a collector that is away costs a warning without its address, and no wait at the end', async () => {
  const lines: string[] = [];
  const log = createLog('warn', 'tests', { write: (line: string) => void lines.push(line) });
  const url = `http://127.0.0.1:${String(await takePort())}/v1/traces?key=secret`;
  const tracer = createTracer(
    {
      ...{ url, headers: { authorization: 'secret' }, serviceName: 'tests', resource: {} },
      ...{ sampler: { name: 'always_on', ratio: 1 }, trustsCallers: false },
    },
    log,
  );
  for (let made = 0; made < 20_000; made += 1) tracer.start('lost', {})?.end();
  const startedAt = performance.now();
  await tracer.stop();
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(lines.join('')).not.toMatch(/secret|127\.0\.0\.1/);
});
