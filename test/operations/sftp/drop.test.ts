import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import type { OpenMode } from 'ssh2';
import { createLog } from '../../../src/platform/observability/log.ts';
import { startSftpServer } from '../../../src/operations/sftp/server.ts';
import type { SftpServer, SftpServerOptions } from '../../../src/operations/sftp/server.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { sshKeyPair } from '../../support/ssh-keys.ts';
import { eventsOf, subscribe } from '../../support/recorded-events.ts';
import { called, connect, newCredential } from './a-client.ts';
import type { TestCredential } from './a-client.ts';

const uploadsPath = '/v2/partner/sftp-uploads';
const credentialsPath = '/v2/partner/sftp-credentials';

let api: TestApi;
let team: TestTeam;
let server: SftpServer;

beforeAll(async () => {
  api = await startTestApi();
  server = await serve();
});
// A team has few credentials.
beforeEach(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});
afterAll(async () => {
  await server.close();
  await api.stop();
});

const serve = (options: Partial<SftpServerOptions> = {}) =>
  startSftpServer(
    { database: api.db.database, keyring: api.keyring, log: createLog('silent', 'worker') },
    { host: '127.0.0.1', port: 0, graceMs: 200, ...options },
  );

const enter = (credential: TestCredential, how = {}) => connect(server.port, credential, how);

async function uploadsOf(credential: TestCredential): Promise<Record<string, any>[]> {
  const reply = await team.get(`${uploadsPath}?filter[sftp_credential_id]=${credential.id}`);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

const keptUploads = () =>
  api.db.look((sql) => sql`select id from uploads where team_id = ${team.id}`);

const csv = 'unique_id,email\n1,ada@example.com\n2,grace@example.com\n';
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => [Reflect.get(Object(error), 'code'), Reflect.get(Object(error), 'message')],
  );

describe('authentication', () => {
  test('admits a client with the key of active credentials, and records their use', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    expect(await client.names('/')).toEqual(['in', 'out']);
    await client.end();
    const { body } = await team.get(`${credentialsPath}/${credential.id}`);
    expect(Date.parse(body.last_used_at)).toBeGreaterThan(Date.now() - 60_000);
    expect(body.upload_count).toBe(0);
  });

  test('shows the host key whose fingerprint the credentials name', async () => {
    const credential = await newCredential(team);
    const seen: string[] = [];
    const client = await enter(credential, {
      hostVerifier: (key: Buffer) => {
        const digest = createHash('sha256').update(key).digest('base64').replace(/=+$/, '');
        seen.push(`SHA256:${digest}`);
        return true;
      },
    });
    await client.end();
    expect(seen).toEqual(credential.host_key_fingerprints);
  });

  test.each(['ssh-rsa', 'ecdsa-sha2-nistp256'])('admits a key of type %s', async (type) => {
    const pair = type === 'ssh-rsa' ? sshKeyPair('rsa', 3072) : sshKeyPair('ecdsa', 256);
    const made = await team.post(credentialsPath, { name: type, public_key: pair.public });
    expect(made.body.key_type).toBe(type);
    const client = await enter({ ...made.body, private_key: pair.private });
    await client.end();
  });

  test('refuses another key, another user name, and a password', async () => {
    const [mine, other] = [await newCredential(team), await newCredential(team)];
    await expect(enter({ ...mine, private_key: other.private_key })).rejects.toThrow(
      'authentication methods failed',
    );
    await expect(enter({ ...mine, username: 'do-00000000' })).rejects.toThrow(
      'authentication methods failed',
    );
    await expect(
      connect(server.port, { ...mine, private_key: '' }, { password: 'letmein' }),
    ).rejects.toThrow();
  });

  test('refuses revoked, expired and deleted credentials', async () => {
    const revoked = await newCredential(team);
    await team.post(`${credentialsPath}/${revoked.id}/revoke`);
    await expect(enter(revoked)).rejects.toThrow('authentication methods failed');
    const expired = await newCredential(team);
    await api.db.look(
      (sql) => sql`
      update sftp_credentials set expires_at = now() - interval '1 second'
      where id = ${expired.id}`,
    );
    await expect(enter(expired)).rejects.toThrow('authentication methods failed');
    const deleted = await newCredential(team);
    await team.delete(`${credentialsPath}/${deleted.id}`);
    await expect(enter(deleted)).rejects.toThrow('authentication methods failed');
  });

  test('refuses addresses outside the allowed networks, and admits those within', async () => {
    const outside = await newCredential(team, { allowed_cidrs: ['192.0.2.0/24', '::1/128'] });
    await expect(enter(outside)).rejects.toThrow('authentication methods failed');
    const inside = await newCredential(team, { allowed_cidrs: ['192.0.2.0/24', '127.0.0.0/8'] });
    await (await enter(inside)).end();
  });

  test('grants no shell, no command and no tunnel', async () => {
    const { connection, end } = await enter(await newCredential(team));
    await expect(called((done) => connection.shell(done))).rejects.toThrow();
    await expect(called((done) => connection.exec('id', done))).rejects.toThrow();
    await expect(
      called((done) => connection.forwardOut('127.0.0.1', 1, '127.0.0.1', server.port, done)),
    ).rejects.toThrow();
    await end();
  });
});

describe('the drop', () => {
  test('shows the folders of the purpose, and nothing else', async () => {
    const mixed = await enter(await newCredential(team));
    expect(await mixed.names('/in')).toEqual(['contacts', 'accounts', 'objective-completions']);
    await mixed.end();
    const credential = await newCredential(team, { purpose: 'accounts' });
    const client = await enter(credential);
    expect(await client.names('in')).toEqual(['accounts']);
    expect(await client.names('/in/accounts')).toEqual([]);
    expect(await client.names(`${credential.home_directory}/out`)).toEqual([]);
    expect(await refusal(client.names('/in/contacts'))).toEqual([2, 'No such file.']);
    expect(await refusal(client.put('/in/contacts/a.csv', csv))).toMatchObject({ 0: 3 });
    const real = (path: string) => called((done) => client.sftp.realpath(path, done));
    expect(await real('.')).toBe('/');
    expect(await real('/in/../in/./accounts/')).toBe('/in/accounts');
    expect(await real('/..')).toBe('/');
    await client.end();
  });

  test('receives a file, begins its import and sends an event', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    await client.put('/in/contacts/june.csv', csv);
    const [entry] = await client.list('/in/contacts');
    expect([entry?.filename, entry?.attrs.size]).toEqual(['june.csv', csv.length]);
    await client.end();

    const [upload] = await uploadsOf(credential);
    expect(upload).toMatchObject({
      path: '/in/contacts/june.csv',
      status: 'received',
      size_bytes: csv.length,
      sha256: createHash('sha256').update(csv).digest('hex'),
      batch_operation_id: expect.any(String),
    });
    const [run] = await api.db.look(
      (sql) => sql`
      select r.*, convert_from(p.bytes, 'UTF8') as content from operation_runs r
      join upload_parts p on p.upload_id = r.upload_id where r.id = ${upload?.['batch_operation_id']}`,
    );
    expect(run).toMatchObject({
      operation_kind: 'contacts.bulk_upsert',
      source: 'sftp',
      surface: 'batch',
      sftp_credential_id: credential.id,
      requested_by_client_id: null,
      content: csv,
    });
    expect(await eventsOf(api, team, upload?.['id'])).toMatchObject([
      { type: 'sftp.file_uploaded', data: { id: upload?.['id'], status: 'received' } },
    ]);
    const { body } = await team.get(`${credentialsPath}/${credential.id}`);
    expect(body).toMatchObject({ upload_count: 1, last_upload_at: expect.any(String) });
  });

  test('stores every byte of a large file, in parts of any size', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    const content = Buffer.from(`unique_id,email\n${randomBytes(1_100_000).toString('hex')}\n`);
    await client.put('/in/contacts/large.csv', content);
    await client.end();
    const [upload] = await uploadsOf(credential);
    expect(upload).toMatchObject({
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  test('imports a file with a temporary name only after its rename', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    for (const ending of ['part', 'tmp', 'filepart']) {
      await client.put(`/in/contacts/${ending}.csv.${ending}`, csv);
    }
    const before = await uploadsOf(credential);
    expect(before.map(({ status }) => status)).toEqual(['receiving', 'receiving', 'receiving']);
    expect(before.map((upload) => upload['batch_operation_id'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await client.rename('/in/contacts/part.csv.part', '/in/contacts/part.csv');
    await client.rename('/in/contacts/tmp.csv.tmp', '/in/contacts/tmp.ndjson');
    expect(
      await refusal(client.rename('/in/contacts/filepart.csv.filepart', '/in/accounts/x.csv')),
    ).toEqual([3, 'A file is renamed within its folder.']);
    await client.remove('/in/contacts/filepart.csv.filepart');
    expect((await client.names('/in/contacts')).sort()).toEqual(['part.csv', 'tmp.ndjson']);
    await client.end();
    const after = await uploadsOf(credential);
    expect(after.map(({ path, status, error }) => [path, status, error?.code])).toEqual([
      ['/in/contacts/filepart.csv.filepart', 'failed', 'removed'],
      ['/in/contacts/tmp.ndjson', 'received', undefined],
      ['/in/contacts/part.csv', 'received', undefined],
    ]);
  });

  test('imports the last file under a temporary name, after any chain of renames', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    await client.put('/in/contacts/a.csv.part', 'unique_id\nold\n');
    await client.put('/in/contacts/a.csv.part', csv);
    await client.rename('/in/contacts/a.csv.part', '/in/contacts/b.csv.tmp');
    expect(await refusal(client.rename('/in/contacts/a.csv.part', '/in/contacts/a.csv'))).toEqual([
      2,
      'No such file.',
    ]);
    await client.rename('/in/contacts/b.csv.tmp', '/in/contacts/b.csv');
    await client.end();
    const uploads = await uploadsOf(credential);
    expect(
      uploads.map(({ path, status, error, size_bytes }) => [path, status, error?.code, size_bytes]),
    ).toEqual([
      ['/in/contacts/b.csv', 'received', undefined, csv.length],
      ['/in/contacts/a.csv.part', 'failed', 'replaced', 14],
    ]);
  });

  test('imports a file of the same name again', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    await client.put('/in/contacts/daily.csv', csv);
    await client.put('/in/contacts/daily.csv', `${csv}3,joan@example.com\n`);
    expect(await client.list('/in/contacts')).toMatchObject([
      { filename: 'daily.csv', attrs: { size: csv.length + 19 } },
    ]);
    await client.end();
    const runs = (await uploadsOf(credential)).map((upload) => upload['batch_operation_id']);
    expect(new Set(runs).size).toBe(2);
  });

  test('receives files of several clients concurrently', async () => {
    const credentials = [await newCredential(team), await newCredential(team)];
    const clients = await Promise.all(credentials.map((credential) => enter(credential)));
    await Promise.all(
      clients.flatMap((client, at) =>
        [1, 2, 3].map((number) =>
          client.put(
            `/in/contacts/${String(number)}.csv`,
            `${csv}${String(at)}`.repeat(number * 999),
          ),
        ),
      ),
    );
    for (const [at, credential] of credentials.entries()) {
      const uploads = await uploadsOf(credential);
      expect(uploads.map((upload) => upload['size_bytes']).sort((a, b) => a - b)).toEqual(
        [1, 2, 3].map((number) => `${csv}${String(at)}`.length * number * 999),
      );
    }
    await Promise.all(clients.map((client) => client.end()));
  });

  test('ignores times and rights that clients set', async () => {
    const client = await enter(await newCredential(team));
    await client.put('/in/contacts/a.csv', csv);
    const date = new Date();
    await called((done) => client.sftp.utimes('/in/contacts/a.csv', date, date, done));
    await called((done) => client.sftp.chmod('/in/contacts/a.csv', 0o600, done));
    await client.end();
  });
});

describe('the drop refuses', () => {
  test('a path outside the home, records it as failed and sends an event', async () => {
    const credential = await newCredential(team);
    const neighbor = await newCredential(team);
    const client = await enter(credential);
    const paths = [
      '/../../etc/passwd.csv',
      `${neighbor.home_directory}/in/contacts/a.csv`,
      '/in/contacts/deeper/a.csv',
      '/out/a.csv',
      '/a.csv',
    ];
    for (const path of paths) {
      expect(await refusal(client.put(path, csv))).toMatchObject({ 0: 3 });
    }
    expect(await refusal(client.names(`${neighbor.home_directory}/in`))).toMatchObject({ 0: 2 });
    expect(await refusal(client.put('/in/contacts/a\u0000b.csv', csv))).toMatchObject({ 0: 4 });
    await client.put('/in/contacts/x.csv.part', csv);
    expect(
      await refusal(
        client.rename('/in/contacts/x.csv.part', `${neighbor.home_directory}/in/contacts/x.csv`),
      ),
    ).toMatchObject({ 0: 3 });
    await client.end();
    const failed = (await uploadsOf(credential)).filter(({ status }) => status === 'failed');
    expect(failed.map(({ error }) => error.code).sort()).toEqual([
      ...Array.from({ length: 6 }, () => 'path_not_allowed'),
      'unsupported_media_type',
    ]);
    expect(await uploadsOf(neighbor)).toEqual([]);
    expect(await eventsOf(api, team, failed[0]?.['id'])).toMatchObject([
      { type: 'sftp.file_upload_failed', data: { status: 'failed' } },
    ]);
  });

  test('a file of another kind', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    for (const name of ['a.xlsx', 'a.exe', 'csv', '.part']) {
      const outcome = await refusal(client.put(`/in/contacts/${name}`, csv));
      expect([name, outcome]).toEqual([
        name,
        name === '.part' ? undefined : [4, 'Files are .csv or .ndjson.'],
      ]);
    }
    await client.end();
  });

  test('appending, writing at a place, reading back, making folders, changing results', async () => {
    const client = await enter(await newCredential(team));
    await client.put('/in/contacts/a.csv', csv);
    const open = (path: string, flags: OpenMode) =>
      called<Buffer>((done) => client.sftp.open(path, flags, done));
    expect(await refusal(open('/in/contacts/a.csv', 'a'))).toMatchObject({ 0: 8 });
    expect(await refusal(open('/in/contacts/a.csv', 'wx'))).toMatchObject({ 0: 4 });
    const handle = await open('/in/contacts/b.csv', 'w');
    const write = (at: number) =>
      called((done) => client.sftp.write(handle, Buffer.from(csv), 0, csv.length, at, done));
    await write(0);
    expect(await refusal(write(7))).toMatchObject({ 0: 4 });
    expect(await refusal(client.get('/in/contacts/a.csv'))).toMatchObject({ 0: 3 });
    expect(await refusal(called((done) => client.sftp.mkdir('/in/more', done)))).toMatchObject({
      0: 3,
    });
    expect(await refusal(client.remove('/out/a.csv.result.csv'))).toMatchObject({ 0: 3 });
    expect(await refusal(client.get('/out/a.csv.result.csv'))).toMatchObject({ 0: 2 });
    await client.end();
  });

  test('more open files than a session may have', async () => {
    const client = await enter(await newCredential(team));
    const open = (number: number) =>
      called<Buffer>((done) => client.sftp.open(`/in/contacts/${String(number)}.csv`, 'w', done));
    const outcomes = await Promise.all(
      Array.from({ length: 22 }, (_, number) => refusal(open(number))),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toMatchObject([{ 0: 4 }, { 0: 4 }]);
    await client.end();
  });

  test('more sessions than credentials may have', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    const outcomes = await Promise.all(
      Array.from({ length: 11 }, () => refusal(called((done) => client.connection.sftp(done)))),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(2);
    await expect(enter(credential)).rejects.toThrow();
    await client.end();
  });

  test('a file that is too large, and it leaves nothing behind', async () => {
    const small = await serve({ fileBytes: 3_000_000 });
    const credential = await newCredential(team);
    const client = await connect(small.port, credential);
    const content = Buffer.alloc(3_000_001, 'x');
    expect(await refusal(client.put('/in/contacts/huge.csv', content))).toEqual([
      4,
      'A file has at most 3 MB.',
    ]);
    await client.end();
    await small.close();
    expect(await uploadsOf(credential)).toMatchObject([
      { status: 'failed', error: { code: 'payload_too_large' } },
    ]);
    expect(await keptUploads()).toHaveLength(0);
  });

  test('a file whose credentials were revoked while it came', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    const handle = await called<Buffer>((done) =>
      client.sftp.open('/in/contacts/late.csv', 'w', done),
    );
    await called((done) => client.sftp.write(handle, Buffer.from(csv), 0, csv.length, 0, done));
    await team.post(`${credentialsPath}/${credential.id}/revoke`);
    expect(await refusal(called((done) => client.sftp.close(handle, done)))).toEqual([
      4,
      'The SFTP credentials are revoked, expired or suspended.',
    ]);
    await client.end();
    expect(await uploadsOf(credential)).toMatchObject([
      { status: 'failed', error: { code: 'credential_inactive' } },
    ]);
  });
});

describe('faults', () => {
  test('a connection that breaks midway leaves nothing to import', async () => {
    const credential = await newCredential(team);
    const client = await enter(credential);
    const handle = await called<Buffer>((done) =>
      client.sftp.open('/in/contacts/half.csv', 'w', done),
    );
    const half = Buffer.from(csv.repeat(40_000));
    await called((done) => client.sftp.write(handle, half, 0, half.length, 0, done));
    client.connection.destroy();
    const [upload] = await eventually(
      () => uploadsOf(credential),
      ([first]) => first?.['status'] === 'failed',
    );
    expect(upload).toMatchObject({ error: { code: 'connection_lost' } });
    expect(upload?.['batch_operation_id']).toBeUndefined();
    expect(await keptUploads()).toHaveLength(0);
  });

  test('a server that stops ends the open uploads of its clients', async () => {
    const stopping = await serve({ graceMs: 0 });
    const credential = await newCredential(team);
    const client = await connect(stopping.port, credential);
    client.connection.on('error', () => undefined);
    const handle = await called<Buffer>((done) =>
      client.sftp.open('/in/contacts/half.csv', 'w', done),
    );
    await called((done) => client.sftp.write(handle, Buffer.from(csv), 0, csv.length, 0, done));
    await stopping.close();
    expect(await uploadsOf(credential)).toMatchObject([
      { status: 'failed', error: { code: 'connection_lost' } },
    ]);
  });

  test('a client that is silent or does not speak SSH is disconnected', async () => {
    const strict = await serve({ handshakeMs: 300, idleMs: 300 });
    const silent = connectTcp(strict.port, '127.0.0.1');
    silent.resume();
    await once(silent, 'close');
    const noisy = connectTcp(strict.port, '127.0.0.1');
    noisy.on('error', () => undefined);
    noisy.resume();
    noisy.write(`SSH-2.0-x\r\n${'\u0000'.repeat(4_000)}`);
    await once(noisy, 'close');
    await strict.close();
    const patient = await serve({ handshakeMs: 60_000, idleMs: 300 });
    const idle = await connect(patient.port, await newCredential(team));
    await once(idle.connection, 'close');
    await patient.close();
  });

  test('successful and failed authentications are in the log with their address', async () => {
    const lines: string[] = [];
    const log = createLog('info', 'worker', { write: (line) => lines.push(line) });
    const talking = await startSftpServer(
      { database: api.db.database, keyring: api.keyring, log },
      { host: '127.0.0.1', port: 0 },
    );
    const credential = await newCredential(team);
    await (await connect(talking.port, credential)).end();
    await expect(connect(talking.port, { ...credential, username: 'nobody' })).rejects.toThrow();
    const shown = () =>
      lines.map((line) => JSON.parse(line)).map(({ msg, source_ip: ip }) => [msg, ip]);
    await eventually(
      () => Promise.resolve(shown()),
      ({ length }) => length === 2,
    );
    await talking.close();
    expect(shown()).toEqual([
      ['an SFTP client is there', '127.0.0.1'],
      ['an SFTP client was refused', '127.0.0.1'],
    ]);
    expect(lines.join('')).not.toContain('nobody');
  });

  test('the log holds neither the host key nor the content of files', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const talking = await startSftpServer(
      { database: api.db.database, keyring: api.keyring, log },
      { host: '127.0.0.1', port: 0 },
    );
    const credential = await newCredential(team);
    const client = await connect(talking.port, credential);
    await client.put('/in/contacts/a.csv', csv);
    await refusal(client.put('/in/contacts/a.exe', csv));
    await client.end();
    await talking.close();
    const [key] = await api.db.look(
      (sql) => sql<{ sealed_private_key: string }[]>`select sealed_private_key from sftp_host_keys`,
    );
    const text = lines.join('');
    expect(text).toContain(credential.username);
    expect(text).not.toContain('PRIVATE KEY');
    expect(text).not.toContain(key?.sealed_private_key);
    expect(text).not.toContain('ada@example.com');
  });
});
