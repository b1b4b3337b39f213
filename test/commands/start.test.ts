import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { isAlive, listProcesses } from '../../src/local/processes.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { endOf, runEntry, startEntry } from './spawn.ts';

// One service, started three times on the same data: the steps build on each other, since a start
// costs seconds.
const root = scratchDirectory();
chmodSync(root, 0o755);
const directory = join(root, 'data');
let settings: Record<string, string> = {};
const children: ChildProcess[] = [];

beforeAll(async () => {
  settings = {
    ONWARD_DATA_DIR: directory,
    PORT: String(await takePort()),
    // Shorter still than in development.
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.5,0.5,0.5,0.5',
  };
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await eventually(
    async () => descendants(),
    (alive) => alive.length === 0,
  );
  await runEntry('src/commands/reset.ts', ['--yes'], settings);
});

interface Start {
  child: ChildProcess;
  /** Everything that was printed so far. */
  output: () => string;
  ended: Promise<number | null>;
}

async function start(): Promise<Start> {
  const child = startEntry('src/main.ts', [], settings);
  children.push(child);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = endOf(child);
  let isOver = false;
  void ended.then(() => (isOver = true));
  await eventually(
    () => Promise.resolve(output),
    (text) => isOver || text.includes('Onward is ready'),
  );
  expect(output).toContain('Onward is ready');
  return { child, output: () => output, ended };
}

/** The processes of the data directory, the service itself included. */
function descendants(): number[] {
  const all = listProcesses();
  const ours = new Set(children.map(({ pid }) => pid ?? 0).filter((pid) => isAlive(pid)));
  for (const { pid, parent, command } of all) {
    if (ours.has(parent) || command.includes(directory)) ours.add(pid);
  }
  return [...ours];
}

/** Runs the shell lines that a start prints; returns their output. */
function runPasted(output: string): string {
  const lines = output.split('\n').filter((line) => /^(\. |npm run --silent )/.test(line));
  expect(lines).toHaveLength(3);
  return execFileSync('/bin/sh', ['-c', lines.join('\n')], { encoding: 'utf8' });
}

const readDemo = () => JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'));

/** The outcomes of the runs to which the links of the demo lead, once it has cleaned up. */
async function outcomesOf(text: string): Promise<unknown[]> {
  const { temporal_address: address, temporal_namespace: namespace } = readDemo();
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection, namespace });
  try {
    const links = [...text.matchAll(/workflows\/([^/\s]+)\/([\da-f-]{36})\/history/g)];
    return await Promise.all(
      links.map(async ([, id = '', runId]) => {
        const handle = workflow.getHandle(decodeURIComponent(id), runId);
        const result: { outcome?: string } = await handle.result();
        return result.outcome;
      }),
    );
  } finally {
    await connection.close();
  }
}

test('a first start runs every service, and its printed commands work when pasted', async () => {
  const { child, output, ended } = await start();
  const demo = readDemo();
  expect(statSync(join(directory, 'demo.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600);
  expect((await fetch(`${String(demo.base_url)}/readyz`)).status).toBe(200);
  const [, metrics = ''] = /^ +Metrics +(\S+)$/m.exec(output()) ?? [];
  expect(await (await fetch(metrics)).text()).toContain('onward_http_request_seconds');
  // The documentation may still be being built.
  expect((await fetch(demo.docs_url)).status).toBe(200);
  expect((await fetch(demo.temporal_ui_url)).status).toBe(200);
  expect(runPasted(output())).toMatch(/ada@example\.com[^]*ada@example\.com/);

  const second = await runEntry('src/main.ts', [], settings);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining(`as process ${String(child.pid)}`),
  ]);
  const reset = await runEntry('src/commands/reset.ts', ['--yes'], settings);
  expect([reset.code, reset.stderr]).toEqual([1, expect.stringContaining('End it first')]);

  const shown = await runEntry('src/commands/demo.ts', [], settings);
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain('Everything held');
  expect(await outcomesOf(shown.stdout)).toEqual(['expired', 'recovered', 'disabled']);

  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(descendants()).toEqual([]);
});

test('a second start retains data and client, and its child processes end when it is killed', async () => {
  const before = readDemo();
  const { child, output } = await start();
  expect(readDemo()).toMatchObject({
    client_id: before.client_id,
    client_secret: before.client_secret,
  });
  const teams = await runEntry('src/commands/admin.ts', ['teams', 'list', '--json'], settings);
  expect(JSON.parse(teams.stdout)).toMatchObject([
    { name: 'Demo', tier: 'enterprise' },
    { name: 'Sample', tier: 'enterprise' },
  ]);
  const { base_url, page_key } = readDemo();
  expect([page_key, output()]).toEqual([
    before.page_key,
    expect.stringContaining(`${String(base_url)}/mailbox?key=${String(page_key)}`),
  ]);
  const opened = await fetch(`${String(base_url)}/webhooks?key=${String(page_key)}`, {
    redirect: 'manual',
  });
  const session = await fetch(`${String(base_url)}/local/session`, {
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      Cookie: opened.headers.get('set-cookie')?.split(';', 1).join('') ?? '',
    },
  });
  expect(await session.json()).toMatchObject({
    teams: [{ name: 'Demo' }, { name: 'Sample', is_sample: true }],
  });
  const removal = await runEntry('src/commands/seed.ts', ['--remove-sample'], settings);
  expect([removal.code, removal.stdout]).toEqual([0, 'The made-up data is removed.\n']);
  const left = await runEntry('src/commands/admin.ts', ['teams', 'list', '--json'], settings);
  expect(JSON.parse(left.stdout)).toMatchObject([{ name: 'Demo' }]);

  expect(descendants().length).toBeGreaterThan(3);
  child.kill('SIGKILL');
  await eventually(
    async () => descendants(),
    (alive) => alive.length === 0,
  );
});

test('a start while the usual ports are taken uses others, and says so', async () => {
  const usual = { api: 3_000, metrics: 9_465, sftp: 2_222, temporal: 7_233, ui: 8_233 };
  const held = await Promise.all(Object.values(usual).map(hold));
  try {
    delete settings['PORT'];
    const { child, output, ended } = await start();
    const demo = readDemo();
    const port = Number(new URL(demo.base_url).port);
    expect(port).toBeGreaterThan(usual.api);
    expect(output()).toContain(`Port 3000 is taken: the API uses ${String(port)}.`);
    expect((await fetch(`${String(demo.base_url)}/readyz`)).status).toBe(200);
    const lines = output()
      .split('\n')
      .filter((line) => /^ +(Metrics|SFTP|Temporal) /.test(line));
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).not.toMatch(/\b(9465|2222|8233|7233)\b/);
    expect(runPasted(output())).toMatch(/ada@example\.com/);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  } finally {
    for (const server of held) server.close();
  }
});

/** Another program on this machine may have the port already, which is the same. */
function hold(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(server)).listen(port, '127.0.0.1', () => resolve(server));
  });
}
