import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { masked } from '../../src/campaigns/messages/rules.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import type { TestTeam } from '../support/api.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aRequestable } from './a-requested-send.ts';

// An opt-out from a topic belongs to the address as that from a channel does: opt-outs.test.ts.

const contacts = '/v2/partner/contacts';
const api = useTestApi();
let team: TestTeam;
let topic: string;
let other: string;
beforeAll(async () => {
  team = await anUnboundedTeam(api);
  await subscribe(api, team);
  [topic, other] = [await aTopic(), await aTopic()];
});

const anEmail = () => `${randomUUID()}@example.com`;
let numbers = 1_000;
const aNumber = () => `+1415556${String((numbers += 1))}`;
const subscribed = { status: 'subscribed', source: 'core_banking' };
const allConsents = { email: subscribed, sms: subscribed };

async function made(path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}
const aTopic = async () => String((await made('/v2/partner/topics', { name: randomUUID() })).id);
const aContact = async (fields: object) =>
  String((await made(contacts, { consents: allConsents, ...fields })).id);
async function upsert(unique_id: string, fields: object): Promise<string> {
  const items = [{ unique_id, consents: allConsents, ...fields }];
  const { summary } = await made('/v2/ipaas/operations/contacts.bulk_upsert/execute', { items });
  expect(summary).toMatchObject({ failed: 0 });
  return String((await team.get(`${contacts}/unique_id:${unique_id}`)).body.id);
}
const change = (id: string, body: object) => team.patch(`${contacts}/${id}`, body);
const put = (id: string, status: string, more: object = {}) =>
  team.put(`${contacts}/${id}/topic-consents/${topic}/email`, {
    ...{ status, source: 'branch' },
    ...more,
  });

/** The choices of a contact about topics; none where the defaults hold. */
async function chosen(id: string): Promise<string[]> {
  const { body } = await team.get(`${contacts}/${id}/topic-consents`);
  return body.topics.flatMap(({ topic_id, consents }: any) =>
    Object.entries<any>(consents).flatMap(([channel, { is_default: isDefault, status, source }]) =>
      isDefault ? [] : [`${topic_id === topic ? 'topic' : 'other'} ${channel} ${status} ${source}`],
    ),
  );
}

interface Recipient {
  id: string;
  email: string;
  phone: string;
  delivery: string;
  unsubscribe: string;
  preferences: string;
}

/** A contact, and a message of the topic that was sent to it. */
async function aRecipient(channel: 'email' | 'sms' = 'email', fields: object = {}) {
  const { id, email, phone } = await made(contacts, {
    ...{ email: anEmail(), phone: aNumber(), consents: allConsents },
    ...fields,
  });
  const row = {
    ...{ team_id: team.id, message_id: randomUUID(), template_id: randomUUID() },
    ...{ contact_id: id, topic_id: topic, channel, status: 'sent' },
    ...{
      sent_at: new Date().toISOString(),
      to_masked: masked(channel === 'email' ? email : phone),
    },
  };
  const [delivery = { id: '' }] = await api.db.look(
    (sql) => sql<{ id: string }[]>`insert into message_deliveries ${sql(row)} returning id`,
  );
  const urls = choiceUrls('', api.keyring, { team_id: team.id, id: delivery.id });
  const paths = { unsubscribe: urls.unsubscribe_url, preferences: urls.preferences_url };
  return { id, email, phone, delivery: delivery.id, ...paths };
}

const sendForm = (path: string, entries: [string, string][]) =>
  api.call('POST', path, {
    raw: new URLSearchParams(entries).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
async function leave({ unsubscribe }: Recipient): Promise<string> {
  const reply = await sendForm(unsubscribe, [['List-Unsubscribe', 'One-Click']]);
  expect(reply.status).toBe(200);
  return 'unsubscribe_link';
}
async function untick({ preferences }: Recipient): Promise<string> {
  const reply = await sendForm(preferences, [
    ['shown', `${topic}.email`],
    ['action', 'save'],
  ]);
  expect(reply.status).toBe(303);
  return 'preference_center';
}
const leftByLink = ['topic email unsubscribed unsubscribe_link'];

describe.each([
  ['the link', leave],
  ['the page of preferences', untick],
])('an opt-out from a topic by %s holds for', (_, optOut) => {
  test.each<[string, (address: { email: string }) => Promise<string>]>([
    ['made by a request', (address) => aContact(address)],
    ['imported', (address) => upsert(randomUUID(), address)],
    [
      'imported with proof for the channel',
      ({ email }) => {
        const proof = { ...subscribed, evidence: 'form 12' };
        return upsert(randomUUID(), { email, consents: { email: proof } });
      },
    ],
    [
      'changed to it by a request',
      async ({ email }) => {
        const id = await aContact({ email: anEmail() });
        await change(id, { email });
        return id;
      },
    ],
    [
      'changed to it by a request with its key',
      async ({ email }) => {
        const id = await aContact({ email: anEmail() });
        await change(id, { email, unique_id: randomUUID() });
        return id;
      },
    ],
    [
      'changed to it by an import',
      async ({ email }) => {
        const unique_id = randomUUID();
        await upsert(unique_id, { email: anEmail() });
        return upsert(unique_id, { email });
      },
    ],
    [
      'made by a send to the address',
      async ({ email }) => {
        const news = { subject: 'News', body_html: 'News', data_schema: null };
        const { path } = await aRequestable(team, news);
        return String((await made(path, { email })).contact_id);
      },
    ],
  ])('a contact that is later %s', async (_way, make) => {
    const recipient = await aRecipient();
    const stranger = await aContact({ email: anEmail() });
    const source = await optOut(recipient);
    await team.delete(`${contacts}/${recipient.id}`);
    const later = await make({ email: recipient.email.toUpperCase() });
    expect(await chosen(later)).toEqual([`topic email unsubscribed ${source}`]);
    expect(await chosen(stranger)).toEqual([]);
  });
});

test('messages of the topic are skipped for a contact that is made later, others are not', async () => {
  const recipient = await aRecipient();
  await leave(recipient);
  const contact_id = await aContact({ email: recipient.email });
  const news = { purpose: 'marketing', subject: 'News', body_html: 'News', data_schema: null };
  for (const [topic_id, expected] of [
    [topic, { status: 'skipped', skip_reason: 'topic_unsubscribed' }],
    [other, { status: 'queued' }],
    [null, { status: 'queued' }],
  ] as const) {
    const { path } = await aRequestable(team, { ...news, topic_id });
    expect(await made(path, { contact_id })).toMatchObject(expected);
  }
});

test('an opt-out by a text message holds for its number', async () => {
  const recipient = await aRecipient('sms');
  await leave(recipient);
  const [byPhone, byEmail] = [
    await aContact({ phone: recipient.phone }),
    await aContact({ email: recipient.email }),
  ];
  expect(await chosen(byPhone)).toEqual(['topic sms unsubscribed unsubscribe_link']);
  expect(await chosen(byEmail)).toEqual([]);
});

describe('the last word about a topic is that of', () => {
  test.each<[string, (recipient: Recipient) => Promise<unknown>]>([
    [
      'a recipient who comes back',
      ({ preferences }) =>
        sendForm(preferences, [
          ['shown', `${topic}.email`],
          ['topic', `${topic}.email`],
          ['action', 'save'],
        ]),
    ],
    ['the team, which decided about the contact', ({ id }) => put(id, 'subscribed')],
    ['the team, which took the consent back itself', ({ id }) => put(id, 'unsubscribed')],
  ])('%s', async (_, speak) => {
    const recipient = await aRecipient();
    await leave(recipient);
    await speak(recipient);
    expect(await chosen(await aContact({ email: recipient.email }))).toEqual([]);
  });

  test('the recipient, after the team took the consent back', async () => {
    const recipient = await aRecipient();
    await put(recipient.id, 'unsubscribed');
    expect(await chosen(await aContact({ email: recipient.email }))).toEqual([]);
    await leave(recipient);
    expect(await chosen(await aContact({ email: recipient.email }))).toEqual(leftByLink);
  });
});

test('a contact that gets the address loses its own choice, and one of another spelling does not', async () => {
  const recipient = await aRecipient();
  const id = await aContact({ email: anEmail() });
  await put(id, 'subscribed');
  await leave(recipient);
  await change(id, { email: recipient.email });
  expect(await chosen(id)).toEqual(leftByLink);
  await put(id, 'subscribed');
  await change(id, { email: recipient.email.toUpperCase() });
  expect(await chosen(id)).toEqual(['topic email subscribed branch']);
});

describe('an opt-out from a topic is kept for', () => {
  test('the address after its contact has got another one', async () => {
    for (const fields of [{ email: anEmail() }, { email: null }]) {
      const recipient = await aRecipient();
      await leave(recipient);
      await change(recipient.id, fields);
      expect(await chosen(recipient.id)).toEqual(leftByLink);
      const later = await aContact({ email: recipient.email.toUpperCase() });
      expect(await chosen(later)).toEqual(leftByLink);
    }
  });

  test('the address of a contact that was merged into one with another address', async () => {
    const recipient = await aRecipient();
    await leave(recipient);
    const winner = await aContact({ email: anEmail() });
    await put(winner, 'unsubscribed');
    await made(`${contacts}/${winner}/merge`, { source_contact_id: recipient.id });
    expect(await chosen(winner)).toEqual(leftByLink);
    expect(await chosen(await aContact({ email: recipient.email }))).toEqual(leftByLink);
  });

  describe.each([
    ['the link', leave],
    ['the page of preferences', untick],
  ])('a former address to whose message %s belongs', (_, optOut) => {
    const aMovedRecipient = async () => {
      const recipient = await aRecipient();
      await change(recipient.id, { email: anEmail(), consents: allConsents });
      return recipient;
    };

    test('where another contact has it now', async () => {
      const recipient = await aMovedRecipient();
      const successor = await aContact({ email: recipient.email });
      const expected = [`topic email unsubscribed ${await optOut(recipient)}`];
      for (const id of [recipient.id, successor]) expect(await chosen(id)).toEqual(expected);
    });

    test('where nobody has it now', async () => {
      const recipient = await aMovedRecipient();
      const expected = [`topic email unsubscribed ${await optOut(recipient)}`];
      await put(recipient.id, 'subscribed');
      expect(await chosen(await aContact({ email: recipient.email }))).toEqual(expected);
    });
  });

  test('those that get the address of a deleted contact, whose link ends the topic alone', async () => {
    const recipient = await aRecipient();
    await team.delete(`${contacts}/${recipient.id}`);
    for (const time of [1, 2]) {
      const { body } = await api.call('POST', recipient.unsubscribe);
      expect([time, body]).toEqual([time, expect.stringContaining('You are unsubscribed.')]);
    }
    const later = await aContact({ email: recipient.email });
    expect(await chosen(later)).toEqual(leftByLink);
    const { body } = await team.get(`${contacts}/${later}`);
    expect(body.consents.email).toMatchObject(subscribed);
    const history = await api.db.look(
      (sql) => sql`
        select consent ->> 'status' as status from contact_topic_consent_changes
        where contact_id = ${recipient.id}`,
    );
    expect(history).toEqual([{ status: 'unsubscribed' }]);
  });

  test('no topic that is deleted', async () => {
    const recipient = await aRecipient();
    await leave(recipient);
    await api.db.look((sql) => sql`update topics set deleted_at = now() where id = ${topic}`);
    const later = await aContact({ email: recipient.email });
    await api.db.look((sql) => sql`update topics set deleted_at = null where id = ${topic}`);
    expect(await chosen(later)).toEqual([]);
  });
});

test('the events, the version and the history of a contact say that it begins with the opt-out', async () => {
  const recipient = await aRecipient();
  await leave(recipient);
  const reply = await team.post(contacts, { email: recipient.email });
  expect(reply.headers.get('etag')).toBe('"2"');
  const id = String(reply.body.id);
  const consent = { status: 'unsubscribed', source: 'unsubscribe_link' };
  expect(await eventsOf(api, team, id)).toMatchObject([
    { type: 'contact.created', sequence: 1 },
    {
      ...{ type: 'contact.topic_consent_changed', sequence: 2 },
      data: { changes: [{ topic_id: topic, channel: 'email', consent }] },
    },
  ]);
  const { data } = (await team.get(`${contacts}/${id}/topic-consent-changes`)).body;
  expect(data).toMatchObject([{ topic_id: topic, channel: 'email', consent }]);
  expect(data[0]).not.toHaveProperty('client_id');

  const moved = await aContact({ email: anEmail() });
  const changed = await change(moved, { email: recipient.email });
  const again = await team.get(`${contacts}/${moved}`);
  expect(again.headers.get('etag')).toBe(changed.headers.get('etag'));
  const events = await eventsOf(api, team, moved);
  expect(events.at(-1)).toMatchObject({
    ...{
      type: 'contact.topic_consent_changed',
      sequence: Number(again.headers.get('etag')?.slice(1, -1)),
    },
  });
});
