import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { aTeam, make, ping, problemsOf, types } from './an-event.ts';

const subscriptions = '/v2/partner/webhook-subscriptions';
let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
  worker = await startTestWorker(api);
  receiver = await startReceiver();
  team = await aTeam(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
  await receiver.stop();
  for (const inbox of inboxes) await inbox.stop();
});

const inboxes: Receiver[] = [];

/** A receiver without the late deliveries of other tests. */
async function newInbox(): Promise<Receiver> {
  const inbox = await startReceiver();
  inboxes.push(inbox);
  return inbox;
}

const send = (events: object[], of = team) => of.post('/v2/partner/events', { events });
const subscribe = (event_types: string[], of = team) =>
  make(of, subscriptions, { target_url: receiver.url, event_types });

describe('a subscription', () => {
  test.each([['custom.ping'], ['custom.*'], ['*'], ['custom.card.*']])(
    'that lists %s gets the events of that name',
    async (pattern) => {
      const own = await aTeam(api);
      await make(own, types, { name: 'custom.card.declined' });
      const { id } = await subscribe([pattern], own);
      await send([ping(), ping({ type: 'custom.card.declined' })], own);
      const { body } = await own.get(`${subscriptions}/${id}/deliveries`);
      const got = body.data.map(({ event_type }: any) => event_type).sort();
      const all = ['custom.card.declined', 'custom.ping'];
      expect(got).toEqual(
        pattern.endsWith('ping') ? [all[1]] : pattern.includes('card') ? [all[0]] : all,
      );
    },
  );

  test('cannot list a type that the team has not defined, and keeps one that it deletes', async () => {
    const other = await api.newTeam();
    await make(other, types, { name: 'custom.theirs' });
    const wrong = await team.post(subscriptions, {
      ...{ target_url: receiver.url, event_types: ['custom.ping', 'custom.theirs', 'custom.x.*'] },
    });
    expect(problemsOf(wrong)).toEqual([
      ['invalid_event_type', undefined, '/event_types/1'],
      ['invalid_event_type', undefined, '/event_types/2'],
    ]);
    const { id: type } = await make(team, types, { name: 'custom.short' });
    const { id } = await subscribe(['custom.short']);
    await team.delete(`${types}/${type}`);
    const event_types = ['custom.short', 'custom.ping'];
    const changed = await team.patch(`${subscriptions}/${id}`, { event_types });
    expect(changed.body).toMatchObject({ event_types });
  });

  test('of a client that may not read engagement gets events without their data', async () => {
    const own = await aTeam(api);
    const client = await own.withScopes('partner:webhooks:write');
    const inbox = await newInbox();
    const made = await client.post(subscriptions, {
      ...{ target_url: inbox.url, event_types: ['custom.ping', 'contact.created'] },
    });
    expect(made.body.thin_event_types).toContainEqual({
      ...{ event_type: 'custom.ping', required_scope: 'partner:engagement:read' },
    });
    await send([ping({ data: { secret: 'x' } })], own);
    await inbox.waitFor(1);
    expect(inbox.received[0]?.event).toMatchObject({
      ...{ type: 'custom.ping', data: { type: 'engagement_event', truncated: true } },
    });
    expect(inbox.received[0]?.body).not.toContain('secret');
  });

  test('is tested with a type of the team', async () => {
    const inbox = await newInbox();
    const { id } = await make(team, subscriptions, {
      ...{ target_url: inbox.url, event_types: ['custom.ping'] },
    });
    const test = (event_type: string) => team.post(`${subscriptions}/${id}/test`, { event_type });
    expect((await test('custom.ping')).body).toMatchObject({ event_type: 'custom.ping' });
    await inbox.waitFor(1);
    expect(inbox.received[0]?.event).toMatchObject({
      ...{ type: 'custom.ping', data: { type: 'engagement_event', kind: 'custom.ping' } },
    });
    expect((await test('custom.unknown')).body.errors[0].code).toBe('invalid_event_type');
  });
});

test('a cohort rule counts the events of a contact', async () => {
  const own = await aTeam(api);
  const contact = await make(own, '/v2/partner/contacts', { unique_id: 'c-1' });
  await make(own, '/v2/partner/contacts', { unique_id: 'c-2' });
  const rule = { kind: 'custom.order_placed', within: 'P7D' };
  const where = [{ field: 'properties.amount_cents', op: 'gte', value: 1_000 }];
  const cohort = await make(own, '/v2/partner/cohorts', {
    ...{ name: 'Buyers', kind: 'dynamic', definition: { event: { ...rule, where } } },
  });
  const placed = (unique_id: string, amount_cents: number, fields: object = {}) => ({
    ...{ type: 'custom.order_placed', unique_id, contact_unique_id: 'c-1' },
    data: { order_id: 'A', amount_cents },
    ...fields,
  });
  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
  await send([placed('small', 1), placed('old', 5_000, { occurred_at: monthAgo })], own);
  const members = async () =>
    (await own.get(`/v2/partner/cohorts/${cohort.id}/members`)).body.data.map(
      ({ contact_id }: any) => contact_id,
    );
  await eventually(
    async () => (await own.get(`/v2/partner/cohorts/${cohort.id}`)).body,
    ({ evaluation_status }) => evaluation_status === 'ready',
  );
  expect(await members()).toEqual([]);
  await send([placed('large', 5_000)], own);
  await eventually(members, (found) => found.length === 1);
  expect(await members()).toEqual([contact.id]);
  // A system of the partner sent the event, so that the contact has shown nothing.
  const { body } = await own.get(`/v2/partner/contacts/${contact.id}`);
  expect(body).not.toHaveProperty('last_engaged_at');
});

test('an erasure deletes the data of events of the contact, and of others that name it', async () => {
  const own = await aTeam(api);
  await subscribe(['custom.ping'], own);
  const email = `ada.${randomUUID()}@example.com`;
  const contact = await make(own, '/v2/partner/contacts', { unique_id: 'c-1', email });
  const from = receiver.received.length;
  await send(
    [
      ping({ unique_id: `of ${email}`, contact_id: contact.id, data: { note: 'of the contact' } }),
      ping({ data: { to: email } }),
      ping({ data: { note: 'of nobody' } }),
    ],
    own,
  );
  await receiver.waitFor(from + 3);
  await own.post(`/v2/partner/contacts/${contact.id}/erase`, undefined, {
    'Idempotency-Key': randomUUID(),
  });
  const shown = async () => {
    const { body } = await own.get('/v2/partner/engagement-events');
    return JSON.stringify(body.data.map(({ properties }: any) => properties));
  };
  const stored = async () => {
    const rows = await own.db.look(
      (sql) => sql`
        select body as text from webhook_events where team_id = ${own.id} union all
        select unique_id from engagement_event_keys where team_id = ${own.id}`,
    );
    return JSON.stringify(rows);
  };
  const isErased = (text: string) => !text.includes('of the contact') && !text.includes(email);
  await eventually(async () => (await shown()) + (await stored()), isErased);
  expect(await shown()).toContain('of nobody');
  expect(await stored()).toContain('of nobody');
});
