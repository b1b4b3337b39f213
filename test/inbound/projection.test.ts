import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { projectStored } from '../../src/inbound/project.ts';
import { aReceiver, anEvent, receiversPath } from './a-receiver.ts';
import type { TestReceiver } from './a-receiver.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const newContact = async (fields: object = {}, owner = team) => {
  const reply = await owner.post('/v2/partner/contacts', {
    unique_id: randomUUID(),
    email: `${randomUUID()}@example.com`,
    ...fields,
  });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
};

/** A send, as the engine writes it. */
async function aSend(contactId: string, fields: object = {}, owner = team) {
  const row = {
    team_id: owner.id,
    message_id: randomUUID(),
    template_id: randomUUID(),
    contact_id: contactId,
    channel: 'email',
    status: 'queued',
    provider_message_id: randomUUID(),
    ...fields,
  };
  const [made] = await api.db.look(
    (sql) => sql<{ id: string; provider_message_id: string; message_id: string }[]>`
      insert into message_deliveries ${sql(row)} returning *`,
  );
  if (!made) throw new Error('nothing was made');
  return made;
}

const mail = (fields: object = {}) => ({
  kind: 'email_b',
  event: 'delivered',
  recipient: `${randomUUID()}@example.com`,
  timestamp: Math.floor(Date.now() / 1_000),
  email_b_event_id: randomUUID(),
  message_id: randomUUID(),
  ...fields,
});

async function take(receiver: TestReceiver, body: object) {
  const reply = await receiver.send(body);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return deliveryOf(receiver, String(reply.body.delivery_id));
}
const deliveryOf = async (receiver: TestReceiver, id: string) =>
  (await team.get(`/v2/webhooks/inbound/${receiver.id}/deliveries/${id}`)).body;
const sendOf = async (id: string) => (await team.get(`/v2/partner/message-deliveries/${id}`)).body;
const contactOf = async (id: string) => (await team.get(`/v2/partner/contacts/${id}`)).body;
const suppressionsOf = async (address: string) =>
  (await team.get(`/v2/partner/suppressions?filter[address]=${encodeURIComponent(address)}`)).body
    .data;

describe('the subject of an event', () => {
  test('is found by the provider’s id of the message', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const contact = await newContact();
    const send = await aSend(contact.id);
    const delivery = await take(receiver, mail({ message_id: send.provider_message_id }));
    expect(delivery).toMatchObject({
      status: 'processed',
      linked: {
        message_delivery_id: send.id,
        message_id: send.message_id,
        contact_id: contact.id,
      },
    });
    const event = await team.get(
      `/v2/partner/engagement-events/${String(delivery.linked.engagement_event_id)}`,
    );
    expect(event.body).toMatchObject({
      kind: 'message.delivered',
      channel: 'email',
      source: 'inbound',
      contact_id: contact.id,
      receiver_id: receiver.id,
      inbound_delivery_id: delivery.id,
      is_machine: false,
    });
  });

  test('is found by the id of the send, or by message and contact', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const contact = await newContact();
    const send = await aSend(contact.id);
    const byId = await take(receiver, mail({ do_message_id: send.id }));
    expect(byId.linked.message_delivery_id).toBe(send.id);
    const ids = { do_message_id: send.message_id, do_contact_id: contact.id };
    const byBoth = await take(receiver, mail(ids));
    expect(byBoth.linked.message_delivery_id).toBe(send.id);
    expect(byBoth).toMatchObject(ids);
  });

  test('never belongs to another team: the event remains unlinked with a link_error', async () => {
    const stranger = await api.newTeam();
    const theirs = await newContact({}, stranger);
    const send = await aSend(theirs.id, {}, stranger);
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const delivery = await take(
      receiver,
      mail({
        event: 'open',
        message_id: send.provider_message_id,
        do_message_id: send.id,
        do_contact_id: theirs.id,
      }),
    );
    expect(delivery.status).toBe('processed');
    expect(Object.keys(delivery.linked)).toEqual(['engagement_event_id']);
    expect(delivery.link_error).toContain('do_contact_id');
    const untouched = await stranger.get(`/v2/partner/message-deliveries/${send.id}`);
    expect(untouched.body).toMatchObject({ status: 'queued', open_count: 0 });
  });
});

describe('the status of a message', () => {
  test('advances and never moves back, regardless of the order of reports', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const send = await aSend((await newContact()).id);
    const report = async (event: string) => {
      await take(receiver, mail({ event, message_id: send.provider_message_id }));
      return (await sendOf(send.id)).status;
    };
    expect(await report('deferred')).toBe('delayed');
    expect(await report('delivered')).toBe('delivered');
    expect(await report('deferred')).toBe('delivered');
    expect(await report('processed')).toBe('delivered');
    const after = await sendOf(send.id);
    expect(after.delivered_at).toBeDefined();
  });

  test('counts opens and clicks once each, and machine opens separately', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const send = await aSend((await newContact()).id, { status: 'delivered' });
    const about = { message_id: send.provider_message_id };
    const open = mail({ event: 'open', ...about });
    await take(receiver, open);
    await take(receiver, open);
    await take(receiver, mail({ event: 'open', ...about }));
    await take(receiver, mail({ event: 'open', is_machine_open: true, ...about }));
    await take(receiver, mail({ event: 'click', url: 'https://example.com/start', ...about }));
    expect(await sendOf(send.id)).toMatchObject({
      status: 'delivered',
      open_count: 2,
      machine_open_count: 1,
      click_count: 1,
    });
  });

  test('is sent to subscribers as events', async () => {
    const own = await api.newTeam();
    await subscribe(api, own);
    const receiver = await aReceiver(api, own, { receiver_kind: 'email_b' });
    const send = await aSend((await newContact({}, own)).id, {}, own);
    for (const event of ['delivered', 'open', 'delivered']) {
      await receiver.send(mail({ event, message_id: send.provider_message_id }));
    }
    const events = await eventsOf(api, own, send.id);
    expect(events.map(({ type }) => type)).toEqual(['message.delivered', 'message.opened']);
    expect(events[0]).toMatchObject({ previous: { status: 'queued' } });
  });
});

describe('addresses', () => {
  test('a hard bounce suppresses the address and marks its contact', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const contact = await newContact();
    await take(receiver, mail({ event: 'bounce', recipient: contact.email }));
    expect(await suppressionsOf(contact.email)).toMatchObject([
      { reason: 'hard_bounce', source: 'inbound' },
    ]);
    expect((await contactOf(contact.id)).email_status).toBe('bounced');
  });

  test('a complaint suppresses the address', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const contact = await newContact();
    await take(receiver, mail({ event: 'spamreport', recipient: contact.email }));
    expect(await suppressionsOf(contact.email)).toMatchObject([{ reason: 'complaint' }]);
  });

  const daysAgo = (days: number) => Math.floor(Date.now() / 1_000) - days * 86_400;
  const full = { event: 'blocked', status: '5.2.2' };

  test('three soft bounces within a fortnight suppress the address', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const { id, email: recipient } = await newContact();
    for (const days of [18, 9, 3]) {
      await take(receiver, mail({ ...full, recipient, timestamp: daysAgo(days) }));
    }
    expect(await suppressionsOf(recipient)).toEqual([]);
    const last = mail({ ...full, recipient, timestamp: daysAgo(1) });
    await take(receiver, last);
    expect(await suppressionsOf(recipient)).toMatchObject([{ reason: 'soft_bounces' }]);
    expect((await contactOf(id)).email_status).toBe('soft_bouncing');
  });

  test('a refusal of the content is no soft bounce of the address', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const { email: recipient } = await newContact();
    for (const days of [4, 3, 2, 1]) {
      const refused = { event: 'blocked', status: '5.7.1' };
      await take(receiver, mail({ ...refused, recipient, timestamp: daysAgo(days) }));
    }
    expect(await suppressionsOf(recipient)).toEqual([]);
  });

  test('a delivery ends the count of the soft bounces before it', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const { email: recipient } = await newContact();
    const report = (event: object, days: number) =>
      mail({ ...event, recipient, timestamp: daysAgo(days) });
    // Events of one call count in the order of their times.
    await receiver.send([report(full, 9), report(full, 8)]);
    await receiver.send([report({}, 7), report(full, 6)]);
    await receiver.send([report(full, 5)]);
    expect(await suppressionsOf(recipient)).toEqual([]);
    await receiver.send([report(full, 4)]);
    expect(await suppressionsOf(recipient)).toMatchObject([{ reason: 'soft_bounces' }]);
  });

  test('a delivery lifts a suppression by soft bounces before it, and no other', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const { id, email: recipient } = await newContact();
    const report = (event: object, days: number) =>
      mail({ ...event, recipient, timestamp: daysAgo(days) });
    await receiver.send([report(full, 5), report(full, 4), report(full, 2)]);
    await receiver.send([report({}, 3)]);
    expect(await suppressionsOf(recipient)).toMatchObject([{ reason: 'soft_bounces' }]);
    await receiver.send([report({}, 1)]);
    expect(await suppressionsOf(recipient)).toEqual([]);
    expect((await contactOf(id)).email_status).toBe('unknown');
    await receiver.send([report({ event: 'bounce' }, 1), report({}, 0)]);
    expect(await suppressionsOf(recipient)).toMatchObject([{ reason: 'hard_bounce' }]);
  });

  test('an unsubscribe revokes the consent, and suppresses an address without a contact', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
    const consents = { email: { status: 'subscribed', source: 'form' } };
    const contact = await newContact({ consents });
    await take(receiver, mail({ event: 'unsubscribe', recipient: contact.email }));
    expect((await contactOf(contact.id)).consents.email).toMatchObject({
      status: 'unsubscribed',
      source: 'inbound:email_b',
    });
    const unknown = `${randomUUID()}@example.com`;
    await take(receiver, mail({ event: 'unsubscribe', recipient: unknown }));
    expect(await suppressionsOf(unknown)).toMatchObject([{ reason: 'unsubscribe' }]);
  });
});

test('STOP revokes the consent to text messages and START grants it again', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'sms_a' });
  const phone = `+1415${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
  const contact = await newContact({ phone });
  const text = (words: string) => ({
    kind: 'sms_a',
    event: 'received',
    sms_a_message_id: randomUUID(),
    to: '+14155550100',
    from: phone,
    text: words,
  });
  const smsOf = async () => (await contactOf(contact.id)).consents.sms.status;
  await take(receiver, text('Stop'));
  expect(await smsOf()).toBe('unsubscribed');
  await take(receiver, text('what is this'));
  expect(await smsOf()).toBe('unsubscribed');
  await take(receiver, text('START'));
  expect(await smsOf()).toBe('subscribed');
});

test('a token that the provider reports as invalid deactivates its device', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'push_a' });
  const contact = await newContact();
  const token = randomUUID();
  const path = `/v2/partner/contacts/${String(contact.id)}/devices`;
  await team.post(path, { token, platform: 'ios' });
  await take(receiver, {
    kind: 'push_a',
    event: 'token_invalid',
    push_a_message_id: randomUUID(),
    timestamp: new Date().toISOString(),
    raw_bus_message_id: randomUUID(),
    device_token_hash: createHash('sha256').update(token).digest('hex'),
  });
  expect((await team.get(path)).body.data[0].is_active).toBe(false);
});

test('an event with the key of an objective completes it, once', async () => {
  const receiver = await aReceiver(api, team);
  const contact = await newContact();
  const key = `deposit-${randomUUID()}`;
  const objective = await team.post('/v2/partner/objectives', { name: 'Deposit', key });
  expect(objective.status).toBe(201);
  const event = anEvent({
    objective_key: key,
    contact_unique_id: contact.unique_id,
    value_cents: 12_500,
  });
  await take(receiver, event);
  await take(receiver, event);
  const done = await team.get(
    `/v2/partner/objectives/${String(objective.body.id)}/completions?meta=count`,
  );
  expect(done.body.data).toMatchObject([
    { contact_id: contact.id, value_cents: 12_500, source: 'inbound' },
  ]);
  const unknown = await take(receiver, anEvent({ objective_key: key, contact_unique_id: 'none' }));
  expect(unknown.link_error).toContain('contact_unique_id');
});

test('a replay does not repeat effects', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const send = await aSend((await newContact()).id, { status: 'delivered' });
  const delivery = await take(
    receiver,
    mail({ event: 'open', message_id: send.provider_message_id }),
  );
  for (let round = 0; round < 2; round += 1) {
    const again = await api.db.database.transact((sql) =>
      projectStored(sql, api.keyring, team.id, delivery.id),
    );
    expect(again).toMatchObject({
      status: 'processed',
      engagementEventId: delivery.linked.engagement_event_id,
    });
  }
  expect((await sendOf(send.id)).open_count).toBe(1);
  const events = await team.get(
    `/v2/partner/engagement-events?filter[kind]=message.opened&page[size]=200`,
  );
  const about = events.body.data.filter(
    (one: { inbound_delivery_id: string }) => one.inbound_delivery_id === delivery.id,
  );
  expect(about).toHaveLength(1);
});

test('a replay finds a contact that was created later', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
  const providerId = randomUUID();
  const delivery = await take(receiver, mail({ event: 'open', message_id: providerId }));
  expect(delivery.linked.contact_id).toBeUndefined();
  const send = await aSend((await newContact()).id, { provider_message_id: providerId });
  await api.db.database.transact((sql) =>
    projectStored(sql, api.keyring, team.id, String(delivery.id)),
  );
  expect((await sendOf(send.id)).open_count).toBe(1);
  expect((await deliveryOf(receiver, delivery.id)).linked.message_delivery_id).toBe(send.id);
});

test('a replay parses an unrecognized callback again from its bytes', async () => {
  const receiver = await aReceiver(api, team);
  const contact = await newContact();
  const body = { id: 'evt-1', what: 'a.b', data: { do_contact_id: contact.id } };
  const delivery = await take(receiver, body);
  expect(delivery).toMatchObject({ status: 'failed', error: { code: 'payload_unrecognised' } });
  const replay = () =>
    api.db.database.transact((sql) => projectStored(sql, api.keyring, team.id, delivery.id));
  await expect(replay()).rejects.toMatchObject({ status: 409 });
  const settings = { event_id_at: '/id', event_type_at: '/what' };
  await team.patch(`${receiversPath}/${receiver.id}/verification`, settings);
  await replay();
  const after = await deliveryOf(receiver, delivery.id);
  expect(after).toMatchObject({
    status: 'processed',
    event_type: 'a.b',
    provider_event_id: 'evt-1',
    linked: { contact_id: contact.id },
  });
  expect(after).not.toHaveProperty('error');
});

test('an event that cannot be applied is answered 200, stored as failed, and does not affect others', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_b' });
  await refuseEngagement('of-the-bad-one');
  try {
    const bad = mail({ event: 'click', url: 'https://example.com/of-the-bad-one' });
    const reply = await receiver.send([mail(), bad, mail()]);
    expect(reply.body).toMatchObject({ status: 'accepted', accepted: 3 });
    const { data } = await receiver.deliveries('?sort=-received_at');
    expect(data.map(({ status }: { status: string }) => status).sort()).toEqual([
      'failed',
      'processed',
      'processed',
    ]);
    const failed = data.find(({ status }: { status: string }) => status === 'failed');
    expect(failed).toMatchObject({ error: { code: 'projection_failed' }, attempts: 1 });
    expect(Date.parse(failed.next_attempt_at) - Date.parse(failed.received_at)).toBeGreaterThan(
      50_000,
    );
    const entries = await api.db.look(
      (sql) => sql`select from workflow_outbox where workflow = 'inbound' and key = ${receiver.id}`,
    );
    expect(entries).toHaveLength(1);
  } finally {
    await api.db.look((sql) => sql`alter table engagement_events drop constraint refused`);
  }
});

/** Makes Postgres refuse events with a URL that ends so. */
async function refuseEngagement(ending: string) {
  await api.db.look((sql) =>
    sql.unsafe(
      `alter table engagement_events add constraint refused check (url not like '%${ending}') not valid`,
    ),
  );
}
