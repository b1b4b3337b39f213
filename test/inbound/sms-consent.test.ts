import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { urlParamsHmac } from '../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { aSendingTemplate } from '../journeys/a-send.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aReceiver, codeOf, receiversPath } from './a-receiver.ts';
import type { TestReceiver } from './a-receiver.ts';

const api = useTestApi();
const auth_token = randomBytes(16).toString('hex');
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

/** A person with this SMS consent, and a receiver of the person's replies. */
async function aPerson(status: 'subscribed' | 'unsubscribed', settings: object = {}) {
  const phone = `+1415${String(randomInt(2_000_000, 9_999_999))}`;
  const contact = await team.post('/v2/partner/contacts', {
    unique_id: randomUUID(),
    phone,
    consents: { sms: { status, source: 'test' } },
  });
  expect(contact.status).toBe(201);
  const receiver = await aReceiver(api, team, {
    receiver_kind: 'sms_a',
    verification: { auth_token, ...settings },
  });
  return {
    id: String(contact.body.id),
    phone,
    receiver,
    reply: (fields: Record<string, string>) => reply(receiver, { From: phone, ...fields }),
    /** After all replies have had their effects. */
    consent: async () => {
      await eventually(
        async () => (await receiver.deliveries()).data,
        (deliveries) => deliveries.every((one: { status: string }) => one.status === 'processed'),
      );
      const { body } = await team.get(`/v2/partner/contacts/${String(contact.body.id)}`);
      return body.consents.sms.status;
    },
  };
}

async function aContact(fields: object): Promise<string> {
  const { status, body } = await team.post('/v2/partner/contacts', fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}
const smsConsentOf = async (id: string) =>
  (await team.get(`/v2/partner/contacts/${id}`)).body.consents.sms.status;

async function reply({ path }: TestReceiver, fields: Record<string, string>) {
  const form = new URLSearchParams({
    MessageSid: `SM${randomBytes(16).toString('hex')}`,
    SmsStatus: 'received',
    To: '+14155550199',
    ...fields,
  });
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Twilio-Signature': urlParamsHmac(auth_token, api.config.publicBaseUrl + path, form),
  };
  const raw = form.toString();
  expect(codeOf(await api.call('POST', path, { raw, headers }))).toBe('200 accepted');
}

test.each([
  ['a word of 2025', { Body: 'Revoke' }],
  ['two words', { Body: 'opt out' }],
  ['polite words', { Body: 'STOP, please. Thank you!' }],
  ['a word of another language', { Body: 'Arrêt' }],
  ['a report of the provider', { Body: 'whatever', OptOutType: 'STOP' }],
])('a reply with %s revokes the consent', async (_, fields) => {
  const person = await aPerson('subscribed');
  await person.reply(fields);
  expect(await person.consent()).toBe('unsubscribed');
});

const subscribed = { status: 'subscribed', source: 'core_banking' };

test.each([
  ['with the id of one of them', true],
  ['without ids', false],
])('STOP %s holds for every contact with the number, now and later', async (_, isLinked) => {
  const person = await aPerson('subscribed');
  const { phone, receiver, id } = person;
  const other = await aContact({ phone, consents: { sms: subscribed } });
  const stranger = await aPerson('subscribed');
  const stop = {
    ...{ kind: 'sms_a', event: 'received', sms_a_message_id: randomUUID() },
    ...{ to: '+14155550199', from: phone, text: 'STOP' },
    ...(isLinked && { do_contact_id: id }),
  };
  expect(codeOf(await receiver.send(stop))).toBe('200 accepted');
  expect(await person.consent()).toBe('unsubscribed');
  expect(await smsConsentOf(other)).toBe('unsubscribed');
  const later = await aContact({ phone, consents: { sms: subscribed } });
  expect(await smsConsentOf(later)).toBe('unsubscribed');
  const moved = await aContact({ unique_id: randomUUID(), consents: { sms: subscribed } });
  await team.patch(`/v2/partner/contacts/${moved}`, { phone });
  expect(await smsConsentOf(moved)).toBe('unsubscribed');
  expect(await stranger.consent()).toBe('subscribed');
});

test('STOP of a number that nobody has suppresses it for a later contact', async () => {
  const { receiver } = await aPerson('subscribed');
  const phone = `+1415${String(randomInt(2_000_000, 9_999_999))}`;
  await reply(receiver, { From: phone, Body: 'STOP' });
  await eventually(
    async () => (await receiver.deliveries()).data,
    (deliveries) => deliveries.every((one: { status: string }) => one.status === 'processed'),
  );
  const contact_id = await aContact({ phone, consents: { sms: subscribed } });
  const news = { name: 'News', channel: 'sms', body: 'News', trigger: { kind: 'on_request' } };
  const { messageIds } = await aSendingTemplate(team, [{ ...news, purpose: 'marketing' }]);
  const path = `/v2/partner/messages/${String(messageIds[0])}/sends`;
  const { body } = await team.post(path, { contact_id });
  expect(body).toMatchObject({ status: 'skipped', skip_reason: 'suppressed' });
});

test('a reply by WhatsApp revokes the SMS consent of its number, and does not give it', async () => {
  const person = await aPerson('subscribed');
  const whatsApp = { From: `whatsapp:${person.phone}`, To: 'whatsapp:+14155550199' };
  await person.reply({ ...whatsApp, Body: 'STOP' });
  expect(await person.consent()).toBe('unsubscribed');
  await person.reply({ ...whatsApp, Body: 'START', OptOutType: 'START' });
  expect(await person.consent()).toBe('unsubscribed');
  await person.reply({ Body: 'START' });
  expect(await person.consent()).toBe('subscribed');
});

test('an opt-in that the provider reports gives the consent, and YES alone does not', async () => {
  const person = await aPerson('unsubscribed');
  await person.reply({ Body: 'YES' });
  await person.reply({ Body: 'HELP', OptOutType: 'HELP' });
  expect(await person.consent()).toBe('unsubscribed');
  await person.reply({ Body: 'JOIN', OptOutType: 'START' });
  expect(await person.consent()).toBe('subscribed');
});

test('a receiver has keywords of its own, for both forms of the body', async () => {
  const own = { opt_out_words: ['Nie wieder'], opt_in_words: ['DABEI'] };
  const person = await aPerson('subscribed', own);
  const { receiver, phone } = person;
  await person.reply({ Body: 'nie wieder!' });
  expect(await person.consent()).toBe('unsubscribed');
  await person.reply({ Body: 'Dabei' });
  expect(await person.consent()).toBe('subscribed');
  const normalized = (text: string) => ({
    ...{ kind: 'sms_a', event: 'received', sms_a_message_id: randomUUID() },
    ...{ to: '+14155550199', from: phone, text },
  });
  expect(codeOf(await receiver.send(normalized('Nie wieder')))).toBe('200 accepted');
  expect(await person.consent()).toBe('unsubscribed');
  expect(codeOf(await receiver.send(normalized('dabei, bitte')))).toBe('200 accepted');
  expect(await person.consent()).toBe('subscribed');
});

test('keywords of a receiver are shown, and bounded', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'sms_b' });
  const path = `${receiversPath}/${receiver.id}/verification`;
  const set = await team.patch(path, { opt_out_words: ['Genug'], opt_in_words: ['Dabei'] });
  expect(set.body).toMatchObject({ opt_out_words: ['Genug'], opt_in_words: ['Dabei'] });
  for (const words of [[''], ['x'.repeat(41)], ['a', 'a'], [7], 'STOP', Array(51).keys()]) {
    const opt_out_words = typeof words === 'string' ? words : [...words].map((word) => word);
    const refused = await team.patch(path, { opt_out_words });
    expect([words, refused.status]).toEqual([words, 422]);
  }
  expect((await team.patch(path, { opt_out_words: null })).body).not.toHaveProperty(
    'opt_out_words',
  );
});
