import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import {
  aReader,
  aSendingTemplate,
  anEmail,
  deliveriesOf,
  enrolled,
  mailboxOf,
} from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

const contacts = '/v2/partner/contacts';
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

async function aTopic(fields: object = {}): Promise<string> {
  const { status, body } = await team.post('/v2/partner/topics', { name: randomUUID(), ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}
const choose = (contact: string, topic: string, status: string, channel = 'email') =>
  team.call('PUT', `${contacts}/${contact}/topic-consents/${topic}/${channel}`, {
    body: { status, source: 'branch' },
  });
async function statusOf(contact: string, topic: string): Promise<Record<string, any>> {
  const { body } = await team.get(`${contacts}/${contact}/topic-consents`);
  return body.topics.find(({ topic_id }: any) => topic_id === topic)?.consents;
}
const consentsOf = async (contact: string) =>
  (await team.get(`${contacts}/${contact}`)).body.consents;

/** A delivery of a message with the topic, decided and sent; and the paths of its links. */
async function arrived(topic_id: string | null, fields: object = {}) {
  const template = await aSendingTemplate(team, [
    {
      ...anEmail,
      topic_id,
      body_html:
        '<a href="{{ preferences_url }}">Preferences</a> <a href="{{ unsubscribe_url }}">x</a>',
    },
  ]);
  const contact = await aReader(team, { phone: '+14155550177', ...fields });
  await enrolled(team, template, [contact]);
  await lanes.decide();
  await lanes.send();
  const [delivery] = await deliveriesOf(team, template.id);
  const urls = choiceUrls('', api.keyring, { team_id: team.id, id: String(delivery.id) });
  return {
    contact,
    delivery,
    unsubscribe: urls.unsubscribe_url,
    preferences: urls.preferences_url,
  };
}
/** Sends a form, and follows to where its answer leads. */
async function sendForm(path: string, entries: [string, string][]) {
  const reply = await api.call('POST', path, {
    raw: new URLSearchParams(entries).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return reply.status === 303
    ? api.call('GET', `${path}${String(reply.headers.get('location'))}`)
    : reply;
}
const boxesIn = (html: string) =>
  [...html.matchAll(/name="topic" value="([^"]+)"( checked)?/g)].map(([, value, ticked]) => [
    String(value),
    ticked !== undefined,
  ]);

describe('a message of a topic', () => {
  test('is sent to who is subscribed, and names the topic in its delivery and events', async () => {
    const topic = await aTopic();
    const { delivery, contact } = await arrived(topic);
    expect(delivery).toMatchObject({ status: 'sent', topic_id: topic });
    const [event] = await eventsOf(api, team, delivery.id);
    expect(event).toMatchObject({ type: 'message.sent', data: { topic_id: topic } });
    const mail = (await mailboxOf(team)).find(({ contact_id }) => contact_id === contact);
    expect(mail?.content.html).toMatch(/href="http:\/\/onward\.test\/preferences\/dou~/);
    const list = `/v2/partner/message-deliveries?filter[topic_id]=${topic}`;
    expect((await team.get(list)).body.data).toHaveLength(1);
    expect((await arrived(null)).delivery).not.toHaveProperty('topic_id');
  });

  test('is skipped for who is not, at the decision and right before it is sent; a missing consent for the channel comes first', async () => {
    const [open, closed] = [await aTopic(), await aTopic({ default_consent: 'unsubscribed' })];
    const template = await aSendingTemplate(team, [
      { ...anEmail, name: 'Open', topic_id: open },
      { ...anEmail, name: 'Closed', topic_id: closed },
      { ...anEmail, name: 'Of no topic' },
    ]);
    const [left, joined, later, without] = [
      await aReader(team),
      await aReader(team),
      await aReader(team),
      await aReader(team, { consents: {} }),
    ];
    await choose(left, open, 'unsubscribed');
    await choose(left, open, 'subscribed', 'sms');
    await choose(joined, closed, 'subscribed');
    await choose(without, open, 'unsubscribed');
    await enrolled(team, template, [left, joined, later, without]);
    await lanes.decide();
    const [first, second, third] = template.messageIds;
    const found = async () => {
      const rows = await deliveriesOf(team, template.id);
      return (contact: string) =>
        [first, second, third].map((id) => {
          const row = rows.find((one) => one.contact_id === contact && one.message_id === id);
          return row.skip_reason ?? row.status;
        });
    };
    const decided = await found();
    expect(decided(left)).toEqual(['topic_unsubscribed', 'topic_unsubscribed', 'queued']);
    expect(decided(joined)).toEqual(['queued', 'queued', 'queued']);
    expect(decided(later)).toEqual(['queued', 'topic_unsubscribed', 'queued']);
    expect(decided(without)).toEqual(['no_consent', 'no_consent', 'no_consent']);
    await choose(later, open, 'unsubscribed');
    await choose(joined, closed, 'unsubscribed');
    await lanes.send();
    const sent = await found();
    expect(sent(joined)).toEqual(['sent', 'topic_unsubscribed', 'sent']);
    expect(sent(later)).toEqual(['topic_unsubscribed', 'topic_unsubscribed', 'sent']);
  });

  test('that is requested is skipped in the answer, and explains why', async () => {
    const topic_id = await aTopic({ default_consent: 'unsubscribed' });
    const message = { ...anEmail, topic_id, trigger: { kind: 'on_request' }, body_html: 'Hello' };
    const template = await aSendingTemplate(team, [message]);
    const at = `/v2/partner/messages/${String(template.messageIds[0])}/sends`;
    const contact_id = await aReader(team);
    const refused = await team.post(at, { contact_id });
    expect(refused.body).toMatchObject({ skip_reason: 'topic_unsubscribed', topic_id });
    const why = await team.get(`/v2/partner/message-deliveries/${String(refused.body.id)}/explain`);
    expect(why.body.summary).toBe(
      'It was not sent: the contact is not subscribed to the topic of the message.',
    );
    await choose(contact_id, topic_id, 'subscribed');
    expect((await team.post(at, { contact_id })).body.status).toBe('queued');
  });
});

describe('the unsubscribe link of a message of a topic', () => {
  test('leaves the topic by one click, and the channel by the second button', async () => {
    const topic = await aTopic({ name: 'Offers <b>' });
    const { contact, delivery, unsubscribe, preferences } = await arrived(topic);
    const page = await api.call('GET', unsubscribe);
    expect(page.body).toContain('Stop receiving “Offers &lt;b&gt;”?');
    expect(page.body).toContain(`href="${preferences}"`);
    expect(await statusOf(contact, topic)).toMatchObject({ email: { is_default: true } });
    const done = await api.call('POST', unsubscribe, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    expect([done.status, done.body]).toEqual([
      200,
      expect.stringContaining('You are unsubscribed.'),
    ]);
    expect(await statusOf(contact, topic)).toMatchObject({
      email: { status: 'unsubscribed', source: 'unsubscribe_link' },
      sms: { is_default: true },
    });
    expect(await consentsOf(contact)).toMatchObject({ email: { status: 'subscribed' } });
    expect((await api.call('POST', `${unsubscribe}?all`)).status).toBe(200);
    expect(await consentsOf(contact)).toMatchObject({
      email: { status: 'unsubscribed', source: 'unsubscribe_link' },
      sms: { status: 'subscribed' },
    });
    const events = await eventsOf(api, team, delivery.id);
    expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.unsubscribed']);
  });

  test('leaves the channel once the topic is deleted', async () => {
    const topic = await aTopic();
    const { contact, unsubscribe } = await arrived(topic);
    await api.db.look((sql) => sql`update topics set deleted_at = now() where id = ${topic}`);
    expect((await api.call('POST', unsubscribe)).status).toBe(200);
    expect(await consentsOf(contact)).toMatchObject({ email: { status: 'unsubscribed' } });
  });
});

describe('the preference center', () => {
  test('shows topics and channels in the language of the contact, and a view changes nothing', async () => {
    const topic = await aTopic({
      name: 'Tips',
      description: 'Once a month',
      localizations: { de: { name: 'Ratgeber' } },
    });
    const archived = await aTopic({ name: 'Gone' });
    await team.post(`/v2/partner/topics/${archived}/archive`);
    const consents = { email: { status: 'subscribed', source: 'branch' } };
    const { contact, preferences } = await arrived(topic, { locale: 'de-AT', consents });
    await choose(contact, topic, 'unsubscribed');
    const page = await api.call('GET', preferences);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<html lang="de" dir="ltr">');
    expect(page.body).toContain('<legend dir="auto">Ratgeber</legend>');
    expect(page.body).not.toContain('Gone');
    expect(boxesIn(page.body)).toContainEqual([`${topic}.email`, false]);
    expect(boxesIn(page.body).map(([value]) => String(value).split('.')[1])).not.toContain('sms');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'self'; " +
        "frame-ancestors 'none'; style-src 'unsafe-inline'",
    );
    expect((await api.call('HEAD', preferences)).status).toBe(200);
    const { data } = (await team.get(`${contacts}/${contact}/topic-consent-changes`)).body;
    expect(data).toHaveLength(1);
  });

  test('stores what the form changes, and nothing that it did not show', async () => {
    const [one, two] = [await aTopic(), await aTopic()];
    const { contact, delivery, preferences } = await arrived(one);
    const saved = await sendForm(preferences, [
      ['shown', `${one}.email`],
      ['shown', `${one}.sms`],
      ['topic', `${one}.sms`],
      ['topic', `${two}.email`],
      ['shown', `${randomUUID()}.email`],
      ['shown', 'nonsense'],
      ['action', 'save'],
    ]);
    expect(saved.body).toContain('Your choices are saved.');
    expect(await statusOf(contact, one)).toMatchObject({
      email: { status: 'unsubscribed', source: 'preference_center' },
      sms: { is_default: true },
    });
    expect(await statusOf(contact, two)).toMatchObject({ email: { is_default: true } });
    expect((await eventsOf(api, team, delivery.id)).at(-1)).toMatchObject({
      type: 'message.unsubscribed',
    });
  });

  test('unsubscribes from everything, and takes that back on a form that shows it, not on an older one', async () => {
    const topic = await aTopic();
    const { contact, preferences } = await arrived(topic);
    const box: [string, string][] = [
      ['shown', `${topic}.email`],
      ['topic', `${topic}.email`],
    ];
    const left = await sendForm(preferences, [['action', 'everything']]);
    expect(left.body).toContain('You are unsubscribed from everything.');
    const gone = { status: 'unsubscribed', source: 'preference_center' };
    expect(await consentsOf(contact)).toMatchObject({ email: gone, sms: gone, push: gone });
    expect(boxesIn(left.body)).toContainEqual([`${topic}.email`, false]);
    await sendForm(preferences, box);
    expect(await consentsOf(contact)).toMatchObject({ email: gone });
    await sendForm(preferences, [...box, ['withdrawn', 'email']]);
    expect(await consentsOf(contact)).toMatchObject({
      email: { status: 'subscribed', source: 'preference_center' },
      sms: gone,
    });
  });

  test('gives no consent that was never given, or that was taken back elsewhere', async () => {
    const topic = await aTopic();
    const taken = { status: 'unsubscribed', source: 'inbound:sms.stop' };
    const { contact, preferences } = await arrived(topic, {
      consents: { email: { status: 'subscribed', source: 'branch' }, sms: taken },
    });
    await sendForm(
      preferences,
      ['sms', 'push'].flatMap((channel): [string, string][] => [
        ['shown', `${topic}.${channel}`],
        ['topic', `${topic}.${channel}`],
        ['withdrawn', channel],
      ]),
    );
    expect(await consentsOf(contact)).toMatchObject({ sms: taken, push: { status: 'never' } });
  });

  test('may be framed by the origins of open widgets of the team, and of no other', async () => {
    const own = await anUnboundedTeam(api);
    const widgets = '/v2/partner/widget-instances';
    const origin = 'https://www.bank.example';
    const widget = { name: 'Journey', widget_kind: 'journey', is_active: true };
    await own.post(widgets, {
      ...{ ...widget, allowed_origins: [origin] },
      theme: { primary_color: '#b3261e' },
    });
    const template = await aSendingTemplate(own);
    await enrolled(own, template, [await aReader(own)]);
    await lanes.decide();
    const [delivery] = await deliveriesOf(own, template.id);
    const { preferences_url } = choiceUrls('', api.keyring, { team_id: own.id, id: delivery.id });
    const page = await api.call('GET', preferences_url);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${origin};`);
    expect(page.body).toContain('--brand:#b3261e');
  });

  test.each([
    ['a wrong token', () => Promise.resolve('/preferences/dou~x~y~z')],
    [
      'a token of another delivery',
      async () =>
        (await arrived(null)).preferences.replace(
          /(.)(.{6})$/,
          (_, one, rest) => `${one === 'A' ? 'B' : 'A'}${String(rest)}`,
        ),
    ],
    [
      'an erased contact',
      async () => {
        const { contact, preferences } = await arrived(null);
        await team.post(`${contacts}/${contact}/erase`);
        return preferences;
      },
    ],
  ])('is not found with %s', async (_, at) => {
    const path = await at();
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await sendForm(path, [['action', 'everything']])).status).toBe(404);
  });

  test('refuses forms that are too large or of another type, without an error of the service', async () => {
    const { preferences } = await arrived(null);
    const large = await sendForm(preferences, [['shown', 'x'.repeat(300_000)]]);
    expect(large.status).toBe(413);
    const headers = { 'Content-Type': 'application/json' };
    expect((await api.call('POST', preferences, { raw: '{}', headers })).status).toBe(415);
    const broken = await api.call('POST', preferences, {
      raw: `shown=%ff%00&topic=${'&topic='.repeat(5_000)}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(broken.status).toBe(303);
  });
});
