import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openListener } from '../../src/platform/database/notify.ts';
import { cancelRequestedSends } from '../../src/messaging/requested-sends/erase.ts';
import { deleteSendData } from '../../src/messaging/requested-sends/queries.ts';
import { aReader, aSendingTemplate, anEmail, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { aReceipt, aRequestable, anOrder } from './a-requested-send.ts';
import { takeShared } from './claims.ts';
import { readersIn, startSendingLanes } from './sending-lanes.ts';
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

const deliveries = '/v2/partner/message-deliveries';
const deliveryOf = async (id: string) => (await team.get(`${deliveries}/${id}`)).body;
const waitingOf = (id: string) =>
  api.db.look(
    (sql) => sql<{ sealed_data: string | null; is_urgent: boolean }[]>`
      select sealed_data, is_urgent from message_sends
      where team_id = ${team.id} and id = ${id}`,
  );
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('a requested send is a delivery that is sent with its data and has a timeline', async () => {
  await subscribe(api, team);
  const { path } = await aRequestable(team);
  const contact_id = await aReader(team);
  const data = anOrder();
  const made = await team.post(path, { contact_id, data });
  expect(made).toMatchObject({ status: 202, body: { type: 'message_delivery', contact_id } });
  const { id, status } = made.body;
  expect(status).toBe('queued');
  expect(made.headers.get('location')).toBe(`${deliveries}/${String(id)}`);
  const [waiting] = await waitingOf(id);
  expect(waiting?.sealed_data).not.toContain(data.order.id);
  await lanes.send();
  expect(await deliveryOf(id)).toMatchObject({ status: 'sent' });
  expect(await waitingOf(id)).toEqual([]);
  const { body: why } = await team.get(`${deliveries}/${String(id)}/explain`);
  expect(why.timeline.map(({ what }: { what: string }) => what)).toEqual(['created', 'sent']);
  const sent = (await mailboxOf(team)).find((one) => one.id === id);
  expect(sent?.content).toMatchObject({ subject: `Order ${data.order.id}` });
  expect(sent?.content.html).toContain('tea, milk');
  const events = await eventsOf(api, team, id);
  expect(events).toMatchObject([{ type: 'message.sent', previous: { status: 'queued' } }]);
  expect(JSON.stringify(events)).not.toContain(data.order.id);
});

const refusedBodies: [why: string, body: object, pointer: string, rule: string][] = [
  ['without what the schema requires', { data: { items: [] } }, '/data/order', 'required'],
  ['with data of another type', { data: { order: { id: 1 } } }, '/data/order/id', 'type'],
  ['with undeclared data', { data: { ...anOrder('1'), total: 1 } }, '/data/total', 'unknown_field'],
  ['with more than 8 KB', { data: anOrder('a'.repeat(9_000)) }, '/data', 'max_length'],
  [
    'with too many lists',
    { data: { ...anOrder('1'), items: Array.from({ length: 101 }, () => []) } },
    '/data',
    'max_items',
  ],
  ['for too late', { data: anOrder(), scheduled_at: inDays(31) }, '/scheduled_at', 'max'],
  ['for the past', { data: anOrder(), scheduled_at: inDays(-1) }, '/scheduled_at', 'min'],
];

test.each(refusedBodies)('a send %s is refused with its place', async (_, body, pointer, rule) => {
  const { path } = await aRequestable(team);
  const { status, body: answer } = await team.post(path, {
    ...body,
    contact_id: await aReader(team),
  });
  expect(status).toBe(422);
  expect(answer.errors).toContainEqual(
    expect.objectContaining({ meta: expect.objectContaining({ pointer, rule }) }),
  );
});

test('a message without a schema takes no data', async () => {
  const plain = { data_schema: null, subject: 'Hello', body_html: '<p>Hello</p>' };
  const { path } = await aRequestable(team, plain);
  const contact_id = await aReader(team);
  expect((await team.post(path, { contact_id, data: {} })).status).toBe(202);
  const { status, body } = await team.post(path, { contact_id, data: { a: 1 } });
  expect([status, body.errors[0].meta.pointer]).toEqual([422, '/data']);
});

test('only launched messages with the trigger on_request are sent on request', async () => {
  const { template, path } = await aRequestable(team);
  const body = { contact_id: await aReader(team), data: anOrder() };
  await team.post(`/v2/partner/templates/${template.id}/pause`);
  const paused = await team.post(path, body);
  expect(paused.status).toBe(409);
  expect(paused.body.errors[0]).toMatchObject({
    code: 'invalid_state_transition',
    meta: { resource: 'template', state: 'paused' },
  });
  const other = await aSendingTemplate(team, [anEmail]);
  const campaign = `/v2/partner/messages/${String(other.messageIds[0])}/sends`;
  const { status, body: answer } = await team.post(campaign, { contact_id: body.contact_id });
  expect([status, answer.errors[0].code]).toEqual([409, 'conflict']);
  expect((await team.post(`/v2/partner/messages/${randomUUID()}/sends`, body)).status).toBe(404);
});

test('journeys never send a message with the trigger on_request', async () => {
  const template = await aSendingTemplate(team, [aReceipt, anEmail]);
  await enrolled(team, template, [await aReader(team)]);
  await lanes.decide();
  const { body } = await team.get(`${deliveries}?filter[template_id]=${template.id}`);
  expect(body.data).toMatchObject([{ message_id: template.messageIds[1] }]);
});

test('texts may show the data that a message declares, and no other', async () => {
  const message = { ...aReceipt, subject: '{{ data.order.id }} {{ data.total }}' };
  const made = await team.post('/v2/partner/templates', { name: 'Receipts' });
  const at = `/v2/partner/templates/${String(made.body.id)}`;
  const { body } = await team.post(`${at}/messages`, message);
  const { body: shown } = await team.post(`/v2/partner/messages/${String(body.id)}/render`, {
    data: { data: anOrder('A-1') },
  });
  expect(shown).toMatchObject({
    subject: 'A-1 ',
    unknown_variables: ['data.total'],
  });
  const launch = await team.post(`${at}/launch`);
  expect(launch.body.errors[0].meta.missing).toContain(
    `messages/${String(body.id)}/variables/data.total`,
  );
});

const wrongMessages: [why: string, fields: object, pointer: string][] = [
  ['a delay', { trigger: { kind: 'on_request', delay: 'P1D' } }, '/trigger/delay'],
  [
    'a condition',
    { condition: { field: 'contact.email', op: 'present', value: true } },
    '/condition',
  ],
  ['an unknown keyword', { data_schema: { type: 'object', $ref: '#' } }, '/data_schema/$ref'],
];

test.each(wrongMessages)('a message on request with %s is refused', async (_, fields, pointer) => {
  const made = await team.post('/v2/partner/templates', { name: 'Receipts' });
  const at = `/v2/partner/templates/${String(made.body.id)}/messages`;
  const { status, body } = await team.post(at, { ...aReceipt, ...fields });
  expect([status, body.errors[0].meta.pointer]).toEqual([422, pointer]);
});

test('the recipient is named by id, key, e-mail or phone, and by one of them', async () => {
  const { path } = await aRequestable(team);
  const unique_id = randomUUID();
  const phone = '+14155550142';
  const contact_id = await aReader(team, { unique_id, email: `${unique_id}@example.com`, phone });
  const data = anOrder();
  for (const name of [
    { contact_id },
    { contact_unique_id: unique_id },
    { email: `${unique_id}@EXAMPLE.com` },
    { phone },
  ]) {
    const { status, body } = await team.post(path, { ...name, data });
    expect([status, body.contact_id]).toEqual([202, contact_id]);
  }
  const both = await team.post(path, { contact_id, phone, data });
  expect(both.body.errors[0].meta).toMatchObject({ pointer: '/phone', rule: 'exclusive' });
  const none = await team.post(path, { data });
  expect(none.body.errors[0].meta).toMatchObject({ pointer: '/contact_id', rule: 'required' });
  await aReader(team, { phone });
  const several = await team.post(path, { phone, data });
  expect(several.body.errors[0].meta).toMatchObject({ pointer: '/phone', rule: 'ambiguous' });
});

test('an unknown address creates one contact, however many sends name it', async () => {
  const { path } = await aRequestable(team);
  const email = `${randomUUID()}@example.com`;
  const replies = await Promise.all(
    [1, 2, 3].map(() => team.post(path, { email, data: anOrder() })),
  );
  const [first, ...others] = new Set(replies.map(({ body }) => String(body.contact_id)));
  expect(others).toEqual([]);
  const { body } = await team.get(`/v2/partner/contacts/${String(first)}`);
  expect(body).toMatchObject({ email, consents: { email: { status: 'never' } } });
});

test('an address needs the scope to create contacts', async () => {
  const { path } = await aRequestable(team);
  const narrow = await team.withScopes('partner:message_sends:write');
  const contact_id = await aReader(team);
  const email = `${randomUUID()}@example.com`;
  expect((await narrow.post(path, { contact_id, data: anOrder() })).status).toBe(202);
  const { status, body } = await narrow.post(path, { email, data: anOrder() });
  expect([status, body.errors[0].meta.required_scope]).toEqual([401, 'partner:contacts:write']);
});

test('a recipient who may not get the message is skipped with the reason', async () => {
  await subscribe(api, team);
  const { path } = await aRequestable(team, { purpose: 'marketing', respect_quiet_hours: false });
  const { path: transactional } = await aRequestable(team);
  const contact_id = await aReader(team, { consents: {} });
  const data = anOrder();
  const refused = await team.post(path, { contact_id, data });
  expect(refused.body).toMatchObject({ status: 'skipped', skip_reason: 'no_consent' });
  expect(await waitingOf(refused.body.id)).toEqual([]);
  expect(await eventsOf(api, team, refused.body.id)).toMatchObject([{ type: 'message.skipped' }]);
  const taken = await team.post(transactional, { contact_id, data });
  expect(taken.body).toMatchObject({ status: 'queued' });
  await team.post('/v2/partner/suppressions', { channel: 'all', contact_id });
  const suppressed = await team.post(transactional, { contact_id, data });
  expect(suppressed.body).toMatchObject({ status: 'skipped', skip_reason: 'suppressed' });
  await lanes.send();
  expect(await deliveryOf(taken.body.id)).toMatchObject({ skip_reason: 'suppressed' });
});

test('marketing on request counts for the frequency cap of the team', async () => {
  const capped = await anUnboundedTeam(api);
  await capped.patch('/v2/partner/team', { frequency_cap: { per_day: 1, per_week: 5 } });
  const { path } = await aRequestable(capped, { purpose: 'marketing' });
  const body = { contact_id: await aReader(capped), data: anOrder() };
  expect((await capped.post(path, body)).body).toMatchObject({ status: 'queued' });
  expect((await capped.post(path, body)).body).toMatchObject({ skip_reason: 'frequency_cap' });
});

test('a scheduled send waits for its time, and can be canceled until then', async () => {
  const { path } = await aRequestable(team);
  const contact_id = await aReader(team);
  const body = { contact_id, data: anOrder(), scheduled_at: inDays(29) };
  const [kept, canceled] = [await team.post(path, body), await team.post(path, body)];
  expect(kept.body).toMatchObject({ status: 'scheduled', scheduled_at: body.scheduled_at });
  const gone = await team.post(`${deliveries}/${String(canceled.body.id)}/cancel`);
  expect(gone.body).toMatchObject({ status: 'canceled' });
  expect(await waitingOf(canceled.body.id)).toEqual([]);
  await lanes.send();
  expect(await deliveryOf(kept.body.id)).toMatchObject({ status: 'scheduled' });
  const due = new Date().toISOString();
  await api.db.look(
    (sql) => sql`
      with send as (
        update message_sends set next_attempt_at = ${due} where id = ${kept.body.id})
      update message_deliveries set scheduled_at = ${due} where id = ${kept.body.id}
      returning id`,
  );
  await subscribe(api, team);
  await lanes.send();
  expect(await deliveryOf(kept.body.id)).toMatchObject({ status: 'sent' });
  const [event] = await eventsOf(api, team, kept.body.id);
  expect(event).toMatchObject({ type: 'message.sent', previous: { status: 'scheduled' } });
});

test('each send of a batch has its own result', async () => {
  const { path } = await aRequestable(team);
  const foreign = await aReader(await api.newTeam());
  const [contact_id, silent] = [await aReader(team), await aReader(team, { email: null })];
  const data = anOrder();
  const { status, body } = await team.post(`${path}/batch`, {
    sends: [
      { contact_id, data },
      { contact_id: silent, data },
      { contact_id: foreign, data },
      { contact_id, data: {} },
    ],
  });
  expect(status).toBe(202);
  expect(body.summary).toEqual({ total: 4, created: 1, skipped: 1, failed: 2 });
  expect(body.results).toMatchObject([
    { index: 0, status: 'created', output: { status: 'queued', contact_id } },
    { index: 1, status: 'skipped', output: { skip_reason: 'missing_address' } },
    { index: 2, status: 'failed', errors: [{ meta: { pointer: '/sends/2/contact_id' } }] },
    { index: 3, status: 'failed', errors: [{ meta: { pointer: '/sends/3/data/order' } }] },
  ]);
  const many = { sends: Array.from({ length: 101 }, () => ({ contact_id, data })) };
  expect((await team.post(`${path}/batch`, many)).status).toBe(422);
  const unknown = `/v2/partner/messages/${randomUUID()}/sends/batch`;
  expect((await team.post(unknown, { sends: [{ contact_id, data }] })).status).toBe(404);
});

test('of sends at the same time, each has its own result', async () => {
  const messages = [await aRequestable(team), await aRequestable(team)] as const;
  const draft = `/v2/partner/messages/${randomUUID()}/sends`;
  const contact_id = await aReader(team);
  const asked = Array.from({ length: 30 }, (_, at) => {
    const { path, messageId } = messages[at % 2] ?? messages[0];
    if (at === 7) return { path: draft, status: 404, body: { contact_id } };
    if (at === 13) return { path, status: 422, body: { contact_id, data: { order: 1 } } };
    if (at === 21) return { path, status: 422, body: { contact_id: randomUUID() } };
    return { path, messageId, status: 202, body: { contact_id, data: anOrder() } };
  });
  const replies = await Promise.all(asked.map(({ path, body }) => team.post(path, body)));
  expect(replies.map(({ status }) => status)).toEqual(asked.map(({ status }) => status));
  const accepted = replies.flatMap(({ body }, at) => (asked[at]?.messageId ? [body] : []));
  expect(accepted.map(({ message_id: id }) => id)).toEqual(
    asked.flatMap(({ messageId }) => messageId ?? []),
  );
  expect(new Set(accepted.map(({ id }) => id)).size).toBe(27);
});

test('a repeat with the same Idempotency-Key sends once', async () => {
  const { path } = await aRequestable(team);
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { contact_id: await aReader(team), data: anOrder() };
  const [first, second] = [
    await team.post(path, body, headers),
    await team.post(path, body, headers),
  ];
  expect(second.body).toEqual(first.body);
});

test('the erasure of a contact removes its waiting sends, and the data of those in flight', async () => {
  const { path } = await aRequestable(team);
  const contact_id = await aReader(team);
  const body = { contact_id, data: anOrder(), scheduled_at: inDays(1) };
  const [waiting, taken] = [await team.post(path, body), await team.post(path, body)];
  await api.db.look(
    (sql) => sql`
      update message_sends set is_claimed = true where id = ${taken.body.id} returning id`,
  );
  const other = await team.post(path, { ...body, contact_id: await aReader(team) });
  expect((await team.post(`/v2/partner/contacts/${contact_id}/erase`)).status).toBe(202);
  expect(await deliveryOf(waiting.body.id)).toMatchObject({ status: 'canceled' });
  expect(await waitingOf(waiting.body.id)).toEqual([]);
  const persons = { teamId: team.id, contactIds: [contact_id] };
  await api.db.database.transact((sql) => deleteSendData(sql, persons));
  expect(await waitingOf(taken.body.id)).toEqual([{ sealed_data: null, is_urgent: true }]);
  expect(await waitingOf(other.body.id)).toMatchObject([{ sealed_data: expect.anything() }]);
  await api.db.database.transact((sql) => cancelRequestedSends(sql, team.id, [randomUUID()]));
  expect(await deliveryOf(other.body.id)).toMatchObject({ status: 'scheduled' });
});

test('a send is claimed apart from the waiting messages of a campaign', async () => {
  const lane = 2;
  const readers = await readersIn(team, lane, 10);
  const campaign = await aSendingTemplate(team, [anEmail]);
  await lanes.send();
  await enrolled(team, campaign, readers.slice(0, 10));
  await lanes.decide();
  const { path } = await aRequestable(team);
  for (const contact_id of readers.slice(0, 9)) {
    expect((await team.post(path, { contact_id, data: anOrder() })).status).toBe(202);
  }
  const taken = (isUrgent: boolean) =>
    api.db.look(async (sql) => {
      const room = { channel: 'email', room: 20 } as const;
      const rows = await takeShared(sql, lane, room, Date.now() + 2_000, isUrgent);
      return rows.map(({ is_urgent }) => ({ is_urgent }));
    });
  expect(await taken(true)).toEqual(Array.from({ length: 9 }, () => ({ is_urgent: true })));
  expect(await taken(false)).toEqual(Array.from({ length: 10 }, () => ({ is_urgent: false })));
});

test('a send wakes the lane of its contact, unless it is scheduled', async () => {
  const { path } = await aRequestable(team);
  const [now, later] = [await readersIn(team, 1, 1), await readersIn(team, 3, 1)];
  const announced: string[] = [];
  const listener = openListener(api.db.database);
  listener.subscribe(
    (work) => work.startsWith('urgent_sends'),
    (work) => announced.push(work),
  );
  await untilTrue(() => listener.backendPid() !== undefined);
  const send = (contact_id: string | undefined, more: object = {}) =>
    team.post(path, { contact_id, data: anOrder(), ...more });
  expect((await send(later[0], { scheduled_at: inDays(1) })).status).toBe(202);
  expect((await send(now[0])).status).toBe(202);
  await untilTrue(() => announced.length > 0);
  expect(announced).toEqual(['urgent_sends/1']);
  listener.stop();
});
