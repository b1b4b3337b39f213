import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildPackage } from '../../sdk/generate/build.ts';
import { signWebhook } from '../../sdk/typescript/src/testing.ts';
import { outcomeOf } from '../commands/spawn.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aBrowser } from '../widget/a-browser.ts';

const run = promisify(execFile);
const directory = scratchDirectory();
const browser = await aBrowser();
const children: ChildProcess[] = [];
let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
  team = await api.newTeam();
  const sdk = buildPackage('typescript', join(directory, 'packages'));
  mkdirSync(join(directory, 'node_modules', '@onward'), { recursive: true });
  symlinkSync(sdk, join(directory, 'node_modules', '@onward', 'sdk'));
  for (const name of ['nightly-import', 'widget-page']) {
    cpSync(join('examples', name), join(directory, name), { recursive: true });
  }
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await browser?.close();
  await worker.close();
  await api.stop();
});

interface Program {
  output(): string;
}

function start(
  [command, ...args]: readonly [string, ...string[]],
  settings: Record<string, string>,
): Program {
  const child = spawn(command, args, { env: { ...process.env, ...settings } });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  child.once('error', (error) => (output += error.message));
  return { output: () => output };
}

const printed = ({ output }: Program, text: string) =>
  eventually(
    async () => output(),
    (found) => found.includes(text),
  );

/** Gets what a receiver needs from the network; it throws where this machine cannot have it. */
const prepared = {
  typescript: async () => undefined,
  async python() {
    await run('python3', ['-m', 'venv', join(directory, 'venv')]);
    const pip = join(directory, 'venv', 'bin', 'pip');
    await run(pip, ['install', '--quiet', 'standardwebhooks==1.0.0']);
  },
  go: async () => run('go', ['mod', 'download'], { cwd: 'examples/webhook-receiver/go' }),
};

/** The command that starts a receiver. */
const receivers = {
  async typescript() {
    const file = 'examples/webhook-receiver/typescript/receiver.ts';
    return [process.execPath, 'src/local/run.mjs', file] as const;
  },
  async python() {
    const python = join(directory, 'venv', 'bin', 'python');
    return [python, 'examples/webhook-receiver/python/receiver.py'] as const;
  },
  async go() {
    const program = join(directory, 'receiver');
    await run('go', ['build', '-o', program, '.'], { cwd: 'examples/webhook-receiver/go' });
    return [program] as const;
  },
};

test.each(['typescript', 'python', 'go'] as const)(
  'the receiver in %s verifies, accepts a webhook once, and refuses what is forged or late',
  async (language) => {
    try {
      await prepared[language]();
    } catch (error) {
      process.stderr.write(`The receiver in ${language} is not run: ${String(error)}\n`);
      return;
    }
    const command = await receivers[language]();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const PORT = String(await takePort());
    const program = start(command, { WEBHOOK_SECRET: secret, PORT });
    await printed(program, `listening on ${PORT}`);
    const id = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';
    const timestamp = new Date().toISOString();
    const event = { id, type: 'contact.created', timestamp, data: { name: 'Zoë' } };
    const { body, headers } = await signWebhook(event, secret);
    const send = async (sent: string, more: Record<string, string> = {}) => {
      const init = { method: 'POST', body: sent, headers: { ...headers, ...more } };
      return (await fetch(`http://127.0.0.1:${PORT}/`, init)).status;
    };
    expect(await send(body)).toBe(204);
    expect(await send(body)).toBe(204);
    await printed(program, 'handled');
    expect(await send(body.replace('contact', 'account'))).toBe(400);
    expect(await send(body, { 'webhook-timestamp': '1700000000' })).toBe(400);
    expect(await send(body, { 'webhook-signature': '' })).toBe(400);
    const other = await signWebhook({ ...event, id: id.replace('0b', '0c') }, secret);
    expect(await send(other.body, other.headers)).toBe(204);
    await eventually(
      async () => program.output().match(/^handled /gm)?.length,
      (count) => count === 2,
    );
    expect(program.output()).toContain('contact.created');
  },
  120_000,
);

const environment = () => ({
  ONWARD_BASE_URL: api.url,
  ONWARD_CLIENT_ID: team.clientId,
  ONWARD_CLIENT_SECRET: team.clientSecret,
});

test('the nightly import writes the rows that failed, and repeats nothing on the same day', async () => {
  const folder = join(directory, 'nightly-import');
  const importOnce = () =>
    outcomeOf(
      spawn(process.execPath, ['import.mjs', 'contacts.csv', 'errors.csv'], {
        ...{ cwd: folder, env: { ...process.env, ...environment() } },
      }),
    );
  const first = await importOnce();
  expect(first).toMatchObject({ code: 1, stderr: '', stdout: '2 rows are in, 1 failed.\n' });
  const errors = readFileSync(join(folder, 'errors.csv'), 'utf8').trim().split('\r\n');
  expect(errors).toHaveLength(2);
  expect(errors[1]).toMatch(/^2,failed,validation_failed,\/email,/);
  const { body } = await team.get('/v2/partner/contacts/unique_id:n-1');
  expect(body).toMatchObject({ first_name: 'Ada', consents: { email: { status: 'subscribed' } } });
  expect(await importOnce()).toMatchObject({ code: 1 });
  expect((await team.get('/v2/batch/operations')).body.data).toHaveLength(1);
}, 120_000);

test('the page of the bank shows the widget under its content policy', async () => {
  const PORT = String(await takePort());
  const origin = `http://localhost:${PORT}`;
  const made = async (path: string, sent: object) => (await team.post(path, sent)).body;
  const block = await made('/v2/partner/content-blocks', {
    ...{ name: 'Hello', key: 'hello', kind: 'rich_text' },
    body: { html: '<p>Good to see you, {{ contact.first_name }}.</p>' },
  });
  const { data } = (await team.get('/v2/partner/objectives')).body;
  const template = await made('/v2/partner/templates', {
    ...{ name: 'Onboarding', objective_ids: [data[0].id] },
  });
  const at = `/v2/partner/templates/${template.id}`;
  await made(`${at}/pages`, { name: 'Page', title: 'Page', content_block_ids: [block.id] });
  await made(`${at}/launch`, {});
  const contact = await made('/v2/partner/contacts', { unique_id: 'w-1', first_name: 'Augusta' });
  await made(`${at}/enrollments`, { contact_id: contact.id });
  const widget = await made('/v2/partner/widget-instances', {
    ...{ name: 'Page', widget_kind: 'journey', allowed_origins: [origin] },
  });
  const settings = { ...environment(), WIDGET_ID: widget.id, CONTACT_ID: contact.id, PORT };
  const program = start([process.execPath, join(directory, 'widget-page', 'server.mjs')], settings);
  await printed(program, 'listening on');
  const answer = await fetch(origin);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).not.toContain(team.clientSecret);
  expect((await fetch(`${origin}/.env`)).status).toBe(404);
  if (!browser) {
    console.info('The page is not shown: this machine has no browser (npm run browser).');
    return;
  }
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(origin);
  await page.getByText('Good to see you, Augusta.').waitFor();
  expect(refused.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  await page.close();
}, 120_000);
