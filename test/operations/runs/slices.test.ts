import { expect, test } from '@jest/globals';
import { firstSlice, maxTransactionMs, nextSlice } from '../../../src/operations/runs/rules.ts';

const first = firstSlice(true);
const targetMs = maxTransactionMs(0.5);
const after = (size: number, tookMs: number) => nextSlice(size, tookMs, { first, targetMs });

test('the next transaction of a run has the size that fits its time, within bounds', () => {
  expect(after(200, targetMs)).toBe(200);
  expect(after(200, targetMs * 2)).toBe(100);
  expect(after(50, 1)).toBe(200);
  expect(after(400, 1)).toBe(500);
});

test('constant slowness does not reduce transactions to single items', () => {
  let size = first;
  for (let turn = 0; turn < 20; turn += 1) size = after(size, 5_000);
  expect(size).toBe(first / 5);
});

test('transactions are longer at a CPU share of one', () => {
  expect(maxTransactionMs(1)).toBeGreaterThan(targetMs);
});
