import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import type { SFTPWrapper } from 'ssh2';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { newNamespace, startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import { eventTypesOf, subscribe } from '../../support/recorded-events.ts';
import { pace } from '../../support/pace.ts';
import { called, connect, newCredential } from './a-client.ts';
import type { TestCredential } from './a-client.ts';
import { findOpenSsh } from './openssh.ts';
import { samplesRunBy } from '../../site/samples.ts';

let api: TestApi;
let team: TestTeam;
let worker: TestWorker;
let namespace: string;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  await subscribe(api, team);
  namespace = await newNamespace();
  worker = await startWorker();
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

const startWorker = () => startTestWorker(api, { namespace, sftpPort: 0 });
const port = () => worker.sftpPort ?? 0;

async function uploadOf(credential: TestCredential): Promise<Record<string, any>> {
  const list = `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credential.id}`;
  return (await team.get(list)).body.data[0];
}

const imported = (credential: TestCredential) =>
  eventually(
    () => uploadOf(credential),
    (upload) => ['processed', 'failed'].includes(upload['status']),
  );

const csv = (prefix: string) =>
  [
    'unique_id,email,first_name',
    `${prefix}-1,${prefix}-ada@example.com,Ada`,
    `${prefix}-2,no address,Grace`,
    `${prefix}-3,${prefix}-joan@example.com,"Joan ""J"""`,
    '',
  ].join('\r\n');

/** The lines of a result without the ids. */
const linesOf = (result: string) =>
  result
    .replaceAll(/,[0-9a-f-]{36},/g, ',<id>,')
    .split('\r\n')
    .slice(0, -1);

const expected = [
  'index,status,id,code,detail',
  '0,created,<id>,,',
  expect.stringMatching(/^1,failed,,validation_failed,".*email.*"$/),
  '2,created,<id>,,',
];

test('a file that is put becomes contacts, and its result can be read', async () => {
  const credential = await newCredential(team);
  const client = await connect(port(), credential);
  await client.put('/in/contacts/june.csv', csv('june'));
  const upload = await imported(credential);
  expect(upload).toMatchObject({ status: 'processed', completed_at: expect.any(String) });
  const contacts = await team.get('/v2/partner/contacts?filter[unique_id]=june-1');
  expect(contacts.body.data).toMatchObject([{ email: 'june-ada@example.com', first_name: 'Ada' }]);

  const [entry] = await client.list('/out');
  const result = await client.get('/out/june.csv.result.csv');
  expect([entry?.filename, entry?.attrs.size]).toEqual(['june.csv.result.csv', result.length]);
  expect(linesOf(result)).toEqual(expected);
  expect(result).toContain(contacts.body.data[0].id);
  await client.end();
  const run = await team.get(`/v2/batch/operations/${upload['batch_operation_id']}`);
  expect(run.body).toMatchObject({
    source: 'sftp',
    status: 'succeeded_with_errors',
    total_count: 3,
    succeeded_count: 2,
    failed_count: 1,
  });
  expect(await eventTypesOf(api, team, upload['id'])).toEqual(['sftp.file_uploaded']);
});

test('the result of a file whose last record has no line end begins with a warning', async () => {
  const credential = await newCredential(team);
  const client = await connect(port(), credential);
  await client.put('/in/contacts/cut.csv', csv('cut').trimEnd());
  expect(await imported(credential)).toMatchObject({
    status: 'processed',
    warning: { code: 'no_line_end' },
  });
  const [head, warning, ...lines] = linesOf(await client.get('/out/cut.csv.result.csv'));
  expect(warning).toMatch(/^,warning,,no_line_end,".+"$/);
  expect([head, ...lines]).toEqual(expected);
  await client.end();
});

const samples = samplesRunBy('docs/sftp.md', 'test/operations/sftp/story.test.ts');

test('a file passes through the drop with OpenSSH alone, as docs/sftp.md shows it', async () => {
  const openSsh = await findOpenSsh();
  if (!openSsh) {
    console.warn('1 test of SFTP does nothing: sftp, ssh-keyscan or ssh-keygen is missing');
    return;
  }
  const credential = await newCredential(team, { purpose: 'contacts' });
  expect(await openSsh.trust(port(), credential.host_key_fingerprints)).toBe(true);
  const local = join(openSsh.directory, 'june.csv');
  await writeFile(local, csv('july'));
  for (const { text } of samples) {
    expect(await openSsh.paste(credential, port(), text)).toMatchObject({ code: 0 });
  }
  // The samples send the file several times, and any of the imports may be the first.
  const done = (index: number) =>
    expect.stringMatching(`^${String(index)},(created|unchanged),<id>,,$`);
  expect(linesOf(await readFile(`${local}.result.csv`, 'utf8'))).toEqual([
    ...[expected[0], done(0), expected[2], done(2)],
  ]);
  await openSsh.remove();
});

test('accounts and completions are imported from files too, with columns named after objectives', async () => {
  const credential = await newCredential(team, { purpose: 'mixed' });
  const client = await connect(port(), credential);
  const put = async (folder: string, rows: readonly string[]) => {
    const name = `${folder}.csv`;
    await client.put(`/in/${folder}/${name}`, `${rows.join('\n')}\n`);
    expect(await imported(credential)).toMatchObject({ status: 'processed' });
    return linesOf(await client.get(`/out/${name}.result.csv`)).slice(1);
  };
  const created = ['0,created,<id>,,', '1,created,<id>,,'];
  const header = 'unique_id,online-banking';
  expect(await put('contacts', [header, 'saver-1,yes', 'saver-2,no'])).toEqual(created);
  const accounts = ['contact_unique_id,unique_id,kind', 'saver-1,a-1,deposit', 'saver-2,a-2,loan'];
  expect(await put('accounts', accounts)).toEqual(created);
  const completions = [
    'contact_unique_id,objective_key',
    ...['1', '2'].map((at) => `saver-${at},direct-deposit`),
  ];
  expect(await put('objective-completions', completions)).toEqual(created);
  await client.end();
  const { body } = await team.get('/v2/partner/objectives');
  const counts = new Map(body.data.map((row: any) => [row.key, row.completion_count]));
  expect([counts.get('online-banking'), counts.get('direct-deposit')]).toEqual([1, 2]);
});

test('a result of many items has its listed size, from any read position', async () => {
  const credential = await newCredential(team);
  const client = await connect(port(), credential);
  const rows = Array.from({ length: 2_345 }, (_, at) => `many-${String(at)},${at % 7 ? 'm' : ''}`);
  await client.put('/in/contacts/many.csv', `unique_id,first_name\n${rows.join('\n')}\n`);
  await imported(credential);
  const [entry] = await client.list('/out');
  const result = await client.get('/out/many.csv.result.csv');
  expect(result).toHaveLength(entry?.attrs.size ?? 0);
  const indexes = linesOf(result)
    .slice(1)
    .map((line) => line.split(',', 2).join(' '));
  expect(indexes).toEqual(rows.map((_, at) => `${String(at)} created`));
  await client.end();
});

test('a client that asks for much, reads nothing and is reset ends no process', async () => {
  const credential = await newCredential(team);
  const slow = await connect(port(), credential);
  const ids = Array.from({ length: 2_000 }, (_, at) => `slow-${String(at)}`);
  await slow.put('/in/contacts/slow.csv', `unique_id\n${ids.join('\n')}\n`);
  await imported(credential);
  await slow.end();
  for (let round = 0; round < 3; round += 1) {
    const socket = connectTcp({ port: port(), host: '127.0.0.1' });
    const connection = new ssh2.Client();
    connection.on('error', () => undefined);
    const { username, private_key: privateKey } = credential;
    connection.connect({ sock: socket, username, privateKey });
    await once(connection, 'ready');
    // Room for everything: the socket and not the channel holds the answers up.
    const protocol = Reflect.get(connection, '_protocol');
    const session = protocol.session.bind(protocol);
    protocol.session = (channel: number, _: number, packet: number) =>
      session(channel, 64 * 1_048_576, packet);
    const sftp = await called<SFTPWrapper>((done) => connection.sftp(done));
    const handle = await called<Buffer>((done) => sftp.open('/out/slow.csv.result.csv', 'r', done));
    socket.pause();
    for (let read = 0; read < 150; read += 1) {
      sftp.read(handle, Buffer.alloc(65_536), 0, 65_536, 0, () => undefined);
    }
    // Several requests are answered, and the answers of all do not fit into the socket.
    await pace(300);
    socket.resetAndDestroy();
  }
  const other = await connect(port(), credential);
  expect(await other.names('/')).toEqual(['in', 'out']);
  await other.end();
});

test('a file that cannot be imported names the reason in its upload and in its result', async () => {
  const credential = await newCredential(team);
  const client = await connect(port(), credential);
  await client.put('/in/contacts/odd.csv', 'colour,=size\nred,1\n');
  const upload = await imported(credential);
  expect(upload).toMatchObject({
    status: 'failed',
    error: { code: expect.any(String), detail: expect.any(String) },
  });
  const [, line = ''] = (await client.get('/out/odd.csv.result.csv')).split('\r\n');
  expect(line).toMatch(new RegExp(`^,failed,,${upload['error'].code},".+"$`));
  await client.end();
  expect(await eventTypesOf(api, team, upload['id'])).toEqual([
    'sftp.file_uploaded',
    'sftp.file_upload_failed',
  ]);
});

test('the result under a name is that of the latest file', async () => {
  const credential = await newCredential(team);
  const client = await connect(port(), credential);
  await client.put('/in/contacts/daily.csv', 'unique_id\nfirst\n');
  await imported(credential);
  expect(linesOf(await client.get('/out/daily.csv.result.csv'))).toHaveLength(2);
  await client.put('/in/contacts/daily.csv', 'unique_id\nfirst\nsecond\n');
  await imported(credential);
  expect(linesOf(await client.get('/out/daily.csv.result.csv'))).toEqual([
    'index,status,id,code,detail',
    '0,unchanged,<id>,,',
    '1,created,<id>,,',
  ]);
  expect(await client.names('/out')).toEqual(['daily.csv.result.csv']);
  await client.end();
});

test('a file that arrived without a running import is imported by the next worker, if it still may be', async () => {
  await worker.close();
  const alone = await startSftpServer(
    { database: api.db.database, keyring: api.keyring, log: createLog('silent', 'worker') },
    { host: '127.0.0.1', port: 0 },
  );
  const [kept, revoked] = [await newCredential(team), await newCredential(team)];
  for (const credential of [kept, revoked]) {
    const client = await connect(alone.port, credential);
    await client.put('/in/contacts/waiting.csv', `unique_id\nwaiting-${credential.username}\n`);
    await client.end();
  }
  await alone.close();
  await team.post(`/v2/partner/sftp-credentials/${revoked.id}/revoke`);
  worker = await startWorker();
  expect(await imported(kept)).toMatchObject({ status: 'processed' });
  expect(await imported(revoked)).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_client' },
  });
  const found = async (id: string) =>
    (await team.get(`/v2/partner/contacts?filter[unique_id]=${id}`)).body.data.length;
  expect(await found(`waiting-${kept.username}`)).toBe(1);
  expect(await found(`waiting-${revoked.username}`)).toBe(0);
});
