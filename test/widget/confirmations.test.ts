import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodedLinks } from '../support/mail-server.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';
import { aScene, aVisitor, verdict } from './a-widget.ts';
import type { Visitor } from './a-widget.ts';

let service: SendingService;
let api: TestApi;
beforeAll(async () => {
  service = await startSendingService();
  ({ api } = service);
});
afterAll(() => service.stop());

const widget = {
  widget_kind: 'opt_in',
  opt_in: { channels: ['email', 'sms', 'push'], double_opt_in: true },
};
let people = 0;
async function somebody(contact: object = {}) {
  people += 1;
  const address = `asked-${String(people)}@example.com`;
  const scene = await aScene(api, { contact: { email: address, ...contact }, widget });
  return { scene, address, visitor: await aVisitor(api, scene) };
}
const choose = (visitor: Visitor, channel: string, status: string) =>
  visitor.call('PUT', `${visitor.path}/consents/${channel}`, { body: { status } });
const mailsTo = (address: string) => service.mailsTo(address);

/** The path of the link in the newest of so many messages. */
async function linkTo(address: string, count = 1): Promise<string> {
  const mails = await eventually(
    () => Promise.resolve(mailsTo(address)),
    ({ length }) => length >= count,
  );
  const source = decodedLinks(mails[count - 1]?.source ?? '');
  return /http:\/\/onward\.test(\/confirm\/[\w~-]+)/.exec(source)?.[1] ?? 'none';
}
const open = (method: string, link: string) =>
  fetch(api.url + link, { method }).then(async (reply) => ({
    status: reply.status,
    text: await reply.text(),
  }));
const consentOf = async ({ team, journey }: Awaited<ReturnType<typeof aScene>>, channel: string) =>
  (await team.get(`/v2/partner/contacts/${journey.contactId}`)).body.consents[channel];
const grantsOf = async ({ team }: Awaited<ReturnType<typeof aScene>>) =>
  (await team.get('/v2/partner/engagement-events?filter[kind]=opt_in.granted')).body.data.map(
    ({ properties, widget_instance_id }: any) => ({ ...properties, widget_instance_id }),
  );

test('a consent is given by the button on the page of the link, and by no earlier step', async () => {
  const { scene, address, visitor } = await somebody();
  expect((await choose(visitor, 'email', 'subscribed')).body.status).toBe('pending');
  const link = await linkTo(address);
  const [{ source } = { source: '' }] = mailsTo(address);
  expect(source).toMatch(/^Subject: Please confirm: messages from /m);
  // Programs that look at links follow them.
  const seen = await open('GET', link);
  expect(seen).toMatchObject({
    status: 200,
    text: expect.stringContaining('<form method="post">'),
  });
  expect((await consentOf(scene, 'email')).status).toBe('pending');
  expect(await grantsOf(scene)).toEqual([]);

  expect((await open('POST', link)).status).toBe(200);
  expect(await consentOf(scene, 'email')).toMatchObject({
    status: 'subscribed',
    source: `widget ${scene.widgetId}`,
  });
  const grant = { channel: 'email', status: 'subscribed', confirmed: true };
  const once = [{ ...grant, widget_instance_id: scene.widgetId }];
  expect(await grantsOf(scene)).toEqual(once);
  const again = await open('POST', link);
  expect(again.text).toContain('it is confirmed');
  expect((await choose(visitor, 'email', 'subscribed')).body.status).toBe('subscribed');
  expect((await consentOf(scene, 'email')).status).toBe('subscribed');
  expect(await grantsOf(scene)).toEqual(once);
  const insight = await scene.team.get('/v2/partner/insights/advanced/opt-in-widget');
  expect(insight.body.value).toMatchObject({ confirmed_double_opt_in: 1, opt_ins: { email: 1 } });
});

test('an old or expired link does not restore a withdrawn consent', async () => {
  const { scene, address, visitor } = await somebody();
  await choose(visitor, 'email', 'subscribed');
  const link = await linkTo(address);
  await choose(visitor, 'email', 'unsubscribed');
  expect((await open('POST', link)).status).toBe(404);
  expect((await consentOf(scene, 'email')).status).toBe('unsubscribed');
  await choose(visitor, 'email', 'subscribed');
  const next = await linkTo(address, 2);
  expect(next).not.toBe(link);
  await api.db.look(
    (sql) => sql`
      update consent_confirmations set expires_at = now() where team_id = ${scene.team.id}
      returning id`,
  );
  expect((await open('POST', next)).status).toBe(404);
  expect((await open('POST', `${next.slice(0, -4)}AAAA`)).status).toBe(404);
  expect((await consentOf(scene, 'email')).status).toBe('pending');

  // A repeated request sends one more message, and no other while that one is valid.
  await choose(visitor, 'email', 'subscribed');
  await choose(visitor, 'email', 'subscribed');
  expect((await open('POST', await linkTo(address, 3))).status).toBe(200);
  expect((await consentOf(scene, 'email')).status).toBe('subscribed');
  await choose(visitor, 'email', 'unsubscribed');
  await choose(visitor, 'email', 'subscribed');
  await linkTo(address, 4);
  expect(mailsTo(address)).toHaveLength(4);
});

test('a contact without an address gets no confirmation message, and push notifications need none', async () => {
  const { scene, visitor } = await somebody();
  expect(verdict(await choose(visitor, 'sms', 'subscribed'))).toBe('409 conflict');
  expect((await consentOf(scene, 'sms')).status).toBe('never');
  expect((await choose(visitor, 'push', 'subscribed')).body.status).toBe('subscribed');
});

test('an address gets at most five confirmation messages a day, also after withdrawals', async () => {
  const { visitor } = await somebody();
  for (let at = 0; at < 5; at += 1) {
    expect((await choose(visitor, 'email', 'subscribed')).body.status).toBe('pending');
    expect((await choose(visitor, 'email', 'unsubscribed')).status).toBe(200);
  }
  const refused = await choose(visitor, 'email', 'subscribed');
  expect(verdict(refused)).toBe('429 rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
});

test('a confirmation follows a contact that is merged into another', async () => {
  const { scene, address, visitor } = await somebody();
  await choose(visitor, 'email', 'subscribed');
  const link = await linkTo(address);
  const { team, journey } = scene;
  const winner = await team.post('/v2/partner/contacts', { unique_id: 'winner' });
  const merged = await team.post(`/v2/partner/contacts/${String(winner.body.id)}/merge`, {
    source_contact_id: journey.contactId,
  });
  expect(merged.status).toBe(200);
  expect((await open('POST', link)).status).toBe(200);
  const { body } = await team.get(`/v2/partner/contacts/${String(winner.body.id)}`);
  expect(body.consents.email.status).toBe('subscribed');
});

const moveTo = async ({ team, journey }: Awaited<ReturnType<typeof aScene>>, email: string) => {
  const { status } = await team.patch(`/v2/partner/contacts/${journey.contactId}`, { email });
  expect(status).toBe(200);
};

test('a link proves only the address that it was sent to', async () => {
  const { scene, address, visitor } = await somebody();
  await choose(visitor, 'email', 'subscribed');
  const former = await linkTo(address);
  const corrected = `corrected-${address}`;
  await moveTo(scene, corrected);
  expect(await consentOf(scene, 'email')).toEqual({ status: 'never' });
  expect((await open('POST', former)).status).toBe(404);
  await choose(visitor, 'email', 'subscribed');
  expect((await open('POST', former)).status).toBe(404);
  expect((await consentOf(scene, 'email')).status).toBe('pending');
  expect((await open('POST', await linkTo(corrected))).status).toBe(200);
  expect((await consentOf(scene, 'email')).status).toBe('subscribed');
  expect((await open('POST', former)).status).toBe(404);
});

test('a link proves the address in another letter case as well', async () => {
  const { scene, address, visitor } = await somebody();
  await choose(visitor, 'email', 'subscribed');
  const link = await linkTo(address);
  await moveTo(scene, address.replace('asked', 'ASKED'));
  expect((await consentOf(scene, 'email')).status).toBe('pending');
  expect((await open('POST', link)).status).toBe(200);
  expect((await consentOf(scene, 'email')).status).toBe('subscribed');
});

test('a link to the address of a merged contact proves nothing for another address', async () => {
  const { scene, address, visitor } = await somebody();
  await choose(visitor, 'email', 'subscribed');
  const link = await linkTo(address);
  const pending = { email: { status: 'pending', source: 'branch' } };
  const { body: winner } = await scene.team.post('/v2/partner/contacts', {
    ...{ email: `other-${address}`, consents: pending },
  });
  const path = `/v2/partner/contacts/${String(winner.id)}`;
  const merged = await scene.team.post(`${path}/merge`, {
    source_contact_id: scene.journey.contactId,
  });
  expect(merged.status).toBe(200);
  expect((await open('POST', link)).status).toBe(404);
  expect((await scene.team.get(path)).body.consents.email.status).toBe('pending');
});
