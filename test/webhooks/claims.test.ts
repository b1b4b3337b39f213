import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLaneClaims } from '../../src/webhooks/dispatch/lane-claims.ts';
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
  await claims.survey();
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
  claims.ask(asked);
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
