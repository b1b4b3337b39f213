import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  deliveriesOf,
  enrolled,
} from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { startProviderServer } from '../support/provider-server.ts';
import type { ProviderServer } from '../support/provider-server.ts';
import { anEmailProvider, anSmsProvider, senderOf } from './a-provider.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

const path = '/v2/partner/sending-providers';
let api: TestApi;
let lanes: SendingLanes;
/** The provider of the settings. */
let shared: ProviderServer;
/** One that rejects every message. */
let broken: ProviderServer;
const servers: ProviderServer[] = [];
const running: SendingLanes[] = [];

/** Lanes of a process of their own, whose provider of the settings is `shared`. */
async function lanesWith(settings: Parameters<typeof startSendingLanes>[1] = {}) {
  const sms = { kind: 'sms_b', url: shared.url, account: '', key: 'shared', from: '+1' } as const;
  const started = await startSendingLanes(api, {
    ...{ sms, usesMailbox: false, retryScheduleMs: [0, 0, 0, 0, 0], probeScheduleMs: [60_000] },
    ...settings,
  });
  running.push(started);
  return started;
}

async function aServer(): Promise<ProviderServer> {
  const started = await startProviderServer();
  servers.push(started);
  return started;
}

beforeAll(async () => {
  api = await startTestApi();
  shared = await aServer();
  broken = await aServer();
  broken.answer(401);
  lanes = await lanesWith();
});
afterAll(async () => {
  for (const one of running) await one.stop();
  for (const server of servers) server.stop();
  await api.stop();
});

const aNumber = () => `+1415555${String(randomInt(1_000, 9_999))}`;

/** Contacts of a team with text messages to send, as many as `count`; returns the template. */
async function textsOf(team: TestTeam, count: number, message: object = {}) {
  const template = await aSendingTemplate(team, [{ ...aText, ...message }]);
  const readers: string[] = [];
  for (let at = 0; at < count; at += 1) readers.push(await aReader(team, { phone: aNumber() }));
  await enrolled(team, template, readers);
  return template;
}

const statusesOf = async (team: TestTeam, template: { id: string }) =>
  (await deliveriesOf(team, template.id)).map(({ status }) => status);

async function providerOf(team: TestTeam, id: string) {
  return (await team.get(`${path}/${id}`)).body;
}

test('a team with a provider of its own sends through it alone; others through the one of the settings', async () => {
  const server = await aServer();
  const [own, other] = [await anUnboundedTeam(api), await anUnboundedTeam(api)];
  await anSmsProvider(own, server);
  const templates = [await textsOf(own, 3), await textsOf(other, 2)] as const;
  const before = shared.received.length;
  await lanes.decide();
  await lanes.send();
  expect(await statusesOf(own, templates[0])).toEqual(['sent', 'sent', 'sent']);
  expect(await statusesOf(other, templates[1])).toEqual(['sent', 'sent']);
  expect(server.received.map(({ key, from }) => [key, from])).toEqual(
    Array.from({ length: 3 }, () => [`key-of-${own.id}`, '+14155550199']),
  );
  expect(shared.received.slice(before).map(({ key }) => key)).toEqual(['shared', 'shared']);
});

test('messages of a team that may not use the provider of the settings wait for one of its own', async () => {
  const [offered, other] = [await anUnboundedTeam(api), await anUnboundedTeam(api)];
  const fewer = await lanesWith({ offeredTo: [offered.id], probeScheduleMs: [0] });
  const templates = [await textsOf(offered, 1), await textsOf(other, 1)] as const;
  await fewer.decide();
  for (const lane of [0, 1, 2, 3]) {
    const rounds = fewer.roundsOf(lane);
    await rounds.round();
    await rounds.finish();
  }
  expect(await statusesOf(offered, templates[0])).toEqual(['sent']);
  expect(await statusesOf(other, templates[1])).toEqual(['queued']);
  const server = await aServer();
  await anSmsProvider(other, server);
  // A message that was a probe comes a second after the others.
  await untilTrue(async () => {
    await fewer.send();
    return server.received.length > 0;
  });
  expect(await statusesOf(other, templates[1])).toEqual(['sent']);
  expect(server.received).toHaveLength(1);
});

test.each([
  { answer: 500, code: 'http_500' },
  { answer: 401, code: 'http_401' },
  { answer: 429, code: 'http_429' },
])(
  'a provider that answers $answer is halted, and the next one sends',
  async ({ answer, code }) => {
    const [first, second] = [await aServer(), await aServer()];
    first.answer(answer);
    const team = await anUnboundedTeam(api);
    const id = await anSmsProvider(team, first, { priority: 1 });
    await anSmsProvider(team, second, { priority: 2 });
    const template = await textsOf(team, 12);
    await lanes.decide();
    await lanes.send();
    expect(new Set(await statusesOf(team, template))).toEqual(new Set(['sent']));
    expect(new Set(second.received.map(({ id: one }) => one)).size).toBe(12);
    await untilTrue(async () => (await providerOf(team, id)).halted_at !== undefined);
    expect(await providerOf(team, id)).toMatchObject({ halt_code: code });

    // Another process knows of it, and asks the first one nothing before the next probe.
    const process = await lanesWith();
    first.answer(200);
    const later = await textsOf(team, 2);
    await process.decide();
    await process.send();
    expect(await statusesOf(team, later)).toEqual(['sent', 'sent']);
    expect(first.received).toHaveLength(0);
  },
);

test.each([
  { answer: 503 as const, outcome: 'goes to the next one at once', received: 1, attempts: [] },
  { answer: 'nothing' as const, outcome: 'waits for its schedule', received: 0, attempts: [1] },
])('a message with the answer $answer $outcome', async ({ answer, received, attempts }) => {
  const [first, second] = [await aServer(), await aServer()];
  first.answer(answer);
  const slow = await lanesWith({ retryScheduleMs: [600_000], timeoutMs: 200 });
  const team = await anUnboundedTeam(api);
  await anSmsProvider(team, first, { priority: 1 });
  await anSmsProvider(team, second, { priority: 2 });
  await textsOf(team, 1);
  await slow.decide();
  await slow.send();
  expect([first.requests(), second.received.length]).toEqual([1, received]);
  const waiting = await api.db.look(
    (sql) => sql<{ attempts: number }[]>`
      select attempts from message_sends where team_id = ${team.id}`,
  );
  expect(waiting.map((row) => row.attempts)).toEqual(attempts);
});

test('a provider that answers a probe is preferred again', async () => {
  const [first, second] = [await aServer(), await aServer()];
  const soon = await lanesWith({ probeScheduleMs: [0] });
  first.answer(401);
  const team = await anUnboundedTeam(api);
  const id = await anSmsProvider(team, first, { priority: 1 });
  await anSmsProvider(team, second, { priority: 2 });
  const template = await textsOf(team, 4);
  await soon.decide();
  await soon.send();
  first.answer(200);
  // The message that was the last probe comes a second after the others.
  await textsOf(team, 4);
  await soon.decide();
  await untilTrue(async () => {
    await soon.send();
    return (await statusesOf(team, template)).every((status) => status === 'sent');
  });
  expect(first.received.length).toBeGreaterThan(0);
  await untilTrue(async () => (await providerOf(team, id)).halted_at === undefined);
});

test('while a provider hangs, the next one sends', async () => {
  const [first, second] = [await aServer(), await aServer()];
  first.answer('nothing');
  const patient = await lanesWith({ timeoutMs: 20_000 });
  const team = await anUnboundedTeam(api);
  await anSmsProvider(team, first, { priority: 1 });
  await anSmsProvider(team, second, { priority: 2 });
  const template = await textsOf(team, 80);
  await patient.decide();
  const sending = patient.send();
  await untilTrue(() => second.received.length >= 80 - 64);
  first.answer(200);
  const hung = servers.indexOf(first);
  servers[hung]?.stop();
  await sending;
  expect(new Set(await statusesOf(team, template))).toEqual(new Set(['sent']));
});

test('a halted provider postpones the messages that go through it, and no others', async () => {
  const halted = await lanesWith({
    sms: { kind: 'sms_b', url: broken.url, account: '', key: 'shared', from: '+1' },
  });
  const works = await aServer();
  const [own, failing, other] = [
    await anUnboundedTeam(api),
    await anUnboundedTeam(api),
    await anUnboundedTeam(api),
  ];
  await anSmsProvider(own, works);
  await anSmsProvider(failing, broken);
  const send = async () => {
    const templates = [];
    for (const team of [own, failing, other]) templates.push(await textsOf(team, 5));
    await halted.decide();
    await halted.send();
    return templates;
  };
  await send();
  // Now that both are halted, nothing is claimed for them.
  const attempts = broken.requests();
  const [first] = await send();
  expect(broken.requests()).toBe(attempts);
  expect(first && (await statusesOf(own, first))).toEqual(Array.from({ length: 5 }, () => 'sent'));
  const waiting = await api.db.look(
    (sql) => sql<{ team_id: string; count: number }[]>`
      select team_id, count(*)::int as count from message_sends
      where team_id in (${own.id}, ${failing.id}, ${other.id})
        and next_attempt_at > now() + interval '30 seconds' and not is_claimed
      group by team_id`,
  );
  const counts = new Map(waiting.map(({ team_id, count }) => [team_id, count]));
  expect(counts.get(own.id)).toBeUndefined();
  expect([counts.get(failing.id), counts.get(other.id)]).toEqual([10, 10]);
});

test('a change of the settings applies to the next message', async () => {
  const [first, second] = [await aServer(), await aServer()];
  const team = await anUnboundedTeam(api);
  const id = await anSmsProvider(team, first);
  await textsOf(team, 2);
  await lanes.decide();
  await lanes.send();
  const moved = await team.patch(`${path}/${id}`, { url: second.url, secret: 'another' });
  expect(moved.status).toBe(200);
  await textsOf(team, 2);
  await lanes.decide();
  await lanes.send();
  expect(first.received.map(({ key }) => key)).toEqual([`key-of-${team.id}`, `key-of-${team.id}`]);
  expect(second.received.map(({ key }) => key)).toEqual(['another', 'another']);
});

test('a text message is sent by a provider that has its sender, or skipped', async () => {
  const [first, second] = [await aServer(), await aServer()];
  const team = await anUnboundedTeam(api);
  await anSmsProvider(team, first, { senders: ['+14155550101'] });
  const id = await anSmsProvider(team, second, { priority: 2, senders: ['+14155550102', 'BANK'] });
  const template = await textsOf(team, 1, { sender: 'BANK' });
  await lanes.decide();
  await lanes.send();
  expect(await statusesOf(team, template)).toEqual(['sent']);
  expect(first.received).toHaveLength(0);
  expect(second.received.map(({ from }) => from)).toEqual(['BANK']);

  await enrolled(team, template, [await aReader(team, { phone: aNumber() })]);
  expect((await team.delete(`${path}/${id}`)).status).toBe(204);
  await lanes.decide();
  await lanes.send();
  const [, skipped] = await deliveriesOf(team, template.id);
  expect(skipped).toMatchObject({ status: 'skipped', skip_reason: 'sender_not_verified' });
});

test('a text message waits for the only provider that has its sender', async () => {
  const [first, second] = [await aServer(), await aServer()];
  first.answer(500);
  const slow = await lanesWith({ retryScheduleMs: [600_000] });
  const team = await anUnboundedTeam(api);
  await anSmsProvider(team, first, { senders: ['BANK'] });
  await anSmsProvider(team, second, { priority: 2, senders: ['+14155550102'] });
  await textsOf(team, 1, { sender: 'BANK' });
  await slow.decide();
  await slow.send();
  expect([first.requests(), second.requests()]).toEqual([1, 0]);
});

/** A provider of a team, and how it does. */
const aConfiguration = fc.record({
  channel: fc.constantFrom('sms', 'email'),
  priority: fc.integer({ min: 1, max: 3 }),
  isActive: fc.boolean(),
  answer: fc.constantFrom(200, 200, 401, 500),
});
const teamConfiguration = fc.array(aConfiguration, { maxLength: 4 });
/** Providers of text messages, in their order. */
const inOrder = (...answers: number[]) =>
  answers.map((answer) => ({ channel: 'sms', priority: 1, isActive: true, answer }));

test('nothing of a team leaves through a provider of another one, in any configuration', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(teamConfiguration, teamConfiguration), async (configurations) => {
      const teams: { team: TestTeam; servers: ProviderServer[]; template: { id: string } }[] = [];
      const sharedBefore = shared.received.length;
      for (const configuration of configurations) {
        const team = await anUnboundedTeam(api);
        const started: ProviderServer[] = [];
        for (const { channel, priority, isActive, answer } of configuration) {
          const server = await aServer();
          started.push(server);
          server.answer(answer);
          const add = channel === 'sms' ? anSmsProvider : anEmailProvider;
          await add(team, server, { priority, is_active: isActive });
        }
        const template = await aSendingTemplate(team, [
          aText,
          { ...anEmail, from_email: senderOf(team) },
        ]);
        const readers = [await aReader(team, { phone: aNumber() }), await aReader(team)];
        await enrolled(team, template, readers);
        teams.push({ team, servers: started, template });
      }
      await lanes.decide();
      await lanes.send();

      for (const [at, { team, servers: own, template }] of teams.entries()) {
        const deliveries = await deliveriesOf(team, template.id);
        const people = (await team.get('/v2/partner/contacts?page[size]=100')).body.data;
        const addresses = new Set(people.flatMap((one: any) => [one.phone, one.email]));
        const all = own.flatMap(({ received }) => received);
        expect(all.filter(({ to }) => !addresses.has(to))).toEqual([]);
        expect(all.filter(({ key }) => key !== `key-of-${team.id}`)).toEqual([]);
        expect(all.filter(({ from }) => ![senderOf(team), '+14155550199'].includes(from))).toEqual(
          [],
        );
        const throughShared = shared.received
          .slice(sharedBefore)
          .filter(({ to }) => addresses.has(to));
        for (const channel of ['sms', 'email']) {
          const configured = (configurations[at] ?? []).filter(
            (one) => one.channel === channel && one.isActive,
          );
          const working = configured.filter(({ answer }) => answer === 200);
          const sent = deliveries.filter((one) => one.channel === channel && one.status === 'sent');
          const due = deliveries.filter(
            (one) => one.channel === channel && one.skip_reason === undefined,
          );
          if (configured.length > 0) {
            expect(sent).toHaveLength(working.length > 0 ? due.length : 0);
            if (channel === 'sms') expect(throughShared).toEqual([]);
          } else if (channel === 'sms') {
            expect(throughShared).toHaveLength(sent.length);
          }
        }
      }
    }),
    {
      numRuns: 8,
      examples: [[[inOrder(401, 500, 200), inOrder(500, 500, 401, 200)]]],
    },
  );
});
