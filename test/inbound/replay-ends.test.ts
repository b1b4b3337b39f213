import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Context, asyncLocalStorage } from '@temporalio/activity';
import { replayInbound } from '../../activities/replay-inbound.ts';
import { roundActivity } from '../../src/platform/jobs/job.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aReceiver, receiversPath } from './a-receiver.ts';
import { storeDeliveries } from './stored.ts';
import { refuseCompletion } from '../support/passing-faults.ts';

// The activity is called as Temporal calls it, in this process.
const api = useTestApi();
let database: Database;
beforeAll(() => {
  const url = api.config.databaseUrl;
  const settings = { url, maxConnections: 2, applicationName: 'tests', reusesPlans: true };
  database = connectDatabase(settings);
});
afterAll(() => database.close());

async function aReplay() {
  const team = await api.newTeam();
  await subscribe(api, team);
  const receiver = await aReceiver(api, team);
  const path = `${receiversPath}/${receiver.id}`;
  const ids = await storeDeliveries(api, team, receiver.id, 1);
  const reply = await team.post(`/v2/webhooks/inbound/${receiver.id}/replay`, {
    delivery_ids: ids,
  });
  expect(reply.status).toBe(202);
  return { team, path, id: String(reply.body.id) };
}

function runRound(teamId: string, replayId: string, attempt: number) {
  const { keyring, config } = api;
  const { publicBaseUrl } = config;
  const { signal: stopping } = new AbortController();
  const round = roundActivity(
    replayInbound({ database, keyring, publicBaseUrl, stopping }),
    createLog('silent', 'worker'),
  );
  const context = Object.create(Context.prototype, {
    heartbeat: { value: () => undefined },
    info: { value: { attempt } },
  });
  const request = { teamId, id: replayId, isSignaled: true, asOfMs: Date.now() };
  return asyncLocalStorage.run(context, () => round(request));
}

const endedAs = (outcome: string) => ({ next: { kind: 'end', result: { outcome, replayed: 0 } } });

test('a replay whose receiver was deleted is canceled, and reports it once', async () => {
  const { team, path, id } = await aReplay();
  expect((await team.delete(path)).status).toBe(204);
  expect(await runRound(team.id, id, 1)).toMatchObject(endedAs('canceled'));
  expect(await runRound(team.id, id, 1)).toMatchObject(endedAs('canceled'));
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'inbound_replay.canceled', data: { id, status: 'canceled', replayed: 0 } },
  ]);
});

test('a replay that is given up after five attempts has failed, and reports it once', async () => {
  const { team, id } = await aReplay();
  await refuseCompletion(api.db, 'inbound_replays');
  await expect(runRound(team.id, id, 4)).rejects.toThrow();
  expect(await eventsOf(api, team, id)).toEqual([]);
  expect(await runRound(team.id, id, 5)).toMatchObject(endedAs('failed'));
  expect(await runRound(team.id, id, 1)).toMatchObject(endedAs('failed'));
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'inbound_replay.failed', data: { id, status: 'failed', replayed: 0 } },
  ]);
});
