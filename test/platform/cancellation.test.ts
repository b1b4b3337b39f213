import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { createCancellation } from '../../src/platform/cancellation.ts';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

const never = () => new Promise<never>(() => undefined);

test('an interruption releases the work it waited for once that is done', async () => {
  const loss = createCancellation();
  const waiting = loss.during(never());
  const kept = await (async () => new WeakRef(await loss.during(Promise.resolve({}))))();
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof collect === 'function') collect();
  expect(kept.deref()).toBeUndefined();
  loss.interrupt(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
});

test('an interruption ends all present and future waits with its first reason', async () => {
  const loss = createCancellation();
  const [one, other] = [loss.during(never()), loss.during(never())];
  loss.interrupt(new Error('first'));
  loss.interrupt(new Error('second'));
  await expect(one).rejects.toThrow('first');
  await expect(other).rejects.toThrow('first');
  await expect(loss.during(Promise.resolve(1))).rejects.toThrow('first');
  expect(loss.reason?.message).toBe('first');
});

test('work that settles before the interruption has its own outcome', async () => {
  const loss = createCancellation();
  await expect(loss.during(Promise.resolve(7))).resolves.toBe(7);
  await expect(loss.during(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  expect(loss.reason).toBeUndefined();
});
