import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openCode } from '../../src/messaging/notices/code.ts';
import { templates } from '../campaigns/a-template.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply } from '../support/api.ts';
import { aScene, bootstrapByLink, cookieOf, verdict, visitorOf } from '../widget/a-widget.ts';
import type { Visitor } from '../widget/a-widget.ts';

const api = useTestApi({ TRUSTED_PROXIES: '1' });

const site = 'http://onward.test';
type Scene = Awaited<ReturnType<typeof aScene>>;

/** A customer whose postal code is 94105, in a template with these factors. */
const aCustomer = (factors: readonly string[], rule: object = {}) =>
  aScene(api, {
    contact: {
      ...{ unique_id: randomUUID(), first_name: 'Augusta', postal_code: '94105' },
      email: `${randomUUID()}@example.com`,
    },
    template: { secure_personalization: { enabled: true, factors, ...rule } },
    pages: [
      { name: 'Start', title: 'Dear {{ contact.first_name }}' },
      { name: 'Private', requires_identity_challenge: true },
    ],
  });

/** An address in a network of its own. */
const anAddress = () =>
  `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`;

/** A holder of the link, in a session of their own. */
const aHolder = async ({ journey }: Scene) =>
  visitorOf(api, await bootstrapByLink(api, journey.linkToken), site);
const askFrom = (address: string, visitor: Visitor, body: object = {}) =>
  visitor.call('POST', `${visitor.path}/identity-challenges`, {
    body,
    headers: { 'X-Forwarded-For': address },
  });
const answerFrom = (address: string, visitor: Visitor, id: unknown, answer: string) =>
  visitor.call('POST', `${visitor.path}/identity-challenges/${String(id)}/answers`, {
    body: { answer },
    headers: { 'X-Forwarded-For': address },
  });

/** The code of the first refusal, if any, for one answer of a new session from a new network. */
async function guess(scene: Scene, answer: string, factor = 'postal_code'): Promise<string> {
  const [visitor, address] = [await aHolder(scene), anAddress()];
  const asked = await askFrom(address, visitor, { factor });
  if (asked.status !== 201) return verdict(asked);
  return verdictOf(await answerFrom(address, visitor, asked.body.id, answer));
}
const verdictOf = (reply: Reply) =>
  reply.status === 200 ? String(reply.body.status) : verdict(reply);

async function guessWrongly(scene: Scene, times: number): Promise<string[]> {
  const said: string[] = [];
  for (let at = 0; at < times; at += 1) said.push(await guess(scene, `1000${String(at % 10)}`));
  return said;
}

/** Moves the failure counts of a customer into the past. */
const passTime = ({ journey }: Scene, by: string) =>
  api.db.look(
    (sql) => sql`
      with sources as (
        update identity_sources
        set last_failed_at = last_failed_at - ${by}::interval,
          locked_until = locked_until - ${by}::interval, codes_since = codes_since - ${by}::interval
        where contact_id = ${journey.contactId}
      )
      update identity_failures
      set last_failed_at = last_failed_at - ${by}::interval,
        today_since = today_since - ${by}::interval
      where contact_id = ${journey.contactId} returning contact_id`,
  );

const forgetNotices = ({ team }: Scene) =>
  api.db.look(
    (sql) => sql`delete from notice_budgets where team_id = ${team.id} returning subject_id`,
  );

/** The code that was sent for a challenge. */
async function codeOf({ team }: Scene, id: unknown): Promise<string> {
  const [row] = await api.db.look(
    (sql) => sql<{ sealed_code: string }[]>`
      select sealed_code from identity_challenges where id = ${String(id)}`,
  );
  if (!row) throw new Error('there is no such challenge');
  return openCode(api.keyring, { team_id: team.id, id: String(id) }, row.sealed_code).code;
}

const wrongOnes = (count: number) => Array<string>(count).fill('failed');
const locked = '423 identity_locked';

describe('guessing recorded data of a customer', () => {
  test('ends after 10 wrong answers a day, across all networks', async () => {
    const scene = await aCustomer(['postal_code']);
    expect(await guessWrongly(scene, 11)).toEqual([...wrongOnes(9), locked, locked]);
    expect(await guess(scene, '94105')).toBe(locked);
    await passTime(scene, '1 day');
    expect(await guess(scene, '94105')).toBe('passed');
  });

  test('ends after 30 wrong answers until a partner resets it or 90 days pass', async () => {
    const scene = await aCustomer(['postal_code']);
    for (let day = 0; day < 3; day += 1) {
      await guessWrongly(scene, 10);
      await passTime(scene, '1 day');
    }
    expect(await guess(scene, '94105')).toBe(locked);
    const path = `/v2/partner/contacts/${scene.journey.contactId}/identity-lock`;
    expect((await scene.team.delete(path)).status).toBe(204);
    for (let day = 0; day < 3; day += 1) {
      await guessWrongly(scene, 10);
      await passTime(scene, '1 day');
    }
    await passTime(scene, '88 days');
    expect(await guess(scene, '94105')).toBe(locked);
    await passTime(scene, '1 day');
    expect(await guess(scene, '94105')).toBe('passed');
  });

  test('ends at exactly 10 wrong answers when they arrive at once', async () => {
    const scene = await aCustomer(['postal_code']);
    const asked = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const [visitor, address] = [await aHolder(scene), anAddress()];
        return { visitor, address, id: (await askFrom(address, visitor)).body.id };
      }),
    );
    const replies = await Promise.all(
      asked.map(({ visitor, address, id }) => answerFrom(address, visitor, id, '10001')),
    );
    const counted = await api.db.look(
      (sql) => sql`
        select knowledge_failed, knowledge_today from identity_failures
        where contact_id = ${scene.journey.contactId}`,
    );
    expect(counted).toEqual([{ knowledge_failed: 10, knowledge_today: 10 }]);
    expect(replies.map(verdictOf).filter((said) => said === 'failed')).toHaveLength(9);
  });

  test('from one network is locked for twice as long each time', async () => {
    const scene = await aCustomer(['postal_code'], { max_attempts: 2 });
    const address = anAddress();
    const minutes: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      const visitor = await aHolder(scene);
      const { body } = await askFrom(address, visitor);
      await answerFrom(address, visitor, body.id, '10001');
      const refused = await answerFrom(address, visitor, body.id, '10001');
      expect(verdict(refused)).toBe(locked);
      const { retry_at } = refused.body.errors[0].meta;
      minutes.push(Math.round((Date.parse(retry_at) - Date.now()) / 60_000));
      await passTime(scene, `${String(minutes.at(-1))} minutes`);
    }
    expect(minutes).toEqual([15, 30, 60, 120]);
  });

  test('gains no attempts by waiting for the end of a lock', async () => {
    const scene = await aCustomer(['postal_code'], { max_attempts: 2 });
    const address = anAddress();
    const visitor = await aHolder(scene);
    const { body } = await askFrom(address, visitor);
    expect(verdictOf(await answerFrom(address, visitor, body.id, '10001'))).toBe('failed');
    await passTime(scene, '16 minutes');
    expect(verdictOf(await answerFrom(address, visitor, body.id, '10002'))).toBe(locked);
  });

  test('is not made easier by an older template that allows 20 attempts and a lock of a minute', async () => {
    const scene = await aCustomer(['postal_code']);
    await api.db.look(
      (sql) => sql`
        update template_versions set content = jsonb_set(content, '{secure_personalization}',
          '{"enabled": true, "factors": ["postal_code"], "max_attempts": 20, "lockout_minutes": 1}')
        where template_id = ${scene.journey.templateId} returning template_id`,
    );
    const [visitor, address] = [await aHolder(scene), anAddress()];
    const { body } = await askFrom(address, visitor);
    expect(body.attempts_left).toBe(5);
    const said: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      said.push(verdictOf(await answerFrom(address, visitor, body.id, '10001')));
    }
    expect(said).toEqual([...wrongOnes(4), locked]);
    await passTime(scene, '14 minutes');
    expect(verdict(await askFrom(address, visitor))).toBe(locked);
  });

  test.each([
    ['max_attempts', 6],
    ['lockout_minutes', 14],
  ])('is not possible with a new template: %s %s is refused', async (field, value) => {
    const team = await api.newTeam();
    const reply = await team.post(templates, {
      name: 'Welcome',
      secure_personalization: { enabled: true, factors: ['postal_code'], [field]: value },
    });
    expect(verdict(reply)).toBe('422 validation_failed');
    expect(reply.body.errors[0].meta.pointer).toBe(`/secure_personalization/${field}`);
  });
});

describe('the holder of a forwarded link', () => {
  test('does not lock out the customer, who answers from another network', async () => {
    const scene = await aCustomer(['postal_code']);
    const [holder, address] = [await aHolder(scene), anAddress()];
    const { body } = await askFrom(address, holder);
    for (let at = 0; at < 5; at += 1) await answerFrom(address, holder, body.id, '10001');
    expect(verdict(await askFrom(address, await aHolder(scene)))).toBe(locked);
    expect(await guess(scene, '94105')).toBe('passed');
  });

  test('disables only the questions about recorded data, never the code', async () => {
    const scene = await aCustomer(['postal_code', 'otp_email']);
    await guessWrongly(scene, 10);
    const [customer, address] = [await aHolder(scene), anAddress()];
    const refused = await askFrom(address, customer, { factor: 'postal_code' });
    expect(verdict(refused)).toBe(locked);
    expect(refused.body.errors[0].meta.offered_factors).toEqual(['otp_email']);
    const asked = await askFrom(address, customer);
    expect(asked.body).toMatchObject({ factor: 'otp_email', offered_factors: ['otp_email'] });
    const code = await codeOf(scene, asked.body.id);
    const passed = await answerFrom(address, customer, asked.body.id, code);
    expect(passed.body).toMatchObject({ status: 'passed', session: { assurance: 'verified' } });
  });

  test('is not verified by the postal code if a code can be sent', async () => {
    const scene = await aCustomer(['postal_code', 'otp_email']);
    const [holder, address] = [await aHolder(scene), anAddress()];
    const asked = await askFrom(address, holder);
    const passed = await answerFrom(address, holder, asked.body.id, '94105');
    expect(passed.body.session).toMatchObject({ assurance: 'recognized', can_verify: true });
    const known = again(holder, passed);
    const [start, secret] = (await known.call('GET', known.path)).body.pages;
    expect(start).toMatchObject({ title: 'Dear Augusta', is_locked: false });
    expect(secret.is_locked).toBe(true);
    const page = await known.call('GET', `${known.path}/pages/${String(secret.id)}`);
    expect(page.body).not.toHaveProperty('html');
    const seen = { events: [{ unique_id: '1', kind: 'page.viewed', page_id: secret.id }] };
    const reported = await known.call('POST', `${known.path}/events`, { body: seen });
    expect(verdict(reported)).toBe('422 validation_failed');
    const code = await askFrom(address, known);
    expect(code.body).toMatchObject({ factor: 'otp_email', offered_factors: ['otp_email'] });
    const proof = await codeOf(scene, code.body.id);
    const verified = again(known, await answerFrom(address, known, code.body.id, proof));
    const shown = await verified.call('GET', verified.path);
    expect(shown.body.session).toMatchObject({ assurance: 'verified', can_verify: false });
    expect(shown.body.pages[1].is_locked).toBe(false);
  });

  test('is recognized but never verified by knowledge, even if no other factor is available', async () => {
    const scene = await aCustomer(['postal_code']);
    const [holder, address] = [await aHolder(scene), anAddress()];
    const asked = await askFrom(address, holder);
    const passed = await answerFrom(address, holder, asked.body.id, '94105');
    expect(passed.body.session).toMatchObject({ assurance: 'recognized', can_verify: false });
    const known = again(holder, passed);
    expect((await known.call('GET', known.path)).body.pages[1].is_locked).toBe(false);
  });
});

describe('guessing a code', () => {
  const another = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1);

  test('allows five attempts across all networks', async () => {
    const scene = await aCustomer(['otp_email']);
    const visitor = await aHolder(scene);
    const { id } = (await askFrom(anAddress(), visitor)).body;
    const code = await codeOf(scene, id);
    const said: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      said.push(verdictOf(await answerFrom(anAddress(), visitor, id, another(code))));
    }
    expect(said).toEqual(wrongOnes(5));
    expect(verdict(await answerFrom(anAddress(), visitor, id, code))).toBe('409 conflict');
  });

  test('becomes a hundred times harder after 30 wrong codes, until the customer passes', async () => {
    const scene = await aCustomer(['otp_email']);
    for (let at = 0; at < 30; at += 1) {
      // Twenty codes a day are all that one address gets.
      if (at === 15) await forgetNotices(scene);
      expect(await guess(scene, '12', 'otp_email')).toBe('failed');
    }
    await forgetNotices(scene);
    const [customer, address] = [await aHolder(scene), anAddress()];
    const asked = await askFrom(address, customer);
    const long = await codeOf(scene, asked.body.id);
    expect(long).toMatch(/^\d{8}$/);
    expect(verdictOf(await answerFrom(address, customer, asked.body.id, long))).toBe('passed');
    const next = await askFrom(anAddress(), await aHolder(scene));
    expect(await codeOf(scene, next.body.id)).toMatch(/^\d{6}$/);
  });
});

/** The visitor with the cookie of an answer. */
function again(visitor: Visitor, passed: Reply): Visitor {
  const headers = { Cookie: cookieOf(passed), Origin: site };
  const csrf = String(passed.body.session.csrf_token);
  return {
    ...{ body: passed.body, cookie: headers.Cookie, csrf, path: visitor.path },
    call: (method, path, options = {}) =>
      api.call(method, path, {
        ...options,
        headers: { ...headers, 'X-CSRF-Token': csrf, ...options.headers },
      }),
  };
}
