import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { maxBodyBytes } from '../../src/commands/codec-server/serve.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { samplesRunBy } from '../site/samples.ts';
import { callCodec, startCodecServer } from './a-codec-server.ts';
import type { CodecServer } from './a-codec-server.ts';
import { runEntry } from './spawn.ts';

const root = scratchDirectory();
const ui = 'http://localhost:8233';
let token = '';
const save = (name: string, text: string) => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = { metadata: { encoding: base64('json/plain') }, data: base64('"ada"') };
/** Arguments of a line that runs the server; files are those of this test. */
const argumentsOf = (line: string) =>
  line
    .replace('npm run codec-server -- ', '')
    .trim()
    .split(' ')
    .map((word) => (word === 'token' ? join(root, word) : word));
let open: CodecServer;
let guarded: CodecServer;

beforeAll(async () => {
  process.env['ONWARD_KEYS_FILE'] = save('keys.json', JSON.stringify(newKeyFile()));
  process.env['LOG_LEVEL'] = 'info';
  const [local = '', forOthers = ''] = samplesRunBy(
    'docs/operators.md',
    'test/commands/codec-server.test.ts',
  ).map(({ text }) => text);
  const [makeToken = '', guard = ''] = forOthers.split('\n');
  execFileSync('bash', ['-euc', makeToken], { cwd: root });
  token = readFileSync(join(root, 'token'), 'utf8').trim();
  open = await startCodecServer(...argumentsOf(local));
  guarded = await startCodecServer(...argumentsOf(guard));
});
afterAll(async () => {
  await open.close();
  await guarded.close();
});

test('what is encrypted is decrypted again, and logged without its content', async () => {
  const encrypted = await callCodec(`${open.url}/encode`, [plain]);
  const [payload] = encrypted.body.payloads;
  expect(Buffer.from(payload.metadata.encoding, 'base64').toString()).toBe('binary/encrypted');
  expect(JSON.stringify(payload)).not.toContain(plain.data);
  const decrypted = await callCodec(`${open.url}/decode`, [payload, plain]);
  expect(decrypted.body).toEqual({ payloads: [plain, plain] });
  expect(decrypted.headers.get('Cache-Control')).toBe('no-store');
  expect(open.lines.join('')).toContain('"count":2');
  expect(open.lines.join('')).not.toContain(plain.data);
});

test('a payload that was changed, or has an unknown key, is refused', async () => {
  const { body } = await callCodec(`${open.url}/encode`, [plain]);
  const [payload] = body.payloads;
  const bytes = Buffer.from(payload.data, 'base64');
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  const unknown = { ...payload.metadata, 'encryption-key-id': base64('kffffffffffff') };
  const { encoding } = payload.metadata;
  for (const forged of [
    { ...payload, data: bytes.toString('base64') },
    { ...payload, data: '' },
    { ...payload, metadata: unknown },
    { metadata: { encoding } },
  ]) {
    const { status, body: refused } = await callCodec(`${open.url}/decode`, [forged]);
    expect([status, refused.message]).toEqual([400, expect.stringContaining('was changed')]);
  }
});

test.each([
  ['no JSON', 'payloads'],
  ['an array', '[]'],
  ['a payload that is a number', '{"payloads":[1]}'],
  ['data that is no base64', '{"payloads":[{"data":"%"}]}'],
  ['metadata that is no base64', '{"payloads":[{"metadata":{"encoding":"a"}}]}'],
  ['metadata with a list', '{"payloads":[{"metadata":{"encoding":[]}}]}'],
  ['too many payloads', JSON.stringify({ payloads: Array.from({ length: 10_001 }, () => ({})) })],
])('a body with %s is refused', async (_, body) => {
  expect((await callCodec(`${open.url}/decode`, body)).status).toBe(400);
});

test('a body without payloads gets none, as the temporal program expects', async () => {
  const { status, body } = await callCodec(`${open.url}/decode`, '{}');
  expect([status, body]).toEqual([200, { payloads: [] }]);
});

test('the requests for a long history, one for each payload, are all answered', async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 600; count += 1) {
    statuses.add((await callCodec(`${open.url}/decode`, '{}')).status);
  }
  expect([...statuses]).toEqual([200]);
});

test('a body that is too large is refused', async () => {
  const { status } = await callCodec(`${open.url}/decode`, 'x'.repeat(maxBodyBytes + 1));
  expect(status).toBe(413);
});

test('pages of the allowed origin may call, those of others may not', async () => {
  const preflight = await fetch(`${open.url}/decode`, {
    method: 'OPTIONS',
    headers: { Origin: ui, 'Access-Control-Request-Headers': 'x-namespace' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe(ui);
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('X-Namespace');
  const allowed = await callCodec(`${open.url}/decode`, [plain], { Origin: ui });
  expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(ui);
  for (const Origin of ['https://evil.example.com', 'null', `${ui}.evil.example.com`]) {
    const { status, headers } = await callCodec(`${open.url}/decode`, [plain], { Origin });
    expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([403, null]);
  }
});

test('other paths and methods are refused', async () => {
  expect((await callCodec(`${open.url}/`, [plain])).status).toBe(404);
  expect((await fetch(`${open.url}/decode`)).status).toBe(405);
});

test('a server with a token refuses calls without it, and those who guess', async () => {
  const call = (given?: string) =>
    callCodec(
      `${guarded.url}/decode`,
      [plain],
      given === undefined ? {} : { Authorization: given },
    );
  expect((await call(`Bearer ${token}`)).status).toBe(200);
  expect((await call()).status).toBe(401);
  expect((await call(token)).status).toBe(401);
  const statuses = [];
  for (let guess = 0; guess < 20; guess += 1) statuses.push((await call('Bearer guess')).status);
  expect(statuses.at(-1)).toBe(429);
  expect(guarded.lines.join('')).not.toContain(token);
});

test('a server that others can reach needs a token, and the token must be long', async () => {
  await expect(startCodecServer('--host', '0.0.0.0')).rejects.toThrow('--token-file');
  await expect(startCodecServer('--token-file', save('short', 'secret'))).rejects.toThrow('32');
  await expect(startCodecServer('--token-file', join(root, 'none'))).rejects.toThrow('be read');
  await expect(startCodecServer('--origin', `${ui}/path`)).rejects.toThrow('without a path');
});

test('--help explains the options', async () => {
  const { stdout, code } = await runEntry('src/commands/codec-server.ts', ['--help'], {});
  expect(code).toBe(0);
  for (const option of ['--host', '--port', '--origin', '--token-file']) {
    expect(stdout).toContain(option);
  }
});
