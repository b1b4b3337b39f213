import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at, templates } from '../campaigns/a-template.ts';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  deliveriesOf,
  enrolled,
  mailboxOf,
} from '../journeys/a-send.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { anActiveUser } from './a-test-recipient.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;

beforeAll(async () => {
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  await subscribe(api, team);
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

const queued = () =>
  api.db.look((sql) => sql`select id from message_sends where team_id = ${team.id}`);

const quoted = '{{ contact.attributes.story }}';
/** Becomes too long for contacts with a long attribute. */
const aLongEmail = { ...anEmail, body_html: `<p>${quoted.repeat(250)}</p>` };

test('a message that cannot be rendered for a contact fails without a retry; other contacts receive theirs', async () => {
  const template = await aSendingTemplate(team, [aLongEmail]);
  const [short, long] = [
    await aReader(team, { attributes: { story: 'none' } }),
    await aReader(team, { attributes: { story: '"'.repeat(1_000) } }),
  ];
  await enrolled(team, template, [short, long]);
  await lanes.decide();
  await lanes.send();
  const byContact = new Map(
    (await deliveriesOf(team, template.id)).map((one) => [one.contact_id, one]),
  );
  expect(byContact.get(short)).toMatchObject({ status: 'sent' });
  const failed = byContact.get(long);
  expect(failed).toMatchObject({
    ...{ status: 'failed', bounce: { code: 'rendering_failed' } },
    failed_at: expect.any(String),
  });
  expect(failed.provider).toBeUndefined();
  expect(failed.sent_at).toBeUndefined();
  expect(await queued()).toEqual([]);
  const kept = await mailboxOf(team);
  expect(kept.map(({ contact_id: id }) => id)).toEqual([short]);

  expect(await eventTypesOf(api, team, failed.id)).toEqual(['message.failed']);
  const explained = await team.get(`/v2/partner/message-deliveries/${String(failed.id)}/explain`);
  expect(explained.body).toMatchObject({ summary: 'It could not be sent.' });
  const stats = await team.get(`/v2/partner/templates/${template.id}/messages`);
  expect(stats.body.data[0].stats).toMatchObject({ queued: 2, sent: 1, failed: 1 });
});

/** The messages of tests: they belong to no contact. */
const testsKept = async () =>
  (await mailboxOf(team))
    .filter(({ contact_id: id }) => id === null)
    .map(({ recipient }) => recipient);

test('a test send of a deleted message, or of one that cannot be rendered, is dropped', async () => {
  const template = await team.post(templates, { name: 'Draft' });
  const made = async (message: object) => {
    const { status, body } = await team.post(at(template.body.id, '/messages'), message);
    expect(status).toBe(201);
    return String(body.id);
  };
  const [gone, broken, good] = [await made(anEmail), await made(anEmail), await made(anEmail)];
  const addressOf = (id: string) => `${id}@example.com`;
  for (const id of [gone, broken, good]) {
    const to = [addressOf(id)];
    await anActiveUser(team, addressOf(id));
    expect((await team.post(`/v2/partner/messages/${id}/test-sends`, { to })).status).toBe(202);
  }
  expect(await queued()).toHaveLength(3);
  await api.db.look((sql) => sql`delete from messages where id = ${gone}`);
  await api.db.look(
    (sql) => sql`
      update messages set subject = '{{ template.deadline_at | date: "%Y", "No/Where" }}'
      where id = ${broken}`,
  );
  await lanes.send();
  expect(await queued()).toEqual([]);
  expect(await testsKept()).toEqual([addressOf(good)]);
});

test('a value that is cut in the middle of a character leaves no half of it', async () => {
  const template = await aSendingTemplate(team, [{ ...aText, body: quoted }]);
  const attributes = { story: `${'x'.repeat(999)}😀` };
  const contact = await aReader(team, { phone: '+14155550177', attributes });
  await enrolled(team, template, [contact]);
  await lanes.decide();
  await lanes.send();
  expect(await deliveriesOf(team, template.id)).toMatchObject([{ status: 'sent' }]);
  const [message] = (await mailboxOf(team)).filter(({ contact_id: id }) => id === contact);
  expect(message?.content).toMatchObject({ body: 'x'.repeat(999) });
});
