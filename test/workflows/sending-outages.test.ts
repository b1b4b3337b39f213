import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { registry } from '../../src/platform/http/metrics.ts';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  deliveriesOf,
  enrolled,
} from '../journeys/a-send.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { startProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';

let service: SendingService;
let api: TestApi;
let team: TestTeam;
let mail: MailServer;
let provider: Receiver;
let mailLine: Proxy;
let textLine: Proxy;

/** So often may a message be tried: once more than faults open a breaker that may be its own. */
const attempts = 6;
const people = 3;

beforeAll(async () => {
  mail = await startMailServer();
  provider = await startReceiver();
  const portOf = (url: string) => Number(new URL(url).port);
  mailLine = await startProxy({ host: '127.0.0.1', port: portOf(mail.url) });
  textLine = await startProxy({ host: '127.0.0.1', port: portOf(provider.url) });
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${String(mailLine.port)}`,
    SMS_SENDER: 'sms_b',
    SMS_PROVIDER_URL: `http://127.0.0.1:${String(textLine.port)}`,
    SMS_PROVIDER_KEY: 'key',
    SEND_TIMEOUT_SECONDS: '1',
    SEND_RETRY_SCHEDULE_SECONDS: '0.1,0.1,0.1,0.1,0.1',
    SEND_PROBE_SCHEDULE_SECONDS: '0.1,0.2',
  };
  service = await startSendingService(settings, mail);
  ({ api } = service);
  team = await anUnboundedTeam(api);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mailLine.stop(), textLine.stop(), provider.stop()]);
});

const isTaken = () => ({ status: 200, body: JSON.stringify({ data: { id: randomUUID() } }) });

async function enrollSome(message: object, count = people) {
  const template = await aSendingTemplate(team, [message]);
  const phone = () => `+1415555${String(Math.floor(1_000 + Math.random() * 9_000))}`;
  const readers = await Promise.all(
    Array.from({ length: count }, () => aReader(team, { phone: phone() })),
  );
  await enrolled(team, template, readers);
  return template;
}

async function figure(name: string, channel: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return (metric?.values ?? [])
    .filter(({ labels }) => labels['channel'] === channel)
    .reduce((sum, { value }) => sum + value, 0);
}
const tried = (channel: string) => figure('onward_send_attempts_total', channel);
const isHalted = async (channel: string) =>
  (await figure('onward_provider_circuit_open', channel)) === 1;

/** Waits until more was tried than messages may be, without the breaker. */
async function outlast(channel: string, before: number) {
  const most = before + people * attempts;
  await untilTrue(async () => (await tried(channel)) > most);
  expect(await isHalted(channel)).toBe(true);
}

const isAll =
  (status: string, count = people) =>
  (found: { status: string }[]) =>
    found.length === count && found.every((one) => one.status === status);

async function allWait(template: { id: string }) {
  const found = await eventually(
    () => deliveriesOf(team, template.id),
    ({ length }) => length === people,
  );
  expect(found.map(({ status, bounce }) => [status, bounce])).toEqual(
    found.map(() => ['queued', undefined]),
  );
}

interface Outage {
  channel: 'sms' | 'email';
  begin(): unknown;
}

const text = (begin: Outage['begin']): Outage => ({ channel: 'sms', begin });
const eMail = (begin: Outage['begin']): Outage => ({ channel: 'email', begin });

/** Outages of both channels at the same time, where both know them. */
const outages: [name: string, ...Outage[]][] = [
  [
    'answers 500, or 421 to every session',
    text(() => provider.answer(() => ({ status: 500 }))),
    eMail(() => mail.refuse(() => 421)),
  ],
  ['does not know us (401)', text(() => provider.answer(() => ({ status: 401 })))],
  ['asks to be left alone (429)', text(() => provider.answer(() => ({ status: 429 })))],
  ['does not answer', text(() => provider.answer(() => 'hang')), eMail(() => mailLine.blackHole())],
  ['refuses connections', text(() => textLine.refuse()), eMail(() => mailLine.refuse())],
];

const heal: Record<Outage['channel'], () => Promise<void>> = {
  async sms() {
    provider.answer(isTaken);
    await textLine.heal();
  },
  async email() {
    mail.refuse(() => undefined);
    mailLine.cut();
    await mailLine.heal();
  },
};

async function losesNothing({ channel, begin }: Outage): Promise<void> {
  const before = await tried(channel);
  await begin();
  const template = await enrollSome(channel === 'sms' ? aText : anEmail);
  await outlast(channel, before);
  await allWait(template);
  await heal[channel]();
  const sent = await eventually(() => deliveriesOf(team, template.id), isAll('sent'));
  expect(await isHalted(channel)).toBe(false);
  if (channel === 'sms') return;
  const ids = sent.map(({ id }) => `${String(id)}@bank.example`);
  const came = mail.received.filter(({ messageId }) => ids.includes(messageId));
  expect(new Set(came.map(({ messageId }) => messageId))).toEqual(new Set(ids));
}

test.each(outages)(
  'no message is lost or uses an attempt while its provider %s',
  async (_, ...channels) => {
    await Promise.all(channels.map(losesNothing));
  },
);

test('a provider gets the pause of its Retry-After, with any number of waiting messages', async () => {
  let askedAtMs = 0;
  const begunBefore = provider.received.length;
  provider.answer(async () => {
    // All that will be under way at once are there.
    await untilTrue(() => provider.received.length >= begunBefore + people);
    askedAtMs = Date.now();
    provider.answer(isTaken);
    return { status: 429, headers: { 'Retry-After': '2' } };
  });
  const template = await enrollSome(aText);
  await eventually(() => deliveriesOf(team, template.id), isAll('sent'));
  const next = provider.received[begunBefore + people];
  expect(next?.atMs).toBeGreaterThanOrEqual(askedAtMs + 1_900);
});

test('while one channel waits, another continues, and waiting messages can be canceled', async () => {
  provider.answer(() => ({ status: 401 }));
  const texts = await enrollSome(aText, 1);
  await untilTrue(() => isHalted('sms'));
  const emails = await enrollSome(anEmail);
  await eventually(() => deliveriesOf(team, emails.id), isAll('sent'));
  expect(await isHalted('sms')).toBe(true);
  const later = await enrollSome(aText, 1);
  const [waiting] = await eventually(() => deliveriesOf(team, later.id), isAll('queued', 1));
  const canceled = await eventually(
    () => team.post(`/v2/partner/message-deliveries/${String(waiting.id)}/cancel`),
    // 409 while it is the probe.
    ({ status }) => status === 200,
  );
  expect(canceled.body).toMatchObject({ status: 'canceled' });
  provider.answer(isTaken);
  await eventually(() => deliveriesOf(team, texts.id), isAll('sent', 1));
});
