import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { insertConfirmation } from '../../src/messaging/confirming/queries.ts';
import { confirmationUrl } from '../../src/messaging/confirming/token.ts';
import { trackedUrls } from '../../src/messaging/tracking/token.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { runEntry } from '../commands/spawn.ts';
import { insertDelivery } from '../contract/recipes/messages.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { aReader, aSendingTemplate, anEmail } from '../journeys/a-send.ts';
import { aBatch, badItem, contactsOf, keysOf, whenRun } from '../operations/runs/a-run.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { Receiver } from '../support/receiver.ts';

// The pages that people see, with data as a bank has it.

/** A page, by its name in pictures. */
export interface Scene {
  name: string;
  path: string;
  /** For pages that a token opens. */
  token?: string;
  /** Shown once the page is drawn. */
  waitFor?: string;
  status?: number;
}

const theme = {
  primary_color: '#0a6847',
  radius: '10px',
  legal_text: 'Harbor Bank plc, 1 Quay Street, Bristol\nAuthorized by the regulator',
};

const words = {
  en: {
    bank: 'Harbor Bank',
    topics: [
      ['Offers', 'Discounts and rates, at most twice a month.'],
      ['Security tips', 'How to recognize fraud.'],
    ],
    title: 'Savings, without the small print',
    text: '<p>Open your savings account online. It takes about <strong>five minutes</strong>.</p><h2>What you get</h2><ul><li>2.4 % interest a year</li><li>No fee, and no minimum</li></ul>',
    button: 'Open an account',
    card: ['Everyday card', 'Pay everywhere, without a fee abroad.'],
    form: ['Ask us to call you', 'Your e-mail address', 'Send'],
    steps: ['Welcome', 'About you', 'Your card'],
  },
  ar: {
    bank: 'بنك الميناء',
    topics: [
      ['عروض', 'خصومات وأسعار، مرتين في الشهر على الأكثر.'],
      ['نصائح الأمان', 'كيف تتعرف على الاحتيال.'],
    ],
    title: 'ادخار بلا تعقيد',
    text: '<p>افتح حساب الادخار عبر الإنترنت في <strong>خمس دقائق</strong>.</p><h2>ما تحصل عليه</h2><ul><li>فائدة 2.4 % سنويا</li><li>بلا رسوم</li></ul>',
    button: 'افتح حسابا',
    card: ['بطاقة يومية', 'ادفع في كل مكان.'],
    form: ['اطلب اتصالا', 'بريدك الإلكتروني', 'إرسال'],
    steps: ['أهلا', 'عنك', 'بطاقتك'],
  },
} as const;
type Language = keyof typeof words;

async function made(team: TestTeam, path: string, body?: object): Promise<any> {
  const reply = await team.post(path, body, { 'Idempotency-Key': randomUUID() });
  expect([path, reply.body?.errors]).toEqual([path, undefined]);
  return reply.body;
}

/** A team with a name, a look and topics. */
async function aBank(api: TestApi, language: Language): Promise<TestTeam> {
  const team = await api.newTeam();
  const { bank, topics } = words[language];
  const settings = { name: bank, locale: language, quiet_hours: null, frequency_cap: null };
  expect((await team.patch('/v2/partner/team', settings)).status).toBe(200);
  await made(team, '/v2/partner/widget-instances', {
    ...{ name: 'Look', widget_kind: 'journey', allowed_origins: [], theme },
  });
  for (const [name, description] of topics) {
    await made(team, '/v2/partner/topics', { name, description });
  }
  return team;
}

async function blocksOf(team: TestTeam, language: Language) {
  const { text, button, card, form } = words[language];
  const url = 'https://bank.example/open';
  const contents = {
    text: ['rich_text', { html: text }],
    button: ['button', { label: button, url }],
    card: [
      'product_card',
      { title: card[0], description: card[1], button: { label: button, url } },
    ],
    form: [
      'form',
      {
        ...{ title: form[0], submit_label: form[2] },
        fields: [{ name: 'email', label: form[1], kind: 'email', is_required: true }],
      },
    ],
  } as const;
  const ids: Record<string, string> = {};
  for (const [name, [kind, body]] of Object.entries(contents)) {
    const about = { key: `${name}-${randomUUID()}`, name, kind, body };
    ids[name] = String((await made(team, '/v2/partner/content-blocks', about)).id);
  }
  return ids;
}

const pathOf = (url: string) => new URL(url).pathname;
const base = 'http://onward.test';

/** Pages of recipients in a language. */
export async function recipientScenes(api: TestApi, language: Language): Promise<Scene[]> {
  const team = await aBank(api, language);
  const { title, steps } = words[language];
  const { text = '', button = '', card = '', form = '' } = await blocksOf(team, language);
  const slug = `p-${randomUUID()}`;
  const page = await made(team, '/v2/partner/landing-pages', {
    ...{ name: 'Savings', title, slug, locale: language, theme: { primary_color: '#0a6847' } },
    content_block_ids: [text, button, card, form],
  });
  await made(team, `/v2/partner/landing-pages/${String(page.id)}/publish`);

  const ids = [[text], [form], [card]];
  const pages = steps.map((name, at) => ({ name, title: name, content_block_ids: ids[at] }));
  const journey = await aJourneyIn(api, team, await aTemplateWithPages(team, pages), {
    locale: language,
  });

  const contact_id = await aReader(team, { locale: language, phone: '+14155550177' });
  const id = await insertDelivery(team, { contact_id, status: 'sent' });
  const urls = choiceUrls(base, api.keyring, { team_id: team.id, id });
  const confirmation = await api.db.database.transact((sql) =>
    insertConfirmation(sql, team.id, {
      ...{ contact_id, channel: 'email', landing_page_id: String(page.id) },
    }),
  );
  const asked = { team_id: team.id, id: confirmation.id, digest: Buffer.alloc(32) };
  const old = { team_id: team.id, id, inserted_at: '2020-01-01T00:00:00.000Z' };
  const ended = trackedUrls({ baseUrl: base }, api.keyring, old).click('https://bank.example/');
  return [
    { name: 'landing-page', path: `/p/${team.id}/${slug}` },
    { name: 'landing-page-missing', path: `/p/${team.id}/nothing`, status: 404 },
    { name: 'journey', path: `/journey#${journey.linkToken}`, waitFor: 'h2' },
    {
      name: 'journey-invalid',
      path: '/journey#dol~nothing',
      waitFor: 'p:visible',
    },
    { name: 'preferences', path: pathOf(urls.preferences_url) },
    { name: 'unsubscribe', path: pathOf(urls.unsubscribe_url) },
    { name: 'confirm', path: pathOf(confirmationUrl(base, api.keyring, asked)) },
    { name: 'tracking-ended', path: pathOf(ended), status: 410 },
    { name: 'link-invalid', path: '/preferences/dou~nothing', status: 404 },
  ].map((scene) => ({
    ...scene,
    name: language === 'en' ? scene.name : `${scene.name}-${language}`,
  }));
}

/** The team's pages, each with what it opens. The receiver fails. */
export async function teamScenes(api: TestApi, receiver: Receiver): Promise<Scene[]> {
  const team = await aBank(api, 'en');
  receiver.answer(() => ({ status: 500, body: 'relation "orders" does not exist' }));
  const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
  const batch = await aBatch(team, {
    items: [...contactsOf(keysOf(20)), ...keysOf(3).map(badItem)],
  });
  await whenRun(team, batch);
  const subscription = await made(team, '/v2/partner/webhook-subscriptions', {
    ...{ name: 'Orders', target_url: receiver.url, event_types: ['contact.created'] },
  });
  const at = `/v2/partner/webhook-subscriptions/${String(subscription.id)}`;
  const callbacks = await aReceiver(api, team, { name: 'Card processor' });
  await callbacks.send({ kind: 'card.activated', unique_id: 'crm-1' });
  await callbacks.send({ kind: 'card.used' }, { secret: `whsec_${'A'.repeat(32)}` });
  await anObjective(team);
  const campaign = await aSendingTemplate(team, [{ ...anEmail, name: 'Welcome letter' }], {
    name: 'Everyday account',
  });
  const reader = await aReader(team);
  const journey = await made(team, `/v2/partner/templates/${campaign.id}/enrollments`, {
    contact_id: reader,
  });
  const deliveries = async () => (await team.get(`${at}/deliveries`)).body.data;
  const failed = await eventually(deliveries, (all) => all[0]?.status === 'failed');
  const outcome = await runEntry(
    'src/commands/seed.ts',
    ['--team', team.id, '--contacts', '300', '--events', '6000'],
    { DATABASE_OWNER_URL: api.db.ownerUrl },
  );
  expect([outcome.code, outcome.stderr]).toEqual([0, '']);
  const { token } = team;
  const detail = '[aria-label=Details] h2';
  return [
    { name: 'requests', path: '/requests', token, waitFor: 'tbody tr' },
    {
      ...{ name: 'requests-details', token, waitFor: detail },
      path: `/requests#/requests/${String(refused.headers.get('x-request-id'))}`,
    },
    { name: 'webhooks', path: '/webhooks', token, waitFor: 'tbody tr' },
    {
      ...{ name: 'webhooks-subscription', token, waitFor: 'tbody tr' },
      path: `/webhooks#/subscriptions/${String(subscription.id)}`,
    },
    {
      ...{ name: 'webhooks-delivery', token, waitFor: detail },
      path: `/webhooks#/subscriptions/${String(subscription.id)}/deliveries/${String(failed[0].id)}`,
    },
    { name: 'batches', path: '/batches', token, waitFor: 'tbody tr' },
    {
      ...{ name: 'batches-failed', token, waitFor: 'tbody tr' },
      path: `/batches#/batches/${batch.split('/').at(-1) ?? ''}`,
    },
    {
      name: 'callbacks',
      path: `/callbacks#/receivers/${callbacks.id}`,
      token,
      waitFor: 'tbody tr',
    },
    { name: 'campaigns', path: '/campaigns', token, waitFor: 'tbody tr' },
    {
      name: 'campaigns-template',
      path: `/campaigns#/campaigns/${campaign.id}`,
      token,
      waitFor: 'h2',
    },
    {
      ...{ name: 'campaigns-journey', token, waitFor: detail },
      path: `/campaigns#/campaigns/${campaign.id}/journeys/${String(journey.journey_id ?? journey.id)}`,
    },
    { name: 'people', path: `/people#/people/${reader}`, token, waitFor: 'h2' },
    { name: 'insights', path: '/insights', token, waitFor: 'section' },
    { name: 'signed-out', path: '/webhooks' },
    { name: 'portal-ended', path: `/portal/${randomUUID()}/requests`, status: 404 },
  ];
}

/** Key of the pages of the machine. */
export const pageKey = 'key-of-the-pages';

/** Pages of the site, of the mailbox and of errors. */
export async function otherScenes(api: TestApi): Promise<Scene[]> {
  const team = await aBank(api, 'en');
  const template = await aSendingTemplate(team, [{ ...anEmail, body_html: words.en.text }]);
  await made(team, `/v2/partner/templates/${template.id}/enrollments`, {
    contact_id: await aReader(team),
  });
  const [mail] = await eventually(
    () =>
      api.db.look(
        (sql) => sql<{ id: string }[]>`
          select id from mailbox_messages where team_id = ${team.id} limit 1`,
      ),
    (rows) => rows.length > 0,
  );
  return [
    { name: 'mailbox', path: `/mailbox?key=${pageKey}` },
    { name: 'mailbox-message', path: `/mailbox/${mail?.id ?? ''}` },
    { name: 'docs-home', path: '/docs' },
    { name: 'docs-guide', path: '/docs/guides/receive-webhooks' },
    { name: 'docs-reference', path: '/docs/reference/contacts' },
    { name: 'docs-event', path: '/docs/events/contact' },
    { name: 'docs-error', path: '/docs/errors/validation_failed' },
    { name: 'docs-missing', path: '/docs/nothing-here', status: 404 },
  ];
}
