import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { masked } from '../../src/campaigns/messages/rules.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { aMailProvider, aRecipient } from '../inbound/a-mail-provider.ts';
import type { Recipient } from '../inbound/a-mail-provider.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aTemplateWithPages, enrolled } from '../journeys/a-journey.ts';
import { aToken, aWidget, bootstrapByToken, visitorOf } from '../widget/a-widget.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';

// An opt-out of a recipient belongs to the address: every contact of the team that has it now or
// later, until the recipient or proof lifts it.

const contacts = '/v2/partner/contacts';
const subscribed = { status: 'subscribed', source: 'core_banking' };
const gone = { status: 'unsubscribed', source: 'unsubscribe_link' };
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const anEmail = () => `${randomUUID()}@example.com`;
let numbers = 1_000;
const aNumber = () => `+1415555${String((numbers += 1))}`;
const pathsOf = ({ send }: Recipient) => {
  const urls = choiceUrls('http://onward.test', api.keyring, { team_id: team.id, id: send.id });
  return {
    unsubscribe: new URL(urls.unsubscribe_url).pathname,
    preferences: new URL(urls.preferences_url).pathname,
  };
};
const leave = (recipient: Recipient) => api.call('POST', pathsOf(recipient).unsubscribe);
const leaveAll = (recipient: Recipient) =>
  api.call('POST', pathsOf(recipient).preferences, {
    raw: 'action=everything',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
async function reportLeaving({ email, send }: Recipient): Promise<void> {
  const provider = await aMailProvider(api, team, 'email_b');
  await provider.send({
    ...{ event: 'unsubscribe', email, sg_event_id: randomUUID() },
    ...{ do_message_id: send.id, timestamp: Math.floor(Date.now() / 1_000) },
  });
}
async function aContact(fields: object): Promise<string> {
  const { status, body } = await team.post(contacts, fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}
const consentOf = async (id: string, channel = 'email') =>
  (await team.get(`${contacts}/${id}`)).body.consents[channel];

async function upsert(unique_id: string, fields: object): Promise<void> {
  const { status, body } = await team.post('/v2/ipaas/operations/contacts.bulk_upsert/execute', {
    items: [{ unique_id, ...fields }],
  });
  expect([status, body.errors ?? []]).toEqual([200, []]);
}

describe('an unsubscribe link', () => {
  test('takes back the consent of every contact with the address, once each', async () => {
    const email = anEmail();
    const [recipient, other] = [await aRecipient(api, team, { email }), anEmail()];
    const sharing = await aContact({
      ...{ email: email.toUpperCase(), consents: { email: subscribed } },
    });
    const stranger = await aContact({ email: other, consents: { email: subscribed } });
    for (const time of [1, 2]) expect([time, (await leave(recipient)).status]).toEqual([time, 200]);
    for (const id of [recipient.id, sharing]) expect(await consentOf(id)).toMatchObject(gone);
    expect(await consentOf(stranger)).toMatchObject(subscribed);
    const types = (await eventsOf(api, team, sharing)).map(({ type }) => type);
    expect(types.filter((type) => type === 'contact.consent_changed')).toHaveLength(1);
  });

  test('of a contact that was deleted concerns who has its address now', async () => {
    const email = anEmail();
    const recipient = await aRecipient(api, team, { email });
    await team.delete(`${contacts}/${recipient.id}`);
    const again = await aContact({ email, consents: { email: subscribed } });
    expect((await leave(recipient)).status).toBe(200);
    expect(await consentOf(again)).toMatchObject(gone);
  });

  test('of a contact that was deleted holds for who gets its address later', async () => {
    const email = anEmail();
    const recipient = await aRecipient(api, team, { email });
    await team.delete(`${contacts}/${recipient.id}`);
    expect((await leave(recipient)).body).toContain('You are unsubscribed.');
    const later = await aContact({ email, consents: { email: subscribed } });
    expect(await consentOf(later)).toMatchObject(gone);
    const history = await api.db.look<{ consent: object; previous: object }>(
      (sql) => sql`
        select consent, previous from contact_consent_changes where contact_id = ${recipient.id}`,
    );
    expect(history).toMatchObject([{ consent: gone, previous: { status: 'subscribed' } }]);
  });
});

describe('an unsubscribe link of a deleted contact', () => {
  test('asks before it takes the consent back, as any other', async () => {
    const email = anEmail();
    const recipient = await aRecipient(api, team, { email });
    await team.delete(`${contacts}/${recipient.id}`);
    const again = await aContact({ email, consents: { email: subscribed } });
    const { unsubscribe, preferences } = pathsOf(recipient);
    const page = await api.call('GET', unsubscribe);
    expect([page.status, page.body]).toEqual([
      200,
      expect.stringContaining('<form method="post">'),
    ]);
    expect(page.body).not.toContain('/preferences/');
    expect(await consentOf(again)).toMatchObject(subscribed);
    expect((await api.call('GET', preferences)).status).toBe(404);
    expect((await leaveAll(recipient)).status).toBe(404);
  });

  test('says nothing of what it cannot do once the contact is erased', async () => {
    const email = anEmail();
    const recipient = await aRecipient(api, team, { email });
    await team.delete(`${contacts}/${recipient.id}`);
    expect((await team.post(`${contacts}/${recipient.id}/erase`)).status).toBe(202);
    const again = await aContact({ email, consents: { email: subscribed } });
    for (const method of ['GET', 'POST']) {
      const { status, body } = await api.call(method, pathsOf(recipient).unsubscribe);
      expect([method, status]).toEqual([method, 404]);
      expect(body).not.toContain('unsubscribed');
    }
    expect(await consentOf(again)).toMatchObject(subscribed);
    const recorded = await api.db.look(
      (sql) => sql`select unsubscribed_at from message_deliveries where id = ${recipient.send.id}`,
    );
    expect(recorded).toEqual([{ unsubscribed_at: null }]);
  });
});

test('the page of preferences leaves everything for every contact with the address', async () => {
  const email = anEmail();
  const recipient = await aRecipient(api, team, { email });
  const sharing = await aContact({ email, consents: { email: subscribed } });
  const { status } = await leaveAll(recipient);
  expect(status).toBe(303);
  for (const id of [recipient.id, sharing]) {
    expect(await consentOf(id)).toMatchObject({ ...gone, source: 'preference_center' });
  }
});

describe('a contact that is made with an address whose recipient has left', () => {
  const proof = { ...subscribed, evidence: 'signed form 12' };
  const never = { status: 'never' };
  test.each([
    ['with a consent', { email: subscribed }, gone],
    ['without a consent', undefined, gone],
    ['with proof of a consent', { email: proof }, proof],
    ['with a question', { email: { ...subscribed, status: 'pending' } }, { status: 'pending' }],
    ['with the consent of another channel', { push: subscribed }, gone],
  ])('%s, by a request or an import', async (_, consents, expected) => {
    const recipient = await aRecipient(api, team);
    await leave(recipient);
    const email = recipient.email.toUpperCase();
    const made = await aContact({ email, ...(consents && { consents }) });
    expect(await consentOf(made)).toMatchObject(expected);
    const unique_id = randomUUID();
    await upsert(unique_id, { email, ...(consents && { consents }) });
    expect(await consentOf(`unique_id:${unique_id}`)).toMatchObject(expected);
    expect(await consentOf(made, 'sms')).toEqual(never);
  });

  test('follows the last word of the recipient', async () => {
    const recipient = await aRecipient(api, team);
    await leave(recipient);
    const path = `${contacts}/${recipient.id}/consents/email`;
    await team.put(path, { ...proof });
    const later = await aContact({ email: recipient.email, consents: { email: subscribed } });
    expect(await consentOf(later)).toMatchObject(subscribed);
  });

  test('is not bound by what the bank took back for another contact', async () => {
    const email = anEmail();
    await aContact({ email, consents: { email: { status: 'unsubscribed', source: 'branch' } } });
    const later = await aContact({ email, consents: { email: subscribed } });
    expect(await consentOf(later)).toMatchObject(subscribed);
  });
});

describe('an import over an opt-out of the recipient', () => {
  test.each([
    ['without proof leaves it', subscribed, gone],
    ['with proof lifts it', { ...subscribed, evidence: 'call 7' }, subscribed],
    ['that asks leaves it', { ...subscribed, status: 'pending' }, gone],
  ])('%s', async (_, consent, expected) => {
    const recipient = await aRecipient(api, team);
    const unique_id = randomUUID();
    await team.patch(`${contacts}/${recipient.id}`, { unique_id });
    await leave(recipient);
    await upsert(unique_id, { first_name: 'Ada', consents: { email: consent } });
    expect(await consentOf(recipient.id)).toMatchObject(expected);
    expect((await team.get(`${contacts}/${recipient.id}`)).body.first_name).toBe('Ada');
  });

  test('lifts what the bank itself took back', async () => {
    const unique_id = randomUUID();
    const back = { status: 'unsubscribed', source: 'branch' };
    await upsert(unique_id, { email: anEmail(), consents: { email: back } });
    await upsert(unique_id, { consents: { email: subscribed } });
    expect(await consentOf(`unique_id:${unique_id}`)).toMatchObject(subscribed);
  });
});

const changes: [string, (id: string, key: string, body: object) => Promise<unknown>][] = [
  ['a request', (id, _, body) => team.patch(`${contacts}/${id}`, body)],
  ['an import', (_, key, body) => upsert(key, body)],
];

describe('what the team took back itself is the opt-out of the recipient as soon as', () => {
  const back = { status: 'unsubscribed', source: 'branch' };
  const aLeaver = async () => {
    const recipient = await aRecipient(api, team);
    await team.patch(`${contacts}/${recipient.id}`, { consents: { email: back } });
    return recipient;
  };
  const ways: [string, (recipient: Recipient) => Promise<string>][] = [
    ['the link is used', (recipient) => leave(recipient).then(() => recipient.id)],
    ['everything is left', (recipient) => leaveAll(recipient).then(() => recipient.id)],
    ['a provider reports it', (recipient) => reportLeaving(recipient).then(() => recipient.id)],
    [
      'a contact is merged that left',
      async ({ id }) => {
        const other = await aRecipient(api, team);
        await leave(other);
        const body = { source_contact_id: other.id };
        expect((await team.post(`${contacts}/${id}/merge`, body)).status).toBe(200);
        return id;
      },
    ],
    [
      'it gets an address that left',
      async ({ id }) => {
        const other = await aRecipient(api, team);
        await leave(other);
        await team.patch(`${contacts}/${id}`, { email: other.email });
        return id;
      },
    ],
    [
      'it is made with an address that left',
      async () => {
        const other = await aRecipient(api, team);
        await leave(other);
        return aContact({ email: other.email, consents: { email: back } });
      },
    ],
  ];
  test.each(ways)('%s: no import lifts it', async (_, happens) => {
    const id = await happens(await aLeaver());
    const unique_id = randomUUID();
    await eventually(
      () => consentOf(id),
      ({ source }) => source !== back.source,
    );
    await team.patch(`${contacts}/${id}`, { unique_id });
    await upsert(unique_id, { consents: { email: subscribed } });
    expect((await consentOf(id)).status).toBe('unsubscribed');
  });
});

describe('an opt-out in a widget', () => {
  const choose = async (contact: string, channel: string, status: string) => {
    const templateId = await aTemplateWithPages(team, [{ name: 'Hello' }]);
    const journeyId = await enrolled(team, templateId, contact);
    const widgetId = await aWidget(team);
    const token = await aToken(team, widgetId, { contact_id: contact });
    const visitor = visitorOf(api, await bootstrapByToken(api, token));
    const path = `/v2/widget/journeys/${journeyId}/consents/${channel}`;
    const reply = await visitor.call('PUT', path, { body: { status } });
    expect([reply.status, reply.body.status]).toEqual([200, status]);
    return `widget ${widgetId}`;
  };
  const aPerson = (fields: object) =>
    aContact({ ...fields, consents: { email: subscribed, sms: subscribed, push: subscribed } });
  const statusesOf = async (id: string) => {
    const { consents } = (await team.get(`${contacts}/${id}`)).body;
    return [consents.email.status, consents.sms.status, consents.push.status];
  };
  const [on, off] = ['subscribed', 'unsubscribed'];

  test.each([
    ['email', [off, on, on], [on, on, on]],
    ['sms', [on, off, on], [on, off, on]],
    ['push', [on, on, on], [on, on, on]],
  ])('of %s holds for all contacts with the address', async (channel, ofEmail, ofPhone) => {
    const [email, phone] = [anEmail(), aNumber()];
    const own = await aPerson({ email, phone });
    const sharing = await aPerson({ email: email.toUpperCase(), phone });
    const byPhone = await aPerson({ email: anEmail(), phone });
    const stranger = await aPerson({ email: anEmail(), phone: aNumber() });
    const source = await choose(own, channel, off);
    expect(await consentOf(own, channel)).toMatchObject({ status: off, source });
    expect(await statusesOf(sharing)).toEqual(ofEmail);
    expect(await statusesOf(byPhone)).toEqual(ofPhone);
    expect(await statusesOf(stranger)).toEqual([on, on, on]);
  });

  test('holds for others also where the own consent was taken back before', async () => {
    const email = anEmail();
    const own = await aPerson({ email });
    await choose(own, 'email', off);
    const proven = { email: { ...subscribed, evidence: 'form 12' } };
    const other = await aContact({ email, consents: proven });
    await choose(own, 'email', off);
    expect(await consentOf(other)).toMatchObject({ status: off });
  });

  test('is taken back for the own contact alone', async () => {
    const email = anEmail();
    const [own, other] = [await aPerson({ email }), await aPerson({ email })];
    await choose(own, 'email', off);
    await choose(own, 'email', on);
    expect(await consentOf(own)).toMatchObject({ status: on });
    expect(await consentOf(other)).toMatchObject({ status: off });
  });
});

describe('an opt-out by a message to a former address concerns that address', () => {
  const ways: [string, (recipient: Recipient) => Promise<unknown>][] = [
    ['the link', leave],
    ['the page of preferences', leaveAll],
    ['a report of the provider', reportLeaving],
  ];
  test.each(ways)('by %s', async (_, happens) => {
    const recipient = await aRecipient(api, team);
    const address = recipient.email;
    await api.db.look(
      (sql) => sql`
        update message_deliveries
        set status = 'sent', sent_at = now(), to_masked = ${masked(address)}
        where id = ${recipient.send.id}`,
    );
    const unrelated = await aContact({ email: anEmail(), consents: { email: subscribed } });
    await team.patch(`${contacts}/${recipient.id}`, {
      ...{ email: anEmail(), consents: { email: subscribed } },
    });
    await happens(recipient);
    await eventually(
      () => consentOf(recipient.id),
      ({ status }) => status === 'unsubscribed',
    );
    const later = await aContact({ email: address, consents: { email: subscribed } });
    expect((await consentOf(later)).status).toBe('unsubscribed');
    expect(await consentOf(unrelated)).toMatchObject(subscribed);
  });

  test('which another contact has now', async () => {
    for (const [, happens] of ways) {
      const recipient = await aRecipient(api, team);
      await api.db.look(
        (sql) => sql`
          update message_deliveries
          set status = 'sent', sent_at = now(), to_masked = ${masked(recipient.email)}
          where id = ${recipient.send.id}`,
      );
      await team.patch(`${contacts}/${recipient.id}`, { email: anEmail() });
      const successor = await aContact({
        ...{ email: recipient.email, consents: { email: subscribed } },
      });
      await happens(recipient);
      await eventually(
        () => consentOf(successor),
        ({ status }) => status === 'unsubscribed',
      );
    }
  });
});

test('an opt-out holds for its address after its contact has got another one', async () => {
  const recipient = await aRecipient(api, team);
  await leave(recipient);
  await team.patch(`${contacts}/${recipient.id}`, { email: anEmail() });
  expect(await consentOf(recipient.id)).toMatchObject(gone);
  const later = await aContact({
    ...{ email: recipient.email.toUpperCase(), consents: { email: subscribed } },
  });
  expect(await consentOf(later)).toMatchObject(gone);
});

describe('a contact that gets an address whose recipient has left', () => {
  test.each(changes)('by %s begins with the opt-out, unless there is proof', async (_, change) => {
    const recipient = await aRecipient(api, team);
    await leave(recipient);
    const email = recipient.email.toUpperCase();
    const proof = { ...subscribed, evidence: 'signed form 12' };
    for (const [body, expected] of [
      [{ email }, gone],
      [{ email, consents: { email: subscribed } }, gone],
      [{ email, consents: { email: proof } }, proof],
    ] as const) {
      const unique_id = randomUUID();
      const before = { unique_id, email: anEmail(), consents: { email: subscribed } };
      const id = await aContact(before);
      await change(id, unique_id, body);
      expect(await consentOf(id)).toMatchObject(expected);
      const data = { consents: { email: { status: expected.status } } };
      const recorded = await eventsOf(api, team, id);
      for (const type of ['contact.consent_changed', 'contact.updated'])
        expect(recorded).toContainEqual(
          expect.objectContaining({ type, data: expect.objectContaining({ id }) }),
        );
      expect(recorded.at(-1)).toMatchObject({ data });
    }
  });
});

describe('a consent belongs to the address that it was given for', () => {
  const pending = { status: 'pending', source: 'branch' };
  const left = { status: 'unsubscribed', source: 'branch' };
  const never = { status: 'never' };
  const cases: [string, before: object, body: (email: string) => object, after: object][] = [
    ['another address', subscribed, () => ({ email: anEmail() }), never],
    ['another address, not confirmed', pending, () => ({ email: anEmail() }), never],
    ['no address', subscribed, () => ({ email: null }), never],
    ['another letter case', subscribed, (email) => ({ email: email.toUpperCase() }), subscribed],
    ['another number', subscribed, () => ({ phone: aNumber() }), subscribed],
    ['another address, opted out', left, () => ({ email: anEmail() }), left],
    [
      'another address and its consent',
      subscribed,
      () => ({ email: anEmail(), consents: { email: subscribed } }),
      subscribed,
    ],
  ];
  describe.each(changes)('by %s', (_, change) => {
    test.each(cases)('%s', async (_name, before, body, after) => {
      const [unique_id, email] = [randomUUID(), anEmail()];
      const id = await aContact({ unique_id, email, consents: { email: before, push: before } });
      await change(id, unique_id, body(email));
      const { consents } = (await team.get(`${contacts}/${id}`)).body;
      expect(consents.email).toMatchObject(after);
      expect(consents.push).toMatchObject(before);
      const history = await team.get(`${contacts}/${id}/consent-changes`);
      const changed = before === after ? [] : [{ channel: 'email', consent: after }];
      expect(history).toMatchObject({ status: 200, body: { data: changed } });
    });
  });

  test('a number', async () => {
    const [phone, key] = [aNumber(), randomUUID()];
    const id = await aContact({ unique_id: key, phone, consents: { sms: subscribed } });
    await team.patch(`${contacts}/${id}`, { phone: aNumber() });
    expect(await consentOf(id, 'sms')).toEqual(never);
  });

  test('the consent for the first address stays', async () => {
    const id = await aContact({ unique_id: randomUUID(), consents: { email: subscribed } });
    await team.patch(`${contacts}/${id}`, { email: anEmail() });
    expect(await consentOf(id)).toMatchObject(subscribed);
  });
});

test.each(['inbound:sms_a', 'widget 7e3d', 'recipient link', 'preference_center'])(
  'what a recipient took back by “%s” holds for later contacts with the number',
  async (source) => {
    const phone = aNumber();
    const taken = { status: 'unsubscribed', source };
    await aContact({ phone, consents: { sms: taken } });
    const later = await aContact({ phone, consents: { sms: subscribed } });
    expect(await consentOf(later, 'sms')).toMatchObject(taken);
  },
);
