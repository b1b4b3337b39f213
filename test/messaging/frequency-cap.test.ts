import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seeded } from '../chaos/random.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { aRequestable } from './a-requested-send.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let lanes: SendingLanes;

beforeAll(async () => {
  api = await startTestApi();
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

const marketing = { purpose: 'marketing', subject: 'News', body_html: '<p>News</p>' };
const plain = { ...marketing, data_schema: null };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function aTeamWith(per_day: number, per_week: number): Promise<TestTeam> {
  const team = await anUnboundedTeam(api);
  await team.patch('/v2/partner/team', { frequency_cap: { per_day, per_week } });
  return team;
}

/** Makes sends due that are scheduled for later. */
const letTimePass = (team: TestTeam) =>
  api.db.look(
    (sql) => sql`
      with send as (update message_sends set next_attempt_at = now() where team_id = ${team.id})
      update message_deliveries set scheduled_at = now()
      where team_id = ${team.id} and status = 'scheduled'`,
  );

/** Everything that was sent, by this and by another worker at the same time, goes back in time. */
const letDaysPass = (team: TestTeam, days: number) =>
  api.db.look(
    (sql) => sql`
      update message_deliveries
      set sent_at = sent_at - ${`${String(days)} days`}::interval
      where team_id = ${team.id} and sent_at is not null`,
  );

const sendAll = () => Promise.all([lanes.send(), lanes.send()]);

async function statesOf(team: TestTeam, contactId: string): Promise<(string | null)[]> {
  const { body } = await team.get(
    `/v2/partner/message-deliveries?filter[contact_id]=${contactId}&page[size]=100`,
  );
  return body.data.map((one: any) => one.skip_reason ?? one.status).sort();
}

test('sends that are scheduled for one time are counted when they are sent', async () => {
  const team = await aTeamWith(1, 5);
  const { path } = await aRequestable(team, plain);
  const contact_id = await aReader(team);
  for (let at = 0; at < 3; at += 1) {
    const { body } = await team.post(path, { contact_id, scheduled_at: inMinutes(10) });
    expect(body).toMatchObject({ status: 'scheduled' });
  }
  await letTimePass(team);
  await sendAll();
  expect(await statesOf(team, contact_id)).toEqual(['frequency_cap', 'frequency_cap', 'sent']);
});

test('a message of a journey goes before a scheduled one, which is then above the cap', async () => {
  const team = await aTeamWith(1, 5);
  const { path } = await aRequestable(team, plain);
  const template = await aSendingTemplate(team, [anEmail]);
  const contact_id = await aReader(team);
  await team.post(path, { contact_id, scheduled_at: inMinutes(10) });
  await enrolled(team, template, [contact_id]);
  await lanes.decide();
  await sendAll();
  await letTimePass(team);
  await sendAll();
  expect(await deliveriesOf(team, template.id)).toMatchObject([{ status: 'sent' }]);
  expect(await statesOf(team, contact_id)).toEqual(['frequency_cap', 'sent']);
});

test('a send counts at the time when it was sent, not when it was requested', async () => {
  const team = await aTeamWith(1, 5);
  const { path } = await aRequestable(team, plain);
  const contact_id = await aReader(team);
  await team.post(path, { contact_id, scheduled_at: inMinutes(3 * 1_440) });
  await team.db.look(
    (sql) => sql`
      with send as (
        update message_sends set delivery_inserted_at = delivery_inserted_at - interval '3 days'
        where team_id = ${team.id})
      update message_deliveries set inserted_at = inserted_at - interval '3 days'
      where team_id = ${team.id}`,
  );
  await letTimePass(team);
  await sendAll();
  expect((await team.post(path, { contact_id })).body).toMatchObject({
    skip_reason: 'frequency_cap',
  });
  await letDaysPass(team, 2);
  expect((await team.post(path, { contact_id })).body).toMatchObject({ status: 'queued' });
});

test('a send that is put off keeps its place for a day', async () => {
  const team = await aTeamWith(1, 5);
  const { path } = await aRequestable(team, plain);
  const contact_id = await aReader(team);
  const first = await team.post(path, { contact_id });
  await team.post(path, { contact_id, scheduled_at: inMinutes(10) });
  // Its provider takes no messages: it was counted, and waits for the next attempt.
  const putOff = (countedAt: string) =>
    api.db.look(
      (sql) => sql`
        update message_sends
        set counted_at = ${countedAt}, next_attempt_at = now() + interval '1 hour'
        where team_id = ${team.id} and id = ${first.body.id}`,
    );
  await letTimePass(team);
  await putOff(inMinutes(0));
  await sendAll();
  expect(await statesOf(team, contact_id)).toEqual(['frequency_cap', 'queued']);
});

test('what is exempt is sent above the cap, and counts for the others', async () => {
  const team = await aTeamWith(1, 5);
  const exempt = await aRequestable(team, { ...plain, frequency_cap_exempt: true });
  const capped = await aRequestable(team, plain);
  const contact_id = await aReader(team);
  const scheduled_at = inMinutes(10);
  await team.post(exempt.path, { contact_id });
  await team.post(exempt.path, { contact_id });
  await team.post(capped.path, { contact_id, scheduled_at });
  await sendAll();
  await letTimePass(team);
  await sendAll();
  expect(await statesOf(team, contact_id)).toEqual(['frequency_cap', 'sent', 'sent']);
});

test('what is not marketing has no cap', async () => {
  const team = await aTeamWith(1, 1);
  const { path } = await aRequestable(team, { ...plain, purpose: 'servicing' });
  const contact_id = await aReader(team);
  await Promise.all([1, 2, 3].map(() => team.post(path, { contact_id })));
  await sendAll();
  expect(await statesOf(team, contact_id)).toEqual(['sent', 'sent', 'sent']);
});

const sendsOf = (count: number, contact_id: string, more: object = {}) =>
  Array.from({ length: count }, () => ({ contact_id, ...more }));
const atOnce: [string, (team: TestTeam, contact: string) => Promise<unknown>][] = [
  [
    'requests',
    async (team, contact) => {
      const { path } = await aRequestable(team, plain);
      await Promise.all(sendsOf(4, contact).map((body) => team.post(path, body)));
    },
  ],
  [
    'sends of a batch',
    async (team, contact) => {
      const { path } = await aRequestable(team, plain);
      expect((await team.post(`${path}/batch`, { sends: sendsOf(3, contact) })).status).toBe(202);
    },
  ],
  [
    'items of an operation',
    async (team, contact) => {
      const { messageId: message_id } = await aRequestable(team, plain);
      const path = '/v2/ipaas/operations/messages.send/execute';
      const items = sendsOf(3, contact, { message_id });
      const { body } = await team.post(path, { items }, { 'Idempotency-Key': randomUUID() });
      expect(body.results).toHaveLength(3);
    },
  ],
  [
    'messages of one journey',
    async (team, contact) => {
      const template = await aSendingTemplate(team, [anEmail, anEmail, anEmail]);
      await enrolled(team, template, [contact]);
    },
  ],
  [
    'journeys',
    async (team, contact) => {
      for (let at = 0; at < 3; at += 1) {
        await enrolled(team, await aSendingTemplate(team, [anEmail]), [contact]);
      }
    },
  ],
];
test.each(atOnce)(
  'of several %s at once, one is sent and the others are skipped',
  async (_, ask) => {
    const team = await aTeamWith(1, 5);
    const contact_id = await aReader(team);
    await ask(team, contact_id);
    await lanes.decide();
    await sendAll();
    const states = await statesOf(team, contact_id);
    expect(states.length).toBeGreaterThan(2);
    expect(states).toEqual([...states.slice(1).map(() => 'frequency_cap'), 'sent']);
  },
);

/** One way to send marketing to contacts. */
type Way = (contacts: readonly string[]) => Promise<unknown>;

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'the cap is never exceeded, nor missed by more than one, whatever happens at once (seed %i)',
  async (seed) => {
    const random = seeded(String(seed));
    const below = (limit: number) => Math.floor(random.between(0, limit));
    const perDay = 1 + below(3);
    const team = await aTeamWith(perDay, perDay + below(3));
    const messages = await Promise.all([aRequestable(team, plain), aRequestable(team, plain)]);
    const pathOf = () => messages[below(2)]?.path ?? '';
    const journeys = await aSendingTemplate(team, [anEmail, anEmail]);
    const people = await Promise.all([1, 2, 3].map(() => aReader(team)));
    const ways: Way[] = [
      ([contact_id]) => team.post(pathOf(), { contact_id }),
      ([contact_id]) => team.post(pathOf(), { contact_id, scheduled_at: inMinutes(10) }),
      (contacts) =>
        team.post(`${pathOf()}/batch`, { sends: contacts.map((contact_id) => ({ contact_id })) }),
      ([contact_id = '']) => enrolled(team, journeys, [contact_id]).catch(() => undefined),
      () => lanes.decide(),
      () => lanes.send(),
      () => letTimePass(team),
    ];
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        Array.from({ length: 6 }, () => {
          const contacts = Array.from({ length: 3 }, () => people[below(3)] ?? '');
          return Promise.resolve(ways[below(ways.length)]?.(contacts));
        }),
      );
    }
    await lanes.decide();
    await letTimePass(team);
    await sendAll();
    for (const contact of people) {
      const states = await statesOf(team, contact);
      const sent = states.filter((state) => state === 'sent').length;
      expect(states.every((state) => state === 'sent' || state === 'frequency_cap')).toBe(true);
      expect(sent).toBeLessThanOrEqual(perDay);
      expect(sent).toBeGreaterThanOrEqual(Math.min(perDay, states.length) - 1);
    }
  },
);
