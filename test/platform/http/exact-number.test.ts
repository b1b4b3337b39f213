import { expect, test } from '@jest/globals';
import { isExactNumber, isKeptNumber } from '../../../src/platform/http/exact-number.ts';
import { cpuMsSince } from '../../support/cpu-time.ts';

test.each([
  ['0', true],
  ['-0', true],
  ['0.1', true],
  ['1.50', true],
  ['1e3', true],
  ['1E+3', true],
  ['5e-324', true],
  ['1e22', true],
  ['100000000000000000000e2', true],
  ['1.7976931348623157e308', true],
  ['0.30000000000000004', true],
  ['000000000000000000', true],
  ['0.10000000000000000000000', true],
  ['9007199254740991', true],
  ['9007199254740992', false],
  ['9007199254740993', false],
  ['9007199254740991.4', false],
  ['0.10000000000000001', false],
  ['0.12345678901234567890123', false],
  ['1e400', false],
  ['1e-400', false],
  ['-1.23456789e-320', false],
])('whether a number keeps the value of %s: %s', (digits, isExact) => {
  expect(isExactNumber(digits)).toBe(isExact);
});

test.each([
  ['0.10000000000000001', true],
  ['0.12345678901234567890123', true],
  ['9007199254740991.4', true],
  ['9007199254740993', false],
  ['9007199254740993.5', false],
  ['1e400', false],
  ['1e-400', false],
  ['0.0e-400', true],
])('whether a number of a provider keeps %s but for rounding: %s', (digits, isKept) => {
  expect(isKeptNumber(digits)).toBe(isKept);
});

test('a number of a million digits takes no longer than its length', () => {
  const zeros = '0'.repeat(1_000_000);
  const begun = process.cpuUsage();
  for (const digits of [`0.${zeros}1`, `1${zeros}1`, `1${zeros}1.${zeros}1`, `1${zeros}-`]) {
    isExactNumber(digits);
  }
  expect(cpuMsSince(begun)).toBeLessThan(1_000);
});
