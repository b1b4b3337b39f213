import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import { offeredFactors } from '../../src/widget/identity/rules.ts';
import {
  aScene,
  aToken,
  aVisitor,
  bank,
  bootstrapByLink,
  cookieOf,
  verdict,
  visitorOf,
} from './a-widget.ts';
import type { Visitor } from './a-widget.ts';

const api = useTestApi();

const rule = {
  enabled: true,
  factors: ['postal_code', 'date_of_birth', 'unique_id_last4', 'otp_sms'],
  max_attempts: 3,
  lockout_minutes: 15,
};
const person = {
  ...{ first_name: 'Augusta', postal_code: '94105-1234', date_of_birth: '1815-12-10' },
  unique_id: 'Customer-00-4711',
};
const pages = [
  { name: 'Start', title: 'Dear {{ contact.first_name }}' },
  { name: 'Private', requires_identity_challenge: true },
];
const aSecureScene = (more: object = {}) =>
  aScene(api, {
    contact: { ...person, unique_id: `${randomUUID()}-4711` },
    template: { secure_personalization: { ...rule, ...more } },
    pages,
  });

const ask = (visitor: Visitor, body: object = {}) =>
  visitor.call('POST', `${visitor.path}/identity-challenges`, { body });
const answer = (visitor: Visitor, id: string, text: string) =>
  visitor.call('POST', `${visitor.path}/identity-challenges/${id}/answers`, {
    body: { answer: text },
  });
const kindsOf = async ({ team }: Awaited<ReturnType<typeof aSecureScene>>) =>
  (await team.get('/v2/partner/engagement-events?sort=occurred_at')).body.data.map(
    ({ kind }: any) => String(kind).replace('identity.challenge_', ''),
  );

describe('an identity challenge', () => {
  test.each([
    ['postal_code', '94105'],
    ['postal_code', ' 94105 1234 '],
    ['date_of_birth', '1815-12-10'],
    ['unique_id_last4', '4711'],
  ])(
    'by %s is passed with %s: the session is known, under another secret',
    async (factor, text) => {
      const scene = await aSecureScene();
      const link = await bootstrapByLink(api, scene.journey.linkToken);
      const visitor = visitorOf(api, link, 'http://onward.test');
      expect(visitor.body.session).toMatchObject({ assurance: 'none', can_verify: true });
      const asked = await ask(visitor, { factor });
      expect(asked.body).toMatchObject({
        factor,
        offered_factors: ['postal_code', 'date_of_birth', 'unique_id_last4'],
        attempts_left: 3,
      });
      const passed = await answer(visitor, String(asked.body.id), text);
      expect(passed.body).toMatchObject({ status: 'passed', session: { assurance: 'recognized' } });
      expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
      const headers = { Cookie: cookieOf(passed), Origin: 'http://onward.test' };
      const shown = await api.call('GET', visitor.path, { headers });
      expect(shown.body.session).toMatchObject({ assurance: 'recognized', can_verify: false });
      expect(shown.body.pages).toMatchObject([
        { title: 'Dear Augusta', is_locked: false },
        { title: 'Private', is_locked: false },
      ]);
      expect(await kindsOf(scene)).toEqual(['presented', 'passed']);
    },
  );

  test('is passed in one session, and in no other session of the same link', async () => {
    const scene = await aSecureScene();
    const [first, second] = await Promise.all(
      [0, 1].map(async () =>
        visitorOf(api, await bootstrapByLink(api, scene.journey.linkToken), 'http://onward.test'),
      ),
    );
    if (!first || !second) throw new Error('nobody came');
    const asked = await ask(first);
    const id = String(asked.body.id);
    expect(verdict(await answer(second, id, '94105'))).toBe('404 not_found');
    expect((await answer(first, id, '94105')).status).toBe(200);
    const other = await second.call('GET', second.path);
    expect(other.body.session.assurance).toBe('none');
  });

  test('locks after the number of wrong answers of the template, over all sessions', async () => {
    const scene = await aSecureScene();
    const visitor = await aVisitor(api, scene);
    const id = String((await ask(visitor)).body.id);
    expect((await answer(visitor, id, '10001')).body).toEqual({
      status: 'failed',
      attempts_left: 2,
    });
    const other = await aVisitor(api, scene);
    const second = await ask(other, { factor: 'date_of_birth' });
    expect(second.body.attempts_left).toBe(2);
    const otherId = String(second.body.id);
    expect((await answer(other, otherId, '1815-12-11')).body.attempts_left).toBe(1);
    const locked = await answer(visitor, id, '');
    expect(verdict(locked)).toBe('422 validation_failed');
    const last = await answer(visitor, id, '10002');
    expect(verdict(last)).toBe('423 identity_locked');
    const { retry_at } = last.body.errors[0].meta;
    const minutes = (Date.parse(retry_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(800);
    // The right answer is refused, and no other challenge can begin.
    expect(verdict(await answer(other, otherId, '1815-12-10'))).toBe('423 identity_locked');
    expect(verdict(await ask(await aVisitor(api, scene)))).toBe('423 identity_locked');
    expect(await kindsOf(scene)).toEqual([
      ...['presented', 'failed', 'presented', 'failed', 'failed', 'locked'],
    ]);
    await api.db.look(
      (sql) => sql`
        update identity_sources set locked_until = now() - interval '1 second'
        where contact_id = ${scene.journey.contactId} returning contact_id`,
    );
    const again = await ask(other);
    expect(again.body.attempts_left).toBe(3);
    expect((await answer(other, String(again.body.id), '94105')).body.status).toBe('passed');
  });

  test('counts every one of concurrent answers', async () => {
    const scene = await aSecureScene();
    const visitor = await aVisitor(api, scene);
    const id = String((await ask(visitor)).body.id);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => answer(visitor, id, `1000${String(at)}`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    const rest = replies.filter(({ status }) => status !== 200).map(verdict);
    for (const refusal of rest) expect(['423 identity_locked', '409 conflict']).toContain(refusal);
  });

  test('by a widget token alone is passed in the cookie of the answer, and ends the token', async () => {
    const scene = await aSecureScene();
    const token = await aToken(scene.team, scene.widgetId, { contact_id: scene.journey.contactId });
    const at = `/v2/widget/journeys/${scene.journey.id}`;
    const headers = { Authorization: `Bearer ${token}`, Origin: bank };
    const call = (method: string, path: string, body?: object) =>
      api.call(method, `${at}${path}`, { headers, body });
    expect(verdict(await call('POST', '/identity-challenges'))).toBe('401 session_expired');
    await api.call('POST', '/v2/widget/bootstrap', { headers });
    const asked = await call('POST', '/identity-challenges');
    const id = String(asked.body.id);
    const passed = await call('POST', `/identity-challenges/${id}/answers`, { answer: '94105' });
    expect(passed.body.status).toBe('passed');
    expect(verdict(await call('GET', ''))).toBe('401 token_invalid');
    const byCookie = await api.call('GET', at, { headers: { Cookie: cookieOf(passed) } });
    expect(byCookie.body.session.assurance).toBe('recognized');
  });

  test.each([
    ['a template that asks nothing', { enabled: false }, {}, '409 conflict'],
    ['a factor that is not offered', {}, { factor: 'otp_sms' }, '422 validation_failed'],
    ['a contact without an address for a code', { factors: ['otp_email'] }, {}, '409 conflict'],
  ])('is refused for %s', async (_, more, body, refusal) => {
    const visitor = await aVisitor(api, await aSecureScene(more));
    expect(verdict(await ask(visitor, body))).toBe(refusal);
  });

  test('is not offered to an authenticated recipient', async () => {
    const visitor = await aVisitor(api, await aSecureScene(), { assurance: 'authenticated' });
    expect(visitor.body.session.can_verify).toBe(false);
    expect(verdict(await ask(visitor))).toBe('409 conflict');
  });

  test('accepts no answer after its expiry', async () => {
    const scene = await aSecureScene();
    const visitor = await aVisitor(api, scene);
    const id = String((await ask(visitor)).body.id);
    await api.db.look(
      (sql) => sql`
        update identity_challenges set expires_at = now() where id = ${id} returning id`,
    );
    expect(verdict(await answer(visitor, id, '94105'))).toBe('409 conflict');
    expect(verdict(await answer(visitor, randomUUID(), '94105'))).toBe('404 not_found');
  });
});

test('a challenge uses only the recorded fields of a contact', () => {
  const nobody = {
    ...{
      postal_code: ' - ',
      unique_id: 'A1',
      sealed_date_of_birth: null,
      phone: null,
      email: null,
    },
    ...({ email_status: 'unknown', status: 'active' } as const),
  };
  const personalization = { ...rule, factors: [...rule.factors] } as never;
  expect(offeredFactors(personalization, nobody)).toEqual([]);
  expect(offeredFactors(personalization, { ...nobody, unique_id: 'AB-12' })).toEqual([
    'unique_id_last4',
  ]);
  expect(offeredFactors(personalization, undefined)).toEqual([]);
  const codes = { ...rule, factors: ['otp_sms', 'otp_email'] } as never;
  const reachable = { ...nobody, phone: '+14155550100', email: 'a@example.com' };
  expect(offeredFactors(codes, reachable)).toEqual(['otp_sms', 'otp_email']);
  expect(offeredFactors(codes, { ...reachable, email_status: 'bounced' })).toEqual(['otp_sms']);
  expect(offeredFactors(codes, { ...reachable, status: 'suppressed' })).toEqual([]);
});

test('what a recipient sees names its type and its team', async () => {
  const scene = await aSecureScene();
  const { team } = scene;
  const visitor = await aVisitor(api, scene);
  const of = (type: string) => ({ type, team_id: team.id });
  expect(visitor.body).toMatchObject({
    ...of('recipient_journey'),
    widget: of('recipient_widget'),
    pages: [of('recipient_page_summary'), of('recipient_page_summary')],
  });
  const [first] = visitor.body.pages;
  const page = await visitor.call('GET', `${visitor.path}/pages/${String(first.id)}`);
  expect(page.body).toMatchObject(of('recipient_page'));
  const consent = await visitor.call('PUT', `${visitor.path}/consents/email`, {
    body: { status: 'unsubscribed' },
  });
  expect(consent.body).toMatchObject(of('recipient_consent'));
  const link = await bootstrapByLink(api, scene.journey.linkToken);
  const asked = await ask(visitorOf(api, link, 'http://onward.test'));
  expect(asked.body).toMatchObject(of('identity_challenge'));
});
