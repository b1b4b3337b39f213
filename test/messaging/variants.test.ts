import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aMailProvider } from '../stories/a-mail-provider.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';

let service: SendingService;
let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  service = await startSendingService({ SMTP_FAMILY: 'email_b' });
  ({ api } = service);
  team = await anUnboundedTeam(api);
});
afterAll(() => service.stop());

const variants = [
  { key: 'bold', weight: 50, overrides: { subject: 'Start now' } },
  { key: 'calm', weight: 50, overrides: { subject: 'Whenever you like' } },
];
const counted = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'unsubscribed'] as const;
type Figures = Record<(typeof counted)[number], number> & { variant_key?: string };

const pick = (figures: Figures) => counted.map((name) => figures[name]);
const added = (parts: readonly Figures[]) =>
  counted.map((name) => parts.reduce((sum, part) => sum + part[name], 0));

/** Sends to some readers, and has the provider report that all who got `bold` clicked. */
async function aVariedCampaign(count: number) {
  const template = await aSendingTemplate(team, [{ ...anEmail, variants }, anEmail]);
  const readers: string[] = [];
  for (let made = 0; made < count; made += 1) readers.push(await aReader(team));
  await enrolled(team, template, readers);
  const sent = await eventually(
    () => deliveriesOf(team, template.id),
    (all) => all.length === 2 * count && all.every(({ status }) => status === 'sent'),
  );
  const provider = await aMailProvider(api, team);
  const mails = new Map(service.mail.received.map((mail) => [mail.messageId, mail]));
  const reports = sent.flatMap(({ provider_message_id: id, variant_key: key }) => {
    const mail = mails.get(id);
    if (!mail) throw new Error('a delivery has no mail');
    const events =
      key === 'bold' ? (['delivered', 'open', 'click'] as const) : ['delivered' as const];
    return events.map((event) => ({ mail, event }));
  });
  await provider.report(reports);
  const [message = '', plain = ''] = template.messageIds;
  return { template, sent, message, plain };
}

test('figures of the variants are those of their recipients, and add up to the message', async () => {
  const { template, sent, message, plain } = await aVariedCampaign(24);
  const of = (key: string) =>
    sent.filter((one) => one.message_id === message && one.variant_key === key).length;
  const [bold, calm] = [of('bold'), of('calm')];
  expect([bold > 0, calm > 0, bold + calm]).toEqual([true, true, 24]);
  const requested = [
    { variant_key: 'bold', sent: bold, delivered: bold, opened: bold, clicked: bold },
    { variant_key: 'calm', sent: calm, delivered: calm, opened: 0, clicked: 0 },
  ];

  const { body } = await team.get(`/v2/partner/templates/${template.id}/messages`);
  const stats = body.data.find(({ id }: { id: string }) => id === message);
  expect(stats.stats_by_variant).toMatchObject(requested);
  expect(added(stats.stats_by_variant)).toEqual(pick(stats.stats));
  const unvaried = body.data.find(({ id }: { id: string }) => id === plain);
  expect([unvaried.stats.sent, unvaried.stats_by_variant]).toEqual([24, []]);

  const insight = '/v2/partner/insights/advanced/messages?period=today&timezone=UTC';
  const answer = await team.get(`${insight}&filter[template_id]=${template.id}`);
  const row = answer.body.value.messages.find(
    ({ message_id: id }: { message_id: string }) => id === message,
  );
  expect(row.by_variant).toMatchObject([
    { ...requested[0], click_rate: 1 },
    { ...requested[1], click_rate: 0 },
  ]);
  expect(added(row.by_variant)).toEqual(pick(row));
});
