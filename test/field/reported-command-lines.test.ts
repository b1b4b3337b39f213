import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { outcomeOf } from '../commands/spawn.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { closeAll, startReceiver } from '../platform/egress/receiver.ts';
import { eventually } from '../support/eventually.ts';

// A service that answers with a long list, and one call that it never answers.
const directory = scratchDirectory();
const project = new URL('../../', import.meta.url).pathname;
let settings: Record<string, string>;
let hanging = 0;
const bodies: string[] = [];

beforeAll(async () => {
  const contact = { type: 'contact', id: '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11' };
  const { port } = await startReceiver((response, { path = '', body, method }) => {
    const answer = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/oauth2/token') answer({ access_token: 'token', expires_in: 3_600 });
    else if (path.startsWith('/v2/partner/team')) hanging += 1;
    else if (method === 'POST') {
      // The receiver has a character for each byte.
      bodies.push(Buffer.from(body, 'latin1').toString('utf8'));
      answer({ ...contact, first_name: 'Ada' });
    } else if (path.startsWith('/v2/partner/cohorts')) {
      answer({ data: [], page: { next_cursor: null, has_more: false, size: 25 } });
    } else {
      const data = Array.from({ length: 100 }, () => ({ ...contact, first_name: 'x'.repeat(200) }));
      answer({ data, page: { next_cursor: 'next', has_more: true, size: 100 } });
    }
  });
  settings = {
    ...{ ONWARD_BASE_URL: `http://127.0.0.1:${String(port)}`, ONWARD_CLIENT_ID: 'id' },
    ...{ ONWARD_CLIENT_SECRET: 'secret', XDG_CONFIG_HOME: join(directory, 'config') },
    ...{ onward: `${process.execPath} src/local/run.mjs sdk/cli/src/main.ts` },
  };
});
afterAll(closeAll);

const start = (line: string, more: Record<string, string> = {}) =>
  spawn('bash', ['-c', `set -o pipefail; ${line}`], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: directory, ...settings, ...more },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
/** A line of a shell, to its end. */
function shell(line: string, more: Record<string, string> = {}) {
  const child = start(line, more);
  child.stdin.end();
  return outcomeOf(child);
}

test('a reader that has seen enough ends the command, without a stack', async () => {
  const outcome = await shell('$onward contacts list --limit 5000 | head -1');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/^id +/);
  const both = await shell('$onward contacts get --help nothing 2>&1 | head -1');
  expect(both.stdout.split('\n')).toHaveLength(2);
  expect(both.stderr).toBe('');
});

test('a disk that is full is a failure', async () => {
  if (!existsSync('/dev/full')) {
    console.info('This machine has no /dev/full.');
    return;
  }
  const outcome = await shell('$onward contacts list --limit 5000 > /dev/full');
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(/^The output cannot be written: .*ENOSPC/);
});

test('a body comes by a pipe that begins late, or is non-blocking, and never unasked', async () => {
  const late = `(sleep 1; echo '{"first_name":"Zoë"}') | $onward contacts create --data -`;
  expect(await shell(late)).toMatchObject({ code: 0, stderr: '' });
  expect(bodies.at(-1)).toBe('{"first_name":"Zoë"}');
  // Standard input is open and has nothing, as under cron or ssh.
  const child = start('$onward contacts create first_name=Ada');
  const { code } = await outcomeOf(child);
  expect(code).toBe(0);
  expect(bodies.at(-1)).toBe('{"first_name":"Ada"}');
  const empty = await shell(': | $onward contacts create --data -');
  expect(empty).toMatchObject({ code: 2, stderr: 'The body is not JSON: \n' });
});

test('Ctrl-C ends a call without an answer, and a command that waits for its input', async () => {
  const call = start('exec $onward team get');
  await eventually(async () => hanging, Boolean);
  call.kill('SIGINT');
  expect(await outcomeOf(call)).toEqual({ code: 130, stdout: '', stderr: '' });
  const reading = start('echo started; exec $onward contacts create --data -');
  await new Promise((resolve) => reading.stdout.once('data', resolve));
  const ended = outcomeOf(reading);
  // It may not have begun to read, and then ends by the signal itself.
  await eventually(
    async () => reading.kill('SIGINT') && reading.exitCode === null && reading.signalCode === null,
    (isRunning) => !isRunning,
  );
  expect([130, null]).toContain((await ended).code);
});

test('output is plain text for a pipe, whatever the environment says of colors', async () => {
  for (const more of [{ NO_COLOR: '1' }, { FORCE_COLOR: '1' }, { CLICOLOR_FORCE: '1' }]) {
    const { stdout } = await shell(
      '$onward contacts list --limit 1; $onward contacts --help',
      more,
    );
    expect(stdout).not.toContain('\u001b');
  }
});

test('an empty list is no line of a result, and an empty JSON list', async () => {
  const people = await shell('$onward cohorts list');
  expect(people).toMatchObject({ code: 0, stdout: '', stderr: 'None.\n' });
  expect((await shell('$onward cohorts list --json')).stdout).toBe('[]\n');
});

test('a pipe gets whole values and no spaces at the end of a line', async () => {
  const { stdout } = await shell('$onward contacts list --limit 2', { COLUMNS: '40' });
  expect(stdout).toContain('x'.repeat(200));
  expect(stdout).not.toMatch(/ $/m);
});

test('values with spaces, quotes, signs and line ends arrive as they are typed', async () => {
  const value = `"O'Neil" & <b> = 100 %\t\\n 東京`;
  expect((await shell('$onward contacts create "first_name=$VALUE"', { VALUE: value })).code).toBe(
    0,
  );
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ first_name: value });
  await shell('printf \'\\xef\\xbb\\xbf{"a":1}\\r\\n\' | $onward contacts create --data -');
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ a: 1 });
});
