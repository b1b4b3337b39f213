import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aReader, aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { aTestRecipient } from '../messaging/a-test-recipient.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';

let service: SendingService;
let api: TestApi;
let team: TestTeam;
let provider: Receiver;
const key = 'the key of the app';

beforeAll(async () => {
  provider = await startReceiver();
  provider.answer(() => ({ status: 200, body: JSON.stringify({ id: randomUUID() }) }));
  service = await startSendingService({
    PUSH_SENDER: 'push_b',
    PUSH_PROVIDER_URL: new URL(provider.url).origin,
    PUSH_PROVIDER_ACCOUNT: 'the app',
    PUSH_PROVIDER_KEY: key,
  });
  ({ api } = service);
  team = await anUnboundedTeam(api);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const aPush = {
  ...{ name: 'Push', channel: 'push', title: 'For {{ contact.first_name }}', body: 'Your card' },
  ...{ image_url: 'https://bank.example/card.png', deep_link: 'bank://card' },
  ...{ data: { screen: 'card' }, respect_quiet_hours: false },
};

const devicesOf = (contact: string) => `/v2/partner/contacts/${contact}/devices`;
async function register(contact: string, token: string): Promise<string> {
  const { status, body } = await team.post(devicesOf(contact), { token, platform: 'ios' });
  expect(status).toBeLessThan(300);
  return String(body.id);
}

/** Tokens that begin with a name, so that a failure shows their owner. */
const aToken = (name: string) => `${name}-${randomUUID()}`;

/** The deliveries of a template once all of them have a status. */
const allAre = (template: { id: string }, status: string, count: number) =>
  eventually(
    () => deliveriesOf(team, template.id),
    (all) => all.length === count && all.every((one) => one.status === status),
  );

/** Requests of a delivery that the provider received. */
const pushesOf = ({ id }: { id: string }) =>
  provider.received.filter(({ event }) => event.idempotency_key === id);

test('a push goes to the active devices of its contact, the latest seen first, and to no other', async () => {
  const [ada, bob] = [await aReader(team), await aReader(team, { first_name: 'Bob' })];
  const [older, newer, moved] = [aToken('older'), aToken('newer'), aToken('moved')];
  const [gone, invalid, ofBob] = [aToken('gone'), aToken('invalid'), aToken('of-bob')];
  for (const token of [newer, moved, invalid, older]) await register(ada, token);
  const removed = await register(ada, gone);
  await register(bob, ofBob);
  expect((await team.delete(`${devicesOf(ada)}/${removed}`)).status).toBe(204);
  // Another contact signs in on it, and Ada on hers again.
  await register(bob, moved);
  await register(ada, newer);
  const receiver = await aReceiver(api, team, { receiver_kind: 'push_a' });
  const reported = await receiver.send({
    ...{ kind: 'push_a', event: 'token_invalid', push_a_message_id: randomUUID() },
    ...{ timestamp: new Date().toISOString(), raw_bus_message_id: randomUUID() },
    device_token_hash: createHash('sha256').update(invalid).digest('hex'),
  });
  expect(reported.body.status).toBe('accepted');
  const inactive = async () => {
    const { body } = await team.get(`${devicesOf(ada)}?filter[is_active]=false`);
    return body.data.length === 1;
  };
  await untilTrue(inactive);
  const stored = await api.db.look(
    (sql) => sql<{ sealed_token: string }[]>`
      select sealed_token from contact_devices where team_id = ${team.id}`,
  );
  expect(JSON.stringify(stored)).not.toContain(newer);

  const template = await aSendingTemplate(team, [aPush]);
  const [journey] = await enrolled(team, template, [ada]);
  await enrolled(team, template, [bob]);
  const sent = await allAre(template, 'sent', 2);
  const deliveryOf = (contact: string) => sent.find(({ contact_id: id }) => id === contact);
  const [push, ...more] = pushesOf(deliveryOf(ada));
  expect(more).toEqual([]);
  expect(push?.headers.authorization).toBe(`Key ${key}`);
  expect(push?.event).toMatchObject({
    ...{ app_id: 'the app', include_subscription_ids: [newer, older] },
    ...{ headings: { en: 'For Ada' }, contents: { en: 'Your card' } },
    ...{ big_picture: aPush.image_url, url: aPush.deep_link },
    data: {
      ...{ screen: 'card', do_message_id: template.messageIds[0] },
      ...{ do_contact_id: ada, do_journey_id: journey },
    },
  });
  expect(deliveryOf(ada)).toMatchObject({
    ...{ channel: 'push', provider: 'push_b', provider_message_id: expect.any(String) },
    to_masked: `***${newer.slice(-4)}`,
  });
  expect(pushesOf(deliveryOf(bob))).toMatchObject([
    { event: { headings: { en: 'For Bob' }, include_subscription_ids: [moved, ofBob] } },
  ]);
});

test('each of several concurrent pushes names each device of its contact once', async () => {
  const contact = await aReader(team);
  const [older, newer] = [aToken('older'), aToken('newer')];
  for (const token of [older, newer]) await register(contact, token);
  const template = await aSendingTemplate(team, [aPush, aPush, aPush]);
  await enrolled(team, template, [contact]);
  const sent = await allAre(template, 'sent', 3);
  expect(
    sent.flatMap((one) => pushesOf(one)).map(({ event }) => event.include_subscription_ids),
  ).toEqual(sent.map(() => [newer, older]));
});

test('a contact without a device gets no push, and its delivery names the reason', async () => {
  const [none, lost] = [await aReader(team), await aReader(team)];
  const device = await register(lost, aToken('lost'));
  await team.delete(`${devicesOf(lost)}/${device}`);
  const template = await aSendingTemplate(team, [aPush]);
  await enrolled(team, template, [none, lost]);
  const skipped = await allAre(template, 'skipped', 2);
  for (const delivery of skipped) {
    expect(delivery).toMatchObject({ skip_reason: 'missing_address' });
    expect(pushesOf(delivery)).toEqual([]);
    const { body } = await team.get(
      `/v2/partner/message-deliveries/${String(delivery.id)}/explain`,
    );
    expect(body.summary).toBe(
      'It was not sent: the contact has no address, number or device for this channel.',
    );
  }
});

test('a test push goes to each named token separately, and is not counted', async () => {
  const template = await aSendingTemplate(team, [aPush]);
  const message = `/v2/partner/messages/${template.messageIds[0] ?? ''}`;
  const to = [aToken('first'), aToken('second')];
  for (const token of to) await aTestRecipient(api, team, 'push', token);
  const { status, body } = await team.post(`${message}/test-sends`, { to });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    channel: 'push',
    sends: to.map((token) => ({ to_masked: `***${token.slice(-4)}` })),
  });
  const queue = () =>
    api.db.look(
      (sql) => sql<{ sealed_test_address: string }[]>`
        select sealed_test_address from message_sends where team_id = ${team.id}`,
    );
  const pushes = () => body.sends.flatMap((send: { id: string }) => pushesOf(send));
  await untilTrue(() => pushes().length === to.length);
  expect(pushes().map(({ event }: Receiver['received'][number]) => event)).toMatchObject(
    to.map((token) => ({
      ...{ include_subscription_ids: [token], headings: { en: 'For Ada' } },
      ...{ contents: { en: 'Your card' }, url: aPush.deep_link },
    })),
  );
  await eventually(queue, ({ length }) => length === 0);
  expect(await deliveriesOf(team, template.id)).toEqual([]);
  expect((await team.post(`${message}/test-sends`, { to: [''] })).status).toBe(422);
});
