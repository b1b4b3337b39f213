import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { digestsOf } from '../../src/contacts/suppressions/erased/erased.ts';
import { confirmationUrl } from '../../src/messaging/confirming/token.ts';
import { templates } from '../campaigns/a-template.ts';
import { aText, anEmail, mailboxOf } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { maintain } from '../support/maintenance.ts';
import { aTestRecipient, anActiveUser, linkOf, testRecipients } from './a-test-recipient.ts';
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

const anAddress = () => `${randomUUID()}@example.com`;
const aPush = { name: 'Push', channel: 'push', title: 'Hi', body: 'Your card' };

/** A message of a draft; gives its id. */
async function aMessage(team: TestTeam, message: object = anEmail): Promise<string> {
  const template = await team.post(templates, { name: 'Draft' });
  const made = await team.post(`${templates}/${String(template.body.id)}/messages`, message);
  expect(made.status).toBe(201);
  return String(made.body.id);
}
const sendTest = (team: TestTeam, message: string, to: readonly string[]) =>
  team.post(`/v2/partner/messages/${message}/test-sends`, { to });
const executeTests = (team: TestTeam, items: readonly object[]) =>
  team.post(
    '/v2/ipaas/operations/messages.send_test/execute',
    { items },
    { 'Idempotency-Key': randomUUID() },
  );
const add = (team: TestTeam, address: string, channel = 'email') =>
  team.post(testRecipients, { channel, address });
const queueOf = (team: TestTeam) =>
  api.db.look(
    (sql) => sql<{ notice: string | null }[]>`
      select notice from message_sends where team_id = ${team.id} order by notice`,
  );
const messagesTo = async (team: TestTeam, address: string) =>
  (await mailboxOf(team)).filter(({ recipient }) => recipient === address);
const statusOf = async (team: TestTeam, id: string) =>
  (await team.get(`${testRecipients}/${id}`)).body.status;
const open = (method: string, link: string) => api.call(method, link);

/** Status of an answer with the rules and pointers of its problems. */
const verdictOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ meta }: any) => `${String(meta.pointer)} ${String(meta.rule)}`),
];

describe('a test recipient', () => {
  test('is confirmed by the button on the page of its link, and gets tests only then', async () => {
    const team = await api.newTeam();
    const [message, address] = [await aMessage(team), anAddress()];
    const made = await team.post(testRecipients, { channel: 'email', address, name: 'Ada' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...{ type: 'test_recipient', channel: 'email', name: 'Ada', status: 'pending' },
      to_masked: `${address.charAt(0)}***@example.com`,
      link_expires_at: expect.any(String),
    });
    const { id } = made.body;
    await lanes.send();
    const [mail, ...others] = await messagesTo(team, address);
    expect(others).toEqual([]);
    expect(mail?.content.subject).toBe('Please confirm: test messages from Test');
    const [, link = ''] =
      /http:\/\/onward\.test(\/confirm\/[\w~-]+)/.exec(mail?.content.text) ?? [];

    expect(verdictOf(await sendTest(team, message, [address]))).toEqual([
      422,
      '/to/0 address_not_confirmed',
    ]);
    const page = await open('GET', link);
    expect([page.status, page.body]).toEqual([
      200,
      expect.stringContaining('<form method="post">'),
    ]);
    expect(await statusOf(team, id)).toBe('pending');

    expect((await open('POST', link)).status).toBe(200);
    expect((await open('POST', link)).body).toContain('it is confirmed');
    const confirmed = await team.get(`${testRecipients}/${String(id)}`);
    expect(confirmed.body).toMatchObject({ status: 'confirmed', confirmed_at: expect.any(String) });
    expect(confirmed.body).not.toHaveProperty('link_expires_at');

    const sent = await sendTest(team, message, [address.replace('example', 'EXAMPLE')]);
    expect([sent.status, sent.body.sends[0].to_masked]).toEqual([202, made.body.to_masked]);
    await lanes.send();
    expect(await messagesTo(team, address)).toHaveLength(2);

    const list = await team.get(`${testRecipients}?filter[status]=confirmed`);
    expect(list.body.data).toEqual([confirmed.body]);
    const [row] = await api.db.look(
      (sql) => sql<{ text: string }[]>`
        select row_to_json(r)::text as text from test_recipients r where team_id = ${team.id}`,
    );
    for (const text of [row?.text, JSON.stringify([made.body, list.body, sent.body])]) {
      expect(text).not.toContain(address.slice(1, 36));
    }
    const audit = await team.get(`/v2/partner/audit-events?filter[resource_id]=${String(id)}`);
    expect(audit.body.data).toMatchObject([
      { action: 'test_recipient.created', changed_fields: ['channel', 'name'] },
    ]);
  });

  test('is known again by its address; a pending one gets the link again, a confirmed one nothing', async () => {
    const team = await api.newTeam();
    const address = anAddress();
    const made = await add(team, address);
    await lanes.send();
    const again = await add(team, address.replace('example', 'Example'));
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    await lanes.send();
    expect(await messagesTo(team, address)).toHaveLength(2);
    expect((await open('POST', linkOf(api, team, made.body.id))).status).toBe(200);
    const known = await add(team, address);
    expect([known.status, known.body.status]).toEqual([200, 'confirmed']);
    expect(await queueOf(team)).toEqual([]);
    // The same address of another channel or team is another recipient.
    expect((await add(team, address, 'push')).status).toBe(201);
    expect((await add(await api.newTeam(), address)).status).toBe(201);
  });

  test('is confirmed by a link of its own team only, while it is valid', async () => {
    const [team, other] = [await api.newTeam(), await api.newTeam()];
    const address = anAddress();
    const [own, foreign] = [await add(team, address), await add(other, address)];
    const link = linkOf(api, team, own.body.id);
    const [, proof = ''] = /~([\w-]+)$/.exec(link) ?? [];
    const forged = link.replace(
      proof,
      proof.startsWith('A') ? `B${proof.slice(1)}` : `A${proof.slice(1)}`,
    );
    const confirmation = { team_id: team.id, id: own.body.id, digest: Buffer.alloc(16) };
    const consent = confirmationUrl('', api.keyring, confirmation);
    const swapped = consent.replace('/doc~', '/dot~');
    for (const wrong of [forged, consent, swapped, linkOf(api, other, own.body.id)]) {
      expect((await open('POST', wrong)).status).toBe(404);
    }
    for (const wrong of [forged, swapped]) expect((await open('GET', wrong)).status).toBe(404);
    expect(await statusOf(team, own.body.id)).toBe('pending');

    expect((await open('POST', link)).status).toBe(200);
    expect(await statusOf(team, own.body.id)).toBe('confirmed');
    expect(await statusOf(other, foreign.body.id)).toBe('pending');
    expect(verdictOf(await sendTest(other, await aMessage(other), [address]))).toEqual([
      422,
      '/to/0 address_not_confirmed',
    ]);

    await api.db.look(
      (sql) => sql`
        update test_recipients set link_expires_at = now() - interval '1 second'
        where team_id = ${other.id} returning id`,
    );
    const expired = linkOf(api, other, foreign.body.id);
    expect((await open('POST', expired)).status).toBe(404);
    expect(await statusOf(other, foreign.body.id)).toBe('pending');
    // Maintenance serves all teams, and other tests wait for no link.
    expect(await maintain(api.db.database, 'test-recipients')).toBe(1);
    expect(await statusOf(other, foreign.body.id)).toBeUndefined();
    expect(await statusOf(team, own.body.id)).toBe('confirmed');

    expect((await team.delete(`${testRecipients}/${String(own.body.id)}`)).status).toBe(204);
    expect((await open('POST', link)).status).toBe(404);
    expect((await team.get(`${testRecipients}/${String(own.body.id)}`)).status).toBe(404);
  });

  test('gets its link by text message or push as well', async () => {
    const team = await api.newTeam();
    await team.patch('/v2/partner/team', { sms_allowed_prefixes: ['+1'] });
    expect(verdictOf(await add(team, '+4915112345678', 'sms'))).toEqual([
      422,
      '/address number_not_allowed',
    ]);
    expect(verdictOf(await add(team, 'nobody', 'sms'))).toEqual([422, '/address invalid_phone']);
    expect(verdictOf(await add(team, 'nobody'))).toEqual([422, '/address format']);
    const token = `a-token-${randomUUID()}`;
    const [text, push] = [await add(team, '+14155550100', 'sms'), await add(team, token, 'push')];
    await lanes.send();
    const [sms] = await messagesTo(team, '+14155550100');
    expect(sms?.content.body).toContain(`http://onward.test${linkOf(api, team, text.body.id)}`);
    const [notification] = await messagesTo(team, token);
    const link = linkOf(api, team, push.body.id);
    expect(notification?.content.deepLink).toBe(`http://onward.test${link}`);
    expect((await open('POST', link)).status).toBe(200);
    expect((await sendTest(team, await aMessage(team, aPush), [token])).status).toBe(202);
  });

  test('gets at most 20 links a day, and a team causes at most 100', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const address = anAddress();
    const replies: Reply[] = [];
    for (let at = 0; at < 20; at += 1) replies.push(await add(team, address));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201]));
    await lanes.send();
    const refused = await add(team, address);
    expect([refused.status, refused.body.errors[0].code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await queueOf(team)).toEqual([]);
    await api.db.look(
      (sql) => sql`
        update notice_budgets set sent = 100 where team_id = ${team.id} and sent = 20
        returning subject_id`,
    );
    const stranger = anAddress();
    expect((await add(team, stranger)).status).toBe(429);
    expect((await team.get(testRecipients)).body.data).toHaveLength(1);
  });

  test('counts in a quota of the team', async () => {
    const team = await api.newTeam();
    const made = await add(team, anAddress());
    await api.db.look(
      (sql) => sql`
        insert into test_recipients (team_id, channel, to_masked, sealed_address, digest,
          confirmation_id, link_expires_at)
        select team_id, channel, to_masked, sealed_address, digest || n, gen_random_uuid(),
          link_expires_at
        from test_recipients, generate_series(1, 99) n where team_id = ${team.id}
        returning id`,
    );
    const refused = await add(team, anAddress());
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'quota_exceeded']);
    expect((await team.delete(`${testRecipients}/${String(made.body.id)}`)).status).toBe(204);
    expect((await add(team, anAddress())).status).toBe(201);
  });
});

describe('a client that may send tests', () => {
  test('sends none to a stranger, by endpoint or operation, and none of such a call is queued', async () => {
    const team = await api.newTeam();
    const [message, member, stranger] = [await aMessage(team), anAddress(), anAddress()];
    await anActiveUser(team, member);
    const refused = await sendTest(team, message, [member, stranger]);
    expect(verdictOf(refused)).toEqual([422, '/to/1 address_not_confirmed']);
    expect(JSON.stringify(refused.body)).not.toContain(stranger);
    expect(refused.body.errors[0].detail).toContain('POST /v2/partner/test-recipients');
    // A contact and an invited user have not confirmed anything.
    await team.post('/v2/partner/contacts', { email: stranger });
    await team.post('/v2/partner/users', { email: stranger });
    expect((await sendTest(team, message, [stranger])).status).toBe(422);
    expect(await queueOf(team)).toEqual([]);

    const items = [stranger, member].map((to) => ({ message_id: message, to }));
    const executed = await executeTests(team, items);
    expect(executed.body.results).toMatchObject([
      { status: 'failed', errors: [{ meta: { rule: 'address_not_confirmed' } }] },
      { status: 'created' },
    ]);
    expect(await queueOf(team)).toHaveLength(1);
    await lanes.send();
    expect(await messagesTo(team, stranger)).toEqual([]);
    expect(await messagesTo(team, member)).toHaveLength(1);
  });

  test('sends none to a user of another team, or by another channel', async () => {
    const [team, other] = [await api.newTeam(), await api.newTeam()];
    const address = anAddress();
    await anActiveUser(other, address);
    const rule = [422, '/to/0 address_not_confirmed'];
    expect(verdictOf(await sendTest(team, await aMessage(team), [address]))).toEqual(rule);
    await anActiveUser(team, address);
    const push = await aMessage(team, aPush);
    expect(verdictOf(await sendTest(team, push, [address]))).toEqual(rule);
  });

  test('sends none to a suppressed address, also where its owner was erased', async () => {
    const team = await api.newTeam();
    const [message, address, erased] = [await aMessage(team), anAddress(), anAddress()];
    for (const one of [address, erased]) await aTestRecipient(api, team, 'email', one);
    const suppress = { channel: 'email', address, reason: 'complaint' };
    expect((await team.post('/v2/partner/suppressions', suppress)).status).toBe(201);
    const [digested] = await api.db.database.read((sql) => digestsOf(sql, api.keyring, [erased]));
    await api.db.look(
      (sql) => sql`
        insert into erased_suppressions (team_id, digest, key_id, channel, reason, source)
        values (${team.id}, ${digested?.digest ?? ''}, ${digested?.keyId ?? ''}, 'email',
          'complaint', 'inbound')
        returning digest`,
    );
    await lanes.send();
    const rules = ['/to/0 address_suppressed', '/to/1 address_suppressed'];
    expect(verdictOf(await sendTest(team, message, [address, erased]))).toEqual([422, ...rules]);
    for (const one of [address, erased]) {
      expect(verdictOf(await add(team, one))).toEqual([422, '/address address_suppressed']);
    }
    expect(await queueOf(team)).toEqual([]);
    const other = await api.newTeam();
    for (const one of [address, erased]) expect((await add(other, one)).status).toBe(201);
  });

  test('reaches nobody who was deleted, suspended or suppressed after the request', async () => {
    const team = await api.newTeam();
    const message = await aMessage(team, aText);
    const mail = await aMessage(team);
    const numbers = ['+14155550101', '+14155550102', '+14155550103'];
    const [deleted = '', suppressed = '', good = ''] = numbers;
    const ids: string[] = [];
    for (const number of numbers) ids.push(await aTestRecipient(api, team, 'sms', number));
    const suspended = anAddress();
    const user = await anActiveUser(team, suspended);
    expect((await sendTest(team, message, numbers)).status).toBe(202);
    expect((await sendTest(team, mail, [suspended])).status).toBe(202);

    await team.delete(`${testRecipients}/${ids[0] ?? ''}`);
    await team.post('/v2/partner/suppressions', { channel: 'sms', address: suppressed });
    expect((await team.post(`/v2/partner/users/${user}/suspend`)).status).toBe(200);
    await lanes.send();
    expect(await queueOf(team)).toEqual([]);
    expect((await mailboxOf(team)).map(({ recipient }) => recipient)).toEqual([good]);
    expect(verdictOf(await sendTest(team, message, [deleted]))[0]).toBe(422);
  });

  test('sends 50 a day for the team, and nothing of a call beyond them', async () => {
    const team = await api.newTeam();
    const message = await aMessage(team);
    const addresses = Array.from({ length: 5 }, anAddress);
    for (const address of addresses) await anActiveUser(team, address);
    for (let at = 0; at < 9; at += 1) await sendTest(team, message, addresses);
    const items = addresses.slice(0, 3).map((to) => ({ message_id: message, to }));
    expect((await executeTests(team, items)).body.results).toHaveLength(3);

    const refused = await sendTest(team, message, addresses.slice(0, 3));
    expect([refused.status, refused.body.errors[0].code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await queueOf(team)).toHaveLength(48);
    expect((await executeTests(team, items)).body.results).toMatchObject([
      { status: 'created' },
      { status: 'created' },
      { status: 'failed', errors: [{ code: 'rate_limited' }] },
    ]);
    expect(await queueOf(team)).toHaveLength(50);
    await api.db.look(
      (sql) => sql`
        update notice_budgets set since = since - interval '1 day' where team_id = ${team.id}
        returning subject_id`,
    );
    expect((await sendTest(team, message, addresses)).status).toBe(202);
  });
});
