import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Egress } from '../../../src/platform/egress/client.ts';
import { projectStored } from '../../../src/inbound/project.ts';
import { fetchLimits } from '../../../src/operations/sftp/fetching/rules.ts';
import { testSource } from '../../../src/operations/sftp/fetching/test-source.ts';
import { listOverdueFetches } from '../../../src/operations/sftp/fetching/queries.ts';
import {
  closeAll,
  closedPort,
  startEgress,
  startReceiver,
} from '../../platform/egress/receiver.ts';
import { aReceiver } from '../../inbound/a-receiver.ts';
import type { TestReceiver } from '../../inbound/a-receiver.ts';
import { eventTypesOf, subscribe } from '../../support/recorded-events.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { newAuthority } from '../../support/authority.ts';
import { startManagedServer } from './a-managed-server.ts';
import type { ManagedServer } from './a-managed-server.ts';
import {
  aSource,
  attemptFetch,
  fetched,
  newSource,
  sourcesPath,
  tellOf,
  uploadsOf,
} from './a-source.ts';
import type { Attempt, TestSource } from './a-source.ts';

const csv = 'unique_id,email\n1,ada@example.com\n';
const authority = newAuthority('Files');
let api: TestApi;
let egress: Egress;
let server: ManagedServer;
let team: TestTeam;
let receiver: TestReceiver;

beforeAll(async () => {
  api = await startTestApi();
  server = await startManagedServer();
  egress = startEgress({
    ca: authority.certificate,
    lookup: () => Promise.resolve(['127.0.0.1']),
  });
});
// A team has few sources.
beforeEach(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
  receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
  server.files.clear();
  server.opened.length = 0;
  server.stallAt(Infinity);
});
afterAll(async () => {
  await server.close();
  await closeAll();
  await api.stop();
});

const put = (path: string, content: string | Buffer = csv) =>
  server.files.set(path, { content: Buffer.from(content) });
const tell = (source: Pick<TestSource, 'server_id'>, fields: object = {}) =>
  tellOf(receiver, source, fields);
const fetchOnly = (source: TestSource, how?: Attempt) => fetched(api, egress, team, source, how);
const runs = () =>
  api.db.look(
    (sql) => sql<{ operation_kind: string; source: string; file_source_id: string }[]>`
      select operation_kind, source, file_source_id from operation_runs where team_id = ${team.id}`,
  );

/** The test of a source that was requested, as a worker makes it. */
function testOf(source: TestSource): Promise<string> {
  const { keyring, db } = api;
  const stopping = new AbortController().signal;
  const fetching = { database: db.database, keyring, egress, limits: fetchLimits, stopping };
  return testSource(fetching, { teamId: team.id, sourceId: source.id });
}

describe('a file on a managed server', () => {
  test('is fetched from below the base path and imported for the purpose of its source', async () => {
    const source = await newSource(
      team,
      aSource(server, { server_path: '/inbox/', purpose: 'accounts' }),
    );
    put('/home/bank/daily/june.csv');
    const delivery = await tell(source, { path: '/inbox/daily/june.csv', size_bytes: csv.length });
    expect(delivery).toMatchObject({ status: 'processed' });
    const upload = await fetchOnly(source);
    expect(server.opened).toEqual(['/home/bank/daily/june.csv']);
    expect(upload).toMatchObject({
      file_source_id: source.id,
      path: '/inbox/daily/june.csv',
      status: 'received',
      size_bytes: csv.length,
      sha256: createHash('sha256').update(csv).digest('hex'),
      batch_operation_id: expect.any(String),
    });
    expect(upload).not.toHaveProperty('sftp_credential_id');
    expect(await runs()).toEqual([
      { operation_kind: 'accounts.sync', source: 'sftp', file_source_id: source.id },
    ]);
    expect(await eventTypesOf(api, team, upload['id'])).toEqual(['sftp.file_uploaded']);
    const { body } = await team.get(`${sourcesPath}/${source.id}`);
    expect(Date.parse(body.last_fetched_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('of many parts arrives whole', async () => {
    const source = await newSource(team, aSource(server));
    const rows = Array.from({ length: 200_000 }, (_, at) => `u-${String(at)}`).join('\n');
    put('/home/bank/inbox/june.csv', `unique_id\n${rows}\n`);
    await tell(source);
    const upload = await fetchOnly(source);
    expect(upload['sha256']).toBe(
      createHash('sha256').update(`unique_id\n${rows}\n`).digest('hex'),
    );
  });

  test('that is named again is not fetched again, and another version of it is', async () => {
    const source = await newSource(team, aSource(server));
    put('/home/bank/inbox/june.csv');
    const upload_completed_at = '2026-03-01T12:00:00.000Z';
    await tell(source, { upload_completed_at });
    await tell(source, { upload_completed_at: '2026-03-01T13:00:00+01:00' });
    await fetchOnly(source);
    const again = await tell(source, { upload_completed_at });
    expect(again).toMatchObject({ status: 'processed' });
    expect(await uploadsOf(team, source)).toHaveLength(1);
    expect(server.opened).toHaveLength(1);
    await tell(source, { upload_completed_at: '2026-03-02T12:00:00Z' });
    expect(await uploadsOf(team, source)).toHaveLength(2);
  });

  test('that was absent is fetched when the delivery is replayed', async () => {
    const source = await newSource(team, aSource(server));
    const delivery = await tell(source);
    expect(await fetchOnly(source)).toMatchObject({
      status: 'failed',
      error: { code: 'file_not_found' },
    });
    put('/home/bank/inbox/june.csv');
    await api.db.database.transact((sql) =>
      projectStored(sql, api.keyring, team.id, delivery['id']),
    );
    expect(await fetchOnly(source)).toMatchObject({ status: 'received' });
    expect(await runs()).toHaveLength(1);
  });

  test('of a server without a source fails until a source exists', async () => {
    const body = aSource(server);
    const delivery = await tell(body);
    expect(delivery).toMatchObject({ status: 'failed', error: { code: 'source_not_readable' } });
    const source = await newSource(team, body);
    const outcome = await api.db.database.transact((sql) =>
      projectStored(sql, api.keyring, team.id, delivery['id']),
    );
    expect(outcome.status).toBe('processed');
    expect(await uploadsOf(team, source)).toHaveLength(1);
  });

  test('goes to the source of the deepest folder, then to that of its user', async () => {
    const base = aSource(server);
    const all = await newSource(team, base);
    const { server_id } = all;
    const mine = await newSource(team, { ...base, server_id, server_username: 'bank' });
    const deep = await newSource(team, { ...base, server_id, server_path: '/inbox/deep' });
    await tell(all, { path: '/inbox/deep/june.csv' });
    await tell(all, { path: '/inbox/deeper/june.csv' });
    await tell(all, { username: 'other' });
    const counts = await Promise.all([all, mine, deep].map((one) => uploadsOf(team, one)));
    expect(counts.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test('with another digest than the callback names is not imported', async () => {
    const source = await newSource(team, aSource(server));
    put('/home/bank/inbox/june.csv');
    await tell(source, { sha256: '0'.repeat(64) });
    expect(await fetchOnly(source)).toMatchObject({
      status: 'failed',
      error: { code: 'file_changed' },
    });
    expect(await runs()).toEqual([]);
  });

  test.each([
    ['june.xlsx', 'unsupported_media_type', {}],
    ['june.csv.part', 'unsupported_media_type', {}],
    ['june.csv', 'payload_too_large', { size_bytes: 200_000_001 }],
  ])('named %s is refused with %s before anything is fetched', async (name, code, fields) => {
    const source = await newSource(team, aSource(server));
    const delivery = await tell(source, { path: `/inbox/${name}`, ...fields });
    expect(delivery).toMatchObject({ status: 'failed', error: { code } });
    expect(await uploadsOf(team, source)).toEqual([]);
  });

  test('is fetched with a key pair that the service made', async () => {
    const body = aSource(server, { password: null, generate_key_pair: true });
    const source = await team.post(sourcesPath, body);
    const keyed = await startManagedServer({ publicKey: source.body.public_key });
    keyed.files.set('/home/bank/inbox/june.csv', { content: Buffer.from(csv) });
    const { port, hostKey } = keyed;
    const path = `${sourcesPath}/${String(source.body.id)}`;
    const moved = await team.patch(path, { port, host_key_fingerprints: [hostKey] });
    expect(moved.status).toBe(200);
    await tell(source.body);
    expect(await fetchOnly(source.body)).toMatchObject({ status: 'received' });
    expect(new Set(keyed.logins.map(({ method }) => method))).toEqual(new Set(['publickey']));
    await keyed.close();
  });
});

describe('an attempt that fails', () => {
  test.each([
    ['another password', { password: 'wrong' }, 'login_refused'],
    [
      'another key of the host',
      { host_key_fingerprints: [`SHA256:${'A'.repeat(43)}`] },
      'host_key_mismatch',
    ],
  ])('permanently by %s ends the file with a reason', async (_, fields, code) => {
    const source = await newSource(team, aSource(server, fields));
    put('/home/bank/inbox/june.csv');
    await tell(source);
    const upload = await fetchOnly(source, { scheduleMs: [0, 0] });
    expect(upload).toMatchObject({ status: 'failed', error: { code } });
    expect(await eventTypesOf(api, team, upload['id'])).toEqual(['sftp.file_upload_failed']);
  });

  test('on a folder in place of a file ends the file', async () => {
    const source = await newSource(team, aSource(server));
    server.files.set('/home/bank/inbox/june.csv', { content: Buffer.from(''), isFolder: true });
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ error: { code: 'source_not_readable' } });
  });

  test('temporarily is retried after each pause, then ends the file', async () => {
    const source = await newSource(team, aSource(server, { port: await closedPort() }));
    await tell(source);
    const [upload] = await uploadsOf(team, source);
    const id = String(upload?.['id']);
    const first = await attemptFetch(api, egress, team, id, { scheduleMs: [5_000, 10_000] });
    expect(first).toMatchObject({ attempts: 1, lastError: 'connection_failed' });
    expect(first.nextAtMs).toBeGreaterThan(Date.now());
    await attemptFetch(api, egress, team, id, { scheduleMs: [5_000, 10_000] });
    expect(await uploadsOf(team, source)).toMatchObject([{ status: 'receiving' }]);
    const last = await attemptFetch(api, egress, team, id, { scheduleMs: [5_000, 10_000] });
    expect(last).toEqual({ attempts: 3, lastError: 'connection_failed' });
    expect(await uploadsOf(team, source)).toMatchObject([
      { status: 'failed', error: { code: 'connection_failed' } },
    ]);
  });

  test('because the file is cut off is retried', async () => {
    const source = await newSource(team, aSource(server));
    server.files.set('/home/bank/inbox/june.csv', { content: Buffer.from(csv), size: 1_000 });
    await tell(source);
    await fetchOnly(source, { scheduleMs: [0] });
    put('/home/bank/inbox/june.csv');
    expect(await fetchOnly(source, { scheduleMs: [0] })).toMatchObject({ status: 'received' });
    expect(await runs()).toHaveLength(1);
  });

  test('because the worker stops leaves the file to the next one', async () => {
    const source = await newSource(team, aSource(server));
    put('/home/bank/inbox/june.csv');
    await tell(source);
    await expect(fetchOnly(source, { stopping: AbortSignal.abort() })).rejects.toThrow('stops');
    expect(await fetchOnly(source)).toMatchObject({ status: 'received' });
  });
});

describe('a test of a source', () => {
  const tested = async (body: object) => {
    const source = await newSource(team, body);
    const asked = await team.post(`${sourcesPath}/${source.id}/test`);
    expect([asked.status, asked.body.test_status]).toEqual([202, 'pending']);
    await testOf(source);
    return (await team.get(`${sourcesPath}/${source.id}`)).body;
  };

  test('logs in and opens no file', async () => {
    const logins = server.logins.length;
    const source = await tested(aSource(server, { is_active: false }));
    expect(source).toMatchObject({ test_status: 'succeeded', tested_at: expect.any(String) });
    expect(source).not.toHaveProperty('test_error');
    expect([server.logins.length - logins, server.opened]).toEqual([1, []]);
    const changed = await team.patch(`${sourcesPath}/${String(source.id)}`, { name: 'Other' });
    expect(changed.body).not.toHaveProperty('test_status');
  });

  test('names the reason of a failed login', async () => {
    expect(await tested(aSource(server, { password: 'wrong' }))).toMatchObject({
      test_status: 'failed',
      test_error: { code: 'login_refused', detail: expect.any(String) },
    });
    const closed = aSource(server, { port: await closedPort() });
    expect(await tested(closed)).toMatchObject({ test_error: { code: 'connection_failed' } });
  });

  test('is limited to one at a time for a team', async () => {
    const one = await newSource(team, aSource(server));
    const other = await newSource(team, aSource(server));
    expect((await team.post(`${sourcesPath}/${one.id}/test`)).status).toBe(202);
    expect((await team.post(`${sourcesPath}/${one.id}/test`)).status).toBe(202);
    expect((await team.post(`${sourcesPath}/${other.id}/test`)).status).toBe(202);
    await api.db.look(
      (sql) => sql`update file_sources set test_started_at = now() where id = ${one.id}`,
    );
    expect(await testOf(other)).toBe('waiting');
    expect(await testOf(one)).toBe('succeeded');
    expect(await testOf(one)).toBe('ended');
    expect(await testOf(other)).toBe('succeeded');
  });
});

test('the reconciler finds a fetch without a worker, and no finished one', async () => {
  const source = await newSource(team, aSource(server));
  put('/home/bank/inbox/june.csv');
  await tell(source);
  const [upload] = await uploadsOf(team, source);
  const overdue = async () => {
    const rows = await api.db.database.read((sql) => listOverdueFetches(sql, -1_000, 100));
    return rows.filter(({ team_id }) => team_id === team.id);
  };
  expect(await overdue()).toEqual([{ id: upload?.['id'], team_id: team.id }]);
  await fetchOnly(source);
  expect(await overdue()).toEqual([]);
});

describe('a file on an HTTPS server', () => {
  const secure = () => {
    const { certificate, key } = authority.issue('files.example.com');
    return { cert: certificate, key };
  };
  const httpsSource = (port: number, fields: object = {}) => ({
    name: 'Exports',
    source_kind: 'https',
    server_id: `s-${String(port)}`,
    purpose: 'contacts',
    host: 'files.example.com',
    port,
    base_path: '/exports',
    bearer_token: 'token-of-the-bank',
    ...fields,
  });

  test('is fetched with the token or by HTTP Basic', async () => {
    const files = await startReceiver((response) => response.end(csv), secure());
    const source = await newSource(team, httpsSource(files.port));
    await tell(source, { path: '/inbox/june & july.csv' });
    expect(await fetchOnly(source)).toMatchObject({ status: 'received' });
    expect(files.received[0]).toMatchObject({
      method: 'GET',
      path: '/exports/inbox/june%20%26%20july.csv',
      headers: { authorization: 'Bearer token-of-the-bank' },
    });
    const basic = await newSource(
      team,
      httpsSource(files.port, {
        server_id: 'basic',
        ...{ bearer_token: null, username: 'bank', password: 'pässword' },
      }),
    );
    await tell(basic);
    expect(await fetchOnly(basic)).toMatchObject({ status: 'received' });
    const sent = Buffer.from('bank:pässword').toString('base64');
    expect(files.received[1]?.headers.authorization).toBe(`Basic ${sent}`);
  });

  test.each([
    [200, 'succeeded'],
    [404, 'succeeded'],
    [403, 'login_refused'],
    [302, 'source_not_readable'],
    [500, 'connection_failed'],
  ])('that answers %d for its folder has the test outcome %s', async (status, outcome) => {
    const files = await startReceiver((response) => response.writeHead(status).end(), secure());
    const source = await newSource(team, httpsSource(files.port));
    await team.post(`${sourcesPath}/${source.id}/test`);
    expect(await testOf(source)).toBe(outcome);
    expect(files.received).toMatchObject([{ path: '/exports/' }]);
  });

  test.each([
    [404, 'file_not_found'],
    [401, 'login_refused'],
    [302, 'source_not_readable'],
    [503, 'connection_failed'],
  ])('that answers %d ends with %s', async (status, code) => {
    const files = await startReceiver((response) => {
      response.writeHead(status, { location: '/exports/other.csv' }).end('x'.repeat(100_000));
    }, secure());
    const source = await newSource(team, httpsSource(files.port));
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ status: 'failed', error: { code } });
    expect(files.received).toHaveLength(1);
  });

  test('that is a page or is encoded is refused', async () => {
    for (const headers of [{ 'content-type': 'text/html' }, { 'content-encoding': 'gzip' }]) {
      const files = await startReceiver((response) => {
        response.writeHead(200, headers).end('<p>Log in</p>');
      }, secure());
      const source = await newSource(team, httpsSource(files.port));
      await tell(source);
      expect(await fetchOnly(source)).toMatchObject({ error: { code: 'unsupported_media_type' } });
    }
  });

  test('that breaks off is fetched again', async () => {
    let isWhole = false;
    const files = await startReceiver((response) => {
      response.writeHead(200, { 'content-length': csv.length });
      if (isWhole) response.end(csv);
      else response.write(csv.slice(0, 5), () => response.destroy());
    }, secure());
    const source = await newSource(team, httpsSource(files.port));
    await tell(source);
    expect(await fetchOnly(source, { scheduleMs: [0] })).toMatchObject({ status: 'receiving' });
    isWhole = true;
    expect(await fetchOnly(source, { scheduleMs: [0] })).toMatchObject({ status: 'received' });
  });
});
