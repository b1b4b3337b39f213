import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReader, aSendingTemplate, anEmail, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let lanes: SendingLanes;

beforeAll(async () => {
  api = await startTestApi();
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

/** The e-mail that a contact gets. */
async function sentTo(team: TestTeam, message: object, contact: object) {
  const template = await aSendingTemplate(team, [{ ...anEmail, ...message }]);
  const reader = await aReader(team, contact);
  await enrolled(team, template, [reader]);
  await lanes.decide();
  await lanes.send();
  const kept = (await mailboxOf(team)).filter(({ contact_id }) => contact_id === reader);
  expect(kept).toHaveLength(1);
  const content: any = kept[0]?.content;
  return { html: String(content.html), text: String(content.text) };
}

const localizations = {
  ar: { subject: 'مرحبا', body_html: '<p>مرحبا</p>' },
  az: { body_html: '<p>Salam</p>' },
  'az-Arab': { body_html: '<p>سلام</p>' },
};

test.each([
  { team: 'en', contact: 'ar-EG', language: 'lang="ar" dir="rtl"', text: 'مرحبا' },
  { team: 'en', contact: 'az-Arab-IR', language: 'lang="az-Arab" dir="rtl"', text: 'سلام' },
  { team: 'en', contact: 'az-AZ', language: 'lang="az" dir="ltr"', text: 'Salam' },
  { team: 'en', contact: 'he', language: 'lang="en" dir="auto"', text: 'Hello' },
  { team: 'en', contact: undefined, language: 'lang="en" dir="auto"', text: 'Hello' },
  { team: 'he-IL', contact: 'de', language: 'lang="he-IL" dir="rtl"', text: 'Hello' },
  { team: 'ar-SA', contact: undefined, language: 'lang="ar" dir="rtl"', text: 'مرحبا' },
])(
  'an e-mail of a team with $team to a contact with $contact has $language',
  async ({ team: locale, contact, language, text }) => {
    const team = await anUnboundedTeam(api);
    await team.patch('/v2/partner/team', { locale });
    const message = { body_html: '<p>Hello</p>', localizations };
    const sent = await sentTo(team, message, contact === undefined ? {} : { locale: contact });
    expect(sent.text).toBe(text);
    expect(sent.html.startsWith(`<!doctype html><html ${language}><head>`)).toBe(true);
    expect(sent.html).toMatch(
      new RegExp(`<div class="o-text" ${language}><p [^>]*>${text}</p></div>`),
    );
  },
);

test('a statement without a text of its own is sent with one that can be read', async () => {
  const team = await anUnboundedTeam(api);
  const row = (...cells: string[]) =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const sent = await sentTo(
    team,
    {
      subject: 'Your <statement>',
      preheader: 'Balance & bookings',
      body_html:
        '<html><head><title>T</title></head><body><h1>Statement</h1><table><tr><th>Date</th><th>Booking</th><th>Amount</th></tr>' +
        `${row('1 May', 'Rent', '-900.00')}${row('2 May', '', '1,234.00')}</table>` +
        '<a href="https://bank.example/"><img src="https://bank.example/a.png" alt="Open"></a></body></html>',
    },
    {},
  );
  expect(sent.text).toBe(
    'Balance & bookings\n\nStatement\n\nDate | Booking | Amount\n1 May | Rent | -900.00\n' +
      '2 May |  | 1,234.00\n\nOpen (https://bank.example/)',
  );
  expect(sent.html).toContain('<title>Your &lt;statement&gt;</title>');
  expect(sent.html).not.toContain('<title>T');
  expect(sent.html.match(/Balance &amp; bookings/g)).toHaveLength(1);
});
