import { createLog } from '../../src/platform/observability/log.ts';
import { expect, test } from '@jest/globals';
import { openListener } from '../../src/platform/database/notify.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { createBusiestTeams } from '../../src/platform/temporal/busiest-teams.ts';
import { createAttemptRecorder } from '../../src/webhooks/dispatch/attempt-recorder.ts';
import { createFailureCounters } from '../../src/webhooks/dispatch/failure-counters.ts';
import { drainLane } from '../../src/webhooks/dispatch/lane-drain.ts';
import { createSender } from '../../src/webhooks/dispatch/webhook-sender.ts';
import { startTestApi } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

test('a lane whose process gets another connection keeps its lease, and goes on', async () => {
  const api = await startTestApi();
  const receiver = await startReceiver();
  const policy = api.config.webhooks;
  const egress = createEgress({ rules: policy });
  const { database } = api.db;
  const listener = openListener(database);
  const stopping = new AbortController();
  try {
    const team = await api.newTeam();
    const made = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: receiver.url,
      event_types: ['contact.created'],
    });
    expect(made.status).toBe(201);
    await untilTrue(() => listener.backendPid() !== undefined);
    const first = listener.backendPid() ?? 0;
    const dependencies = { database, egress, clock: Date, keyring: api.keyring, policy };
    const drained = drainLane({
      ...{ database, listener, lane: 0, lanes: 1, isSuccessor: false, stopping: stopping.signal },
      ...{ idleTimeoutMs: 600_000, budgetMs: 600_000, teams: createBusiestTeams() },
      sender: createSender(dependencies),
      recorder: createAttemptRecorder(
        database,
        createFailureCounters(dependencies),
        createLog('silent', 'worker'),
      ),
      counts: { delivered: 0, failed: 0 },
    });
    await team.post('/v2/partner/contacts', { email: 'first@example.com' });
    await receiver.waitFor(1);
    await database.read((sql) => sql`select pg_terminate_backend(${first})`);
    await untilTrue(() => ![first, undefined].includes(listener.backendPid()));
    await team.post('/v2/partner/contacts', { email: 'second@example.com' });
    await receiver.waitFor(2);
    const [lane] = await database.read(
      (sql) => sql<[{ owner_pid: number }]>`select owner_pid from webhook_lanes where lane = 0`,
    );
    expect(lane.owner_pid).toBe(listener.backendPid());
    stopping.abort();
    await drained;
  } finally {
    stopping.abort();
    listener.stop();
    await egress.close();
    await receiver.stop();
    await api.stop();
  }
});
