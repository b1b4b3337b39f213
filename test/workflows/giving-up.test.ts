import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReceiver } from '../inbound/a-receiver.ts';
import { storeDeliveries, storedRows } from '../inbound/stored.ts';
import { aBatch, contactsOf, countContacts, whenRun } from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let receiver: string;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api, { namespace: await newNamespace() });
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
  team = await api.newTeam();
  receiver = (await aReceiver(api, team)).id;
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

/** The last write of each kind of work, which a constraint prevents. */
const refused = {
  operation_items: 'false',
  export_parts: 'false',
  inbound_deliveries: 'last_replay_id is null',
};
const owner = (statement: string) => api.db.look((sql) => sql.unsafe(statement));

async function newExport(): Promise<string> {
  const { status, body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  expect(status).toBe(202);
  return `/v2/partner/exports/${String(body.id)}`;
}

async function newReplay(deliveryIds: string[]): Promise<string> {
  const replays = `/v2/webhooks/inbound/${receiver}`;
  const { status, body } = await team.post(`${replays}/replay`, { delivery_ids: deliveryIds });
  expect(status).toBe(202);
  return `${replays}/replays/${String(body.id)}`;
}

const hasEnded = ({ status }: { status: string }) =>
  ['succeeded', 'completed', 'failed'].includes(status);

async function workAll(key: string, deliveryIds: string[]) {
  const asked = await Promise.all([
    aBatch(team, { items: contactsOf([key]) }),
    newExport(),
    newReplay(deliveryIds),
  ]);
  return Promise.all(asked.map((path) => whenRun(team, path, hasEnded)));
}

test('a permanent internal fault ends the affected work, and later work continues', async () => {
  const ids = await storeDeliveries(api, team, receiver, 1);
  for (const [table, check] of Object.entries(refused)) {
    await owner(`alter table ${table} add constraint refused check (${check}) not valid`);
  }
  const failed = await workAll('broken', ids);
  expect(failed.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  expect(failed[0]).toMatchObject({ processed_count: 0, error: { code: 'internal_error' } });
  expect(await countContacts(team)).toBe(0);
  expect(await storedRows(api, receiver)).toMatchObject([{ status: 'failed', replay_count: 0 }]);

  for (const table of Object.keys(refused)) {
    await owner(`alter table ${table} drop constraint refused`);
  }
  const worked = await workAll('whole', ids);
  expect(worked.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'completed']);
  expect(await countContacts(team)).toBe(1);
});
