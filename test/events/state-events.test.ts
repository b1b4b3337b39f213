import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { anonymous } from '../../src/platform/auth/principal.ts';
import { findOperation } from '../../src/operations/catalog.ts';
import { finishRun } from '../../src/operations/runs/finish.ts';
import { requireRun } from '../../src/operations/runs/queries.ts';
import type { Surface } from '../../src/operations/runs/queries.ts';
import type { RunStatus } from '../../src/operations/runs/rules.ts';
import { claimRun } from '../../src/operations/runs/running/take.ts';
import { startRun } from '../../src/operations/runs/start.ts';
import { eventsOf, eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function aRun(surface: Surface, notifyWebhook?: boolean): Promise<string> {
  const operation = findOperation('contacts.bulk_upsert');
  if (!operation) throw new Error('no such operation');
  const principal = { ...anonymous, teamId: team.id, clientId: team.clientId };
  const run = await api.db.database.transact((sql) =>
    startRun(sql, {
      ...{ teamId: team.id, surface, operation, principal, source: 'inline', items: [{}] },
      ...(notifyWebhook !== undefined && { notifyWebhook }),
    }),
  );
  return run.id;
}
const take = (id: string) => api.db.database.transact((sql) => claimRun(sql, team.id, id));
const finish = (surface: Surface, id: string, status: RunStatus) =>
  api.db.database.transact(async (sql) =>
    finishRun(sql, await requireRun(sql, team.id, surface, id), status),
  );

const states: [RunStatus, string][] = [
  ['succeeded', 'succeeded'],
  ['succeeded_with_errors', 'partially_succeeded'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
];
const runs = (['ipaas', 'batch'] as const).flatMap((surface) =>
  states.map(([status, verb]) => ({ surface, status, verb })),
);

test.each(runs)(
  'a run of $surface that ends $status records a started event, then $verb',
  async (about) => {
    const { surface, status, verb } = about;
    const type = surface === 'ipaas' ? 'operation_execution' : 'batch_operation';
    const id = await aRun(surface, true);
    await take(id);
    await finish(surface, id, status);
    const events = await eventsOf(api, team, id);
    expect(events.map((event) => event.type)).toEqual([`${type}.started`, `${type}.${verb}`]);
    expect(events.map(({ data }) => data['status'])).toEqual(['running', status]);
    expect(events.map(({ data }) => data['type'])).toEqual([type, type]);
  },
);

test('a run that another worker takes over records one started event', async () => {
  const id = await aRun('ipaas');
  await Promise.all([take(id), take(id), take(id)]);
  await take(id);
  expect(await eventTypesOf(api, team, id)).toEqual(['operation_execution.started']);
});

test('a worker that fails while it claims a run leaves the started event to the next worker', async () => {
  const id = await aRun('ipaas');
  const dying = api.db.database.transact(async (sql) => {
    await claimRun(sql, team.id, id);
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await eventTypesOf(api, team, id)).toEqual([]);
  await take(id);
  expect(await eventTypesOf(api, team, id)).toEqual(['operation_execution.started']);
});

test('a run that is canceled before it starts records one canceled event and no started event', async () => {
  const id = await aRun('ipaas');
  const path = `/v2/ipaas/executions/${id}/cancel`;
  const replies = await Promise.all([team.post(path), team.post(path), team.post(path)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await eventTypesOf(api, team, id)).toEqual(['operation_execution.canceled']);
});

test('a batch without notify_webhook records no events', async () => {
  const id = await aRun('batch');
  await take(id);
  await finish('batch', id, 'succeeded');
  expect(await eventTypesOf(api, team, id)).toEqual([]);
});

const cohorts = '/v2/partner/cohorts';

test('a cohort records one event each for its creation, change and archiving', async () => {
  const made = await team.post(cohorts, { name: randomUUID(), kind: 'static' });
  const id = String(made.body.id);
  const own = `${cohorts}/${id}`;
  await team.patch(own, { description: 'Branch 12' });
  await team.patch(own, { description: 'Branch 12' });
  await team.post(`${own}/archive`);
  expect((await team.post(`${own}/archive`)).status).toBe(409);
  await team.post(`${own}/unarchive`);
  const events = await eventsOf(api, team, id);
  expect(events.map(({ type }) => type)).toEqual([
    'cohort.created',
    'cohort.updated',
    'cohort.archived',
    'cohort.updated',
  ]);
  expect(events.map(({ data }) => data['is_archived'])).toEqual([false, false, true, false]);
  expect(events[1]?.previous).toEqual({ description: null });
  expect(events[3]?.previous).toMatchObject({ is_archived: true });
});

test('a refused or repeated request for a cohort records no second event', async () => {
  const name = randomUUID();
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { name, kind: 'static' };
  const made = await team.post(cohorts, body, headers);
  expect((await team.post(cohorts, body, headers)).body.id).toBe(made.body.id);
  expect((await team.post(cohorts, body)).status).toBe(409);
  const rows = await api.db.look(
    (sql) => sql`
      select from webhook_events
      where team_id = ${team.id} and type = 'cohort.created' and body like ${`%${name}%`}`,
  );
  expect(rows).toHaveLength(1);
});

test('the created event of a dynamic cohort shows its queued evaluation', async () => {
  const definition = { field: 'contact.locale', op: 'eq', value: 'en' };
  const made = await team.post(cohorts, { name: randomUUID(), kind: 'dynamic', definition });
  const [event] = await eventsOf(api, team, String(made.body.id));
  expect(event).toMatchObject({
    type: 'cohort.created',
    data: { evaluation_status: 'queued', definition },
  });
});

test('a receiver that a client disables records one event', async () => {
  const receivers = '/v2/partner/incoming-webhook-receivers';
  const made = await team.post(receivers, { receiver_kind: 'generic_hmac' });
  const id = String(made.body.id);
  for (const is_active of [false, false, true, false]) {
    expect((await team.patch(`${receivers}/${id}`, { is_active })).status).toBe(200);
  }
  const events = await eventsOf(api, team, id);
  const type = 'incoming_webhook_receiver.disabled';
  expect(events.map((event) => event.type)).toEqual([type, type]);
  expect(events[0]?.data).toMatchObject({ id, is_active: false });
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
});
