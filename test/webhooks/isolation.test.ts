import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_TIMEOUT_SECONDS: '30', WEBHOOK_LANE_IDLE_SECONDS: '1' });
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

test('ten hanging subscriptions of a hundred in one lane do not delay the events of the others', async () => {
  const [healthy, hanging] = [await startReceiver(), await startReceiver()];
  hanging.answer(() => 'hang');
  try {
    const teams = [await api.newTeam(), await api.newTeam()];
    const events = 10;
    for (const [place, team] of teams.entries()) {
      for (let at = 0; at < 50; at += 1) {
        const reply = await team.post('/v2/partner/webhook-subscriptions', {
          target_url: place === 0 && at % 5 === 0 ? hanging.url : healthy.url,
          event_types: ['contact.created'],
        });
        expect(reply.status).toBe(201);
      }
      await api.db.look(
        (sql) => sql`
          update webhook_subscriptions set shard = 3 where team_id = ${team.id} returning 1`,
      );
      await api.db.database.transact(
        async (sql) => {
          for (let at = 0; at < events; at += 1) {
            const data = { id: randomUUID() };
            recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
          }
        },
        { deadlineMs: 30_000 },
      );
    }
    worker = await startTestWorker(api);
    const rows = await eventually(
      () =>
        api.db.look<{ target_url: string; status: string; count: number }>(
          (sql) => sql`
            select w.target_url, d.status, count(*)::int as count
            from webhook_deliveries d
            join webhook_subscriptions w on w.id = d.subscription_id
            group by 1, 2`,
        ),
      (all) =>
        all.some(
          ({ target_url, status, count }) =>
            target_url === healthy.url && status === 'delivered' && count === 90 * events,
        ),
      60_000,
    );
    // No attempt at a hanging receiver has ended.
    expect(rows.filter(({ target_url }) => target_url === hanging.url)).toEqual([
      { target_url: hanging.url, status: 'pending', count: 10 * events },
    ]);
    expect(hanging.received.length).toBeGreaterThan(0);
  } finally {
    await Promise.all([healthy.stop(), hanging.stop()]);
  }
});
