import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventTypes } from '../../src/app/event-catalog.ts';
import { deprecatedEventTypes } from '../../src/platform/events/registered-types.ts';
import type { EventType } from '../../src/platform/events/event-type.ts';
import { sampleOf } from '../../src/platform/events/example.ts';
import { recordEvent, recordEvents, subscribedTypes } from '../../src/platform/events/record.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { maintain } from '../support/maintenance.ts';

const api = useTestApi();

const path = '/v2/partner/webhook-subscriptions';
async function subscribe(team: TestTeam, event_types: readonly string[]) {
  const made = await team.post(path, {
    target_url: `https://hooks.example.com/${randomUUID()}`,
    event_types,
    is_active: false,
  });
  expect(made.status).toBe(201);
  return made.body;
}

/** The events that each of some subscriptions has got, notices aside, in the order of their record. */
async function deliveredTo(team: TestTeam, ids: readonly string[]) {
  const rows = await team.db.look(
    (sql) => sql<{ id: string; body: string }[]>`
      select d.subscription_id as id, e.body from webhook_deliveries d
      join webhook_events e on e.day = d.day and e.id = d.event_id
      where d.team_id = ${team.id} and e.type <> 'team.deprecation_notice'
      order by d.position`,
  );
  return ids.map((id) => rows.filter((row) => row.id === id).map(({ body }) => JSON.parse(body)));
}
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

const replacements = Object.values<EventType>(eventTypes).flatMap((type) =>
  type.replaces ? [{ old: type.replaces.name, name: type.name, type }] : [],
);

test('completed is replaced by an event for each terminal state', () => {
  const states = ['succeeded', 'partially_succeeded', 'canceled'];
  expect(replacements.map(({ old, name }) => [old, name])).toEqual(
    ['batch_operation', 'operation_execution'].flatMap((type) =>
      states.map((state) => [`${type}.completed`, `${type}.${state}`]),
    ),
  );
});

test.each(replacements)(
  'a subscription to $old alone receives $name under the old name, with the same data',
  async ({ old, name, type }) => {
    const team = await api.newTeam();
    const [prefix = ''] = name.split('.');
    const lists = [
      [old],
      [name],
      [`${prefix}.*`],
      ['*'],
      [old, '*'],
      [`${prefix}.*`, old],
      [old, name],
      ['contact.*'],
    ];
    const ids: string[] = [];
    for (const list of lists) ids.push((await subscribe(team, list)).id);
    const { data } = sampleOf(type, team.id);
    await api.db.database.transact((sql) => {
      recordEvent(sql, { teamId: team.id, type, data, sequence: 3 });
      return Promise.resolve();
    });
    const delivered = await deliveredTo(team, ids);
    const renamed = [[old], [name], [name], [name], [name], [name], [name], []];
    expect(delivered.map(typesOf)).toEqual(renamed);
    const [[before], [after]] = delivered as any;
    const { id: oldId, type: oldType, ...same } = before;
    expect({ ...same, id: after.id, type: name }).toEqual(after);
    expect([oldType, oldId === after.id]).toEqual([old, false]);
  },
);

test('a subscription to the old name and one new name receives each occurrence once', async () => {
  const team = await api.newTeam();
  const type = 'batch_operation';
  const { id } = await subscribe(team, [`${type}.completed`, `${type}.succeeded`]);
  const { data } = sampleOf(eventTypes[`${type}.succeeded`], team.id);
  await api.db.database.transact((sql) => {
    const about = { teamId: team.id, data };
    recordEvent(sql, { ...about, type: eventTypes[`${type}.succeeded`], sequence: 1 });
    recordEvent(sql, { ...about, type: eventTypes[`${type}.canceled`], sequence: 2 });
    recordEvent(sql, { ...about, type: eventTypes[`${type}.failed`], sequence: 3 });
    return Promise.resolve();
  });
  const [events = []] = await deliveredTo(team, [id]);
  expect(typesOf(events)).toEqual([`${type}.succeeded`, `${type}.completed`]);
});

test('events that are recorded together reach subscriptions to the old name too', async () => {
  const team = await api.newTeam();
  const type = eventTypes['operation_execution.canceled'];
  const [old, other] = [
    await subscribe(team, ['operation_execution.completed']),
    await subscribe(team, ['contact.created']),
  ];
  const { data } = sampleOf(type, team.id);
  const heard = await api.db.database.transact(async (sql) => {
    recordEvents(sql, team.id, [
      { type, data, sequence: 1 },
      { type, data, sequence: 2 },
    ]);
    return subscribedTypes(sql, team.id, [type, eventTypes['operation_execution.failed']]);
  });
  expect([...heard]).toEqual([type]);
  const delivered = await deliveredTo(team, [old.id, other.id]);
  const completed = 'operation_execution.completed';
  expect(delivered.map(typesOf)).toEqual([[completed, completed], []]);
});

test('a transition that is rolled back records neither name', async () => {
  const team = await api.newTeam();
  const { id } = await subscribe(team, ['operation_execution.completed']);
  const type = eventTypes['operation_execution.succeeded'];
  const { data } = sampleOf(type, team.id);
  const failing = api.db.database.transact((sql) => {
    recordEvent(sql, { teamId: team.id, type, data, sequence: 1 });
    return Promise.reject(new Error('killed'));
  });
  await expect(failing).rejects.toThrow('killed');
  expect(await deliveredTo(team, [id])).toEqual([[]]);
});

test('a subscription with a replaced name is accepted, and the answer names its replacement', async () => {
  const team = await api.newTeam();
  const made = await subscribe(team, ['operation_execution.completed', 'contact.*']);
  const shown = {
    event_type: 'operation_execution.completed',
    sunset_at: '2027-11-25T00:00:00.000Z',
    replacement: 'operation_execution.succeeded',
    reason: expect.stringContaining('.partially_succeeded'),
  };
  expect(made.deprecated_event_types).toEqual([shown]);
  expect((await team.get(`${path}/${String(made.id)}`)).body.deprecated_event_types).toEqual([
    shown,
  ]);
  expect((await subscribe(team, ['*'])).deprecated_event_types).toEqual([]);
  const changed = await team.patch(`${path}/${String(made.id)}`, { event_types: ['contact.*'] });
  expect(changed.body.deprecated_event_types).toEqual([]);
});

test('both lists of event types and the capabilities name the deprecated types', async () => {
  const team = await api.newTeam();
  const deprecated = deprecatedEventTypes().map(({ target }) => target.event_type);
  for (const list of ['/v2/partner/webhook-event-types', '/v2/meta/event-types']) {
    const { body } = await team.get(list);
    const marked = body.data.filter((type: { deprecation?: unknown }) => type.deprecation);
    expect(marked.map(({ name }: { name: string }) => name)).toEqual(deprecated);
  }
  const itemsOf = async (caller: TestTeam) =>
    (await caller.get('/v2/meta/capabilities')).body.deprecations.map(
      ({ target }: { target: object }) => target,
    );
  const targets = deprecated.map((event_type) => ({ event_type }));
  const subscriber = await team.withScopes('meta:capabilities:read', 'partner:webhooks:write');
  expect(await itemsOf(subscriber)).toEqual([{ version: 'v1' }, ...targets]);
  const reader = await team.withScopes('meta:capabilities:read', 'partner:contacts:read');
  expect(await itemsOf(reader)).toEqual([{ version: 'v1' }]);
});

async function noticesOf(team: TestTeam): Promise<string[]> {
  const rows = await team.db.look(
    (sql) => sql<{ body: string }[]>`
      select body from webhook_events
      where team_id = ${team.id} and type = 'team.deprecation_notice' order by sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body).data.deprecation.target.event_type);
}

test('a team is notified once of each replaced name in its subscriptions', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  await subscribe(other, ['team.*']);
  const listed = ['operation_execution.completed', 'batch_operation.completed'];
  await subscribe(team, ['team.deprecation_notice']);
  await Promise.all(Array.from({ length: 4 }, () => subscribe(team, listed)));
  expect((await noticesOf(team)).sort()).toEqual([...listed].sort());
  expect(await noticesOf(other)).toEqual([]);
});

test('a subscription older than the deprecation leads to one notice, from maintenance', async () => {
  const [team, deaf] = [await api.newTeam(), await api.newTeam()];
  for (const one of [team, deaf]) await subscribe(one, ['batch_operation.completed']);
  expect(await noticesOf(team)).toEqual([]);
  await subscribe(team, ['team.*']);
  const notify = () => maintain(api.db.database, 'deprecation-notices');
  await Promise.all([notify(), notify()]);
  await notify();
  expect(await noticesOf(team)).toEqual(['batch_operation.completed']);
  expect(await noticesOf(deaf)).toEqual([]);
});
