import { randomUUID } from 'node:crypto';
import { createLog } from '../../src/platform/observability/log.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endSome } from '../../src/journeys/ending/end.ts';
import { deleteJourneyData } from '../../src/messaging/message-data/queries.ts';
import { at } from '../campaigns/a-template.ts';
import { aReader, aSendingTemplate, anEmail, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { aReceipt, anOrder } from './a-requested-send.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;

beforeAll(async () => {
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

/** An e-mail of a journey about an order, which its enrollments name. */
const aThanks = { ...aReceipt, name: 'Thanks', trigger: { kind: 'on_enroll' } };
const aLaterThanks = { ...aThanks, trigger: { kind: 'delay', delay: 'P1D' } };

const enroll = (template: { id: string }, body: object, of = team) =>
  of.post(at(template.id, '/enrollments'), body);

/** The stored data of a team, by journey. */
async function storedOf({ id }: TestTeam): Promise<Map<string, string>> {
  const rows = await api.db.look(
    (sql) => sql<{ journey_id: string; sealed_data: string }[]>`
      select journey_id, sealed_data from journey_data where team_id = ${id}`,
  );
  return new Map(rows.map(({ journey_id, sealed_data }) => [journey_id, sealed_data]));
}

const isStored = async (journey: string) => (await storedOf(team)).has(journey);

async function sendAll(): Promise<void> {
  await lanes.decide();
  await lanes.send();
}

/** Subjects of the mails to a contact. */
const subjectsTo = async (contactId: string, of = team) =>
  (await mailboxOf(of))
    .filter(({ contact_id }) => contact_id === contactId)
    .map(({ content }) => content.subject);

test('the messages of a journey show the data of its enrollment, which nothing else shows', async () => {
  await subscribe(api, team);
  const template = await aSendingTemplate(team, [aThanks]);
  const contact_id = await aReader(team);
  const data = anOrder();
  const made = await enroll(template, { contact_id, data });
  expect(made.status).toBe(201);
  const journey = String(made.body.id);
  const sealed = (await storedOf(team)).get(journey);
  expect(sealed).toEqual(expect.any(String));
  expect(sealed).not.toContain(data.order.id);
  await sendAll();
  const [sent] = (await mailboxOf(team)).filter((one) => one.contact_id === contact_id);
  expect(sent?.content).toMatchObject({ subject: `Order ${data.order.id}` });
  expect(sent?.content.html).toContain('tea, milk');
  const seen = [
    made.body,
    (await team.get(`/v2/partner/journeys/${journey}`)).body,
    (await team.get(`/v2/partner/journeys?filter[template_id]=${template.id}`)).body,
    (await team.get(`/v2/partner/journeys/${journey}/timeline`)).body,
    (await team.get(`/v2/partner/message-deliveries?filter[journey_id]=${journey}`)).body,
    await eventsOf(api, team, journey),
    await eventsOf(api, team, String(sent?.id)),
  ];
  expect(JSON.stringify(seen)).not.toContain(data.order.id);
});

test('an enrollment without data is accepted, and its messages show no values', async () => {
  const template = await aSendingTemplate(team, [aThanks]);
  const contact_id = await aReader(team);
  const made = await enroll(template, { contact_id });
  expect([made.status, await isStored(made.body.id)]).toEqual([201, false]);
  await sendAll();
  expect(await subjectsTo(contact_id)).toEqual(['Order ']);
});

test('a message without a schema is sent without a look at the data of journeys', async () => {
  const template = await aSendingTemplate(team, [anEmail]);
  const contact_id = await aReader(team);
  await enrolled(team, template, [contact_id]);
  await api.db.database.transact(async (sql) => {
    await sql`lock table journey_data in access exclusive mode`;
    await sendAll();
  });
  expect(await subjectsTo(contact_id)).toEqual(['Hello Ada']);
});

const refusedBodies: [why: string, body: object, pointer: string, rule: string][] = [
  ['without what the schema requires', { data: { items: [] } }, '/data/order', 'required'],
  ['with data of another type', { data: { order: { id: 1 } } }, '/data/order/id', 'type'],
  ['with undeclared data', { data: { ...anOrder('1'), total: 1 } }, '/data/total', 'unknown_field'],
  ['with empty data', { data: {} }, '/data/order', 'required'],
  ['with more than 8 KB', { data: anOrder('a'.repeat(9_000)) }, '/data', 'max_length'],
  [
    'with too many lists',
    { data: { ...anOrder('1'), items: Array.from({ length: 101 }, () => []) } },
    '/data',
    'max_items',
  ],
  [
    'of a cohort',
    { data: anOrder(), contact_id: undefined, cohort_id: randomUUID() },
    '/data',
    'exclusive',
  ],
  ['of nobody', { data: anOrder(), contact_id: undefined }, '/contact_id', 'required'],
];

test.each(refusedBodies)(
  'an enrollment %s is refused with its place',
  async (_, body, ...place) => {
    const template = await aSendingTemplate(team, [aThanks]);
    const contact_id = await aReader(team);
    const { status, body: answer } = await enroll(template, { contact_id, ...body });
    expect(status).toBe(422);
    const [pointer, rule] = place;
    expect(answer.errors).toContainEqual(
      expect.objectContaining({ meta: expect.objectContaining({ pointer, rule }) }),
    );
    const open = await team.get(`/v2/partner/journeys?filter[template_id]=${template.id}`);
    expect(open.body.data).toEqual([]);
  },
);

test('data has to match the schema of each message of the journey, and of no other', async () => {
  const schema = { type: 'object', properties: { vip: { type: 'boolean' } }, required: ['vip'] };
  const properties = { ...aReceipt.data_schema.properties, ...schema.properties };
  const messages = [
    { ...anEmail, data_schema: { ...aReceipt.data_schema, properties } },
    { ...anEmail, data_schema: schema },
    {
      ...{ ...anEmail, trigger: { kind: 'on_request' } },
      data_schema: { type: 'object', required: ['never'] },
    },
  ];
  const template = await aSendingTemplate(team, messages);
  const contact_id = await aReader(team);
  const refused = await enroll(template, { contact_id, data: anOrder() });
  expect(refused.body.errors).toMatchObject([{ meta: { pointer: '/data/vip', rule: 'required' } }]);
  const taken = await enroll(template, { contact_id, data: { ...anOrder(), vip: true } });
  expect(taken.status).toBe(201);
});

test('a template whose journeys declare no data takes none', async () => {
  const template = await aSendingTemplate(team, [anEmail, aReceipt]);
  const contact_id = await aReader(team);
  const { status, body } = await enroll(template, { contact_id, data: anOrder() });
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([{ meta: { pointer: '/data', rule: 'unknown_field' } }]);
  expect((await enroll(template, { contact_id, data: {} })).status).toBe(201);
});

test('a refused enrollment stores no data, and the first one stays', async () => {
  const template = await aSendingTemplate(team, [aThanks]);
  const contact_id = await aReader(team);
  const data = anOrder();
  const first = await enroll(template, { contact_id, data });
  const before = await storedOf(team);
  const again = await enroll(template, { contact_id, data: anOrder() });
  expect([again.status, again.body.errors[0].code]).toEqual([409, 'already_enrolled']);
  await team.post(at(template.id, '/pause'));
  const late = await enroll(template, { contact_id: await aReader(team), data: { order: 1 } });
  expect([late.status, late.body.errors[0].meta.state]).toEqual([409, 'paused']);
  expect(await storedOf(team)).toEqual(before);
  expect(before.has(first.body.id)).toBe(true);
});

test('enrollments at the same time have their own data each, and their own errors', async () => {
  const templates = [
    await aSendingTemplate(team, [aThanks]),
    await aSendingTemplate(team, [aThanks]),
  ] as const;
  const asked: { contact_id: string; data?: object; isWrong: boolean }[] = [];
  for (let index = 0; index < 20; index += 1) {
    const contact_id = await aReader(team);
    const isWrong = index % 7 === 3;
    const data = isWrong ? { order: index } : anOrder(`A-${String(index)}`);
    asked.push({ contact_id, isWrong, ...(index % 5 !== 0 && { data }) });
  }
  const replies = await Promise.all(
    asked.map(({ contact_id, data }, index) =>
      enroll(templates[index % 2] ?? templates[0], { contact_id, ...(data && { data }) }),
    ),
  );
  const isRefused = ({ data, isWrong }: (typeof asked)[number]) => isWrong && data !== undefined;
  expect(replies.map(({ status }) => status)).toEqual(
    asked.map((one) => (isRefused(one) ? 422 : 201)),
  );
  await sendAll();
  for (const [index, one] of asked.entries()) {
    const subject = one.data ? `Order A-${String(index)}` : 'Order ';
    expect(await subjectsTo(one.contact_id)).toEqual(isRefused(one) ? [] : [subject]);
  }
});

test('of requests for one contact at the same time, the data is that of the one that enrolled it', async () => {
  const template = await aSendingTemplate(team, [aThanks]);
  const contact_id = await aReader(team);
  const replies = await Promise.all(
    ['A', 'B', 'C', 'D', 'E'].map(async (name) => {
      const { status } = await enroll(template, { contact_id, data: anOrder(name) });
      return { name, status };
    }),
  );
  const [winner, ...others] = replies.filter(({ status }) => status === 201);
  expect(others).toEqual([]);
  await sendAll();
  expect(await subjectsTo(contact_id)).toEqual([`Order ${String(winner?.name)}`]);
});

test('each team has the data of its own journeys', async () => {
  const other = await anUnboundedTeam(api);
  const sides = [];
  for (const [of, name] of [[team, 'one'] as const, [other, 'two'] as const]) {
    const template = await aSendingTemplate(of, [aThanks]);
    const contact_id = await aReader(of);
    const { status } = await enroll(template, { contact_id, data: anOrder(name) }, of);
    sides.push({ of, name, template, contact_id, status });
  }
  expect(sides.map(({ status }) => status)).toEqual([201, 201]);
  const [mine, theirs] = sides;
  if (!mine || !theirs) throw new Error('a team is missing');
  const body = { contact_id: theirs.contact_id, data: anOrder() };
  const foreign = await enroll(mine.template, body);
  expect(foreign.body.errors[0].meta).toMatchObject({ rule: 'reference_not_found' });
  expect((await enroll(theirs.template, body)).status).toBe(404);
  expect((await storedOf(other)).size).toBe(1);
  await api.db.database.transact((sql) =>
    deleteJourneyData(sql, { teamId: team.id, contactIds: [theirs.contact_id] }),
  );
  await sendAll();
  for (const { of, name, contact_id } of sides) {
    expect(await subjectsTo(contact_id, of)).toEqual([`Order ${name}`]);
  }
});

test('items of the operation have data, and each item its own errors', async () => {
  const [template, plain] = [
    await aSendingTemplate(team, [aThanks]),
    await aSendingTemplate(team, [anEmail]),
  ];
  const [one, two] = [await aReader(team), await aReader(team)];
  const item = (contact_id: string, data?: object) => ({
    ...{ template_id: template.id, contact_id },
    ...(data && { data }),
  });
  const { status, body } = await team.post('/v2/ipaas/operations/templates.enroll/execute', {
    items: [
      item(one, { order: 1 }),
      item(one, anOrder('first')),
      item(one, anOrder('second')),
      item(two),
      { ...item(two, anOrder()), template_id: plain.id },
    ],
  });
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { status: 'failed', errors: [{ meta: { pointer: '/items/0/data/order', rule: 'type' } }] },
    { status: 'created' },
    { status: 'unchanged' },
    { status: 'created' },
    { status: 'failed', errors: [{ meta: { pointer: '/items/4/data', rule: 'unknown_field' } }] },
  ]);
  expect(JSON.stringify(body)).not.toContain('first');
  await sendAll();
  expect(await subjectsTo(one)).toEqual(['Order first']);
  expect(await subjectsTo(two)).toEqual(['Order ']);
});

test('the data goes with the end of the journey, and with its contact', async () => {
  const template = await aSendingTemplate(team, [aLaterThanks]);
  const contacts = [await aReader(team), await aReader(team), await aReader(team)] as const;
  const journeys: string[] = [];
  for (const contact_id of contacts) {
    journeys.push((await enroll(template, { contact_id, data: anOrder() })).body.id);
  }
  const left = async () => {
    const stored = await storedOf(team);
    return journeys.map((id) => stored.has(id));
  };
  expect(await left()).toEqual([true, true, true]);
  await team.post(`/v2/partner/journeys/${String(journeys[0])}/cancel`);
  expect(await left()).toEqual([false, true, true]);
  expect((await team.post(`/v2/partner/contacts/${contacts[1]}/erase`)).status).toBe(202);
  expect(await left()).toEqual([false, false, true]);
  const persons = { teamId: team.id, contactIds: [contacts[2]] };
  const erase = () => api.db.database.transact((sql) => deleteJourneyData(sql, persons));
  expect([await erase(), await erase()]).toEqual([1, 0]);
  expect(await left()).toEqual([false, false, false]);
});

test('the data of all journeys goes when their template expires', async () => {
  const template = await aSendingTemplate(team, [aLaterThanks]);
  const other = await aSendingTemplate(team, [aLaterThanks]);
  const contact_id = await aReader(team);
  const [gone, kept] = [
    await enroll(template, { contact_id, data: anOrder() }),
    await enroll(other, { contact_id, data: anOrder() }),
  ];
  const ending = { status: 'expired', reason: 'deadline' } as const;
  await api.db.database.transact((sql) =>
    endSome(sql, createLog('silent', 'worker'), { team_id: team.id, id: template.id }, ending, 100),
  );
  expect([await isStored(gone.body.id), await isStored(kept.body.id)]).toEqual([false, true]);
});
