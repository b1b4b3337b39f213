import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aReceiver, codeOf } from './a-receiver.ts';
import { storeDeliveries } from './stored.ts';

// Without a worker: a requested replay remains pending.
const api = useTestApi();
let team: TestTeam;
let receiverId: string;
beforeEach(async () => {
  team = await api.newTeam();
  receiverId = (await aReceiver(api, team)).id;
});

const at = (rest = '', id = receiverId) => `/v2/webhooks/inbound/${id}${rest}`;
const ask = (body: unknown, headers?: Record<string, string>) =>
  team.post(at('/replay'), body, headers);
const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const wakesOf = (id: string) =>
  api.db.look<{ workflow: string }>(
    (sql) => sql`select workflow from workflow_outbox where key = ${id}`,
  );

describe('a request for a replay', () => {
  test('by ids answers 202 with a replay that can be polled, and signals its workflow', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 3);
    const reply = await ask({ delivery_ids: ids });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      id: expect.any(String),
      type: 'inbound_replay',
      team_id: team.id,
      receiver_id: receiverId,
      status: 'pending',
      dry_run: false,
      matched: 3,
      replayed: 0,
      succeeded: 0,
      failed: 0,
      skipped: 0,
      rate_per_second: 20,
      inserted_at: expect.any(String),
    });
    const location = at(`/replays/${String(reply.body.id)}`);
    expect(reply.headers.get('location')).toBe(location);
    expect((await team.get(location)).body).toEqual(reply.body);
    expect((await team.get(at('/replays'))).body.data).toEqual([reply.body]);
    expect(await wakesOf(reply.body.id)).toEqual([{ workflow: 'inbound_replay' }]);
    const audit = await team.get(
      `/v2/partner/audit-events?filter[resource_id]=${String(reply.body.id)}`,
    );
    expect(audit.body.data[0]).toMatchObject({ action: 'inbound_replay.created' });
  });

  test('by a window includes its start and excludes its end, and filters by status and event type', async () => {
    const times = [4, 3, 2, 1].map((hours) => ago(hours * 3_600_000));
    await storeDeliveries(api, team, receiverId, 4, (index) => ({
      received_at: times[index] ?? '',
      status: index === 1 ? 'processed' : 'failed',
      event_type: index === 2 ? 'deposit.sent' : 'deposit.received',
    }));
    const [since, , , until] = times;
    const matched = async (filter: object) => (await ask({ filter, dry_run: true })).body.matched;
    expect(await matched({})).toBe(4);
    expect(await matched({ since, until })).toBe(3);
    expect(await matched({ since: times[1] })).toBe(3);
    expect(await matched({ status: ['failed'] })).toBe(3);
    expect(await matched({ status: ['processed', 'failed'], until })).toBe(3);
    expect(await matched({ status: ['failed'], event_type: ['deposit.sent'] })).toBe(1);
    expect(await matched({ event_type: ['deposit.sent', 'deposit.received'] })).toBe(4);
    expect(await matched({ event_type: ['nothing'] })).toBe(0);
    const reply = await ask({ filter: { since, until }, rate_per_second: 10_000 });
    expect(reply.body).toMatchObject({ matched: 3, since, until, rate_per_second: 10_000 });
  });

  test('as a dry run answers 200 with the matching deliveries, and stores nothing', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 4, (index) =>
      index === 0 ? { status: 'rejected_signature', payload: null } : {},
    );
    const reply = await ask({ delivery_ids: ids, dry_run: true });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      type: 'inbound_replay',
      status: 'completed',
      dry_run: true,
      matched: 4,
      replayed: 3,
      skipped: 1,
    });
    expect(reply.body).not.toHaveProperty('id');
    expect(reply.headers.get('location')).toBeNull();
    expect((await team.get(at('/replays'))).body.data).toEqual([]);
    const audit = await team.get('/v2/partner/audit-events?filter[action]=inbound_replay.created');
    expect(audit.body.data).toEqual([]);
  });

  test('with the same Idempotency-Key again answers the same replay', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 1);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await ask({ delivery_ids: ids }, headers);
    const again = await ask({ delivery_ids: ids }, headers);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await ask({ delivery_ids: ids, rate_per_second: 5 }, headers);
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
  });
});

describe('a replay is refused', () => {
  test('with both ids and a filter, with neither, and outside its bounds', async () => {
    const ids = [randomUUID()];
    for (const body of [
      {},
      { delivery_ids: ids, filter: {} },
      { delivery_ids: [] },
      { delivery_ids: Array.from({ length: 1_001 }, () => randomUUID()) },
      { delivery_ids: [ids[0], ids[0]] },
      { filter: {}, rate_per_second: 0 },
      { filter: {}, rate_per_second: 10_001 },
      { filter: { status: ['duplicate'] } },
      { filter: { status: [] } },
      { filter: { since: ago(day), until: ago(2 * day) } },
      { filter: { since: ago(-day) } },
      { filter: { nonsense: 1 } },
    ]) {
      expect([JSON.stringify(body).slice(0, 80), codeOf(await ask(body))]).toEqual([
        JSON.stringify(body).slice(0, 80),
        '422 validation_failed',
      ]);
    }
  });

  test('for a window of more than 30 days', async () => {
    const until = Date.now() - 3_600_000;
    const filter = (days: number, ms = 0) => ({
      since: new Date(until - days * day - ms).toISOString(),
      until: new Date(until).toISOString(),
    });
    expect((await ask({ filter: filter(30), dry_run: true })).status).toBe(200);
    const refused = await ask({ filter: filter(30, 1) });
    expect(codeOf(refused)).toBe('422 replay_window_too_large');
    expect(refused.body.errors[0].meta).toMatchObject({ pointer: '/filter/since', max_days: 30 });
  });

  test('for deliveries of another receiver, each of them named', async () => {
    const other = await aReceiver(api, team);
    const [own = ''] = await storeDeliveries(api, team, receiverId, 1);
    const [foreign = ''] = await storeDeliveries(api, team, other.id, 1);
    const reply = await ask({ delivery_ids: [own, foreign, randomUUID()] });
    expect(codeOf(reply)).toBe('404 not_found');
    const pointers = reply.body.errors.map((error: { meta: object }) => error.meta);
    expect(pointers).toMatchObject([
      { pointer: '/delivery_ids/1', resource: 'inbound_delivery' },
      { pointer: '/delivery_ids/2', resource: 'inbound_delivery' },
    ]);
  });

  test('during another replay of the receiver, even with simultaneous requests', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 1);
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask({ delivery_ids: ids })));
    const [made, ...others] = replies.filter(({ status }) => status === 202);
    expect(others).toEqual([]);
    const refused = replies.filter(({ status }) => status !== 202);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['409 replay_in_progress']));
    expect(refused[0]?.body.errors[0].meta.id).toBe(made?.body.id);
    // A dry run blocks no replay, and another receiver is independent.
    expect((await ask({ delivery_ids: ids, dry_run: true })).status).toBe(200);
    const other = await aReceiver(api, team);
    const theirs = await storeDeliveries(api, team, other.id, 1);
    const reply = await team.post(at('/replay', other.id), { delivery_ids: theirs });
    expect(reply.status).toBe(202);
  });

  test('if none of the deliveries was accepted', async () => {
    const refused = await storeDeliveries(api, team, receiverId, 3, (index) =>
      index === 0
        ? { is_test: true, status: 'processed' }
        : { status: index === 1 ? 'rejected_invalid' : 'pending_confirmation' },
    );
    expect(codeOf(await ask({ delivery_ids: refused }))).toBe('409 delivery_not_replayable');
    expect(codeOf(await ask({ filter: {} }))).toBe('409 delivery_not_replayable');
    const good = await storeDeliveries(api, team, receiverId, 1);
    const reply = await ask({ delivery_ids: [...refused, ...good] });
    expect([reply.status, reply.body.matched]).toEqual([202, 4]);
  });

  test('if the payload of every delivery has expired', async () => {
    const gone = await storeDeliveries(api, team, receiverId, 3, (index) =>
      index === 0
        ? { status: 'rejected_signature', payload: null }
        : { payload: null, received_at: ago((index === 1 ? 8 : 1) * day) },
    );
    expect(codeOf(await ask({ delivery_ids: gone }))).toBe('410 payload_expired');
    expect(codeOf(await ask({ filter: { status: ['failed'] } }))).toBe('410 payload_expired');
  });
});

describe('an unfinished replay', () => {
  test('can be canceled once, and then the next one can start', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 1);
    const { id } = (await ask({ delivery_ids: ids })).body;
    await subscribe(api, team);
    const path = at(`/replays/${String(id)}`);
    const canceled = await team.post(`${path}/cancel`);
    expect(canceled.status).toBe(200);
    expect(canceled.body).toMatchObject({
      id,
      status: 'canceled',
      finished_at: expect.any(String),
    });
    expect((await team.get(path)).body).toEqual(canceled.body);
    expect(await eventsOf(api, team, id)).toMatchObject([
      { type: 'inbound_replay.canceled', data: canceled.body },
    ]);
    const again = await team.post(`${path}/cancel`);
    expect(codeOf(again)).toBe('409 invalid_state_transition');
    expect(again.body.errors[0].meta).toMatchObject({ state: 'canceled', allowed_actions: [] });
    expect((await ask({ delivery_ids: ids })).status).toBe(202);
  });

  test('is not found at another receiver, and is listed by status', async () => {
    const ids = await storeDeliveries(api, team, receiverId, 1);
    const { id } = (await ask({ delivery_ids: ids })).body;
    const other = await aReceiver(api, team);
    for (const reply of [
      await team.get(at(`/replays/${String(id)}`, other.id)),
      await team.post(at(`/replays/${String(id)}/cancel`, other.id)),
    ]) {
      expect(codeOf(reply)).toBe('404 not_found');
    }
    const listed = async (status: string) =>
      (await team.get(at(`/replays?filter[status]=${status}`))).body.data.length;
    expect([await listed('pending'), await listed('completed')]).toEqual([1, 0]);
  });
});
