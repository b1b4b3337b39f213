import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { partBytes, readBytes } from '../../../src/operations/uploads/queries.ts';
import { receiveParts, receiveUpload } from '../../../src/operations/uploads/receive-upload.ts';
import { verdictOf } from '../../contract/answers.ts';
import { sendRaw } from '../../contract/raw-http.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestTeam } from '../../support/api.ts';
import { untilTrue } from '../../support/eventually.ts';
import { maintain } from '../../support/maintenance.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const path = '/v2/batch/uploads';
const csv = 'unique_id,email\r\n1,ada@example.com\r\n';
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const send = (raw: string | Uint8Array, headers: Record<string, string> = {}, from = team) =>
  from.call('POST', path, { raw, headers: { 'Content-Type': 'text/csv', ...headers } });

async function countUploads(teamId: string): Promise<{ uploads: number; parts: number }> {
  const [row] = await api.db.look(
    (sql) => sql<{ uploads: number; parts: number }[]>`
      select (select count(*)::int from uploads where team_id = ${teamId}) as uploads,
        (select count(*)::int from upload_parts where team_id = ${teamId}) as parts`,
  );
  return row ?? { uploads: -1, parts: -1 };
}

const nothing = { uploads: 0, parts: 0 };

/** Reads a whole upload in slices of this size. */
async function contentOf(teamId: string, id: string, sliceBytes: number): Promise<Buffer> {
  const slices: Buffer[] = [];
  for (let offset = 0; ; offset += sliceBytes) {
    const slice = await api.db.database.read((sql) =>
      readBytes(sql, { teamId, id }, offset, sliceBytes),
    );
    slices.push(slice);
    if (slice.length < sliceBytes) return Buffer.concat(slices);
  }
}

describe('a file that is sent', () => {
  test('is an upload with its size and its hash, until it is deleted', async () => {
    const made = await send(csv);
    expect(verdictOf(made)).toBe('201');
    expect(made.body).toMatchObject({
      type: 'upload',
      team_id: team.id,
      format: 'csv',
      status: 'received',
      size_bytes: csv.length,
      sha256: sha256(csv),
    });
    const at = `${path}/${String(made.body.id)}`;
    expect(made.headers.get('location')).toBe(at);
    expect((await team.get(at)).body).toEqual(made.body);
    expect(verdictOf(await team.delete(at))).toBe('204');
    expect(verdictOf(await team.get(at))).toBe('404 not_found');
  });

  test('of NDJSON has its own media type; other types and compressed bodies are refused', async () => {
    const lines = await send('{"unique_id":"1"}\n', { 'Content-Type': 'application/x-ndjson' });
    expect(lines.body.format).toBe('ndjson');
    expect((await send(csv, { 'Content-Type': 'text/csv; charset=utf-8' })).status).toBe(201);
    for (const headers of [
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'text/csv; charset=utf-16' },
      { 'Content-Encoding': 'gzip' },
    ]) {
      expect(verdictOf(await send(csv, headers))).toBe('415 unsupported_media_type');
    }
  });

  test('is stored byte for byte, for any size of parts', async () => {
    const bytes = randomBytes(2 * partBytes + 12_345);
    const { body } = await send(bytes);
    expect(body.sha256).toBe(sha256(bytes));
    for (const sliceBytes of [partBytes / 2, 700_001, 3 * partBytes]) {
      expect((await contentOf(team.id, String(body.id), sliceBytes)).equals(bytes)).toBe(true);
    }
  });

  test('is not seen by another team', async () => {
    const { body } = await send(csv);
    const stranger = await api.newTeam();
    expect(verdictOf(await stranger.get(`${path}/${String(body.id)}`))).toBe('404 not_found');
    expect(verdictOf(await stranger.delete(`${path}/${String(body.id)}`))).toBe('404 not_found');
    expect(verdictOf(await team.get(`${path}/${String(body.id)}`))).toBe('200');
  });

  test('is refused before its body is read if the request is not allowed', async () => {
    const reader = await team.withScopes('batch:operations:read');
    expect(verdictOf(await send(csv, {}, reader))).toBe('401 scope_missing');
    expect(
      verdictOf(
        await team.call('POST', `${path}?x=1`, {
          raw: csv,
          headers: { 'Content-Type': 'text/csv' },
        }),
      ),
    ).toBe('400 invalid_query_parameter');
    expect(verdictOf(await send(csv, { 'Idempotency-Key': 'two words' }))).toBe(
      '400 idempotency_key_invalid',
    );
  });
});

describe('concurrent files', () => {
  test('are stored separately', async () => {
    const files = [1, 2, 3].map(() => randomBytes(partBytes + 777));
    const replies = await Promise.all(files.map((file) => send(file)));
    expect(replies.map(({ body }) => String(body.sha256))).toEqual(files.map(sha256));
  });
});

test('a team sends at most ten files concurrently, and does not limit other teams', async () => {
  const other = await api.newTeam();
  await api.db.look(
    (sql) => sql`
      insert into uploads (team_id, format, expires_at)
      select ${other.id}, 'csv', now() + interval '1 hour' from generate_series(1, 10)`,
  );
  const refused = await send(csv, {}, other);
  expect(verdictOf(refused)).toBe('429 too_many_operations');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(verdictOf(await send(csv))).toBe('201');
});

describe('a file that is too large', () => {
  test('is refused at once where its length is announced', async () => {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: onward.test',
      `Authorization: Bearer ${team.token}`,
      'Content-Type: text/csv',
      'Content-Length: 200000001',
    ];
    const reply = await sendRaw(api.url, `${head.join('\r\n')}\r\n\r\n`);
    expect(reply.status).toBe(413);
    expect(reply.body.errors[0].meta.limit_bytes).toBe(200_000_000);
  });

  test('is refused when it exceeds the limit, and no part of it remains', async () => {
    const other = await api.newTeam();
    async function* endless() {
      for (;;) yield randomBytes(100_000);
    }
    const receiving = receiveUpload(api.db.database, {
      teamId: other.id,
      format: 'csv',
      stream: endless(),
      limitBytes: 2_500_000,
    });
    await expect(receiving).rejects.toBeInstanceOf(HttpError);
    expect(await countUploads(other.id)).toEqual(nothing);
  });
});

test('a file is in memory only in part: it is read no faster than it is stored', async () => {
  const other = await api.newTeam();
  const chunk = Buffer.alloc(64_000, 'a,b\n');
  const total = 60_000_000;
  let given = 0;
  let maxAhead = 0;
  async function* stream() {
    for (; given < total; given += chunk.length) {
      if (given % (10 * chunk.length) === 0) {
        const [row] = await api.db.look(
          (sql) => sql<{ kept: string }[]>`
            select coalesce(sum(size_bytes), 0)::text as kept from uploads where team_id = ${other.id}`,
        );
        maxAhead = Math.max(maxAhead, given - Number(row?.kept));
      }
      yield chunk;
    }
  }
  const upload = await receiveUpload(api.db.database, {
    teamId: other.id,
    format: 'csv',
    stream: stream(),
    limitBytes: 200_000_000,
  });
  expect(upload.size_bytes).toBe(given);
  expect(maxAhead).toBeLessThanOrEqual(partBytes);
});

describe('a file that breaks off is no upload', () => {
  const head = (token: string) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: onward.test',
      `Authorization: Bearer ${token}`,
      'Content-Type: text/csv',
      'Content-Length: 5000000',
    ].join('\r\n');

  test('when the connection is lost', async () => {
    const other = await api.newTeam();
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${head(other.token)}\r\n\r\n`);
    socket.write(Buffer.alloc(2_200_000, 0x61));
    await untilTrue(async () => (await countUploads(other.id)).parts === 2);
    socket.destroy();
    await untilTrue(async () => (await countUploads(other.id)).uploads === 0);
  });

  test('when its process dies; maintenance deletes the remains', async () => {
    const other = await api.newTeam();
    const { id } = await receiveParts(api.db.database, {
      teamId: other.id,
      format: 'csv',
      stream: (async function* () {
        yield Buffer.from(csv);
      })(),
      limitBytes: 1_000,
    });
    expect(verdictOf(await other.get(`${path}/${id}`))).toBe('404 not_found');
    await maintain(api.db.database, 'uploads');
    expect(await countUploads(other.id)).toEqual({ uploads: 1, parts: 1 });
    await api.db.look(
      (sql) => sql`update uploads set updated_at = now() - interval '2 hours' where id = ${id}`,
    );
    await maintain(api.db.database, 'uploads');
    expect(await countUploads(other.id)).toEqual(nothing);
  });
});

test('an expired upload is not found, and maintenance deletes it', async () => {
  const other = await api.newTeam();
  const { body } = await send(csv, {}, other);
  const id = String(body.id);
  await api.db.look(
    (sql) => sql`update uploads set expires_at = now() - interval '1 second' where id = ${id}`,
  );
  expect(verdictOf(await other.get(`${path}/${id}`))).toBe('404 not_found');
  await maintain(api.db.database, 'uploads');
  expect(await countUploads(other.id)).toEqual(nothing);
});

describe('with an Idempotency-Key', () => {
  test('a file that is sent repeatedly is one upload, and another file is refused', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send(csv, headers);
    const again = await send(csv, headers);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await send(csv.replace('ada', 'eve'), headers);
    expect(verdictOf(other)).toBe('422 idempotency_key_reused');
  });

  test('files that are sent concurrently are one upload', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(csv, headers)));
    const done = replies.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ body }) => String(body.id))).size).toBe(1);
    expect(done.filter(({ headers: h }) => !h.has('idempotent-replayed'))).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(verdictOf(reply)).toBe('409 idempotency_in_progress');
    }
  });
});
