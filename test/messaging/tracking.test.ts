import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answerTracked } from '../../src/messaging/tracking/answer.ts';
import { trackedUrls } from '../../src/messaging/tracking/token.ts';
import { visitsOf } from '../../src/messaging/tracking/visits.ts';
import { DatabaseUnavailable } from '../../src/platform/database/failures.ts';
import { visitsLost } from '../../src/platform/http/metrics.ts';
import type { Services } from '../../src/platform/http/services.ts';
import { createTeamStates } from '../../src/platform/http/team-states.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { listTeamStates } from '../../src/team/queries.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { decodedLinks, startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { swept } from './an-archive.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

const api = useTestApi();
let mail: MailServer;
let lanes: SendingLanes;
let lanesWithFamily: SendingLanes;

beforeAll(async () => {
  mail = await startMailServer();
  const smtp = { url: mail.url, requiresTls: false, connections: 2, family: undefined };
  lanes = await startSendingLanes(api, { smtp });
  lanesWithFamily = await startSendingLanes(api, { smtp: { ...smtp, family: 'email_b' } });
});
afterAll(async () => {
  await lanes.stop();
  await lanesWithFamily.stop();
  await mail.stop();
});

const teamPath = '/v2/partner/team';
const shop = 'https://shop.example/cards?a=1&b=2';
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const aTrackedEmail = {
  ...anEmail,
  body_html:
    '<p><a href="https://shop.example/cards?a=1&amp;b=2">Cards</a> <a href="https://shop.example/b">B</a> ' +
    '<a href="https://shop.example/quiet" data-onward-track="false">Quiet</a> ' +
    '<a href="mailto:help@bank.example">Help</a> <a href="{{ journey.link_url }}">Go on</a> ' +
    '<a href="{{ preferences_url }}">Choose</a></p>',
};

async function aTeam(tracking: object | null = { opens: true, clicks: true }): Promise<TestTeam> {
  const team = await anUnboundedTeam(api);
  const { status } = await team.patch(teamPath, { tracking });
  expect(status).toBe(200);
  return team;
}

/** A mail that was sent a minute ago, with the tracked addresses in it. */
async function aSentMail(
  team: TestTeam,
  further: readonly object[] = [],
  through: Pick<SendingLanes, 'decide' | 'send'> = lanes,
) {
  const email = `${randomUUID()}@example.com`;
  const contact = await aReader(team, { email });
  const template = await aSendingTemplate(team, [aTrackedEmail, ...further]);
  await enrolled(team, template, [contact]);
  await through.decide();
  await through.send();
  const [delivery] = await deliveriesOf(team, template.id);
  await api.db.look(
    (sql) => sql`
      update message_deliveries set sent_at = sent_at - interval '1 minute'
      where team_id = ${team.id}`,
  );
  const { source = '' } = mail.received.find(({ recipient }) => recipient === email) ?? {};
  const body = decodedLinks(source);
  const clicks = [...body.matchAll(/href="[^"]*(\/t\/c\/[\w~-]+)"/g)].map(([, path = '']) => path);
  const [, open = ''] = /src="[^"]*(\/t\/o\/[\w~-]+\.gif)"/.exec(body) ?? [];
  return { body, clicks, open, contact, template, delivery: String(delivery.id) };
}

const visit = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  api.call(method, path, { headers: { 'User-Agent': browser, ...headers } });

const deliveryOf = async (team: TestTeam, id: string) =>
  (await team.get(`/v2/partner/message-deliveries/${id}`)).body;

async function engagementOf(team: TestTeam): Promise<any[]> {
  const { body } = await team.get('/v2/partner/engagement-events?sort=occurred_at');
  return body.data.filter(({ kind }: { kind: string }) => /opened|clicked/.test(kind));
}

/** A later visit that is recorded: all earlier ones are then, too. */
async function settled(team: TestTeam): Promise<void> {
  const last = await aSentMail(team);
  await visit(last.open);
  await eventually(
    () => deliveryOf(team, last.delivery),
    ({ open_count }) => open_count === 1,
  );
}

test('a mail by SMTP counts its open and its click as those that a provider reports', async () => {
  const team = await aTeam();
  await subscribe(api, team);
  const trigger = { kind: 'on_event', event_kind: 'message.clicked', delay: 'P1D' };
  const { body, clicks, open, delivery, contact, template } = await aSentMail(team, [
    { ...anEmail, name: 'Thanks', trigger },
  ]);
  expect(clicks).toHaveLength(2);
  expect(body).toContain('href="https://shop.example/quiet"');
  expect(body).not.toContain('data-onward-track');
  expect(body).toMatch(/href="http:\/\/onward\.test\/(journey#|preferences\/)/);
  // The text is for people who read it.
  expect(body).toContain('Cards (https://shop.example/cards?a=1&b=2)');

  const picture = await fetch(`${api.url}${open}`, { headers: { 'User-Agent': browser } });
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    ...{ 'content-type': 'image/gif', 'cache-control': 'no-store' },
  });
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(0, 6)
      .toString(),
  ).toBe('GIF89a');
  const click = await visit(clicks[0] ?? '');
  expect([click.status, click.headers.get('location'), click.body]).toEqual([302, shop, undefined]);
  expect(click.headers.get('referrer-policy')).toBe('no-referrer');
  expect(click.headers.get('set-cookie')).toBeNull();

  const seen = await eventually(
    () => deliveryOf(team, delivery),
    ({ open_count, click_count }) => open_count === 1 && click_count === 1,
  );
  expect(seen).toMatchObject({
    first_opened_at: expect.any(String),
    first_clicked_at: expect.any(String),
  });
  const about = { contact_id: contact, message_delivery_id: delivery, is_machine: false };
  expect(await engagementOf(team)).toMatchObject([
    { ...about, kind: 'message.opened', ip_truncated: '127.0.0.0' },
    { ...about, kind: 'message.clicked', url: shop, properties: { agent_class: 'desktop' } },
  ]);
  expect(JSON.stringify(await engagementOf(team))).not.toContain('Firefox');
  const published = (await eventsOf(api, team, delivery)).map(({ type }) => type);
  expect(published).toEqual(expect.arrayContaining(['message.opened', 'message.clicked']));
  const [journey] = await api.db.look(
    (sql) => sql<{ scheduled_steps: object }[]>`
      select scheduled_steps from journeys where team_id = ${team.id}`,
  );
  expect(JSON.stringify(journey?.scheduled_steps)).toContain(template.messageIds[1]);
});

test('repeats within a minute, machines and scanners count apart from people', async () => {
  const team = await aTeam();
  const { clicks, open, delivery } = await aSentMail(team);
  const [first = '', second = ''] = clicks;
  for (const path of [first, first, open, open]) await visit(path);
  await visit(open, 'GET', { 'User-Agent': 'Mozilla/5.0' });
  await visit(second, 'HEAD');
  await visit(second, 'GET', { 'Sec-Purpose': 'prefetch' });
  await settled(team);
  expect(await deliveryOf(team, delivery)).toMatchObject({
    ...{ open_count: 1, click_count: 1, machine_open_count: 1 },
  });
  const events = (await engagementOf(team)).filter((one) => one.message_delivery_id === delivery);
  const count = (kind: string, isMachine: boolean) =>
    events.filter((one) => one.kind === kind && one.is_machine === isMachine).length;
  expect(count('message.opened', true)).toBe(1);
  expect(count('message.clicked', true)).toBe(1);
  expect(count('message.clicked', false)).toBe(1);
});

test('a link that the service has not signed leads nowhere', async () => {
  const team = await aTeam();
  const { clicks } = await aSentMail(team);
  const [path = ''] = clicks;
  const altered = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const other of [
    path.slice(0, -3),
    altered.replace('/t/c/', '/t/o/'),
    `${path}.gif`,
    '/t/c/',
  ]) {
    const { status, headers } = await visit(other);
    expect([other, status, headers.get('location')]).toEqual([other, 404, null]);
  }
  expect((await visit(path, 'POST')).status).toBe(404);
});

test('a link of an erased contact still leads to its target, and records nothing', async () => {
  const team = await aTeam();
  const { clicks, contact, delivery } = await aSentMail(team);
  await team.post(`/v2/partner/contacts/${contact}/erase`);
  await swept(api, team);
  expect((await visit(clicks[0] ?? '')).headers.get('location')).toBe(shop);
  await settled(team);
  expect(await deliveryOf(team, delivery)).toMatchObject({ click_count: 0 });
  expect((await engagementOf(team)).map(({ message_delivery_id: id }) => id)).not.toContain(
    delivery,
  );
});

test('a click on a mail to a merged contact counts for the winner', async () => {
  const team = await aTeam();
  const { clicks, contact } = await aSentMail(team);
  const winner = await aReader(team);
  const merge = { source_contact_id: contact };
  expect((await team.post(`/v2/partner/contacts/${winner}/merge`, merge)).status).toBe(200);
  await visit(clicks[0] ?? '');
  const events = await eventually(
    () => engagementOf(team),
    (all) => all.length > 0,
  );
  expect(events).toMatchObject([{ kind: 'message.clicked', contact_id: winner }]);
});

test('a link that names another team, or a deleted delivery, records nothing', async () => {
  const [team, other] = [await aTeam(), await aTeam()];
  const { clicks, delivery } = await aSentMail(team);
  const { inserted_at } = await deliveryOf(team, delivery);
  const foreign = trackedUrls({ baseUrl: '' }, api.keyring, {
    team_id: other.id,
    id: delivery,
    inserted_at,
  });
  expect((await visit(foreign.click(shop))).status).toBe(302);
  await settled(other);
  expect(await deliveryOf(team, delivery)).toMatchObject({ click_count: 0 });
  expect(await engagementOf(other)).toMatchObject([{ kind: 'message.opened' }]);
  await api.db.look((sql) => sql`delete from message_deliveries where team_id = ${team.id}`);
  expect((await visit(clicks[0] ?? '')).status).toBe(302);
  await settled(team);
  expect(await engagementOf(team)).toMatchObject([{ kind: 'message.opened' }]);
});

test('mails of teams without tracking, and of providers that report, stay as they are', async () => {
  const off = await aSentMail(await aTeam(null));
  expect([off.clicks, off.open]).toEqual([[], '']);
  expect(off.body).not.toContain('data-onward-track');
  const reporting = await aSentMail(await aTeam(), [], lanesWithFamily);
  expect([reporting.clicks, reporting.open]).toEqual([[], '']);
});

test('links live on a domain of the team while it is verified', async () => {
  const team = await aTeam();
  const refused = { opens: true, clicks: true, domain: 'links.unknown-bank.com' };
  const { status, body } = await team.patch(teamPath, { tracking: refused });
  expect([status, body.errors[0].code, body.errors[0].meta.pointer]).toEqual([
    422,
    'sender_not_verified',
    '/tracking/domain',
  ]);
  const domain = 'links.bank.example';
  const tracking = { opens: false, clicks: true, domain };
  expect((await team.patch(teamPath, { tracking })).body.tracking).toEqual(tracking);
  const sent = await aSentMail(team);
  expect(sent.body).toContain(`href="http://${domain}/t/c/`);
  expect(sent.open).toBe('');
  await api.db.look(
    (sql) => sql`
      update teams set tracking = jsonb_set(tracking, '{domain}', '"links.unknown-bank.com"')
      where id = ${team.id}`,
  );
  expect((await aSentMail(team)).body).toContain('href="http://onward.test/t/c/');
  const cleared = await team.patch(teamPath, { tracking: null });
  expect(cleared.body).not.toHaveProperty('tracking');
});

test('a domain is that of the team that has verified it, and other teams keep theirs', async () => {
  const [holder, third] = [await aTeam(), await aTeam()];
  const bank = `${randomUUID()}.com`;
  const [domain, own] = [`links.${bank}`, `links.of-the-third.${bank}`];
  for (const [{ id }, name] of [
    [holder, domain],
    [third, own],
  ] as const) {
    await api.db.look(
      (sql) => sql`
        update teams set tracking = jsonb_set(tracking, '{domain}', to_jsonb(${name}::text))
        where id = ${id} returning id`,
    );
  }
  const team = await aTeam();
  await api.db.look(
    (sql) => sql`
      insert into sending_domains
        (team_id, domain, status, challenge, dkim_selector, dkim_public_key, next_check_at)
      values (${team.id}, ${bank}, 'verified', 'c', 's', 'k', now() + interval '1 day')
      returning id`,
  );
  const states = async () => {
    const rows = await api.db.database.read((sql) => listTeamStates(sql));
    return [team, holder, third].map(({ id }) => {
      const row = rows.find((one) => one.id === id);
      return [row?.domain, row?.is_verified];
    });
  };
  expect(await states()).toEqual([
    ...[
      [null, false],
      [domain, false],
      [own, false],
    ],
  ]);
  const tracking = { opens: false, clicks: true, domain };
  expect((await team.patch(teamPath, { tracking })).status).toBe(200);
  expect(await states()).toEqual([
    ...[
      [domain, true],
      [null, false],
      [own, false],
    ],
  ]);
});

test('with the database away, a click leads to its target, and its loss is counted', async () => {
  const noStates = { teamOfHost: new Map(), suspended: new Set<string>(), linkDays: new Map() };
  const away = () => Promise.reject(new DatabaseUnavailable('away'));
  const services = {
    ...{ keyring: api.keyring, log: createLog('silent', 'api'), database: { transact: away } },
    teamStates: createTeamStates(noStates, away, createLog('silent', 'api')),
  } as unknown as Services;
  const send = { team_id: randomUUID(), id: randomUUID(), inserted_at: new Date().toISOString() };
  const urls = trackedUrls({ baseUrl: '' }, api.keyring, send);
  const request = { method: 'GET', headers: {} } as never;
  const answer = (path: string) =>
    answerTracked(services, { request, address: '192.0.2.1' }, path, { kind: 'service' });
  const headers = { Location: shop };
  expect(await answer(urls.click(shop))).toMatchObject({ status: 302, headers });
  expect(await answer(urls.open())).toMatchObject({ status: 200 });
  const lost = async () =>
    (await visitsLost.get()).values.find(({ labels }) => labels.reason === 'unavailable')?.value ??
    0;
  const before = await lost();
  await visitsOf(services).close();
  expect((await lost()) - before).toBe(2);
});
