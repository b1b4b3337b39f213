import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildPackage, measurePackage } from '../../../sdk/generate/build.ts';
import { readDocument, readOperations } from '../../../sdk/generate/document.ts';
import { endOf } from '../../commands/spawn.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import { aBrowser, aSite, document as pageOf } from '../../widget/a-browser.ts';
import { aScene, aToken } from '../../widget/a-widget.ts';
import type { TestWorker } from '../../support/worker.ts';
import { mistakes, writeProgram } from './every-operation.ts';
import { writeSamples } from './samples.ts';

const browser = await aBrowser();
let api: TestApi;
let worker: TestWorker;
const directory = scratchDirectory();
const document = readDocument();
const operations = readOperations(document);
let folder = '';

/** Output of a command in the folder of a user of the package. */
async function run(program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await endOf(child);
  if (code === 0) return output;
  throw new Error(`${program} ${args.join(' ')}: ${output.slice(0, 4_000)}`);
}

/** Runs a compiled program as a client of a new team. */
async function runAsClient(program: string): Promise<string> {
  const { clientId, clientSecret } = await api.newTeam();
  return run(process.execPath, program, api.url, clientId, clientSecret);
}

/** Packs a built package and installs what is in its archive. */
async function install(built: string, name: string): Promise<void> {
  const [packed] = JSON.parse(await run('npm', 'pack', '--json', resolve(built)));
  const home = join(directory, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  await run('tar', '-xzf', packed.filename, '-C', home, '--strip-components=1');
}

beforeAll(async () => {
  folder = buildPackage('typescript', directory);
  await install(folder, '@onward/sdk');
  await install(buildPackage('cli', directory), 'onward');
  symlinkSync(resolve('node_modules/commander'), join(directory, 'node_modules', 'commander'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'every.ts'), writeProgram(document, operations));
  writeFileSync(join(directory, 'samples.ts'), writeSamples('sdk/typescript/README.md'));
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await browser?.close();
  await worker.close();
  await api.stop();
});

test('the package has no dependency, and is small', () => {
  const { bytes, gzippedBytes, dependencies } = measurePackage(folder);
  console.log(`@onward/sdk: ${bytes} bytes minified, ${gzippedBytes} gzipped; no dependency`);
  expect(dependencies).toEqual([]);
  expect(gzippedBytes).toBeLessThan(12_000);
});

test('a program of a user compiles with the types of the package', async () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const options = [
    ...['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck', 'false'],
    ...['--lib', 'es2023', '--types', 'node', '--typeRoots', resolve('node_modules/@types')],
  ];
  await run(process.execPath, compiler, ...options, 'every.ts', 'samples.ts');
});

test('every operation can be called as its types say, with plain Node from the package', async () => {
  const output = await runAsClient('every.js');
  const { outcomes, known } = JSON.parse(output);
  expect(Object.keys(outcomes).sort()).toEqual(operations.map(({ id }) => id).sort());
  expect(known).toBe(operations.length);
  const wrong = Object.entries(outcomes).filter(([, outcome]) => mistakes.test(String(outcome)));
  expect(wrong).toEqual([]);
});

test('every sample of the guide runs as it is written', async () => {
  writeFileSync(join(directory, 'contacts.csv'), 'unique_id,email\ncrm-2,grace@example.com\n');
  const output = await runAsClient('samples.js');
  expect(output).toMatch(/^Created [\da-f-]{36}$/m);
  expect(output).toMatch(/ada@example\.com/);
  expect(output).toMatch(/^The contact exists already\.$/m);
  expect(output).toMatch(/^succeeded$/m);
  expect(output).toMatch(/"type":"webhook\.ping".* v1,/);
});

/** Runs in a page and in a worker of it, as a module next to the package. */
const inBrowser = `
import { Onward, isCode, verifyWebhook } from './index.js';
import { createEvent, signWebhook } from './testing.js';

export async function run({ baseUrl, widgetToken, partnerToken, unique_id }) {
  const { recipients } = new Onward({ baseUrl, accessToken: widgetToken });
  const { journey, pages } = await recipients.bootstrapWidget();
  const page = await recipients.getPage(journey.id, pages[0].id);
  const event = { unique_id, kind: 'page.viewed', page_id: page.id };
  const { accepted } = await recipients.recordEvents(journey.id, { events: [event] });
  const { requestId } = await recipients.getJourney(journey.id).withResponse();
  const partner = new Onward({ baseUrl, accessToken: partnerToken, maxRetries: 0 });
  const contacts = await partner.contacts
    .list()
    .catch((error) => (isCode(error, 'connection_failed') ? 'refused' : String(error)));
  const { body, headers } = await signWebhook(createEvent('webhook.ping', { id: 's1' }));
  const wrong = await verifyWebhook(body, headers, 'whsec_' + btoa('x'.repeat(32))).catch(({ code }) => code);
  return { title: page.title, accepted, hasRequestId: requestId !== undefined, contacts, wrong };
}
`;
const inWorker = `
import { run } from './in-browser.js';
onmessage = async ({ data }) => postMessage(await run(data).catch(String));
`;

if (browser) {
  test('pages and their workers call operations of recipients, and none of partners', async () => {
    const bank = await aSite('bank');
    const scripts = join(directory, 'node_modules', '@onward', 'sdk', 'dist');
    writeFileSync(join(scripts, 'in-browser.js'), inBrowser);
    writeFileSync(join(scripts, 'in-worker.js'), inWorker);
    Object.assign(bank, { scripts, html: pageOf('<h1>Your bank</h1>') });
    const { team, journey, widgetId } = await aScene(api, {
      ...{ pages: [{ name: 'Hello', title: 'Welcome' }] },
      widget: { allowed_origins: [bank.origin] },
    });
    const widgetToken = await aToken(team, widgetId, { contact_id: journey.contactId });
    const page = await browser.newPage();
    try {
      await page.goto(bank.origin);
      const given = { baseUrl: api.url, widgetToken, partnerToken: team.token };
      const first = JSON.stringify({ ...given, unique_id: 'page' });
      const second = JSON.stringify({ ...given, unique_id: 'worker' });
      const outcomes = await page.evaluate(`(async () => {
        const { run } = await import('/in-browser.js');
        const ofPage = await run(${first});
        const worker = new Worker('/in-worker.js', { type: 'module' });
        const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
        worker.postMessage(${second});
        return [ofPage, await answer];
      })()`);
      const outcome = { title: 'Welcome', accepted: 1, hasRequestId: true };
      const both = { ...outcome, contacts: 'refused', wrong: 'webhook_invalid' };
      expect(outcomes).toEqual([both, both]);
    } finally {
      await page.close();
      await bank.close();
    }
  });
} else {
  test('the package was not run in a browser, because Chromium is absent', () => {
    console.warn('Get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}

test('the command line is a package that needs the SDK and commander alone', async () => {
  const { clientId, clientSecret } = await api.newTeam();
  const main = join('node_modules', 'onward', 'dist', 'main.js');
  const client = ['--url', api.url, '--client-id', clientId, '--client-secret', clientSecret];
  const output = await run(
    process.execPath,
    main,
    'contacts',
    'create',
    'unique_id=one',
    ...client,
    '--json',
  );
  expect(JSON.parse(output)).toMatchObject({ type: 'contact', unique_id: 'one' });
});
