import { expect, test } from '@jest/globals';
import { findUntrusted } from './packages.ts';

const good = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
const unverified = { version: '1.0.0', license: 'MIT' };
const unlicensed = { version: '1.0.0', integrity: 'sha512-abc' };

test('a package with a digest and an agreed license is accepted', () => {
  expect(
    findUntrusted({
      '': {},
      'node_modules/a': good,
      'node_modules/a/node_modules/@b/c': { ...good, license: '(GPL-3.0-only OR MIT)' },
    }),
  ).toEqual([]);
});

test('a package that could be replaced unnoticed is reported', () => {
  expect(findUntrusted({ 'node_modules/a': unverified })).toEqual([
    expect.stringContaining('a@1.0.0 has no integrity digest'),
  ]);
});

test('only builds for systems that the registry did not serve may lack a digest', () => {
  expect(findUntrusted({ 'node_modules/@swc/core-darwin-arm64': unverified })).toEqual([]);
  expect(findUntrusted({ 'node_modules/@swc/core-linux-x64-gnu': unverified })).toHaveLength(1);
});

test('a package under terms that nobody agreed to is reported', () => {
  for (const license of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', undefined]) {
    const entry = license === undefined ? unlicensed : { ...unlicensed, license };
    expect(findUntrusted({ 'node_modules/a': entry })).toEqual([
      expect.stringContaining('a@1.0.0 has the license'),
    ]);
  }
});
