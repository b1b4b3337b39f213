import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findCredentials, findLocalService } from '../../sdk/cli/src/credentials.ts';
import { Onward } from '../../sdk/typescript/src/index.ts';
import { scratchDirectory } from '../local/scratch.ts';

const folder = scratchDirectory();
const client = { clientId: 'a', clientSecret: 'b' };

test('an SDK sends no secret without TLS to another machine, unless it is allowed to', () => {
  for (const baseUrl of [
    'http://onward.example.com',
    'http://10.0.0.5:3000',
    'http://localhost.evil.example',
  ]) {
    expect(() => new Onward({ baseUrl, ...client })).toThrow('without TLS');
    expect(() => new Onward({ baseUrl, ...client, allowHttp: true })).not.toThrow();
  }
  for (const baseUrl of [
    'https://onward.example.com',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://localhost:3000',
  ]) {
    expect(() => new Onward({ baseUrl, ...client })).not.toThrow();
  }
});

test('the command line is allowed to by its environment alone', () => {
  const given = { ONWARD_CLIENT_ID: 'a', ONWARD_CLIENT_SECRET: 'b' };
  expect(findCredentials({}, given).allowHttp).toBe(false);
  expect(findCredentials({}, { ...given, ONWARD_ALLOW_HTTP: 'true' }).allowHttp).toBe(true);
});

test('the command line takes no service from a file of another user', () => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo.json');
  const demo = { base_url: 'http://127.0.0.1:1', client_id: 'a', client_secret: 'b' };
  writeFileSync(file, JSON.stringify(demo));
  const environment = { ONWARD_DATA_DIR: folder, HOME: folder };
  expect(findLocalService(environment)?.url).toBe('http://127.0.0.1:1');
  // Only the superuser may give a file to another user; others have one of the superuser's.
  if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
  else {
    rmSync(file);
    symlinkSync('/etc/passwd', file);
  }
  expect(findLocalService(environment)).toBeUndefined();
  expect(() => findCredentials({}, environment)).toThrow('Sign in');
});
