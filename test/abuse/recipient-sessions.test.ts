import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { updateClient } from '../../src/team/oauth2/queries.ts';
import { eventually } from '../support/eventually.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import {
  aScene,
  aToken,
  aVisitor,
  aWidget,
  bank,
  bootstrapByToken,
  cookieOf,
  verdict,
  visitorOf,
  widgetInstances,
} from '../widget/a-widget.ts';
import type { Visitor } from '../widget/a-widget.ts';

const api = useTestApi({ TRUSTED_PROXIES: '1' });

const secure = {
  secure_personalization: {
    enabled: true,
    factors: ['postal_code'],
    max_attempts: 5,
    lockout_minutes: 15,
  },
};
/** The origin of our own pages. */
const own = 'http://onward.test';
const secureScene = () =>
  aScene(api, {
    contact: { unique_id: randomUUID(), first_name: 'Augusta', postal_code: '94105' },
    template: secure,
    pages: [{ name: 'Start', title: 'Dear {{ contact.first_name }}' }],
  });

/** Passes the challenge of a visitor, whose session goes on under another secret. */
async function verify(visitor: Visitor, origin = bank): Promise<Visitor> {
  const at = `${visitor.path}/identity-challenges`;
  const asked = await visitor.call('POST', at, { body: {} });
  const passed = await visitor.call('POST', `${at}/${String(asked.body.id)}/answers`, {
    body: { answer: '94105' },
  });
  expect(passed.body).toMatchObject({ status: 'passed', session: { assurance: 'recognized' } });
  const headers = { Cookie: cookieOf(passed), Origin: origin };
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
const assuranceOf = async (visitor: Visitor) =>
  (await visitor.call('GET', visitor.path)).body.session?.assurance;
const byBearer = (token: string, path: string) =>
  api.call('GET', path, { headers: { Authorization: `Bearer ${token}` } });

describe('the holder of a widget token', () => {
  test('does not see the verified data of a victim in the session of that token', async () => {
    const scene = await secureScene();
    const victim = await aVisitor(api, scene);
    const known = await verify(victim);
    expect(verdict(await byBearer(victim.token, victim.path))).toBe('401 token_invalid');
    expect(verdict(await bootstrapByToken(api, victim.token))).toBe('401 token_invalid');
    expect(await assuranceOf(known)).toBe('recognized');
  });

  test('does not see that data either if the victim enrolled and verified by that token', async () => {
    const team = await api.newTeam();
    const template_id = await aTemplateWithPages(team, [{ name: 'Start' }], secure);
    await team.post(`/v2/partner/templates/${template_id}/launch`);
    const widgetId = await aWidget(team, { widget_kind: 'enrollment', template_id });
    const token = await aToken(team, widgetId, {});
    const enrolled = await api.call('POST', '/v2/widget/enrollments', {
      headers: { Authorization: `Bearer ${token}`, Origin: bank },
      body: { email: 'victim@example.com', postal_code: '94105' },
    });
    const known = await verify(visitorOf(api, enrolled));
    expect(verdict(await byBearer(token, known.path))).toBe('401 token_invalid');
    expect(verdict(await bootstrapByToken(api, token))).toBe('401 token_invalid');
    expect(await assuranceOf(known)).toBe('recognized');
  });

  test('gains nothing from a row that was verified before its session was unbound', async () => {
    const scene = await secureScene();
    const visitor = await aVisitor(api, scene);
    await api.db.look(
      (sql) => sql`
        update recipient_sessions set assurance = 'verified', assured_at = now(),
          last_seen_at = now()
        where journey_id = ${scene.journey.id} returning id`,
    );
    const reply = await byBearer(visitor.token, visitor.path);
    expect(reply.body.session.assurance).toBe('none');
    const again = await bootstrapByToken(api, visitor.token);
    expect(again.body.session.assurance).toBe('none');
  });

  test('ends the verified session with the token that opened it, as a sign-out does', async () => {
    const scene = await secureScene();
    const visitor = await aVisitor(api, scene);
    const known = await verify(visitor);
    const path = `${widgetInstances}/${scene.widgetId}/tokens/revoke`;
    expect((await scene.team.post(path, { access_token: visitor.token })).status).toBe(204);
    expect(verdict(await known.call('GET', known.path))).toBe('401 session_expired');
  });
});

describe('a session that a client opened', () => {
  const clientOf = ({ team }: Awaited<ReturnType<typeof secureScene>>) => ({
    teamId: team.id,
    clientId: team.clientId,
  });

  test.each([
    ['is suspended', { isSuspended: true }],
    ['loses its scopes', { scopes: ['partner:contacts:read'] }],
  ])('is ended when the client %s', async (_, change) => {
    const scene = await secureScene();
    const visitor = await aVisitor(api, scene, { assurance: 'authenticated' });
    expect(await assuranceOf(visitor)).toBe('authenticated');
    await api.db.database.transact((sql) => updateClient(sql, clientOf(scene), change));
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
  });

  test('is not revived when the client is resumed', async () => {
    const scene = await secureScene();
    const visitor = await aVisitor(api, scene);
    for (const isSuspended of [true, false]) {
      await api.db.database.transact((sql) => updateClient(sql, clientOf(scene), { isSuspended }));
    }
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
  });
});

describe('a stolen cookie', () => {
  const age = (journeyId: string, column: 'last_seen_at' | 'assured_at', by: string) =>
    api.db.look(
      (sql) => sql`
        update recipient_sessions set ${sql(column)} = ${sql(column)} - ${by}::interval
        where journey_id = ${journeyId} returning id`,
    );

  test.each(['authenticated', 'recognized'])(
    'does not retain the assurance %s after 30 minutes without a request',
    async (assurance) => {
      const scene = await secureScene();
      const visitor =
        assurance === 'recognized'
          ? await verify(await aVisitor(api, scene))
          : await aVisitor(api, scene, { assurance });
      await age(scene.journey.id, 'last_seen_at', '29 minutes');
      expect(await assuranceOf(visitor)).toBe(assurance);
      await age(scene.journey.id, 'last_seen_at', '31 minutes');
      const shown = await visitor.call('GET', visitor.path);
      expect(shown.body.session).toMatchObject({ assurance: 'none', can_verify: true });
      expect(shown.body.pages[0].title).toBe('Dear ');
      // That request renews nothing.
      expect(await assuranceOf(visitor)).toBe('none');
    },
  );

  test('does not retain the assurance for more than 12 hours under constant use', async () => {
    const scene = await secureScene();
    const visitor = await verify(await aVisitor(api, scene));
    await age(scene.journey.id, 'assured_at', '12 hours');
    expect(await assuranceOf(visitor)).toBe('none');
    expect(await assuranceOf(await verify(visitor))).toBe('recognized');
  });
});

describe('a page of another team', () => {
  test('cannot read a journey, even if a widget of its own team admits its origin', async () => {
    const evil = `https://${randomUUID()}.example.com`;
    await aScene(api, { widget: { allowed_origins: [evil] } });
    const visitor = await aVisitor(api, await secureScene());
    const reply = await visitor.call('GET', visitor.path, { headers: { Origin: evil } });
    expect(verdict(reply)).toBe('422 origin_not_allowed');
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    expect(reply.headers.get('vary')).toContain('Origin');
    expect(JSON.stringify(reply.body)).not.toContain(visitor.csrf);
  });

  test.each([
    ['cross-site', '422 origin_not_allowed'],
    ['same-site', '422 origin_not_allowed'],
    ['same-origin', '200'],
    ['none', '200'],
  ])('cannot load a journey without an Origin: Sec-Fetch-Site %s', async (site, expected) => {
    const visitor = await aVisitor(api, await secureScene());
    const headers = { Cookie: visitor.cookie, 'Sec-Fetch-Site': site };
    expect(verdict(await api.call('GET', visitor.path, { headers }))).toBe(expected);
  });
});

describe('the holder of a forwarded link', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address, Origin: own });
  const openFrom = (address: string, link_token: string) =>
    api.call('POST', '/v2/widget/bootstrap', { body: { link_token }, headers: from(address) });
  const anAddress = () => `192.0.2.${String(randomInt(1, 255))}`;

  test('does not end the session of the verified customer by opening other sessions', async () => {
    const scene = await secureScene();
    const { linkToken } = scene.journey;
    const opened = await openFrom('198.51.100.1', linkToken);
    const known = await verify(visitorOf(api, opened, own), own);
    for (let at = 0; at < 22; at += 1) {
      expect((await openFrom(anAddress(), linkToken)).status).toBe(201);
    }
    expect(await assuranceOf(known)).toBe('recognized');
    const [row] = await api.db.look(
      (sql) => sql`
        select count(*)::int as count from recipient_sessions
        where journey_id = ${scene.journey.id}`,
    );
    expect(row).toEqual({ count: 20 });
  });

  test('does not use up the link openings of the customer', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const templateId = await aTemplateWithPages(team, [{ name: 'Start' }]);
    const { linkToken } = await aJourneyIn(api, team, templateId);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => openFrom('192.0.2.9', linkToken)),
    );
    expect(replies.map(({ status }) => status)).toContain(429);
    expect((await openFrom('198.51.100.1', linkToken)).status).toBe(201);
  });

  test('does not use up the requests of recipients of other links', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const templateId = await aTemplateWithPages(team, [{ name: 'Start' }]);
    const [one, other] = [
      await aJourneyIn(api, team, templateId),
      await aJourneyIn(api, team, templateId),
    ];
    const open = async ({ linkToken }: { linkToken: string }, address: string) =>
      visitorOf(api, await openFrom(address, linkToken), own);
    const sessions = await Promise.all(
      Array.from({ length: 18 }, (_, at) => open(one, `192.0.2.${String(at)}`)),
    );
    const stranger = await open(other, '198.51.100.1');
    const flood = sessions.flatMap((visitor) =>
      Array.from({ length: 20 }, () => visitor.call('GET', visitor.path)),
    );
    const replies = await Promise.all([...flood, stranger.call('GET', stranger.path)]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.slice(0, -1)).toContain(429);
    expect(statuses.at(-1)).toBe(200);
  });
});

describe('the next user of a shared computer', () => {
  test('cannot reopen the session with the token that remains in the page', async () => {
    const scene = await secureScene();
    const token = await aToken(scene.team, scene.widgetId, {
      ...{ contact_id: scene.journey.contactId, assurance: 'authenticated' },
    });
    const visitor = visitorOf(api, await bootstrapByToken(api, token));
    expect((await visitor.call('DELETE', `${visitor.path}/session`)).status).toBe(204);
    expect(verdict(await bootstrapByToken(api, token))).toBe('401 token_invalid');
    expect(verdict(await byBearer(token, visitor.path))).toBe('401 token_invalid');
  });

  test('finds no answers in the browser cache', async () => {
    const visitor = await aVisitor(api, await secureScene());
    const ended = await visitor.call('DELETE', `${visitor.path}/session`);
    expect(ended.headers.get('clear-site-data')).toBe('"cache"');
  });
});

test('requests from another site do not extend the session of an absent recipient', async () => {
  const known = await verify(await aVisitor(api, await secureScene()));
  const seenAt = async (change = '0 minutes') => {
    const [row] = await api.db.look(
      (sql) => sql`
        update recipient_sessions set last_seen_at = last_seen_at - ${change}::interval
        where journey_id = ${known.path.split('/').at(-1) ?? ''}
        returning last_seen_at::text`,
    );
    return row?.['last_seen_at'];
  };
  const before = await seenAt('29 minutes');
  const call = (headers: Record<string, string>) =>
    api.call('GET', known.path, { headers: { Cookie: known.cookie, ...headers } });
  const hostile = await call({ 'Sec-Fetch-Site': 'cross-site' });
  expect(verdict(hostile)).toBe('422 origin_not_allowed');
  expect(verdict(await call({ Origin: 'https://evil.example.com' }))).toContain('422');
  expect(await seenAt()).toBe(before);
  expect(await assuranceOf(known)).toBe('recognized');
  expect(await seenAt()).not.toBe(before);
});

test('a recipient who was recognized as one contact is not shown another contact after a merge', async () => {
  const scene = await secureScene();
  const known = await verify(await aVisitor(api, scene));
  const other = await scene.team.post('/v2/partner/contacts', {
    ...{ unique_id: randomUUID(), first_name: 'Beatrix', postal_code: '10001' },
  });
  const merged = await scene.team.post(`/v2/partner/contacts/${String(other.body.id)}/merge`, {
    source_contact_id: scene.journey.contactId,
  });
  expect(merged.status).toBe(200);
  const reply = await known.call('GET', known.path);
  expect(JSON.stringify(reply.body)).not.toContain('Beatrix');
  expect(verdict(reply)).toBe('401 session_expired');
});

test('a sign-out during the creation of a challenge causes no server error', async () => {
  const scene = await secureScene();
  const visitor = await aVisitor(api, scene);
  const waiting = async () => {
    const rows = await api.db.look(
      (sql) => sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const replies = await api.db.database.transact(async (sql) => {
    await sql`
      insert into identity_failures (team_id, contact_id, last_failed_at)
      values (${scene.team.id}, ${scene.journey.contactId}, now())`;
    const asked = visitor.call('POST', `${visitor.path}/identity-challenges`, { body: {} });
    await eventually(waiting, (count) => count === 1);
    let isEnded = false;
    const ended = visitor.call('DELETE', `${visitor.path}/session`).finally(() => {
      isEnded = true;
    });
    await eventually(waiting, (count) => isEnded || count === 2);
    return [asked, ended];
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([201, 204]);
});
