import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import { countCells } from './cells.ts';
import { sampleOf } from './samples.ts';
import { requiredScopes, writeEndpoints } from './scoped.ts';

let api: TestApi;
let team: TestTeam;
/** Another client of the team, and one of another team. */
let colleague: TestTeam;
let stranger: TestTeam;
const cells = countCells('repeats');

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  colleague = await team.withScopes(...requiredScopes);
  stranger = await api.newTeam();
  // An event without a subscription is not stored.
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/all',
    event_types: ['*'],
  });
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';

describe('a write with an Idempotency-Key is executed once', () => {
  test.each(writeEndpoints)('%s', async (id, endpoint) => {
    const expectDone = (reply: Reply, replayed: boolean) => {
      expect(verdictOf(reply)).toBe(String(endpoint.status));
      expect(isReplay(reply)).toBe(replayed);
    };
    const key = randomUUID();
    const { path, body } = await sampleOf(team, endpoint);
    const send = (caller: TestTeam, idempotencyKey: string, content: unknown = body) =>
      caller.call(endpoint.method, path, {
        body: content,
        headers: { 'Idempotency-Key': idempotencyKey },
      });

    await cells.cell(`${id}: a malformed key`, async () => {
      expect(verdictOf(await send(team, 'two words'))).toBe('400 idempotency_key_invalid');
    });
    await cells.cell(`${id}: a refusal leaves the key free`, async () => {
      const refused = await send(team, key, { ...body, no_such_field: 1 });
      expect(verdictOf(refused)).toBe('422 validation_failed');
      const stale = await team.call(endpoint.method, `${path}?no_such=1`, {
        body,
        headers: { 'Idempotency-Key': key },
      });
      expect(verdictOf(stale)).toBe('400 invalid_query_parameter');
    });
    await cells.cell(`${id}: replays status and body`, async () => {
      const first = await send(team, key);
      expectDone(first, false);
      // Bare and quoted are the same key.
      for (const form of [key, `"${key}"`]) {
        const again = await send(team, form);
        expectDone(again, true);
        expect(again.body).toEqual(first.body);
        for (const header of ['etag', 'location', 'content-type']) {
          expect(again.headers.get(header)).toBe(first.headers.get(header));
        }
        expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      }
    });
    await cells.cell(`${id}: refuses another request with the key`, async () => {
      const raw = body === undefined ? '{ }' : `${JSON.stringify(body)} `;
      const headers = { 'Idempotency-Key': key };
      const other = await team.call(endpoint.method, path, { raw, headers });
      expect(verdictOf(other)).toBe('422 idempotency_key_reused');
    });
    await cells.cell(`${id}: another client of the team has keys of its own`, async () => {
      const reply = await send(colleague, key);
      expect(isReplay(reply)).toBe(false);
      expect(verdictOf(reply)).not.toBe('422 idempotency_key_reused');
    });
    await cells.cell(`${id}: another team has keys of its own`, async () => {
      const sample = await sampleOf(stranger, endpoint);
      const reply = await stranger.call(endpoint.method, sample.path, {
        body: sample.body,
        headers: { 'Idempotency-Key': key },
      });
      expectDone(reply, false);
    });
    cells.settle();
  });
});

test('a key has 1 to 255 visible ASCII characters, bare or quoted', async () => {
  const contact = () => ({ unique_id: randomUUID() });
  const send = (key: string) =>
    team.post('/v2/partner/contacts', contact(), { 'Idempotency-Key': key });
  for (const key of ['', '""', 'x'.repeat(256), 'k\u00e4se', 'tab\tin it', '"two words"']) {
    expect(verdictOf(await send(key))).toBe('400 idempotency_key_invalid');
  }
  for (const key of ['x', 'y'.repeat(255), `"${'z'.repeat(255)}"`, '!~#$%&', '"quoted"']) {
    expect(verdictOf(await send(key))).toBe('201');
  }
});

test('If-Match accepts a list of tags and a star, and refuses invalid tags', async () => {
  const made = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const patch = (ifMatch: string) =>
    team.patch(`/v2/partner/contacts/${String(made.body.id)}`, {}, { 'If-Match': ifMatch });
  for (const tag of ['garbage', '1', '"a", "b"', '""', '"1', ',']) {
    expect(verdictOf(await patch(tag))).toBe('412 precondition_failed');
  }
  for (const tag of ['*', '"1"', '"0", "1"', ' "1" ,'])
    expect(verdictOf(await patch(tag))).toBe('200');
});

/** The number of events of writes that change several resources, such as journeys of a contact. */
const tellsMore: Readonly<Record<string, number>> = {
  createObjectiveCompletion: 2,
  deleteContact: 2,
  mergeContact: 6,
};

describe('twenty simultaneous requests with one key have one effect', () => {
  test.each(writeEndpoints)('%s', async (id, endpoint) => {
    const { path, body } = await sampleOf(team, endpoint);
    const headers = { 'Idempotency-Key': randomUUID() };
    const before = await countEvents();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => team.call(endpoint.method, path, { body, headers })),
    );
    await cells.cell(id, async () => {
      const done = replies.filter(({ status }) => status === endpoint.status);
      expect(done.filter((reply) => !isReplay(reply))).toHaveLength(1);
      expect(new Set(done.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
      for (const reply of replies) {
        if (reply.status === endpoint.status) continue;
        expect(verdictOf(reply)).toBe('409 idempotency_in_progress');
        expect(reply.headers.get('retry-after')).toBe('1');
      }
      expect((await countEvents()) - before).toBeLessThanOrEqual(tellsMore[id] ?? 1);
    });
    cells.settle();
  });

  async function countEvents(): Promise<number> {
    const [row] = await api.db.look(
      (sql) => sql<{ count: number }[]>`
        select count(*)::int as count from webhook_events where team_id = ${team.id}`,
    );
    return row?.count ?? 0;
  }
});

describe('a change or a delete with the ETag of another version is refused', () => {
  // A resource without a GET has no ETag.
  const readable = new Set(
    endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path),
  );
  const changes = writeEndpoints.filter(
    ([, { method, path }]) => ['PATCH', 'DELETE'].includes(method) && readable.has(path),
  );
  test.each(changes)('%s', async (id, endpoint) => {
    const { path, body } = await sampleOf(team, endpoint);
    const send = (ifMatch: string) =>
      team.call(endpoint.method, path, { body, headers: { 'If-Match': ifMatch } });

    const before = await team.get(path);
    const etag = before.headers.get('etag');
    await cells.cell(`${id}: has an ETag`, () => {
      expect(verdictOf(before)).toBe('200');
      expect(etag).toMatch(/^"\d+"$/);
    });
    for (const stale of ['"999999"', `W/${etag ?? ''}`]) {
      await cells.cell(`${id}: If-Match ${stale}`, async () => {
        const reply = await send(stale);
        expect(verdictOf(reply)).toBe('412 precondition_failed');
        expect(reply.body.errors[0].meta.current_etag).toBe(etag);
        expect((await team.get(path)).body).toEqual(before.body);
      });
    }
    await cells.cell(`${id}: If-Match of this version among others`, async () => {
      const reply = await send(`"0", ${etag ?? ''}`);
      expect(verdictOf(reply)).toBe(String(endpoint.status));
      if (endpoint.method === 'PATCH') expect(reply.headers.get('etag')).not.toBe(etag);
      else expect(verdictOf(await team.get(path))).toBe('404 not_found');
    });
    await cells.cell(`${id}: what is gone stays 404, whatever the version`, async () => {
      if (endpoint.method !== 'DELETE') return;
      expect(verdictOf(await send('"1"'))).toBe('404 not_found');
      expect(verdictOf(await team.call('DELETE', path))).toBe('404 not_found');
    });
    cells.settle();
  });
});
