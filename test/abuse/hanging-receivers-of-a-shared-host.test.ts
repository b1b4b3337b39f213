import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSender } from '../../src/webhooks/dispatch/webhook-sender.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { claimDue } from '../../src/webhooks/recovery/queries.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';

const path = '/v2/partner/webhook-subscriptions';
const events = 60;

/** A host that many customers share: /hang never answers, /stumbles fails once, all else answers. */
interface SharedHost {
  origin: string;
  /** Number of requests for a path. */
  arrivals(path: string): number;
  stop(): void;
}

async function startSharedHost(): Promise<SharedHost> {
  const arrivals: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    arrivals.push(request.url);
    request.resume();
    if (request.url === '/hang') return;
    const isFirst = arrivals.filter((to) => to === request.url).length === 1;
    response.writeHead(request.url === '/stumbles' && isFirst ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  return {
    origin: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`,
    arrivals: (of) => arrivals.filter((to) => to === of).length,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

// A delivery that waits for an attacker's timeout would take longer than its test.
const attemptTimeoutMs = 280_000;

let api: TestApi;
let host: SharedHost;

beforeAll(async () => {
  const usual = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  const webhooks = { ...usual.config.webhooks, attemptTimeoutMs };
  api = { ...usual, config: { ...usual.config, webhooks } };
});
afterAll(async () => {
  await api.stop();
});
beforeEach(async () => {
  host = await startSharedHost();
});
afterEach(() => {
  host.stop();
});

async function subscribe(team: TestTeam, to: string): Promise<string> {
  const target_url = `${host.origin}${to}`;
  const reply = await team.post(path, { target_url, event_types: ['contact.created'] });
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}

async function record(team: TestTeam, count: number) {
  await api.db.database.transact(
    (sql) => {
      for (let at = 0; at < count; at += 1) {
        const data = { id: randomUUID() };
        recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
      }
      return Promise.resolve();
    },
    { deadlineMs: 30_000 },
  );
}

/** Resolves when all events of one team have arrived. */
async function deliverAll(team: TestTeam): Promise<void> {
  const before = host.arrivals('/healthy');
  await record(team, events);
  await eventually(
    () => Promise.resolve(host.arrivals('/healthy')),
    (count) => count >= before + events,
  );
}

test('forty hanging receivers of one team do not delay or fail another team at the same host', async () => {
  const [attacker, victim] = [await api.newTeam(), await api.newTeam()];
  await subscribe(victim, '/healthy');
  for (let at = 0; at < 40; at += 1) await subscribe(attacker, '/hang');
  const worker = await startTestWorker(api);
  try {
    await record(attacker, events);
    await eventually(
      () => Promise.resolve(host.arrivals('/hang')),
      (count) => count >= 30,
    );
    await deliverAll(victim);
    const attempts = await api.db.look<{ team_id: string; http_status: number | null }>(
      (sql) => sql`select distinct team_id, http_status from webhook_attempts`,
    );
    // None of the attacker has ended.
    expect(attempts).toEqual([{ team_id: victim.id, http_status: 204 }]);
  } finally {
    host.stop();
    await worker.close();
  }
});

test('forty hanging receivers under retry do not delay the retry of another team', async () => {
  const [attacker, victim] = [await api.newTeam(), await api.newTeam()];
  for (let at = 0; at < 40; at += 1) await subscribe(attacker, '/hang');
  await subscribe(victim, '/stumbles');
  await record(attacker, 1);
  await api.db.look(
    (sql) => sql`
      update webhook_subscription_states
      set owned_by_recovery = true, recovery_due_at = now() - interval '1 hour'
      where team_id = ${attacker.id} returning 1`,
  );
  const worker = await startTestWorker(api);
  try {
    await eventually(
      () => Promise.resolve(host.arrivals('/hang')),
      (count) => count >= 20,
    );
    await record(victim, 1);
    await eventually(
      () => Promise.resolve(host.arrivals('/stumbles')),
      (count) => count >= 2,
    );
    const attempts = await api.db.look<{ team_id: string }>(
      (sql) => sql`select team_id from webhook_attempts where team_id = ${attacker.id}`,
    );
    expect(attempts).toEqual([]);
  } finally {
    host.stop();
    await worker.close();
  }
});

test('a delivery that times out waiting for a connection has no attempt', async () => {
  const team = await api.newTeam();
  const id = await subscribe(team, '/healthy');
  await record(team, 1);
  const { keyring, db, config } = api;
  const egress = createEgress({ rules: config.webhooks, maxConnections: 1 });
  const policy = { ...config.webhooks, attemptTimeoutMs: 200 };
  const sender = createSender({ database: db.database, clock: Date, keyring, egress, policy });
  try {
    const bounds = { asOf: 'infinity', limit: 1, requestedOnly: false };
    const [delivery] = await db.database.read((sql) => claimDue(sql, team.id, id, bounds));
    if (!delivery) throw new Error('no delivery was claimed');
    const { signal } = new AbortController();
    const url = `${host.origin}/hang`;
    const hanging = egress.get({ url, owner: 'another', headers: {}, timeoutMs: 30_000 });
    expect(await sender.attempt(delivery, { isProbe: false, signal })).toBeUndefined();
    expect(host.arrivals('/healthy')).toBe(0);
    await egress.close();
    expect(await hanging).toMatchObject({ code: 'aborted' });
  } finally {
    await egress.close();
  }
});

test('at the connection limit a subscription starts no more attempts than its share', async () => {
  const { keyring, db, config } = api;
  const egress = createEgress({ rules: config.webhooks, maxConnections: 8 });
  const policy = config.webhooks;
  const sender = createSender({ database: db.database, clock: Date, keyring, egress, policy });
  const subscription_id = randomUUID();
  const subscriber = { team_id: randomUUID(), subscription_id, max_concurrency: null };
  const room = () => sender.room(subscriber);
  try {
    expect(room()).toBe(4);
    const url = `${host.origin}/hang`;
    const hanging = ['a', 'b', 'c', 'd'].flatMap((owner) =>
      [1, 2].map(() => egress.get({ url, owner, headers: {}, timeoutMs: 30_000 })),
    );
    expect(room()).toBe(1);
    await egress.close();
    await Promise.all(hanging);
  } finally {
    await egress.close();
  }
});
