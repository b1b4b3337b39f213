import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { anActiveUser } from '../messaging/a-test-recipient.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';

let service: SendingService;
let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  service = await startSendingService({
    SMTP_FAMILY: 'email_c',
    SEND_RETRY_SCHEDULE_SECONDS: '0.2,0.2',
  });
  ({ api } = service);
  team = await anUnboundedTeam(api);
});
afterAll(() => service.stop());

/** The one delivery of a template once it has a status. */
async function delivered(template: { id: string }, status: string) {
  const [delivery] = await eventually(
    () => deliveriesOf(team, template.id),
    ([one]) => one?.status === status,
  );
  return delivery;
}

test('a message leaves by SMTP, and the callback of the provider finds its delivery', async () => {
  const template = await aSendingTemplate(team, [
    { ...anEmail, from_name: 'The Bank', reply_to: 'help@bank.example' },
  ]);
  const email = `${randomUUID()}@example.com`;
  const contact = await aReader(team, { email, first_name: 'Zoë' });
  const [journey = ''] = await enrolled(team, template, [contact]);
  const sent = await delivered(template, 'sent');
  expect(sent).toMatchObject({
    provider: 'smtp',
    provider_message_id: `${String(sent.id)}@bank.example`,
  });
  const [message] = service.mailsTo(email);
  expect(message?.messageId).toBe(sent.provider_message_id);
  const source = message?.source.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
  expect(source).toMatch(/^From: "?The Bank"? <hello@bank\.example>/m);
  expect(source).toMatch(/^Reply-To: help@bank\.example/m);
  expect(source).toMatch(/^List-Unsubscribe: <http:\/\/onward\.test\/unsubscribe\/dou~/m);
  expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
  expect(source.toLowerCase()).toContain(`x-do-message-id: ${template.messageIds[0] ?? ''}`);
  const variables: unknown = JSON.parse(/^X-Mailgun-Variables: (.*)$/m.exec(source)?.[1] ?? '{}');
  expect(variables).toEqual({
    do_message_id: template.messageIds[0],
    do_contact_id: contact,
    do_journey_id: journey,
  });

  const signing_key = 'the account’s key';
  const receiver = await aReceiver(api, team, {
    receiver_kind: 'email_c',
    verification: { signing_key },
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const token = randomUUID().replaceAll('-', '').padEnd(50, '0');
  const signature = createHmac('sha256', signing_key)
    .update(timestamp + token)
    .digest('hex');
  const callback = {
    signature: { timestamp, token, signature },
    'event-data': {
      ...{ id: randomUUID(), event: 'delivered', timestamp: Number(timestamp), recipient: email },
      message: { headers: { 'message-id': message?.messageId } },
      'user-variables': variables,
    },
  };
  expect((await api.call('POST', receiver.path, { body: callback })).body.status).toBe('accepted');
  await delivered(template, 'delivered');
});

test('a temporary refusal of a server is retried under the same id; a permanent one fails', async () => {
  const template = await aSendingTemplate(team);
  const [later, never] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
  let tries = 0;
  service.mail.refuse((recipient) => {
    if (recipient === never) return 550;
    return recipient === later && ++tries < 3 ? 451 : undefined;
  });
  const [first, second] = [
    await aReader(team, { email: later }),
    await aReader(team, { email: never }),
  ];
  await enrolled(team, template, [first, second]);
  const found = await eventually(
    () => deliveriesOf(team, template.id),
    (all) => all.length === 2 && all.every(({ status }) => status !== 'queued'),
  );
  service.mail.refuse(() => undefined);
  const byContact = new Map(found.map((one) => [one.contact_id, one]));
  expect(byContact.get(first)).toMatchObject({ status: 'sent' });
  expect(byContact.get(second)).toMatchObject({ status: 'failed', bounce: { code: 'smtp_550' } });
  expect(tries).toBe(3);
  expect(service.mailsTo(later)).toMatchObject([
    { messageId: `${byContact.get(first).id}@bank.example` },
  ]);
});

test('a message that is never accepted fails after its last attempt', async () => {
  const template = await aSendingTemplate(team);
  service.mail.refuse(() => 451);
  await enrolled(team, template, [await aReader(team)]);
  const failed = await delivered(template, 'failed');
  service.mail.refuse(() => undefined);
  expect(failed).toMatchObject({ provider: 'smtp', bounce: { code: 'smtp_451' } });
});

test('one click unsubscribes without a page before; a view of the page does not', async () => {
  const template = await aSendingTemplate(team);
  const email = `${randomUUID()}@example.com`;
  const contact = await aReader(team, { email });
  await enrolled(team, template, [contact]);
  const sent = await delivered(template, 'sent');
  const [message] = service.mailsTo(email);
  const source = message?.source.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
  const path = new URL(/^List-Unsubscribe: <(.*)>/m.exec(source)?.[1] ?? '').pathname;
  const consent = async () =>
    (await team.get(`/v2/partner/contacts/${contact}`)).body.consents.email;

  const page = await api.call('GET', path);
  expect(page.status).toBe(200);
  expect(page.body).toContain('<form method="post">');
  expect(await consent()).toMatchObject({ status: 'subscribed' });

  // RFC 8058 §3.2: either encoding, and nothing else.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    const done = await api.call('POST', path, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': type },
    });
    expect(done.status).toBe(200);
    expect(done.body).toContain('You are unsubscribed.');
  }
  expect(await consent()).toMatchObject({ status: 'unsubscribed', source: 'unsubscribe_link' });
  const delivery = await team.get(`/v2/partner/message-deliveries/${String(sent.id)}`);
  expect(delivery.body.unsubscribed_at).toBeDefined();
  const events = await team.get(
    `/v2/partner/engagement-events?filter[contact_id]=${contact}&filter[kind]=message.unsubscribed`,
  );
  expect(events.body.data).toHaveLength(1);
  expect((await api.call('POST', `${path}x`)).status).toBe(404);

  const another = await aSendingTemplate(team);
  await enrolled(team, another, [contact]);
  expect(await delivered(another, 'skipped')).toMatchObject({ skip_reason: 'no_consent' });
});

test('a test goes to the named addresses, and is not counted', async () => {
  const template = await aSendingTemplate(team);
  const path = `/v2/partner/messages/${template.messageIds[0] ?? ''}/test-sends`;
  const to = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
  for (const address of to) await anActiveUser(team, address);
  const { status, body } = await team.post(path, { to });
  expect(status).toBe(202);
  expect(body.sends).toHaveLength(2);
  expect(JSON.stringify(body)).not.toContain(to[0]);
  await untilTrue(() => to.every((address) => service.mailsTo(address).length === 1));
  expect(service.mailsTo(to[0] ?? '')[0]?.source).toContain('Hello Ada');
  const stats = await team.get(`/v2/partner/templates/${template.id}/messages`);
  expect(stats.body.data[0].stats).toMatchObject({ queued: 0, sent: 0 });
  const queue = () =>
    api.db.look((sql) => sql`select from message_sends where team_id = ${team.id}`);
  await eventually(queue, (rows) => rows.length === 0);
  expect((await team.post(path, { to: ['+14155550100'] })).status).toBe(422);
});
