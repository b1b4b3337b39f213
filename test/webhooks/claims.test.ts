import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLaneClaims } from '../../src/webhooks/dispatch/lane-claims.ts';
import {
  claimIdleLanes,
  findWaitingDays,
  oldestWaitingSeconds,
} from '../../src/webhooks/dispatch/lanes/queries.ts';
import { readInOrder } from '../../src/platform/database/one-trip.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

let api: TestApi;
let team: TestTeam;
const nothingTaken = {
  taken: () => [],
  allowances: new Map<string, number>(),
  skipsLimited: false,
};
const allShards = { from: 0, to: 255 };

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  for (let at = 0; at < 12; at += 1) {
    const made = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: `https://receiver.example/${String(at)}`,
      event_types: ['contact.created'],
    });
    expect(made.status).toBe(201);
  }
});
afterAll(() => api.stop());

/** Makes events, each of which has a delivery for each of the twelve subscriptions. */
async function makeEvents(count: number) {
  for (let at = 0; at < count; at += 1) {
    const made = await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
    expect(made.status).toBe(201);
  }
}

async function openClaims() {
  const claims = createLaneClaims(api.db.database, allShards);
  await claims.refreshDays();
  return claims;
}

test('the first claim visits all shards, and a later one those that were asked for', async () => {
  await makeEvents(1);
  const claims = await openClaims();
  const { claimed, covers } = await claims.next(performance.now(), nothingTaken);
  expect(claimed).toHaveLength(12);
  expect([0, 255].every(covers)).toBe(true);
  expect(claims.isDue(performance.now())).toBe(false);

  const shards = [...new Set(claimed.map(({ shard }) => shard))];
  const [asked = -1, other = -1] = shards;
  claims.requestShard(asked);
  const again = await claims.next(performance.now(), nothingTaken);
  expect(again.claimed).toEqual(claimed.filter(({ shard }) => shard === asked));
  expect([again.covers(asked), again.covers(other)]).toEqual([true, false]);
});

test('all shards are claimed again after a quarter of a second', async () => {
  const claims = await openClaims();
  await claims.next(performance.now(), nothingTaken);
  const nowMs = performance.now();
  expect(claims.isDue(nowMs)).toBe(false);
  const laterMs = nowMs + claims.allInMs(nowMs);
  expect(claims.isDue(laterMs)).toBe(true);
  expect((await claims.next(laterMs, nothingTaken)).claimed).toHaveLength(12);
});

test('a claim that finds more than it may take goes on where it ended, and leaves nothing out', async () => {
  await makeEvents(30);
  const claims = await openClaims();
  const allowances = new Map<string, number>();
  const found = new Set<string>();
  const rows = await api.db.look<{ id: string; subscription_id: string }>(
    (sql) => sql`select id, subscription_id from webhook_deliveries`,
  );
  for (const row of rows) allowances.set(row.subscription_id, 128);
  let rounds = 0;
  for (; claims.isDue(0); rounds += 1) {
    const { claimed } = await claims.next(0, {
      ...nothingTaken,
      taken: () => [...found],
      allowances,
    });
    for (const { id } of claimed) found.add(id);
  }
  expect(rounds).toBeGreaterThan(1);
  expect(found.size).toBe(rows.length);
});

describe('with more waiting than the statistics know', () => {
  let database: Database;
  let subscriptionId: string;
  let read = 0;

  beforeAll(async () => {
    const [one] = await api.db.look<{ team_id: string; id: string; shard: number }>(
      (sql) => sql`select team_id, id, shard from webhook_subscriptions limit 1`,
    );
    if (!one) throw new Error('there is no subscription');
    const day = new Date().toISOString().slice(0, 10);
    const { team_id: teamId, id, shard } = one;
    subscriptionId = id;
    const insert = (status: string, count: number) =>
      api.db.look(
        (sql) => sql`
          insert into webhook_deliveries (day, team_id, subscription_id, event_id, event_type, shard,
            status, next_attempt_at, renewed_at, inserted_at, updated_at)
          select ${day}::date, ${teamId}, ${id}, gen_random_uuid(), 'contact.created', ${shard}::int,
            ${status}, now(), now(), now(), now()
          from generate_series(1, ${count}::int)`,
      );
    // As after a quiet hour: the statistics know of none that waits.
    await insert('delivered', 20_000);
    await api.db.look((sql) => sql`update webhook_deliveries set status = 'delivered'`);
    await api.db.look((sql) => sql`vacuum analyze webhook_deliveries`);
    await insert('pending', 3_000);
    // As the worker connects.
    const connected = connectDatabase({
      ...{ url: api.db.url, applicationName: 'claims', maxConnections: 1, reusesPlans: true },
    });
    const count = <T>(work: (sql: Sql) => Promise<T>) =>
      connected.transact(async (sql) => {
        const result = await work(sql);
        const [counts] = await sql<[{ rows: number }]>`
          select sum(idx_tup_fetch + seq_tup_read)::int as rows, pg_stat_force_next_flush()
          from pg_stat_xact_user_tables
          where relname like 'webhook\\_deliveries%'`;
        read = counts.rows;
        return result;
      });
    database = { ...connected, read: count, transact: count };
  });
  afterAll(() => database.close());

  test('a claim reads as many deliveries as it may take', async () => {
    const claims = createLaneClaims(database, allShards);
    await claims.refreshDays();
    const allowances = new Map([[subscriptionId, 64]]);
    await claims.next(performance.now(), { ...nothingTaken, allowances });
    // Those that it may take of one subscription, and a few that lead to them.
    expect(read).toBeGreaterThan(100);
    expect(read).toBeLessThan(300);
  });

  test('lanes with work and the longest wait are found by a few rows', async () => {
    const lanes = 64;
    const { first } = await readInOrder(database, findWaitingDays);
    expect(read).toBe(1);
    await readInOrder(database, (sql) => claimIdleLanes(sql, lanes, first));
    expect(read).toBeLessThan(30);
    await readInOrder(database, oldestWaitingSeconds);
    expect(read).toBeLessThan(30);
  });

  test('a claim finds the day that has begun on another clock, and reads as few', async () => {
    const [made] = await api.db.look<{ id: string }>(
      (sql) => sql`
        with event as (
          insert into webhook_events (day, id, team_id, type, resource_id, sequence, body, inserted_at)
          select day + 1, gen_random_uuid(), team_id, type, resource_id, sequence, body, inserted_at
          from webhook_events limit 1
          returning day, id, team_id
        )
        insert into webhook_deliveries (day, team_id, subscription_id, event_id, event_type, shard,
          status, next_attempt_at, renewed_at, inserted_at, updated_at)
        select event.day, event.team_id, s.id, event.id, 'contact.created', s.shard, 'pending',
          now(), now(), now(), now()
        from event
        join webhook_subscriptions s on s.team_id = event.team_id and s.id <> ${subscriptionId}
        limit 1
        returning id`,
    );
    const claims = createLaneClaims(database, allShards);
    await claims.refreshDays();
    const allowances = new Map([[subscriptionId, 64]]);
    const { claimed } = await claims.next(performance.now(), { ...nothingTaken, allowances });
    expect(claimed.map(({ id }) => id)).toEqual([made?.id]);
    expect(read).toBeLessThan(300);
  });
});
