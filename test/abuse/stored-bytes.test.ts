import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLog } from '../../src/platform/observability/log.ts';
import { scrapeMetrics } from '../../src/meta/readiness.ts';
import { pruneExports } from '../../src/operations/exports/writing/queries.ts';
import { writePart } from '../../src/operations/exports/writing/write.ts';
import { maxFileBytes } from '../../src/team/file-quota.ts';
import { startSftpServer } from '../../src/operations/sftp/server.ts';
import { pruneUploads } from '../../src/operations/uploads/queries.ts';
import { receiveParts } from '../../src/operations/uploads/receive-upload.ts';
import { verdictOf } from '../contract/answers.ts';
import { connect, newCredential } from '../operations/sftp/a-client.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;

beforeEach(async () => {
  team = await api.newTeam();
  // The teams of tests have no limits.
  await api.db.look((sql) => sql`update teams set tier = 'standard' where id = ${team.id}`);
});

const uploads = '/v2/batch/uploads';
const csv = (bytes: number) => 'a'.repeat(bytes);
const megabyte = 1_000_000;

const send = (raw: string) =>
  team.call('POST', uploads, { raw, headers: { 'Content-Type': 'text/csv' } });

/** The bytes counted against the quota, and the number of stored parts. */
async function stored(): Promise<{ counted: number; kept: number }> {
  const [row] = await api.db.look(
    (sql) => sql<{ counted: number; kept: number }[]>`
      select coalesce((select bytes from file_bytes where team_id = ${team.id}), 0)::bigint
          as counted,
        ((select coalesce(sum(octet_length(bytes)), 0) from upload_parts
            where team_id = ${team.id}) +
          (select coalesce(sum(octet_length(bytes)), 0) from export_parts
            where team_id = ${team.id}))::bigint as kept`,
  );
  return row ?? { counted: -1, kept: -1 };
}

/** Makes the team use its quota except for so many bytes, without the files. */
async function leave(free: number, limit = maxFileBytes): Promise<number> {
  const bytes = limit - free;
  await api.db.look(
    (sql) => sql`
      insert into file_bytes (team_id, bytes) values (${team.id}, ${bytes})
      on conflict (team_id) do update set bytes = excluded.bytes`,
  );
  return bytes;
}

const usable = () => api.db.database;

describe('one team cannot fill the disk of all teams', () => {
  test('a file beyond the quota is refused and leaves no parts', async () => {
    const before = await leave(1.5 * megabyte);
    const reply = await send(csv(3 * megabyte));
    expect(verdictOf(reply)).toBe('422 quota_exceeded');
    expect(reply.body.errors[0].meta).toMatchObject({ quota: 'file_bytes', limit: maxFileBytes });
    expect(await stored()).toEqual({ counted: before, kept: 0 });
    expect((await send(csv(megabyte))).status).toBe(201);
  });

  test('a team that has used up its quota does not reduce that of another', async () => {
    await leave(0);
    expect(verdictOf(await send(csv(10)))).toBe('422 quota_exceeded');
    team = await api.newTeam();
    await api.db.look((sql) => sql`update teams set tier = 'standard' where id = ${team.id}`);
    expect((await send(csv(10))).status).toBe(201);
  });

  test('files that are sent at once share the remaining quota', async () => {
    await leave(3 * megabyte + 10);
    const replies = await Promise.all(Array.from({ length: 5 }, () => send(csv(megabyte))));
    const counts = { '201': 0, '422 quota_exceeded': 0 };
    for (const reply of replies) {
      const verdict = verdictOf(reply);
      if (verdict === '201' || verdict === '422 quota_exceeded') counts[verdict] += 1;
    }
    expect(counts).toEqual({ '201': 3, '422 quota_exceeded': 2 });
    expect((await stored()).kept).toBe(3 * megabyte);
  });

  test('parts of an unfinished file count', async () => {
    let finish: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => (finish = resolve));
    let started: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (started = resolve));
    async function* stream() {
      yield Buffer.from(csv(2 * megabyte));
      started();
      await isRead;
    }
    const coming = receiveParts(usable(), {
      ...{ teamId: team.id, format: 'csv', stream: stream(), limitBytes: 10 * megabyte },
    });
    await hasBegun;
    expect(await stored()).toEqual({ counted: 2 * megabyte, kept: 2 * megabyte });
    finish();
    await coming;
  });

  test('a full quota is reported before a body is read', async () => {
    await leave(0);
    async function* never(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      throw new Error('the body was read');
      yield Buffer.alloc(0);
    }
    await expect(
      receiveParts(usable(), {
        ...{ teamId: team.id, format: 'csv', stream: never(), limitBytes: megabyte },
      }),
    ).rejects.toThrow('quota_exceeded');
  });

  test('a file over SFTP is refused with the reason in its upload', async () => {
    const server = await startSftpServer(
      { database: usable(), keyring: api.keyring, log: createLog('silent', 'worker') },
      { host: '127.0.0.1', port: 0, graceMs: 200 },
    );
    const credential = await newCredential(team);
    const before = await leave(1.5 * megabyte);
    const client = await connect(server.port, credential);
    await expect(client.put('/in/contacts/large.csv', csv(4 * megabyte))).rejects.toThrow();
    await client.end();
    await server.close();
    const { body } = await team.get('/v2/partner/sftp-uploads');
    expect(body.data).toEqual([
      expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({ code: 'quota_exceeded' }),
      }),
    ]);
    expect(await stored()).toEqual({ counted: before, kept: 0 });
  });

  test('exports count: a request without room is refused, and a run without room ends', async () => {
    await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
    const { body, status } = await team.post('/v2/partner/exports', { kind: 'contacts' });
    expect(status).toBe(202);
    const before = await leave(100);
    const at = `/v2/partner/exports/${String(body.id)}`;
    const next = () =>
      usable().transact((sql) => writePart(sql, api.keyring, team.id, String(body.id)));
    while ((await next())?.status === 'running') expect((await stored()).kept).toBeLessThan(1_000);
    expect((await team.get(at)).body).toMatchObject({
      status: 'failed',
      error: { code: 'quota_exceeded' },
    });
    expect(await stored()).toEqual({ counted: before, kept: 0 });
    await leave(0);
    const refused = await team.post('/v2/partner/exports', { kind: 'contacts' });
    expect(verdictOf(refused)).toBe('422 quota_exceeded');
  });

  test('a higher tier has a multiple of the quota', async () => {
    await api.db.look((sql) => sql`update teams set tier = 'plus' where id = ${team.id}`);
    await leave(10, 4 * maxFileBytes);
    expect(verdictOf(await send(csv(20)))).toBe('422 quota_exceeded');
    expect((await send(csv(10))).status).toBe(201);
  });
});

describe('quota is freed', () => {
  test('by the deletion of a file', async () => {
    const { body } = await send(csv(2.5 * megabyte));
    expect((await stored()).counted).toBe(2.5 * megabyte);
    expect((await team.delete(`${uploads}/${String(body.id)}`)).status).toBe(204);
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
  });

  test('by a sender that aborts its file', async () => {
    async function* broken() {
      await Promise.resolve();
      yield Buffer.from(csv(2.5 * megabyte));
      throw new Error('cut off');
    }
    await expect(
      receiveParts(usable(), {
        ...{ teamId: team.id, format: 'csv', stream: broken(), limitBytes: 10 * megabyte },
      }),
    ).rejects.toThrow('cut off');
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
  });

  test('by files of several teams that expire together', async () => {
    const first = team;
    await send(csv(1.5 * megabyte));
    team = await api.newTeam();
    await send(csv(1.5 * megabyte));
    for (const { id } of [first, team]) {
      await api.db.look(
        (sql) => sql`
          update uploads set expires_at = now() - interval '1 second' where team_id = ${id}`,
      );
    }
    await usable().read((sql) => pruneUploads(sql, 100));
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
    team = first;
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
  });

  test('by exports that are deleted or expire', async () => {
    await team.post('/v2/partner/contacts', { email: 'ada@example.com' });
    const makeExport = async () => {
      const { body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
      const id = String(body.id);
      const next = () => usable().transact((sql) => writePart(sql, api.keyring, team.id, id));
      let made = await next();
      while (made?.status === 'running') made = await next();
      expect(made?.status).toBe('succeeded');
      return id;
    };
    const deleted = await makeExport();
    const { counted, kept } = await stored();
    expect([counted > 0, counted - kept]).toEqual([true, 0]);
    expect((await team.delete(`/v2/partner/exports/${deleted}`)).status).toBe(204);
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
    const id = await makeExport();
    await api.db.look(
      (sql) => sql`
        update exports set expires_at = now() - interval '1 second' where id = ${id}`,
    );
    await usable().read((sql) => pruneExports(sql, 100));
    expect(await stored()).toEqual({ counted: 0, kept: 0 });
  });
});

test('operators see the bytes of all teams, and refusals', async () => {
  await leave(0);
  await send(csv(10));
  const metrics = await scrapeMetrics(usable());
  expect(Number(/^onward_file_bytes (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(
    maxFileBytes,
  );
  expect(Number(/^onward_file_quota_refusals_total (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
});
