import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Egress } from '../../src/platform/egress/client.ts';
import { closeAll, startEgress, startRaw, startReceiver } from '../platform/egress/receiver.ts';
import { productionRules } from '../platform/egress/rules.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import type { TestReceiver } from '../inbound/a-receiver.ts';
import { password, startManagedServer } from '../operations/sftp/a-managed-server.ts';
import type { ManagedServer } from '../operations/sftp/a-managed-server.ts';
import {
  aSource,
  attemptFetch,
  fetched,
  newSource,
  sourcesPath,
  tellOf,
  uploadsOf,
} from '../operations/sftp/a-source.ts';
import type { Attempt, TestSource } from '../operations/sftp/a-source.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { newAuthority } from '../support/authority.ts';
import { untilTrue } from '../support/eventually.ts';

const authority = newAuthority('Files');
const loopback = () => Promise.resolve(['127.0.0.1']);
const remote = '/home/bank/inbox/june.csv';
let api: TestApi;
let egress: Egress;
let server: ManagedServer;
let team: TestTeam;
let receiver: TestReceiver;

beforeAll(async () => {
  api = await startTestApi();
  egress = startEgress({ ca: authority.certificate, lookup: loopback });
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
  server = await startManagedServer();
  server.files.set(remote, { content: Buffer.from('unique_id\n1\n') });
});
afterEach(() => server.close());
afterAll(async () => {
  await closeAll();
  await api.stop();
});

const tell = (source: Pick<TestSource, 'server_id'>, fields: object = {}) =>
  tellOf(receiver, source, fields);
const fetchOnly = (source: TestSource, how?: Attempt, by = egress) =>
  fetched(api, by, team, source, how);
const secure = () => {
  const { certificate, key } = authority.issue('files.example.com');
  return { cert: certificate, key };
};
const httpsSource = (port: number) => ({
  name: 'Exports',
  source_kind: 'https',
  server_id: `s-${String(port)}`,
  purpose: 'contacts',
  host: 'files.example.com',
  port,
  base_path: '/exports',
  bearer_token: 'token-of-the-bank',
});
/** Bytes of files that are stored for the team. */
const storedUploads = () =>
  api.db.look((sql) => sql`select from uploads where team_id = ${team.id}`);

describe('a sender of forged callbacks', () => {
  test.each([
    '/inbox/../../../etc/passwd.csv',
    '../june.csv',
    '/inbox/./../../x.csv',
    '/inbox\\..\\..\\x.csv',
    '/inbox/..',
    '/inbox/june\n.csv',
    '/inbox/june\u007f.csv',
    `/${'a/'.repeat(600)}june.csv`,
  ])('reads no file outside of the base path by %j', async (path) => {
    const source = await newSource(team, aSource(server));
    expect(await tell(source, { path })).toMatchObject({
      status: 'failed',
      error: { code: 'path_not_allowed' },
    });
    expect(await uploadsOf(team, source)).toEqual([]);
  });

  test('reads no file outside the folder of the source', async () => {
    const source = await newSource(team, aSource(server, { server_path: '/inbox' }));
    for (const path of ['/inbox2/june.csv', '/june.csv', '/inbox']) {
      expect(await tell(source, { path })).toMatchObject({
        error: { code: 'source_not_readable' },
      });
    }
  });

  test('cannot add dot segments, a query or another host to the address of an HTTPS server', async () => {
    const files = await startReceiver((response) => response.writeHead(404).end(), secure());
    const source = await newSource(team, httpsSource(files.port));
    for (const path of ['/%2e%2e/%2e%2e/a.csv', '/a?b#c.csv', '//evil.example.com/a.csv']) {
      await tell(source, { path });
      await fetchOnly(source);
    }
    expect(files.received.map(({ path }) => path)).toEqual([
      '/exports/%252e%252e/%252e%252e/a.csv',
      '/exports/a%3Fb%23c.csv',
      '/exports/evil.example.com/a.csv',
    ]);
  });

  test('never reaches the source of another team, on any named server', async () => {
    const source = await newSource(team, aSource(server));
    const other = await api.newTeam();
    const theirs = await aReceiver(api, other, { receiver_kind: 'file_transfer_a' });
    expect(await tellOf(theirs, source)).toMatchObject({
      status: 'failed',
      error: { code: 'source_not_readable' },
    });
    expect(await uploadsOf(team, source)).toEqual([]);
  });

  test('cannot queue more fetches than a team may have', async () => {
    const source = await newSource(team, aSource(server));
    await tell(source);
    await api.db.look(
      (sql) => sql`
      with made as (
        insert into sftp_uploads (team_id, file_source_id, path, status)
        select ${team.id}, ${source.id}, '/' || n || '.csv', 'receiving'
        from generate_series(1, 99) n
        returning team_id, id, file_source_id, path
      )
      insert into file_fetches (team_id, sftp_upload_id, file_source_id, path, completed_at)
      select team_id, id, file_source_id, path, now() from made`,
    );
    expect(await tell(source)).toMatchObject({ error: { code: 'too_many_operations' } });
  });
});

describe('a client that may write sources', () => {
  test('cannot make the service call internal addresses by SFTP or HTTPS', async () => {
    const guarded = startEgress({ rules: productionRules, lookup: loopback });
    const named = { host: 'files.example.com' };
    const sources = [
      await newSource(team, aSource(server, named)),
      await newSource(team, httpsSource(server.port)),
    ];
    for (const source of sources) {
      await tell(source);
      expect(await fetchOnly(source, {}, guarded)).toMatchObject({
        status: 'failed',
        error: { code: 'target_not_allowed' },
      });
    }
    expect(server.connections()).toBe(0);
  });

  test('cannot have the stored password sent to another server', async () => {
    const source = await newSource(team, aSource(server));
    const path = `${sourcesPath}/${source.id}`;
    for (const body of [{ host: 'evil.example.com' }, { port: 2_222 }]) {
      const reply = await team.patch(path, body);
      expect([reply.status, reply.body.errors[0].meta]).toMatchObject([
        422,
        { pointer: '/password', rule: 'required' },
      ]);
    }
    const reply = await team.patch(path, { port: 2_222, password: 'another' });
    expect(reply.status).toBe(200);
  });

  test('finds the credential in no answer and in no row', async () => {
    const source = await newSource(team, aSource(server));
    await tell(source);
    await fetchOnly(source);
    const answers = await Promise.all([
      team.get(sourcesPath),
      team.get(`${sourcesPath}/${source.id}`),
      team.patch(`${sourcesPath}/${source.id}`, { name: 'Other', password }),
      team.get('/v2/partner/audit-events'),
      team.get('/v2/partner/sftp-uploads'),
      receiver.deliveries(),
    ]);
    expect(JSON.stringify(answers.map((answer) => answer.body ?? answer))).not.toContain(password);
    const rows = await api.db.look(
      (sql) => sql<{ text: string }[]>`
      select to_jsonb(s)::text as text from file_sources s where team_id = ${team.id}
      union all select to_jsonb(e)::text from audit_events e where team_id = ${team.id}
      union all select to_jsonb(f)::text from file_fetches f where team_id = ${team.id}
      union all select to_jsonb(u)::text from sftp_uploads u where team_id = ${team.id}`,
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(password);
  });
});

describe('an attacker who controls or impersonates the server', () => {
  test('learns no password without the pinned key', async () => {
    const other = await startManagedServer();
    const source = await newSource(
      team,
      aSource(other, { host_key_fingerprints: [server.hostKey] }),
    );
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ error: { code: 'host_key_mismatch' } });
    expect([other.connections(), other.logins]).toEqual([1, []]);
    await other.close();
  });

  test('learns no password by offering weak algorithms', async () => {
    const weak = await startManagedServer({
      config: { algorithms: { kex: ['diffie-hellman-group1-sha1'], cipher: ['aes128-cbc'] } },
    });
    const source = await newSource(team, aSource(weak));
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ error: { code: 'source_not_readable' } });
    expect(weak.logins).toEqual([]);
    await weak.close();
  });

  test('learns no token without a certificate for the host', async () => {
    const { certificate, key } = newAuthority('Others').issue('files.example.com');
    const files = await startReceiver((response) => response.end(), { cert: certificate, key });
    const source = await newSource(team, httpsSource(files.port));
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ error: { code: 'connection_failed' } });
    expect(files.received).toEqual([]);
  });

  test('cannot send the service elsewhere by a redirect', async () => {
    const inside = await startReceiver((response) => response.end('unique_id\n1\n'));
    const files = await startReceiver((response) => {
      response.writeHead(302, { location: inside.url }).end();
    }, secure());
    const source = await newSource(team, httpsSource(files.port));
    await tell(source);
    expect(await fetchOnly(source)).toMatchObject({ error: { code: 'source_not_readable' } });
    expect(inside.received).toEqual([]);
  });

  test('cannot block a worker by silence, before the file or within it', async () => {
    const silent = await startRaw(() => undefined);
    const source = await newSource(team, aSource({ ...server, port: silent.port }));
    await tell(source);
    const limits = { openMs: 200, idleMs: 200 };
    const slow = { status: 'failed', error: { code: 'source_too_slow' } };
    expect(await fetchOnly(source, { limits })).toMatchObject(slow);

    server.files.set(remote, { content: Buffer.alloc(500_000, 'a') });
    server.stallAt(100_000);
    const stalling = await newSource(team, aSource(server));
    await tell(stalling);
    expect(await fetchOnly(stalling, { limits: { idleMs: 200 } })).toMatchObject(slow);

    const files = await startReceiver((response) => response.write('unique_id\n'), secure());
    const dripping = await newSource(team, httpsSource(files.port));
    await tell(dripping);
    expect(await fetchOnly(dripping, { limits: { totalMs: 300 } })).toMatchObject(slow);
    expect(await storedUploads()).toEqual([]);
  });

  test('cannot crash the worker with bytes that are not SSH, SFTP or HTTP', async () => {
    const answers = [randomBytes(4_096), Buffer.from(`SSH-2.0-x\r\n${'\u0000'.repeat(5_000)}`)];
    for (const answer of answers) {
      const raw = await startRaw((socket) => socket.write(answer));
      const source = await newSource(team, aSource({ ...server, port: raw.port }));
      await tell(source);
      expect(await fetchOnly(source, { limits: { openMs: 2_000 } })).toMatchObject({
        status: 'failed',
      });
    }
    const junk = await startManagedServer({ subsystem: randomBytes(100_000) });
    const source = await newSource(team, aSource(junk));
    await tell(source);
    expect(await fetchOnly(source, { limits: { openMs: 2_000 } })).toMatchObject({
      status: 'failed',
    });
    await junk.close();

    const files = await startReceiver((response) => {
      response.socket?.end(randomBytes(4_096));
    }, secure());
    const odd = await newSource(team, httpsSource(files.port));
    await tell(odd);
    expect(await fetchOnly(odd)).toMatchObject({ error: { code: 'connection_failed' } });
  });

  test('cannot fill the service with a file that is endless or longer than its declared size', async () => {
    const limits = { fileBytes: 200_000 };
    const tooLarge = { status: 'failed', error: { code: 'payload_too_large' } };
    server.files.set(remote, { content: Buffer.alloc(5_000_000, 'a'), size: 10 });
    const source = await newSource(team, aSource(server));
    await tell(source);
    expect(await fetchOnly(source, { limits })).toMatchObject(tooLarge);
    expect(server.sentBytes()).toBeLessThan(1_000_000);

    const files = await startReceiver((response) => {
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    }, secure());
    const endless = await newSource(team, httpsSource(files.port));
    await tell(endless);
    expect(await fetchOnly(endless, { limits })).toMatchObject(tooLarge);
    expect(await storedUploads()).toEqual([]);
  });
});

test('a team has at most two files fetched at once and does not block other teams', async () => {
  const source = await newSource(team, aSource(server));
  for (const name of ['a', 'b', 'c']) await tell(source, { path: `/inbox/${name}.csv` });
  const [third, ...others] = await uploadsOf(team, source);
  await api.db.look(
    (sql) => sql`
    update file_fetches set lease_expires_at = now() + interval '1 minute'
    where sftp_upload_id = any(${others.map(({ id }) => String(id))}::uuid[])`,
  );
  const outlook = await attemptFetch(api, egress, team, String(third?.['id']));
  expect(outlook).toEqual({ attempts: 0, nextAtMs: expect.any(Number) });
  expect(server.connections()).toBe(0);
});

test('a source that is disabled during a fetch imports nothing more', async () => {
  server.files.set(remote, { content: Buffer.alloc(500_000, 'a') });
  server.stallAt(100_000);
  const source = await newSource(team, aSource(server));
  await tell(source);
  const ending = fetchOnly(source, { scheduleMs: [0] });
  await untilTrue(() => server.sentBytes() > 0);
  await team.patch(`${sourcesPath}/${source.id}`, { is_active: false });
  expect(await ending).toMatchObject({ status: 'failed', error: { code: 'source_inactive' } });

  const deleted = await newSource(team, aSource(server));
  await tell(deleted);
  await team.delete(`${sourcesPath}/${deleted.id}`);
  expect(await fetchOnly(deleted)).toMatchObject({ error: { code: 'source_inactive' } });
  expect(server.connections()).toBe(1);
});
