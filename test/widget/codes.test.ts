import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';
import { aScene, aVisitor, verdict } from './a-widget.ts';
import type { Visitor } from './a-widget.ts';

let service: SendingService;
let api: TestApi;
beforeAll(async () => {
  // Text messages stay in the mailbox, where a developer finds them.
  service = await startSendingService({
    SEND_RETRY_SCHEDULE_SECONDS: '1,1,1,1,1,1',
  });
  ({ api } = service);
});
afterAll(() => service.stop());

let people = 0;
async function somebody() {
  people += 1;
  const address = `code-${String(people)}@example.com`;
  const phone = `+1415555${String(1_000 + people)}`;
  const scene = await aScene(api, {
    contact: { first_name: 'Augusta', email: address, phone },
    template: {
      secure_personalization: {
        enabled: true,
        factors: ['otp_sms', 'otp_email'],
        max_attempts: 3,
        lockout_minutes: 15,
      },
    },
  });
  return { scene, address, phone, visitor: await aVisitor(api, scene) };
}
const ask = (visitor: Visitor, factor: string) =>
  visitor.call('POST', `${visitor.path}/identity-challenges`, { body: { factor } });
const answer = (visitor: Visitor, id: unknown, text: string) =>
  visitor.call('POST', `${visitor.path}/identity-challenges/${String(id)}/answers`, {
    body: { answer: text },
  });

const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? 'none';
const mailsTo = (address: string) => service.mailsTo(address);
const textsTo = (phone: string) =>
  api.db.look(
    (sql) => sql<{ body: string }[]>`
      select content ->> 'body' as body from mailbox_messages where recipient = ${phone}
      order by inserted_at`,
  );
/** As many codes by e-mail as are given, once they have come. */
const mailed = (address: string, count: number) =>
  eventually(
    () => Promise.resolve(mailsTo(address).map(({ source }) => codeIn(source))),
    (codes) => codes.length >= count,
  );
/** Moves the challenges of a team into the past. */
const wait = (teamId: string) =>
  api.db.look(
    (sql) => sql`
      update identity_challenges set inserted_at = inserted_at - interval '31 seconds'
      where team_id = ${teamId} returning id`,
  );

test('a code by e-mail makes the recipient known, once', async () => {
  const { scene, address, visitor } = await somebody();
  const { body } = await ask(visitor, 'otp_email');
  expect(body).toMatchObject({
    ...{ factor: 'otp_email', offered_factors: ['otp_sms', 'otp_email'] },
    attempts_left: 3,
  });
  const [code = ''] = await mailed(address, 1);
  const [{ source } = { source: '' }] = mailsTo(address);
  expect(source).toMatch(/^Subject: Your code: \d{6}/m);
  expect(source).not.toMatch(/unsubscribe/i);
  const [sealed] = await api.db.look(
    (sql) => sql`select * from identity_challenges where team_id = ${scene.team.id}`,
  );
  expect(JSON.stringify(sealed)).not.toContain(code);

  const wrong = code === '000000' ? '000001' : '000000';
  expect((await answer(visitor, body.id, wrong)).body).toEqual({
    status: 'failed',
    attempts_left: 2,
  });
  const passed = await answer(visitor, body.id, ` ${code.slice(0, 3)} ${code.slice(3)} `);
  expect(passed.body).toMatchObject({ status: 'passed', session: { assurance: 'verified' } });
  const other = await aVisitor(api, scene);
  const asked = await ask(other, 'otp_email');
  expect((await answer(other, asked.body.id, code)).body.status).toBe('failed');
});

test('a code by text message is valid only in the session that requested it', async () => {
  const { scene, phone, visitor } = await somebody();
  const { body } = await ask(visitor, 'otp_sms');
  const [first] = await eventually(
    () => textsTo(phone),
    ({ length }) => length > 0,
  );
  const code = codeIn(first?.body ?? '');
  const other = await aVisitor(api, scene);
  expect(verdict(await answer(other, body.id, code))).toBe('404 not_found');
  expect((await answer(visitor, body.id, code)).body.status).toBe('passed');
  // The code is used, so its message is deleted.
  expect(await textsTo(phone)).toEqual([]);
});

test('two concurrent requests send one code, and a later code invalidates the earlier one', async () => {
  const { scene, address, visitor } = await somebody();
  const [one, two] = [await ask(visitor, 'otp_email'), await ask(visitor, 'otp_email')];
  expect(two.body.id).toBe(one.body.id);
  const [old = ''] = await mailed(address, 1);
  await wait(scene.team.id);
  const next = await ask(visitor, 'otp_email');
  expect(next.body.id).not.toBe(one.body.id);
  const codes = await mailed(address, 2);
  expect(codes).toHaveLength(2);
  expect(verdict(await answer(visitor, one.body.id, old))).toBe('404 not_found');
  expect((await answer(visitor, next.body.id, codes[1] ?? '')).body.status).toBe('passed');
});

test('a recipient gets at most five codes in a quarter of an hour, over all sessions', async () => {
  const { scene, address, visitor } = await somebody();
  const visitors = [visitor, await aVisitor(api, scene)];
  for (let at = 0; at < 5; at += 1) {
    expect((await ask(visitors[at % 2] ?? visitor, 'otp_email')).status).toBe(201);
    await wait(scene.team.id);
  }
  const refused = await ask(visitor, 'otp_email');
  expect(verdict(refused)).toBe('423 identity_locked');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  // A code that was replaced before it left is not sent.
  const codes = await mailed(address, 1);
  expect(codes.length).toBeLessThanOrEqual(5);
  await api.db.look(
    (sql) => sql`
      update identity_sources set codes_since = codes_since - interval '15 minutes'
      where team_id = ${scene.team.id} returning contact_id`,
  );
  expect((await ask(visitor, 'otp_email')).status).toBe(201);
});

test('an expired code is not sent', async () => {
  const { scene, address, visitor } = await somebody();
  const other = await somebody();
  service.mail.refuse((recipient) => (recipient === address ? 450 : undefined));
  const { body } = await ask(visitor, 'otp_email');
  await eventually(
    () =>
      api.db.look(
        (sql) => sql`
          select from message_sends
          where team_id = ${scene.team.id} and attempts = 1 and not is_claimed`,
      ),
    ({ length }) => length === 1,
  );
  await api.db.look(
    (sql) => sql`
      update identity_challenges set expires_at = now() where id = ${String(body.id)} returning id`,
  );
  service.mail.refuse(() => undefined);
  await ask(other.visitor, 'otp_email');
  await mailed(other.address, 1);
  await eventually(
    () => api.db.look((sql) => sql`select from message_sends where team_id = ${scene.team.id}`),
    ({ length }) => length === 0,
  );
  expect(mailsTo(address)).toEqual([]);
});

test('a code proves only the address that it was sent to', async () => {
  const { scene, address, visitor } = await somebody();
  const asked = await ask(visitor, 'otp_email');
  const [code = ''] = await mailed(address, 1);
  const moved = `moved-${address}`;
  const path = `/v2/partner/contacts/${scene.journey.contactId}`;
  expect((await scene.team.patch(path, { email: moved })).status).toBe(200);
  expect(verdict(await answer(visitor, asked.body.id, code))).toBe('409 conflict');
  // The next one goes to the new address at once.
  const again = await ask(visitor, 'otp_email');
  const [next = ''] = await mailed(moved, 1);
  expect((await answer(visitor, again.body.id, next)).body.status).toBe('passed');
});

test('a code that still waits is not sent to another address', async () => {
  const { scene, phone, visitor } = await somebody();
  const { body } = await ask(visitor, 'otp_sms');
  const path = `/v2/partner/contacts/${scene.journey.contactId}`;
  const other = `${phone.slice(0, -1)}${phone.endsWith('9') ? '8' : '9'}`;
  expect((await scene.team.patch(path, { phone: other })).status).toBe(200);
  await eventually(
    () => api.db.look((sql) => sql`select from message_sends where id = ${String(body.id)}`),
    ({ length }) => length === 0,
  );
  expect(await textsTo(other)).toEqual([]);
});
