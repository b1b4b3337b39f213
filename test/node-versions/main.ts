import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endOf, runEntry, startEntry } from '../commands/spawn.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { ProgramsMissing, fetchNodePrograms } from './programs.ts';
import type { NodeProgram } from './programs.ts';

// `npm run verify -- node-versions`: shows that the service runs on the other supported versions of Node.js.
// Each one starts the service, runs the demo on it, and runs a selection of the tests. Prints a line
// for each version; ends with 1 if one failed, and with 3 if npm does not provide them.

/** Tests that take seconds and meet most of Node.js: text, crypto, sockets, streams, modules. */
const selection = [
  'test/inbound/signatures/(bearer|body-hmac|signed-jwt|url-params)',
  'test/messaging/(mime-message|quiet-hours)',
  'test/platform/circuit-breaker',
  'test/operations/(sftp/proxy-protocol|uploads/header)',
  'test/platform/(auth/(keyring|scopes)|config.test|egress/(answers|connecting|lookup))',
  'test/platform/http/(redact|server-tls)',
  'test/webhooks/(concurrency-slots|in-flight|rules)',
  'test/workflows/replay.test',
];
/** A selection that no longer matches its files proves nothing. */
const fewestTests = 200;
const readyWithinMs = 120_000;

async function showService(node: string, directory: string): Promise<void> {
  const settings = {
    ONWARD_DATA_DIR: path.join(directory, 'data'),
    PORT: String(await takePort()),
  };
  const service = startEntry('src/main.ts', [], settings, node);
  let output = '';
  service.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  service.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = endOf(service);
  const isReady = () => output.includes('Onward is ready');
  try {
    await eventually(
      () => Promise.resolve(isReady() || service.exitCode !== null),
      (isOver) => isOver,
      readyWithinMs,
    );
    if (!isReady()) throw new Error(`the service did not start:\n${output}`);
    const demo = await runEntry('src/commands/demo.ts', [], settings, node);
    if (demo.code !== 0) throw new Error(`the demo failed:\n${demo.stdout}${demo.stderr}`);
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

/** The number of tests that passed. */
async function runTests(node: string, directory: string): Promise<number> {
  const results = path.join(directory, 'jest.json');
  const child = spawn(
    node,
    [
      '--experimental-vm-modules',
      ...['--import', './test/support/jest/register.mjs'],
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      // The demo runs at the same time, and expects events within two seconds.
      ...['--maxWorkers=1'],
      ...['--silent', '--ci', '--forceExit', '--json', `--outputFile=${results}`],
      ...selection,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await endOf(child);
  if (code !== 0) throw new Error(`tests failed:\n${output}`);
  const { numPassedTests }: { numPassedTests: number } = JSON.parse(readFileSync(results, 'utf8'));
  if (numPassedTests >= fewestTests) return numPassedTests;
  throw new Error(`the selection has only ${String(numPassedTests)} tests`);
}

async function passesOn({ version, path: node }: NodeProgram): Promise<boolean> {
  const startedAtMs = Date.now();
  const directory = mkdtempSync(path.join(tmpdir(), 'onward-node-'));
  // Postgres runs as another user where this is root.
  chmodSync(directory, 0o755);
  const [service, tests] = await Promise.allSettled([
    showService(node, directory),
    runTests(node, directory),
  ]);
  rmSync(directory, { recursive: true, force: true });
  const seconds = `${((Date.now() - startedAtMs) / 1_000).toFixed(0)} s`;
  if (service.status === 'fulfilled' && tests.status === 'fulfilled') {
    const count = String(tests.value);
    console.log(`ok      Node.js ${version}: service, demo and ${count} tests passed (${seconds})`);
    return true;
  }
  console.log(`FAILED  Node.js ${version} (${seconds})`);
  for (const outcome of [service, tests]) {
    if (outcome.status === 'rejected') console.error(String(outcome.reason));
  }
  return false;
}

try {
  // At the same time: each waits for its service and its demo most of the time.
  const outcomes = await Promise.all(fetchNodePrograms().map(passesOn));
  if (!outcomes.every(Boolean)) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  console.error(`Skipped: ${error.message}`);
  process.exitCode = 3;
}
