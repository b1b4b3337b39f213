import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { keep } from '../../src/local/keeper.ts';
import { findProcess, isAlive, listProcesses, sendSignal } from '../../src/local/processes.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { untilTrue } from '../support/eventually.ts';
import { scratchDirectory } from './scratch.ts';

const root = scratchDirectory();
chmodSync(root, 0o755);
const runner = fileURLToPath(new URL('../../src/local/run.mjs', import.meta.url));
const fixture = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function firstLine(child: ChildProcess): Promise<unknown> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('no line');
}

const sleeper = (directory: string) => ({
  command: '/bin/sleep',
  args: ['600'],
  cwd: directory,
  logFile: join(directory, 'sleeper.log'),
  stopSignal: 'SIGTERM' as const,
  graceMs: 5_000,
  onLine: () => undefined,
});

/** The servers of a data directory; a process that one has just forked has the same command. */
function serversIn(directory: string) {
  const ours = listProcesses().filter(({ command }) => command.includes(`-D ${directory}/data `));
  return ours.filter(({ parent }) => !ours.some(({ pid }) => pid === parent));
}

test('Postgres and its keeper end when their owner is killed with -9, and the next start is clean', async () => {
  const directory = join(root, 'owned');
  const owner = spawn(process.execPath, [runner, fixture('owner-fixture.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await firstLine(owner);
  expect(said).toEqual({ postgres: expect.any(Number) });
  const postgres = serversIn(directory);
  expect(postgres).toHaveLength(1);
  const keeper = postgres[0]?.parent ?? 0;
  expect(findProcess(keeper)?.parent).toBe(owner.pid);

  owner.kill('SIGKILL');

  await untilTrue(() => postgres.every(({ pid }) => !isAlive(pid)) && !isAlive(keeper));
  const again = await startPostgres({ directory });
  await again.stop();
});

test('a server left over by a killed owner and keeper is stopped by the next start', async () => {
  const directory = join(root, 'orphaned');
  const owner = spawn(process.execPath, [runner, fixture('owner-fixture.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await firstLine(owner);
  const [orphan] = serversIn(directory);
  sendSignal(owner.pid ?? 0, 'SIGSTOP');
  sendSignal(orphan?.parent ?? 0, 'SIGKILL');
  sendSignal(owner.pid ?? 0, 'SIGKILL');
  await once(owner, 'close');
  expect(isAlive(orphan?.pid ?? 0)).toBe(true);

  const next = await startPostgres({ directory });
  expect(isAlive(orphan?.pid ?? 0)).toBe(false);
  await next.stop();
});

test('a killed keeper ends its program, and its owner learns the reason', async () => {
  const kept = await keep(sleeper(root));
  sendSignal(findProcess(kept.pid)?.parent ?? 0, 'SIGKILL');
  await expect(kept.exited).resolves.toBe('its keeper was killed');
  expect(isAlive(kept.pid)).toBe(false);
});

test('a program that ignores the request to stop is killed after its grace', async () => {
  let ready = false;
  const stubborn = await keep({
    ...sleeper(root),
    command: '/bin/sh',
    args: ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'],
    graceMs: 300,
    onLine: () => {
      ready = true;
    },
  });
  await untilTrue(() => ready);
  await stubborn.stop();
  await expect(stubborn.exited).resolves.toBe('signal SIGKILL');
});

test('a program that does not exist is named in the error', async () => {
  await expect(keep({ ...sleeper(root), command: '/nowhere/at-all' })).rejects.toThrow(
    '/nowhere/at-all cannot be started',
  );
});

test('a process started by npm ends when npm is killed with -9', async () => {
  // Only the name of the launcher counts, so a shell under that name stands for npm.
  const script = `"${process.execPath}" "${runner}" "${fixture('parent-fixture.ts')}"; :`;
  const npm = spawn('/bin/sh', ['-c', script], {
    argv0: 'npm',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await firstLine(npm);
  const pid = Number(Reflect.get(Object(said), 'watching'));
  expect(isAlive(pid)).toBe(true);
  npm.kill('SIGKILL');
  await untilTrue(() => !isAlive(pid));
});

/** A log is cut as it grows: for a moment there is none. */
function logged(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('a server that floods its log while its owner is busy ends no process', async () => {
  const flood = `for (let at = 0; at < 400000; at += 1) console.log('x'.repeat(200));
    console.log('all said'); setInterval(() => undefined, 1000);`;
  const lines: string[] = [];
  const server = await keep({
    ...sleeper(root),
    command: process.execPath,
    args: ['-e', flood],
    logFile: join(root, 'flood.log'),
    onLine: (line) => void lines.push(line.slice(0, 10)),
  });
  // Nothing of it is read meanwhile.
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  await untilTrue(() => logged(join(root, 'flood.log')).endsWith('all said\n'));
  expect(isAlive(server.pid)).toBe(true);
  await server.stop();
  expect(lines.length).toBeGreaterThan(0);
});
