import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findCredentials } from '../../../sdk/cli/src/credentials.ts';
import { browserCommand, openBrowser } from '../../../sdk/cli/src/browser.ts';
import { createOutput } from '../../../sdk/cli/src/output.ts';
import { kebab } from '../../../sdk/cli/src/commands/resources.ts';
import { readDocument, readOperations } from '../../../sdk/generate/document.ts';
import type { Operation } from '../../../sdk/generate/document.ts';
import { runEntry } from '../../commands/spawn.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { closedPort } from '../../platform/egress/receiver.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import { exampleOf, mistakes, pathValue } from '../typescript/every-operation.ts';
import { runCli } from './run-cli.ts';

const document = readDocument();
const operations = readOperations(document);
const directory = scratchDirectory();
const dataDirectory = join(directory, 'data');

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let signedIn: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi({ REQUEST_LOG: 'true' });
  worker = await startTestWorker(api);
  team = await api.newTeam();
  signedIn = environmentOf(team);
  mkdirSync(dataDirectory);
  const client = { client_id: team.clientId, client_secret: team.clientSecret };
  const demo = { base_url: api.url, docs_url: `${api.url}/docs`, temporal_namespace: 'test' };
  const links = { temporal_ui_url: 'http://127.0.0.1:8233' };
  writeFileSync(join(dataDirectory, 'demo.json'), JSON.stringify({ ...demo, ...links, ...client }));
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

const environmentOf = ({ clientId, clientSecret }: TestTeam) => ({
  ...{ ONWARD_BASE_URL: api.url, ONWARD_CLIENT_ID: clientId, ONWARD_CLIENT_SECRET: clientSecret },
});
const onward = (...args: string[]) => runCli(args, { environment: signedIn });
const ask = async (...args: string[]) => {
  const { code, lines, error } = await onward(...args, '--json');
  expect([code, error]).toEqual([0, '']);
  return JSON.parse(lines.join('\n'));
};
/** The command line as a process of its own, with the service of this machine alone. */
const runProcess = (args: string[], settings: Record<string, string> = {}) =>
  runEntry('sdk/cli/src/main.ts', args, {
    ...{ ONWARD_DATA_DIR: dataDirectory, XDG_CONFIG_HOME: join(directory, 'config') },
    ...settings,
  });

test('a login finds the demo client by itself, and is stored for its owner only', async () => {
  const login = await runProcess(['login']);
  expect(login).toMatchObject({ code: 0, stderr: '' });
  const file = join(directory, 'config', 'onward', 'credentials.json');
  expect(login.stdout).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const who = await runProcess(['whoami', '--json'], { ONWARD_DATA_DIR: directory });
  expect(JSON.parse(who.stdout)).toMatchObject({
    ...{ team_id: team.id, url: api.url, credentials: file },
    scopes: expect.arrayContaining(['partner:contacts:read']),
  });
  expect(login.stdout + who.stdout).not.toContain(team.clientSecret);
});

test('a secret goes to no address that a file of the folder names', async () => {
  const hostile = join(directory, 'hostile');
  mkdirSync(hostile);
  const demo = { base_url: api.url, client_id: 'x', client_secret: 'y' };
  writeFileSync(join(hostile, 'demo.json'), JSON.stringify(demo));
  const { ONWARD_CLIENT_ID, ONWARD_CLIENT_SECRET } = environmentOf(team);
  const environment = { ONWARD_CLIENT_ID, ONWARD_CLIENT_SECRET, ONWARD_DATA_DIR: hostile };
  expect(findCredentials({}, environment).url).toBe('http://127.0.0.1:3000');
});

test('text from the service cannot change what a terminal shows', () => {
  const lines: string[] = [];
  const output = createOutput(
    () => false,
    (line) => lines.push(line),
  );
  output.row({ detail: 'Ada\u001b]0;title\u0007' });
  output.rows([{ name: '\u009b2J' }], ['name']);
  expect(lines).toEqual(['detail  Ada\u{fffd}]0;title\u{fffd}', 'name', '\u{fffd}2J']);
});

test('a file is written as it is, also for programs', async () => {
  const environment = environmentOf(await api.newTeam());
  const run = (...args: string[]) => runCli(args, { environment });
  await run('contacts', 'create', 'unique_id=in-the-file');
  const { lines } = await run('exports', 'create', 'kind=contacts', '--json');
  const { id } = JSON.parse(lines.join(''));
  await eventually(
    async () => (await run('exports', 'get', id, '--json')).lines.join(''),
    (state) => state.includes('"succeeded"'),
  );
  const plain = await run('exports', 'get-file', id);
  expect(plain.lines.join('')).toContain('in-the-file');
  const forPrograms = await run('exports', 'get-file', id, '--json');
  expect(forPrograms.lines.join('')).toBe(plain.lines.join(''));
});

test('a file that does not exist is named, without a stack', async () => {
  const { code, error } = await onward('batch', 'run', 'missing.csv');
  expect([code, error]).toEqual([2, expect.stringMatching(/^ENOENT.*'missing\.csv'$/)]);
  const field = await onward('contacts', 'create', '__proto__.polluted=yes');
  expect([field.code, field.error]).toEqual([2, 'No field is called __proto__.polluted.']);
});

test('exit codes distinguish usage, sign-in, not found, refusals and outages', async () => {
  const contact = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';
  const [noCommand, noContact] = await Promise.all([
    runProcess(['contact', 'list']),
    runProcess(['contacts', 'get', contact, '--json']),
  ]);
  expect(noCommand.code).toBe(2);
  expect(noCommand.stderr).toContain('contacts');
  expect(noContact).toMatchObject({ code: 4, stdout: '' });
  expect(JSON.parse(noContact.stderr).error).toMatchObject({ code: 'not_found', status: 404 });
  expect(await onward('contacts', 'get')).toMatchObject({ code: 2 });
  const wrong = { ...signedIn, ONWARD_CLIENT_SECRET: 'wrong' };
  expect(await runCli(['whoami'], { environment: wrong })).toMatchObject({ code: 3 });
  const nowhere = { XDG_CONFIG_HOME: directory, ONWARD_DATA_DIR: directory };
  expect(await runCli(['whoami'], { environment: nowhere })).toMatchObject({
    ...{ code: 2, error: expect.stringContaining('onward login') },
  });
  const refused = await onward('contacts', 'create', 'first_name:=7');
  expect(refused).toMatchObject({ code: 5, error: expect.stringContaining('/first_name: ') });
  const away = { ...signedIn, ONWARD_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
  expect(await runCli(['meta', 'get-time'], { environment: away })).toMatchObject({ code: 6 });
});

test('a resource is created, read, changed, listed and deleted', async () => {
  const fields = ['unique_id=cli-1', 'first_name=Ada', 'attributes.level:=3', 'tags:=["a","b"]'];
  const made = await ask('contacts', 'create', ...fields);
  expect(made).toMatchObject({ first_name: 'Ada', attributes: { level: 3 }, tags: ['a', 'b'] });
  await ask('contacts', 'update', made.id, '--data', '{"first_name":"Augusta"}', 'last_name=King');
  const [listed, ...others] = await ask('contacts', 'list', '--filter', 'unique_id=cli-1');
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ id: made.id, first_name: 'Augusta', last_name: 'King' });
  const { lines } = await onward('contacts', 'list', '--sort', '-inserted_at', '--limit', '1');
  expect(lines[0]).toMatch(/^id +unique_id +email +first_name +last_name +status +inserted_at$/);
  expect(lines[1]).toContain(`${made.id}  cli-1`);
  expect(await ask('contacts', 'list', '--count')).toEqual({ count: 1 });
  const withTags = (first: string, second: string) =>
    ask(
      'contacts',
      'list',
      ...[first, second].flatMap((tag) => ['--filter', `tags[contains]=${tag}`]),
    );
  expect(await withTags('a', 'b')).toHaveLength(1);
  expect(await withTags('c', 'b')).toEqual([]);
  const data = join(directory, 'marked.json');
  writeFileSync(data, '\ufeff{"first_name":"Ada"}');
  expect(await ask('contacts', 'update', made.id, '--data', `@${data}`)).toMatchObject({
    first_name: 'Ada',
  });
  const queries = ['--query', 'filter[tags][contains]=c', '--query', 'filter[tags][contains]=b'];
  expect(await ask('contacts', 'list', ...queries)).toEqual([]);
  const twice = ['--header', 'X-A=1', '--header', 'X-A=2'];
  expect(await runCli(['contacts', 'list', ...twice])).toMatchObject({ code: 2 });
  expect((await onward('contacts', 'delete', made.id)).lines).toEqual(['Done.']);
});

/** The command of an operation with an example of each of its arguments. */
function commandOf(operation: Operation): string[] {
  const { namespace, method, pathParameters, body, flags } = operation;
  const path = pathParameters.map((parameter) => String(JSON.parse(pathValue(parameter))));
  const file = flags.includes('u') ? [join(directory, 'contacts.csv')] : [];
  const data =
    body && file.length === 0 ? ['--data', JSON.stringify(exampleOf(document, operation))] : [];
  return [kebab(namespace), kebab(method), ...path, ...file, ...data];
}

test('every operation is a command', async () => {
  writeFileSync(join(directory, 'contacts.csv'), 'unique_id,first_name\ncli-2,Grace\n');
  const other = await api.newTeam();
  const environment = environmentOf(other);
  const token = ['--access-token', other.token];
  const failures: unknown[] = [];
  const left = operations.values();
  const callRest = async () => {
    for (const operation of left) {
      const outcome = await runCli([...commandOf(operation), ...token, '--json'], {
        environment,
      });
      const { error } =
        outcome.error === '' ? { error: { code: 'none' } } : JSON.parse(outcome.error);
      if (outcome.code === 2 || outcome.code === 1 || mistakes.test(`${error.code} `)) {
        failures.push([operation.id, outcome.code, error]);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, callRest));
  expect(failures).toEqual([]);
});

test('a file is run as a batch with its progress, and failed records are an exit code', async () => {
  const file = join(directory, 'batch.csv');
  writeFileSync(file, 'key,first_name\nb-1,Ada\nb-2,Grace\n');
  const good = await onward('batch', 'run', file, '--map', 'key=unique_id');
  const odd = join(directory, 'odd.csv');
  writeFileSync(odd, 'a=b,Name\nb-1,Ada\nb-2,Grace\n');
  const maps = ['--map', 'a=b=unique_id', '--map', 'Name=first_name'];
  expect((await onward('batch', 'run', odd, ...maps)).code).toBe(0);
  const double = ['--map', 'Name=first_name', '--map', 'Name=last_name'];
  expect((await onward('batch', 'run', odd, ...double)).code).toBe(2);
  expect(good).toMatchObject({ code: 0, error: '' });
  expect(good.notes.at(-1)).toBe(`${'█'.repeat(30)} 2/2 succeeded`);
  expect(good.lines.join('\n')).toMatch(/^status +succeeded$/m);
  writeFileSync(file, 'unique_id,email\nb-3,nobody\n');
  const bad = await onward('batch', 'run', file, '--json');
  expect(bad).toMatchObject({ code: 1, notes: [] });
  expect(JSON.parse(bad.lines.join('\n'))).toMatchObject({ status: 'failed', total_count: 1 });
});

const crm =
  'Customer No,Email,First Name,Remarks,Marketing OK\n' +
  '7,a@example.com,Ada,nice,yes\n8,nobody,Grace,,no\n';

test('an unknown column is answered with the fields, the nearest first, and with --map', async () => {
  const file = join(directory, 'crm.csv');
  writeFileSync(file, crm);
  const { code, error } = await onward('batch', 'run', file);
  expect(code).toBe(5);
  const lines = error.split('\n');
  expect(lines.find((line) => line.startsWith('The fields are '))).toMatch(
    /^The fields are (email, first_name|first_name, email), .* and \d+ more\.$/,
  );
  expect(lines).toContain('Perhaps: --map "Email=email" "First Name=first_name"');
  expect(error).toContain('--map "Customer No=" leaves a column out');
  expect(error.length).toBeLessThan(1_500);
  const forPrograms = await onward('batch', 'run', file, '--json');
  expect(JSON.parse(forPrograms.error)).toMatchObject({ error: { code: 'upload_unreadable' } });
});

test('a column is left out, one is a consent, and failures are sentences with their rows', async () => {
  const file = join(directory, 'crm.csv');
  writeFileSync(file, crm);
  const maps = [
    '--map',
    'Email=email',
    'First Name=first_name',
    'Remarks=',
    'Customer No=unique_id',
  ];
  const consent = ['--consent', 'Marketing OK=email', '--consent-source', 'Branch form'];
  const { code, lines, error } = await onward('batch', 'run', file, ...maps, ...consent);
  expect(code).toBe(1);
  expect(lines.join('\n')).not.toContain('{');
  expect(error.split('\n')).toEqual([
    'The batch is succeeded_with_errors.',
    '1 of 2 records failed:',
    expect.stringMatching(/^ {2}Row 3: email must be an e-mail address\./),
    expect.stringMatching(/^`onward batch-operations get-errors [\da-f-]{36}`/),
  ]);
  const [ada] = await ask('contacts', 'list', '--filter', 'email=a@example.com');
  expect(ada).toMatchObject({ first_name: 'Ada', consents: { email: { status: 'subscribed' } } });
  expect(ada.consents.email.source).toBe('Branch form');
  const asNull = [
    '--map',
    'Email=null',
    'First Name=null',
    'Remarks=null',
    'Customer No=unique_id',
  ];
  expect(await onward('batch', 'run', file, ...asNull, ...consent)).toMatchObject({ code: 0 });
  const noSource = await onward('batch', 'run', file, '--consent', 'Marketing OK=email');
  expect(noSource).toMatchObject({ code: 2, error: expect.stringContaining('--consent-source') });
  const fax = ['--consent', 'Marketing OK=fax', '--consent-source', 'x'];
  expect(await onward('batch', 'run', file, ...fax)).toMatchObject({ code: 2 });
});

test('people see of webhooks and messages what happened, not ids alone', async () => {
  const { id } = await ask(
    ...['webhook-subscriptions', 'create', 'target_url=https://example.com/hook'],
    ...['event_types:=["contact.*"]', 'is_active:=false'],
  );
  await ask('contacts', 'create', 'unique_id=table-1');
  const { lines } = await onward('webhook-subscriptions', 'list-deliveries', id);
  expect(lines[0]).toMatch(/^id +event_type +status +attempts +http_status +next +created$/);
  expect(lines[1]).toMatch(/ contact\.created +suppressed +0 +- +- +\d{4}-/);
});

test('the last requests are shown, and those to come', async () => {
  const stopping = new AbortController();
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const tail = runCli(['requests', 'tail', '--operation', 'getTeam', '--json'], {
    ...{ environment: signedIn, write, signal: stopping.signal },
  });
  await team.get('/v2/partner/team');
  await eventually(async () => lines.length, Boolean);
  stopping.abort();
  expect(await tail).toMatchObject({ code: 0 });
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ operation: 'getTeam', status: 200 });
  const refused = await onward('requests', 'tail', '--once', '--status', '4xx');
  expect(refused).toMatchObject({ code: 0, error: '' });
});

test('a sample of a provider is received, and webhooks are replayed', async () => {
  const receipt = await ask('inbound', 'send', 'generic_hmac', '--setup');
  expect(receipt).toMatchObject({ is_test: true, receiver_kind: 'generic_hmac' });
  expect(await ask('inbound', 'send', 'generic_hmac')).toMatchObject({
    receiver_id: receipt.receiver_id,
  });
  expect(await onward('inbound', 'send', 'email_z')).toMatchObject({ code: 2 });
  const { id } = await ask(
    ...['webhook-subscriptions', 'create', 'target_url=https://example.com/hook'],
    ...['event_types:=["contact.*"]', 'is_active:=true'],
  );
  expect(await ask('replay', id, '--since', '1h', '--dry-run')).toMatchObject({ matched: 0 });
});

test('a page is opened where there is a browser, and shown where there is none', async () => {
  const { code, lines, notes } = await onward('open', 'docs');
  expect([code, lines]).toEqual([0, [`docs  ${api.url}/docs`]]);
  expect(notes).toEqual(['There is no browser here to open it.']);
  expect(await onward('open', 'nothing')).toMatchObject({ code: 2 });
  expect(browserCommand('linux', {})).toBeUndefined();
  expect(browserCommand('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(browserCommand('linux', { DISPLAY: ':0', CI: 'true' })).toBeUndefined();
  expect(browserCommand('darwin', { SSH_CONNECTION: '::1' })).toBeUndefined();
  expect(browserCommand('win32', {})?.[0]).toBe('rundll32');
  expect(await openBrowser('file:///etc/passwd', { BROWSER: 'true' })).toBe(false);
  expect(await openBrowser('http://127.0.0.1/', { BROWSER: 'true' })).toBe(true);
  expect(await openBrowser('http://127.0.0.1/', { BROWSER: '/nowhere/browser' })).toBe(false);
});

test('addresses are shown, and shells complete commands and options', async () => {
  const links = await runCli(['open', '--json'], {
    environment: { ONWARD_DATA_DIR: dataDirectory, XDG_CONFIG_HOME: directory },
  });
  expect(JSON.parse(links.lines.join('\n'))).toMatchObject({
    docs: `${api.url}/docs`,
    temporal: 'http://127.0.0.1:8233/namespaces/test/workflows',
  });
  const complete = async (...words: string[]) => (await onward('complete', '--', ...words)).lines;
  expect(await complete('contac')).toEqual(['contact-erasures', 'contact-reads', 'contacts']);
  expect(await complete('contacts', 'li')).toContain('list-devices');
  expect(await complete('contacts', 'list', '--so')).toEqual(['--sort']);
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect((await onward('completion', shell)).lines.join('\n')).toContain('onward complete --');
  }
});
