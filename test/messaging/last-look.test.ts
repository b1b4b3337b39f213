import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  deliveriesOf,
  enrolled,
  mailboxOf,
} from '../journeys/a-send.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
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

const aPush = {
  ...{ name: 'Push', channel: 'push', title: 'Hi', body: 'Hello {{ contact.first_name }}' },
  respect_quiet_hours: false,
};
const contactPath = (contact: string, rest = '') => `/v2/partner/contacts/${contact}${rest}`;

/** Whoever is written to, whose delivery is decided and waits to be sent. */
interface Awaiting {
  contact: string;
  template: { id: string };
  journey: string;
}

async function awaiting(message: object): Promise<Awaiting> {
  const template = await aSendingTemplate(team, [message]);
  const contact = await aReader(team, { phone: '+14155550177' });
  const device = { token: randomUUID(), platform: 'ios' };
  expect((await team.post(contactPath(contact, '/devices'), device)).status).toBe(201);
  const [journey = ''] = await enrolled(team, template, [contact]);
  await lanes.decide();
  expect(await deliveriesOf(team, template.id)).toMatchObject([{ status: 'queued' }]);
  return { contact, template, journey };
}

/** Sends, expects an empty queue, and returns the delivery. */
async function ended({ template, contact }: Awaiting) {
  await lanes.send();
  const [delivery] = await deliveriesOf(team, template.id);
  expect((await mailboxOf(team)).filter(({ contact_id: id }) => id === contact)).toEqual([]);
  expect(await queued()).toEqual([]);
  return delivery;
}

const queued = () =>
  api.db.look((sql) => sql`select id from message_sends where team_id = ${team.id}`);

async function withdrawConsent(contact: string) {
  const consents = { email: { status: 'unsubscribed', source: 'branch' } };
  expect((await team.patch(contactPath(contact), { consents })).status).toBe(200);
}
async function suppress(contact: string) {
  const whom = { channel: 'all', contact_id: contact };
  expect((await team.post('/v2/partner/suppressions', whom)).status).toBe(201);
}
async function takeNumber(contact: string) {
  expect((await team.patch(contactPath(contact), { phone: null })).status).toBe(200);
}
async function takeDevice(contact: string) {
  const { body } = await team.get(contactPath(contact, '/devices'));
  const path = contactPath(contact, `/devices/${String(body.data[0].id)}`);
  expect((await team.delete(path)).status).toBe(204);
}

const refusals: [what: string, message: object, act: (id: string) => Promise<void>, why: string][] =
  [
    ['withdraws the consent', anEmail, withdrawConsent, 'no_consent'],
    ['is suppressed', aPush, suppress, 'suppressed'],
    ['has no number any more', aText, takeNumber, 'missing_address'],
    ['has no device any more', aPush, takeDevice, 'missing_address'],
  ];

test.each(refusals)(
  'a contact that %s after the decision gets nothing, and the delivery names the reason',
  async (_, message, act, skip_reason) => {
    const waiting = await awaiting(message);
    await act(waiting.contact);
    expect(await ended(waiting)).toMatchObject({ status: 'skipped', skip_reason });
  },
);

test('a queued message that is skipped in the end sends message.skipped, once', async () => {
  await subscribe(api, team);
  const waiting = await awaiting(aText);
  await takeNumber(waiting.contact);
  const { id } = await ended(waiting);
  await lanes.send();
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'message.skipped', data: { status: 'skipped' }, previous: { status: 'queued' } },
  ]);
});

test('a decided message is canceled with its journey before it is sent', async () => {
  const waiting = await awaiting(anEmail);
  const canceled = await team.post(`/v2/partner/journeys/${waiting.journey}/cancel`);
  expect(canceled.status).toBe(200);
  expect(await ended(waiting)).toMatchObject({ status: 'canceled' });
});

test('a waiting delivery of a deleted journey is canceled', async () => {
  const waiting = await awaiting(anEmail);
  await api.db.look((sql) => sql`delete from journeys where id = ${waiting.journey}`);
  expect(await ended(waiting)).toMatchObject({ status: 'canceled' });
});
