import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import type { SftpServer } from '../../../src/operations/sftp/server.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestTeam } from '../../support/api.ts';
import { called, connect, newCredential } from './a-client.ts';
import type { TestClient, TestCredential } from './a-client.ts';

// A file is imported as its client means it, byte for byte, or not at all: with parts in any
// order, without one, or with one twice.

const api = useTestApi();
const directory = scratchDirectory();
let server: SftpServer;
let team: TestTeam;
let credential: TestCredential;
let client: TestClient;

beforeAll(async () => {
  const log = createLog('silent', 'worker');
  const dependencies = { database: api.db.database, keyring: api.keyring, log };
  server = await startSftpServer(dependencies, { host: '127.0.0.1', port: 0, graceMs: 0 });
  team = await api.newTeam();
  credential = await newCredential(team);
  client = await connect(server.port, credential);
});
afterAll(async () => {
  await client.end();
  await server.close();
});

interface Upload {
  path: string;
  status: string;
  size_bytes?: number;
  sha256?: string;
  error?: { code: string };
}

async function uploadOf(path: string): Promise<Upload> {
  const list = `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credential.id}`;
  const { body } = await team.get(`${list}&page[size]=100`);
  const uploads: Upload[] = body.data;
  const found = uploads.find((upload) => upload.path === path);
  if (!found) throw new Error(`there is no upload of ${path}`);
  return found;
}

const rowsOf = (count: number) =>
  Buffer.from(
    `unique_id,email\n${Array.from({ length: count }, (_, at) => `${String(at)},a${String(at)}@example.com\n`).join('')}`,
  );
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

interface Part {
  at: number;
  bytes: Buffer;
}

/** Writes all parts without waiting, closes, and returns whether all of it was accepted. */
async function writeParts(path: string, parts: readonly Part[]): Promise<boolean> {
  const { sftp } = client;
  const handle = await called<Buffer>((done) => sftp.open(path, 'w', done));
  const writes = parts.map(({ at, bytes }) =>
    called((done) => sftp.write(handle, bytes, 0, bytes.length, at, done)),
  );
  const outcomes = await Promise.allSettled([
    ...writes,
    called((done) => sftp.close(handle, done)),
  ]);
  return outcomes.every(({ status }) => status === 'fulfilled');
}

const cutAt = (content: Buffer, cuts: readonly number[]): Part[] => {
  const places = [...new Set([0, ...cuts.map((cut) => Math.floor(cut * content.length))])];
  places.sort((one, other) => one - other);
  return places.map((at, index) => ({ at, bytes: content.subarray(at, places[index + 1]) }));
};

test('parts in any order make the file, and a part that is missing or comes twice fails it', async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 30 });
  const faults = fc.constantFrom('none', 'none', 'missing', 'twice', 'overlapping');
  const run = fc.asyncProperty(cuts, faults, fc.nat(), async (places, fault, seed) => {
    const content = rowsOf(500);
    const ordered = cutAt(content, places);
    const chosen = ordered[seed % ordered.length];
    if (!chosen) throw new Error('there is no part');
    const isFirstOfMany = fault === 'missing' && ordered.length === 1;
    const parts = fault === 'missing' ? ordered.filter((part) => part !== chosen) : [...ordered];
    if (fault === 'twice') parts.push(chosen);
    if (fault === 'overlapping') parts.push({ at: chosen.at, bytes: Buffer.from('x') });
    const shuffled = parts
      .map((part, index) => ({ part, order: (index * 7_919 + seed * 104_729) % 1_009 }))
      .sort((one, other) => one.order - other.order)
      .map(({ part }) => part);
    const path = `/in/contacts/${randomUUID()}.csv`;
    const isAccepted = await writeParts(path, shuffled);
    const upload = await uploadOf(path);
    // Without its last part a file is a shorter one, which nobody can tell from a whole one.
    const isShorter = fault === 'missing' && chosen === ordered.at(-1);
    if (fault === 'none') {
      expect([isAccepted, upload.status, upload.sha256]).toEqual([
        ...[true, 'received', digestOf(content)],
      ]);
    } else if (!isShorter && !isFirstOfMany) {
      expect([isAccepted, upload.status, upload.error?.code]).toEqual([
        ...[false, 'failed', 'not_in_order'],
      ]);
    }
  });
  await fc.assert(run, { numRuns: 60 });
});

test('fastPut of ssh2 sends a file of two megabytes as it is', async () => {
  const content = rowsOf(80_000);
  const local = join(directory, 'fast.csv');
  await writeFile(local, content);
  await called((done) => client.sftp.fastPut(local, '/in/contacts/fast.csv', done));
  const upload = await uploadOf('/in/contacts/fast.csv');
  expect([upload.status, upload.size_bytes, upload.sha256]).toEqual([
    ...['received', content.length, digestOf(content)],
  ]);
});

test.each([
  ['more than four megabytes', 32_768, 140],
  ['thousands of small parts', 1, 5_000],
])('%s that come too early fail the file', async (name, length, count) => {
  const path = `/in/contacts/${name.replaceAll(' ', '-')}.csv`;
  const bytes = Buffer.alloc(length, 'a');
  const parts = Array.from({ length: count }, (_, at) => ({ at: (at + 1) * length, bytes }));
  expect(await writeParts(path, parts)).toBe(false);
  expect(await uploadOf(path)).toMatchObject({
    status: 'failed',
    error: { code: 'not_in_order' },
  });
});
