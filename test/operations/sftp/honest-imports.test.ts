import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '../../support/eventually.ts';
import { called, connect, newCredential } from './a-client.ts';
import type { TestClient } from './a-client.ts';
import { digestOf, useDrop } from './use-drop.ts';

// Clients write in their own ways, and break off in any of them: a file is imported as its client
// means it, byte for byte, or not at all.

const drop = useDrop();

interface Pattern {
  /** Writes in flight at once. */
  window: number;
  /** Parallel writers send the writes of a window in any order. */
  isParallel: boolean;
  /** Name until the rename; the final one where there is none. */
  temporary?(name: string): string;
  rename?: 'rename' | 'posix-rename' | 'before the close';
  /** A `.sha256` file comes first. */
  hasDigest?: boolean;
  /** Requests after the close, or the rename. */
  asks?: readonly ('stat' | 'utimes' | 'truncate')[];
}

const patterns: readonly (readonly [string, Pattern])[] = [
  ['OpenSSH', { window: 64, isParallel: false, asks: ['utimes'], hasDigest: true }],
  ['fastPut of ssh2', { window: 64, isParallel: true, hasDigest: true }],
  [
    'pkg/sftp with concurrent writes',
    { window: 32, isParallel: true, temporary: (name) => `${name}.tmp`, rename: 'posix-rename' },
  ],
  [
    'lftp with a temporary file',
    { window: 16, isParallel: false, temporary: (name) => `.in.${name}`, asks: ['utimes', 'stat'] },
  ],
  [
    'rclone',
    {
      ...{ window: 64, isParallel: true, temporary: (name: string) => `${name}.29c74392.partial` },
      asks: ['utimes', 'stat'],
    },
  ],
  ['WinSCP', { window: 32, isParallel: false, temporary: (name) => `${name}.filepart` }],
  ['NiFi with a dot', { window: 16, isParallel: false, temporary: (name) => `.${name}` }],
  [
    'paramiko, which does not wait',
    { window: 1_000, isParallel: false, asks: ['stat'], hasDigest: true },
  ],
  [
    'a program that renames and truncates what it has open',
    {
      ...{ window: 1, isParallel: false, rename: 'before the close' },
      ...{ temporary: (name: string) => `tmp_${name}`, asks: ['truncate'] },
    },
  ],
];

type Fault = 'none' | 'reset' | 'reset before the rename' | 'break off' | 'lost' | 'twice';

interface Scenario {
  rows: number;
  pieceBytes: number;
  fault: Fault;
  /** Where the fault happens, as a share of the writes. */
  at: number;
  seed: number;
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  rows: fc.integer({ min: 1, max: 400 }),
  pieceBytes: fc.integer({ min: 50, max: 3_000 }),
  fault: fc.constantFrom<Fault>(
    ...(['none', 'reset', 'reset before the rename', 'break off', 'lost', 'twice'] as const),
  ),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  seed: fc.nat(),
});

const contentOf = (rows: number) =>
  Buffer.from(
    `unique_id,email\n${Array.from({ length: rows }, (_, at) => `${String(at)},a${String(at)}@example.com\n`).join('')}`,
  );

/** The places of the writes: in order, or each window of a parallel writer shuffled. */
function placesOf(content: Buffer, { isParallel, window }: Pattern, scenario: Scenario): number[] {
  const { pieceBytes, seed } = scenario;
  const count = Math.ceil(content.length / pieceBytes);
  const places = Array.from({ length: count }, (_, at) => at * pieceBytes);
  if (!isParallel) return places;
  const order = (at: number, index: number) =>
    Math.floor(index / window) * 10_000 + ((at * 7_919 + seed) % 9_973);
  return places
    .map((at, index) => ({ at, order: order(at, index) }))
    .sort((one, other) => one.order - other.order)
    .map(({ at }) => at);
}

class BrokenOff extends Error {}

/** Sends the file as the pattern does, with the fault; throws where the client would report an error. */
async function send(
  client: TestClient,
  name: string,
  content: Buffer,
  pattern: Pattern,
  scenario: Scenario,
): Promise<void> {
  const { sftp, connection } = client;
  const final = `/in/contacts/${name}`;
  const path = pattern.temporary ? `/in/contacts/${pattern.temporary(name)}` : final;
  if (pattern.hasDigest) await client.put(`${final}.sha256`, `${digestOf(content)}  ${name}\n`);
  const handle = await called<Buffer>((done) => sftp.open(path, 'w', done));
  let places = placesOf(content, pattern, scenario);
  const faultAt = Math.floor(scenario.at * places.length);
  const chosen = places[faultAt] ?? 0;
  // Without its last part a file is a shorter one, which only a digest shows.
  const isNoticed = pattern.hasDigest === true || chosen + scenario.pieceBytes < content.length;
  if (scenario.fault === 'lost' && isNoticed) places = places.filter((at) => at !== chosen);
  if (scenario.fault === 'twice') places.splice(faultAt, 0, chosen);
  const failures: unknown[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const isCut = scenario.fault === 'reset' || scenario.fault === 'break off';
  for (const at of isCut ? places.slice(0, faultAt) : places) {
    const bytes = content.subarray(at, at + scenario.pieceBytes);
    const write = called((done) => sftp.write(handle, bytes, 0, bytes.length, at, done))
      .catch((error: unknown) => failures.push(error))
      .finally(() => inFlight.delete(write));
    inFlight.add(write);
    if (inFlight.size >= pattern.window) await Promise.race(inFlight);
  }
  if (scenario.fault === 'reset') {
    connection.destroy();
    throw new BrokenOff();
  }
  if (pattern.asks?.includes('truncate') && scenario.fault === 'none') {
    const size: object = { size: content.length };
    await called((done) => sftp.fsetstat(handle, size as { mode: number; uid: 0; gid: 0 }, done));
  }
  const renamesOpen = pattern.rename === 'before the close' && scenario.fault === 'none';
  if (renamesOpen) await client.rename(path, final);
  // As many clients do, it closes what it breaks off.
  await called((done) => sftp.close(handle, done));
  await Promise.all(inFlight);
  if (failures.length > 0) throw failures[0];
  if (scenario.fault === 'break off') throw new BrokenOff();
  if (path !== final && !renamesOpen) {
    if (scenario.fault === 'reset before the rename') {
      connection.destroy();
      throw new BrokenOff();
    }
    if (pattern.rename === 'posix-rename') {
      Reflect.set(sftp, '_extensions', { 'posix-rename@openssh.com': '1' });
      await called((done) => sftp.ext_openssh_rename(path, final, done));
    } else await client.rename(path, final);
  }
  const now = new Date();
  if (pattern.asks?.includes('utimes')) {
    await called((done) => sftp.utimes(final, now, now, done));
  }
  if (pattern.asks?.includes('stat')) {
    const { size } = await called<{ size: number }>((done) => sftp.stat(final, done));
    if (size !== content.length) throw new Error('the size is another');
  }
}

async function filesOf(teamId: string, name: string) {
  return drop.api.db.look(
    (sql) => sql<{ path: string; sha256: string; is_open: boolean; is_imported: boolean }[]>`
      select path, sha256, status = 'receiving' and size_bytes is null as is_open,
        batch_operation_id is not null as is_imported
      from sftp_uploads where team_id = ${teamId} and strpos(path, ${name}) > 0`,
  );
}

/** The imports under a name, when no file of it is open any more. */
async function importsOf(teamId: string, name: string) {
  const files = await eventually(
    () => filesOf(teamId, name),
    (all) => !all.some((file) => file.is_open),
  );
  return files.filter((file) => file.is_imported).map(({ path, sha256 }) => [path, sha256]);
}

test.concurrent.each(patterns)(
  '%s: a file is imported as it is meant, or not at all',
  async (_, pattern) => {
    const team = await drop.api.newTeam();
    const credential = await newCredential(team);
    const run = fc.asyncProperty(scenarios, async (scenario) => {
      const name = `${randomUUID()}.csv`;
      const content = contentOf(scenario.rows);
      const meant = [`/in/contacts/${name}`, digestOf(content)];
      const isSent = async (how: Scenario) => {
        const client = await connect(drop.server.port, credential);
        client.connection.on('error', () => undefined);
        try {
          await send(client, name, content, pattern, how);
          return true;
        } catch {
          return false;
        } finally {
          client.connection.destroy();
        }
      };
      const isFirstSent = await isSent(scenario);
      const first = await importsOf(team.id, name);
      // A client that heard of no error is right, and one that did may send again.
      expect(first).toEqual(isFirstSent ? [meant] : []);
      if (isFirstSent) return;
      expect(await isSent({ ...scenario, fault: 'none' })).toBe(true);
      expect(await importsOf(team.id, name)).toEqual([meant]);
    });
    await fc.assert(run, { numRuns: 11 });
  },
);
