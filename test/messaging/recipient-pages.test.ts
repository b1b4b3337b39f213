import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { confirmationUrl, testRecipientUrl } from '../../src/messaging/confirming/token.ts';
import { insertConfirmation } from '../../src/messaging/confirming/queries.ts';
import { trackedUrls } from '../../src/messaging/tracking/token.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { insertDelivery } from '../contract/recipes/messages.ts';
import { aReader } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

const theme = { primary_color: '#0a6847', legal_text: 'Harbor Bank plc\n1 Quay <Street>' };

async function aTeam(locale: string): Promise<TestTeam> {
  const team = await api.newTeam();
  const settings = { name: 'Harbor & Bank', locale };
  expect((await team.patch('/v2/partner/team', settings)).status).toBe(200);
  const widget = { name: 'Look', widget_kind: 'journey', allowed_origins: [], theme };
  expect((await team.post('/v2/partner/widget-instances', widget)).status).toBe(201);
  return team;
}

interface Words {
  locale: string;
  lang: string;
  ask: string;
  done: string;
  test: string;
  choose: string;
  stop: string;
  ended: string;
}

const languages: Words[] = [
  {
    ...{
      locale: 'en-GB',
      lang: 'en',
      ask: 'Receive these messages?',
      done: 'Thank you, it is confirmed.',
    },
    ...{ test: 'Receive test messages?', choose: 'Your message preferences' },
    ...{ stop: 'Stop receiving these messages?', ended: 'This link has ended' },
  },
  {
    ...{
      locale: 'es-MX',
      lang: 'es',
      ask: '¿Recibir estos mensajes?',
      done: 'Gracias, queda confirmado.',
    },
    ...{ test: '¿Recibir mensajes de prueba?', choose: 'Sus preferencias de mensajes' },
    ...{ stop: '¿Dejar de recibir estos mensajes?', ended: 'Este enlace ha caducado' },
  },
  {
    ...{
      locale: 'de-AT',
      lang: 'de',
      ask: 'Diese Nachrichten erhalten?',
      done: 'Danke, es ist bestätigt.',
    },
    ...{ test: 'Testnachrichten erhalten?', choose: 'Ihre Nachrichten' },
    ...{ stop: 'Diese Nachrichten abbestellen?', ended: 'Dieser Link gilt nicht mehr' },
  },
  {
    ...{ locale: 'fr', lang: 'fr', ask: 'Recevoir ces messages ?', done: 'Merci, c’est confirmé.' },
    ...{ test: 'Recevoir des messages de test ?', choose: 'Vos préférences de messages' },
    ...{ stop: 'Ne plus recevoir ces messages ?', ended: 'Ce lien a expiré' },
  },
];

/** Expects a page in the look of the bank, with the words as its heading. */
function expectPage(body: string, { lang }: Words, heading: string): void {
  expect(body).toContain(`<html lang="${lang}" dir="ltr">`);
  expect(body).toContain(`<h1>${heading}</h1>`);
  expect(body).toContain('<header>Harbor &amp; Bank</header>');
  expect(body).toContain('--fill:#0a6847');
  expect(body).toContain('<footer dir="auto">Harbor Bank plc\n1 Quay &lt;Street&gt;</footer>');
}

const pathOf = (url: string) => new URL(url).pathname;

test.each(languages)(
  'pages at links in messages are in $locale, with the look of the bank',
  async (words) => {
    const { locale } = words;
    // The contact decides where it has a language, the team otherwise.
    const team = await aTeam('ja');
    const ownLanguage = await aTeam(locale);
    const contact_id = await aReader(team, { locale });
    await team.put(`/v2/partner/contacts/${contact_id}/consents/email`, {
      status: 'pending',
      source: 'form',
    });
    const place = await team.post('/v2/partner/landing-pages', { name: 'Join', slug: 'join' });
    const { id } = await api.db.database.transact((sql) =>
      insertConfirmation(sql, team.id, {
        contact_id,
        channel: 'email',
        landing_page_id: place.body.id,
      }),
    );
    const digest = Buffer.alloc(32);
    const confirm = pathOf(
      confirmationUrl('http://onward.test', api.keyring, { team_id: team.id, id, digest }),
    );
    expectPage((await api.call('GET', confirm)).body, words, words.ask);

    const recipient = await ownLanguage.post('/v2/partner/test-recipients', {
      ...{ channel: 'email', address: `${randomUUID()}@example.com` },
    });
    const tester = { team_id: ownLanguage.id, id: String(recipient.body.id) };
    const asked = pathOf(testRecipientUrl('http://onward.test', api.keyring, tester));
    expectPage((await api.call('GET', asked)).body, words, words.test);
    expectPage((await api.call('POST', asked)).body, words, words.done);

    const delivery = await insertDelivery(team, { contact_id, status: 'sent' });
    const urls = choiceUrls('http://onward.test', api.keyring, { team_id: team.id, id: delivery });
    expectPage((await api.call('GET', pathOf(urls.unsubscribe_url))).body, words, words.stop);
    expectPage((await api.call('GET', pathOf(urls.preferences_url))).body, words, words.choose);

    const old = { team_id: team.id, id: delivery, inserted_at: '2020-01-01T00:00:00.000Z' };
    const ended = pathOf(
      trackedUrls({ baseUrl: 'http://onward.test' }, api.keyring, old).click(
        'https://bank.example/',
      ),
    );
    const over = await api.call('GET', ended, {
      headers: { 'Accept-Language': `xx, ${locale};q=0.9` },
    });
    expect(over.status).toBe(410);
    expectPage(over.body, words, words.ended);
  },
);

test('a page at a link that is not valid is in the language that the browser asks for', async () => {
  const { status, body } = await api.call('GET', '/confirm/doc~x', {
    headers: { 'Accept-Language': 'es' },
  });
  expect([status, body]).toEqual([404, expect.stringContaining('lang="es"')]);
});
