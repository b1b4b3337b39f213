import { expect, test } from '@jest/globals';
import { Context, asyncLocalStorage } from '@temporalio/activity';
import { replayWebhooks } from '../../activities/replay-webhooks.ts';
import { roundActivity } from '../../src/platform/jobs/job.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { takeReplay } from '../../src/platform/replays/queries.ts';
import { webhookReplays } from '../../src/webhooks/webhook-subscriptions/replays/queries.ts';
import { replayChunk } from '../../src/webhooks/webhook-subscriptions/replays/running/chunk.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { refuseCompletion } from '../support/passing-faults.ts';

const api = useTestApi();

/** A replay that waits for a worker. */
async function aReplay() {
  const team = await api.newTeam();
  await subscribe(api, team);
  const subscription = { target_url: 'https://example.com', event_types: ['contact.created'] };
  const { body: made } = await team.post('/v2/partner/webhook-subscriptions', subscription);
  const path = `/v2/partner/webhook-subscriptions/${String(made.id)}`;
  await team.post('/v2/partner/contacts', { unique_id: 'a' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { status, body } = await team.post(`${path}/replay`, { filter: { since } });
  expect(status).toBe(202);
  return { team, path, id: String(body.id) };
}

test('a replay that is through has an event', async () => {
  const { team, id } = await aReplay();
  await api.db.database.transact(async (sql) => {
    const taken = await takeReplay(sql, webhookReplays, team.id, id);
    const lease = { teamId: team.id, replayId: id, token: Number(taken?.run_token) };
    await replayChunk(sql, lease, 100);
  });
  expect(await eventTypesOf(api, team, id)).toEqual(['webhook_replay.completed']);
});

test('a replay that is canceled has an event', async () => {
  const { team, path, id } = await aReplay();
  expect((await team.post(`${path}/replays/${id}/cancel`)).status).toBe(200);
  expect(await eventTypesOf(api, team, id)).toEqual(['webhook_replay.canceled']);
});

test('a replay that is given up after five attempts has an event', async () => {
  const { team, id } = await aReplay();
  const { signal: stopping } = new AbortController();
  const job = replayWebhooks({ database: api.db.database, stopping });
  const activity = roundActivity(job, createLog('silent', 'worker'));
  await refuseCompletion(api.db, 'webhook_replays');
  // As Temporal calls it in its last attempt.
  const context = Object.create(Context.prototype, {
    heartbeat: { value: () => undefined },
    info: { value: { attempt: 5 } },
  });
  const round = () => activity({ teamId: team.id, id, isSignaled: true, asOfMs: Date.now() });
  expect(await asyncLocalStorage.run(context, round)).toMatchObject({
    next: { kind: 'end', isFailed: true, result: { outcome: 'failed' } },
  });
  expect(await eventTypesOf(api, team, id)).toEqual(['webhook_replay.failed']);
});
