import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated, contactDeleted, contactUpdated } from '../../src/contacts/events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

const path = '/v2/partner/webhook-subscriptions';
let api: TestApi;
let workers: TestWorker[];
let team: TestTeam;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  const namespace = await newNamespace();
  workers = [await startTestWorker(api, { namespace }), await startTestWorker(api, { namespace })];
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function subscribe(eventTypes: string[], of = team): Promise<string> {
  const body = { target_url: receiver.url, event_types: eventTypes };
  const reply = await of.post(path, body);
  expect(reply.status).toBe(201);
  return String(reply.body.id);
}
const addContact = (email: string, key?: string, to = team) =>
  to.post('/v2/partner/contacts', { email }, key === undefined ? {} : { 'idempotency-key': key });
const emails = () => receiver.received.map(({ event }) => String(event.data.email));

describe('an event', () => {
  test('whose change is rolled back is not recorded', async () => {
    await subscribe(['contact.created']);
    const data = { id: randomUUID(), email: 'never@example.com' };
    await expect(
      api.db.database.transact(async (sql) => {
        recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
        throw new Error('the change fails');
      }),
    ).rejects.toThrow('the change fails');
    await addContact('after@example.com');
    await receiver.waitFor(1);
    expect(emails()).toEqual(['after@example.com']);
    const events = await api.db.look(
      (sql) => sql`select id from webhook_events where team_id = ${team.id}`,
    );
    expect(events).toHaveLength(1);
  });

  test('above the size limit of a body is sent with the id and type of its resource only', async () => {
    await subscribe(['contact.*']);
    const id = randomUUID();
    const note = (size: number) => ({ id, attributes: { note: 'é'.repeat(size) } });
    const previous = { attributes: { note: 'x' } };
    await api.db.database.transact(async (sql) => {
      const base = { teamId: team.id, sequence: 1, previous };
      recordEvent(sql, { ...base, type: contactUpdated, data: note(127_000) });
      recordEvent(sql, { ...base, type: contactDeleted, data: note(128_000) });
    });
    await receiver.waitFor(2);
    const [whole, thin] = receiver.received
      .map(({ event }) => event)
      .toSorted((one, other) => (one.type < other.type ? 1 : -1));
    expect(whole).toMatchObject({ type: 'contact.updated', data: note(127_000), previous });
    expect(thin).toEqual({
      ...{ id: expect.any(String), type: 'contact.deleted', timestamp: expect.any(String) },
      ...{ team_id: team.id, api_version: 'v2', sequence: 1 },
      data: { id, type: 'contact', truncated: true },
    });
  });

  test('goes to the subscriptions at the time of its recording, independent of later changes', async () => {
    await addContact('before@example.com');
    const id = await subscribe(['contact.created']);
    let goOn: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => (goOn = resolve));
    receiver.answer(async () => {
      await isHeld;
      return { status: 204 };
    });
    await addContact('between@example.com');
    expect((await team.patch(`${path}/${id}`, { event_types: ['account.*'] })).status).toBe(200);
    await addContact('too-late@example.com');
    expect((await team.patch(`${path}/${id}`, { event_types: ['contact.*'] })).status).toBe(200);
    await addContact('after@example.com');
    goOn();
    await receiver.waitFor(2);
    expect(emails().sort()).toEqual(['after@example.com', 'between@example.com']);
  });

  test('that is caused twice under one key is recorded once, and under the same key of two teams twice', async () => {
    const other = await api.newTeam();
    await subscribe(['contact.created']);
    await subscribe(['contact.created'], other);
    const key = randomUUID();
    for (const one of [team, team, other]) {
      expect((await addContact('same@example.com', key, one)).status).toBe(201);
    }
    await addContact('last@example.com');
    await receiver.waitFor(3);
    const teams = receiver.received.map(({ event }) => [event.team_id, event.data.email]);
    expect(teams).toHaveLength(3);
    expect(teams).toEqual(
      expect.arrayContaining([
        [team.id, 'same@example.com'],
        [other.id, 'same@example.com'],
        [team.id, 'last@example.com'],
      ]),
    );
  });

  test('is sent by one of two workers: of 400 none arrives twice', async () => {
    const id = await subscribe(['contact.created']);
    await api.db.database.transact(async (sql) => {
      for (let at = 0; at < 400; at += 1) {
        const data = { id: randomUUID() };
        recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
      }
    });
    await eventually(
      () =>
        api.db.look(
          (sql) => sql`
            select id from webhook_deliveries
            where subscription_id = ${id} and status <> 'delivered'`,
        ),
      (left) => left.length === 0,
    );
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([400, 400]);
  });
});
