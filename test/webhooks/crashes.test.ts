import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { findTemporalProgram, startTemporal } from '../../src/local/temporal.ts';
import { searchAttributeTypes } from '../../src/platform/temporal/search-attributes.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { takePorts } from '../support/ports.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Received } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from './a-worker.ts';

const root = scratchDirectory();
chmodSync(root, 0o755);
const settings = { ONWARD_KEYS: JSON.stringify(newKeyFile()), WEBHOOK_LANE_IDLE_SECONDS: '1' };

async function withSubscriber(
  work: (
    api: TestApi,
    team: TestTeam,
    receiver: Awaited<ReturnType<typeof startReceiver>>,
  ) => Promise<void>,
) {
  const api = await startTestApi(settings);
  const receiver = await startReceiver();
  try {
    const team = await api.newTeam();
    const reply = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: receiver.url,
      event_types: ['contact.*'],
    });
    expect(reply.status).toBe(201);
    await work(api, team, receiver);
  } finally {
    await receiver.stop();
    await api.stop();
  }
}

async function cause(team: TestTeam, count: number) {
  for (let at = 0; at < count; at += 1) {
    const reply = await team.post('/v2/partner/contacts', { email: `p${String(at)}@example.com` });
    expect(reply.status).toBe(201);
  }
}

const idsOf = (received: readonly Received[]) =>
  new Set(received.map(({ headers }) => String(headers['webhook-id'])));

const statuses = (api: TestApi) =>
  api.db.look<{ status: string; count: number }>(
    (sql) => sql`
      select status, count(*)::int as count from webhook_deliveries group by 1 order by 1`,
  );

test('after a kill of a worker amid a drain every event arrives with the same id and bytes', async () => {
  await withSubscriber(async (api, team, receiver) => {
    const events = 120;
    const addresses = {
      ...settings,
      TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
      TEMPORAL_NAMESPACE: await newNamespace(),
    };
    // At the kill, requests were received and not answered: a window has at least two places.
    let isKilled = false;
    receiver.answer((_, index) => (index >= 40 && !isKilled ? 'hang' : { status: 204 }));
    const first = await startChildWorker(api, addresses);
    try {
      await cause(team, events);
      await receiver.waitFor(42);
    } finally {
      await first.kill();
      isKilled = true;
    }
    const second = await startChildWorker(api, addresses);
    try {
      await eventually(
        () => statuses(api),
        (rows) => rows.length === 1 && rows[0]?.status === 'delivered',
      );
    } finally {
      await second.stop();
    }
    const recorded = await api.db.look<{ id: string; body: string }>(
      (sql) => sql`select id, body from webhook_events`,
    );
    expect(recorded).toHaveLength(events);
    expect(idsOf(receiver.received)).toEqual(new Set(recorded.map(({ id }) => id)));
    const bodies = new Map(recorded.map(({ id, body }) => [id, body]));
    for (const { headers, body } of receiver.received) {
      expect(body).toBe(bodies.get(String(headers['webhook-id'])));
    }
    const attempts = await api.db.look<{ delivery_id: string; numbers: number[]; count: number }>(
      (sql) => sql`
        select a.delivery_id, array_agg(a.number order by a.number) as numbers,
          max(d.attempt_count) as count
        from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
        group by 1`,
    );
    expect(attempts).toHaveLength(events);
    for (const { numbers, count } of attempts) {
      expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    }
  });
});

test('during an outage of Temporal writes succeed, and after it all events are delivered', async () => {
  const [port = 0, uiPort = 0] = await takePorts(2);
  await withSubscriber(async (api, team, receiver) => {
    const worker = await startChildWorker(api, {
      ...settings,
      TEMPORAL_ADDRESS: `127.0.0.1:${String(port)}`,
      TEMPORAL_NAMESPACE: 'default',
    });
    try {
      await cause(team, 20);
      expect(receiver.received).toHaveLength(0);
      expect(await statuses(api)).toEqual([{ status: 'pending', count: 20 }]);
      const program = await findTemporalProgram({
        path: process.env['PATH'] ?? '',
        cacheDirectory: process.env['ONWARD_CACHE_DIR'],
        onProgress: () => undefined,
      });
      const temporal = await startTemporal({
        program,
        directory: join(root, 'temporal'),
        port,
        uiPort,
        searchAttributes: searchAttributeTypes,
      });
      try {
        await receiver.waitFor(20);
        await eventually(
          () => statuses(api),
          (rows) => rows.length === 1 && rows[0]?.status === 'delivered',
        );
        expect(idsOf(receiver.received).size).toBe(20);
      } finally {
        await worker.stop();
        await temporal.stop();
      }
    } finally {
      await worker.kill();
    }
  });
});
