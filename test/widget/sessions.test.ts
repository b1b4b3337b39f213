import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { linkToken } from '../../src/messaging/journey-link.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { maintain } from '../support/maintenance.ts';
import { aJourneyIn } from '../journeys/a-journey.ts';
import {
  aScene,
  aToken,
  aVisitor,
  bank,
  bootstrapByLink,
  bootstrapByToken,
  cookieOf,
  verdict,
  visitorOf,
  widgetInstances,
} from './a-widget.ts';

const api = useTestApi();

const own = 'http://onward.test';

async function endJourney(id: string, ago: string) {
  await api.db.look(
    (sql) => sql`
      update journeys set status = 'completed', completed_at = now() - ${ago}::interval,
        next_due_at = null
      where id = ${id} returning id`,
  );
}

describe('a bootstrap', () => {
  test('returns all data of a page, and a cookie for this journey only', async () => {
    const { team, journey, widgetId } = await aScene(api, {
      pages: [{ name: 'Hello' }, { name: 'Cards', kind: 'checklist', path: 'cards' }],
      widget: { theme: { primary_color: '#123456' }, session_max_days: 10 },
    });
    const token = await aToken(team, widgetId, { contact_id: journey.contactId });
    const reply = await bootstrapByToken(api, token);
    expect(verdict(reply)).toBe('201');
    expect(reply.body).toMatchObject({
      journey: {
        id: journey.id,
        status: 'active',
        objectives: [{ key: expect.any(String), name: expect.any(String) }],
        progress: { pages_viewed: 0, pages_total: 2, objectives_completed: 0, objectives_total: 1 },
      },
      template: { name: 'Welcome', theme: { primary_color: '#123456' } },
      widget: { id: widgetId, widget_kind: 'journey' },
      pages: [
        { title: 'Hello', kind: 'step', position: 0, is_viewed: false, is_locked: false },
        { title: 'Cards', kind: 'checklist', path: 'cards', position: 1 },
      ],
      session: { assurance: 'none', can_verify: false, csrf_token: expect.any(String) },
    });
    expect(JSON.stringify(reply.body)).not.toContain(journey.contactId);
    expect(reply.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^__Secure-do_rs=[\\w-]{43}; Path=/v2/widget/journeys/${journey.id}; Max-Age=(86[34]\\d{3}); ` +
          'HttpOnly; Secure; SameSite=None; Partitioned$',
      ),
    );
    const shown = await team.get(`${widgetInstances}/${widgetId}`);
    expect(shown.body).toMatchObject({
      bootstrap_count: 1,
      last_bootstrapped_at: expect.any(String),
    });
  });

  test('by link works any number of times, until a fresh link replaces it', async () => {
    const { team, journey } = await aScene(api);
    const first = visitorOf(api, await bootstrapByLink(api, journey.linkToken), own);
    const second = visitorOf(api, await bootstrapByLink(api, journey.linkToken), own);
    expect(first.cookie).not.toBe(second.cookie);
    for (const visitor of [first, second]) {
      expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
    }
    expect(first.body.session.assurance).toBe('none');
    await api.db.look(
      (sql) => sql`
        update journeys set link_generation = 2 where id = ${journey.id} returning id`,
    );
    expect(verdict(await bootstrapByLink(api, journey.linkToken))).toBe('401 session_expired');
    expect(verdict(await second.call('GET', second.path))).toBe('401 session_expired');
    const link = { team_id: team.id, id: journey.id, link_generation: 2 };
    expect(verdict(await bootstrapByLink(api, linkToken(api.keyring, link)))).toBe('201');
  });

  test('by a link is refused from other origins', async () => {
    const { journey } = await aScene(api);
    const reply = await api.call('POST', '/v2/widget/bootstrap', {
      body: { link_token: journey.linkToken },
      headers: { Origin: bank },
    });
    expect(verdict(reply)).toBe('422 origin_not_allowed');
  });

  test('retains at most twenty sessions of a link', async () => {
    const { journey } = await aScene(api);
    const visitors = [];
    for (let opened = 0; opened < 21; opened += 1) {
      visitors.push(visitorOf(api, await bootstrapByLink(api, journey.linkToken), own));
    }
    const [first, second] = visitors;
    expect(first && verdict(await first.call('GET', first.path))).toBe('401 session_expired');
    expect(second && verdict(await second.call('GET', second.path))).toBe('200');
  });

  test.each([
    ['nothing', undefined, '401 token_missing'],
    ['no link', { link_token: 'dol~x~y~z' }, '401 session_expired'],
    ['a link of no journey', 'unknown', '401 session_expired'],
    ['an unknown field', { token: 'x' }, '422 validation_failed'],
  ])('refuses %s', async (_, given, refusal) => {
    const unknown = { team_id: randomUUID(), id: randomUUID(), link_generation: 1 };
    const body = given === 'unknown' ? { link_token: linkToken(api.keyring, unknown) } : given;
    const reply = await api.call('POST', '/v2/widget/bootstrap', { body });
    expect(verdict(reply)).toBe(refusal);
  });

  test('with the same token continues the session, whichever answer comes last', async () => {
    const scene = await aScene(api);
    const token = await aToken(scene.team, scene.widgetId, { contact_id: scene.journey.contactId });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => bootstrapByToken(api, token)),
    );
    expect(replies.map(verdict)).toEqual(Array(8).fill('201'));
    const other = await aVisitor(api, scene);
    for (const visitor of replies.map((reply) => visitorOf(api, reply))) {
      expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
      expect(visitor.cookie).not.toBe(other.cookie);
    }
    const rows = await api.db.look(
      (sql) => sql`select from recipient_sessions where journey_id = ${scene.journey.id}`,
    );
    expect(rows).toHaveLength(2);
  });

  test('never adopts the secret of a caller, and stores no secret', async () => {
    const scene = await aScene(api);
    const fixed = 'A'.repeat(43);
    const token = await aToken(scene.team, scene.widgetId, { contact_id: scene.journey.contactId });
    const reply = await bootstrapByToken(api, token, { Cookie: `__Secure-do_rs=${fixed}` });
    const visitor = visitorOf(api, reply);
    expect(visitor.cookie).not.toContain(fixed);
    const rows = await api.db.look((sql) => sql`select s::text as row from recipient_sessions s`);
    expect(JSON.stringify(rows)).not.toContain(visitor.cookie.split('=')[1]);
  });
});

describe('a session', () => {
  test('is of one journey: the ids of others answer 404', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const second = await aJourneyIn(api, scene.team, scene.journey.templateId);
    const stranger = await aScene(api);
    for (const id of [second.id, stranger.journey.id, randomUUID(), 'garbage']) {
      for (const path of ['', `/pages/${randomUUID()}`]) {
        const reply = await visitor.call('GET', `/v2/widget/journeys/${id}${path}`);
        expect(verdict(reply)).toBe('404 not_found');
      }
      const ended = await visitor.call('DELETE', `/v2/widget/journeys/${id}/session`);
      expect(verdict(ended)).toBe('404 not_found');
    }
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
  });

  test('grants no other surface', async () => {
    const visitor = await aVisitor(api, await aScene(api));
    for (const path of ['/v2/partner/contacts', '/v2/meta/capabilities', '/v2/ipaas/operations']) {
      expect(verdict(await visitor.call('GET', path))).toBe('401 token_kind_not_allowed');
    }
  });

  test('accepts changes only from an allowed origin with the CSRF token', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const path = `${visitor.path}/session`;
    const other = await aVisitor(api, scene);
    for (const headers of [
      { 'X-CSRF-Token': '' },
      { 'X-CSRF-Token': 'guess' },
      { 'X-CSRF-Token': other.csrf },
      { 'X-CSRF-Token': visitor.cookie },
      { Origin: 'https://evil.example.com' },
      { Origin: 'null' },
      { Origin: api.url.replace('http:', 'https:') },
      { Origin: `${bank}.evil.example` },
      { Origin: '' },
    ]) {
      const reply = await visitor.call('DELETE', path, { headers });
      expect([headers, verdict(reply)]).toEqual([headers, '401 csrf_invalid']);
    }
    const without = await api.call('DELETE', path, {
      headers: { Cookie: visitor.cookie, 'X-CSRF-Token': visitor.csrf },
    });
    expect(verdict(without)).toBe('401 csrf_invalid');
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
    expect((await visitor.call('DELETE', path)).status).toBe(204);
  });

  test('returns its CSRF token to a reloaded page', async () => {
    const visitor = await aVisitor(api, await aScene(api));
    const reply = await visitor.call('GET', visitor.path);
    expect(reply.body.session).toMatchObject({
      csrf_token: visitor.csrf,
      expires_at: visitor.body.session.expires_at,
    });
  });

  test.each(['/session', 'the plain path'])(
    'is ended by DELETE of %s, with its cookie',
    async (at) => {
      const visitor = await aVisitor(api, await aScene(api));
      const path = at.startsWith('/') ? `${visitor.path}${at}` : '/v2/widget/session';
      const reply = await visitor.call('DELETE', path);
      expect(reply.status).toBe(204);
      expect(reply.headers.get('set-cookie')).toMatch(
        new RegExp(`^__Secure-do_rs=; Path=${visitor.path}; Max-Age=0;`),
      );
      expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
    },
  );

  test.each([
    ['none', {}],
    ['two', { Cookie: `__Secure-do_rs=${'A'.repeat(43)}; __Secure-do_rs=${'B'.repeat(43)}` }],
    ['a short one', { Cookie: '__Secure-do_rs=x' }],
    ['one of another name', { Cookie: `do_rs=${'A'.repeat(43)}` }],
  ])('needs one valid cookie: %s', async (_, headers) => {
    const reply = await api.call('GET', `/v2/widget/journeys/${randomUUID()}`, { headers });
    expect(verdict(reply)).toBe('401 token_missing');
  });

  test('that never existed has expired', async () => {
    const reply = await api.call('GET', `/v2/widget/journeys/${randomUUID()}`, {
      headers: { Cookie: `__Secure-do_rs=${'A'.repeat(43)}` },
    });
    expect(verdict(reply)).toBe('401 session_expired');
  });

  test.each([
    [
      'the widget is switched off',
      (scene: any) =>
        scene.team.patch(`${widgetInstances}/${scene.widgetId}`, { is_active: false }),
    ],
    [
      'the widget is archived',
      (scene: any) => scene.team.post(`${widgetInstances}/${scene.widgetId}/archive`),
    ],
    [
      'the widget is deleted',
      (scene: any) => scene.team.delete(`${widgetInstances}/${scene.widgetId}`),
    ],
    [
      'the contact is erased',
      (scene: any) => scene.team.post(`/v2/partner/contacts/${scene.journey.contactId}/erase`),
    ],
    ['the journey ended a day ago', (scene: any) => endJourney(scene.journey.id, '25 hours')],
  ])('ends when %s', async (_, happen) => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
    await happen(scene);
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
    expect(verdict(await bootstrapByToken(api, visitor.token))).toBe('401 session_expired');
    const bearer = { headers: { Authorization: `Bearer ${visitor.token}` } };
    expect(verdict(await api.call('GET', visitor.path, bearer))).toBe('401 session_expired');
  });

  test('shows the end of a journey for a day', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    await endJourney(scene.journey.id, '23 hours');
    const reply = await visitor.call('GET', visitor.path);
    expect(reply.body.journey.status).toBe('completed');
  });

  test('lasts as long as its journey, up to the maximum age of a cookie', async () => {
    const scene = await aScene(api);
    await api.db.look(
      (sql) => sql`
        update journeys set deadline_at = now() + interval '1 hour'
        where id = ${scene.journey.id} returning id`,
    );
    const visitor = await aVisitor(api, scene);
    const days = (Date.parse(visitor.body.session.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(400);
    // A deadline that is moved takes the session along: it ends once the journey has.
    await endJourney(scene.journey.id, '25 hours');
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('401 session_expired');
    await maintain(api.db.database, 'recipient-sessions');
    const kept = await api.db.look(
      (sql) => sql`select id from recipient_sessions where journey_id = ${scene.journey.id}`,
    );
    expect(kept).toEqual([]);
  });

  test('that has expired is pruned, and no other', async () => {
    const scene = await aScene(api);
    const [old, young] = [await aVisitor(api, scene), await aVisitor(api, scene)];
    const [row] = await api.db.look(
      (sql) => sql<{ id: string }[]>`
        update recipient_sessions set expires_at = now() - interval '1 second'
        where id = (
          select id from recipient_sessions where journey_id = ${scene.journey.id}
          order by inserted_at limit 1)
        returning id`,
    );
    expect(verdict(await old.call('GET', old.path))).toBe('401 session_expired');
    await maintain(api.db.database, 'recipient-sessions');
    const kept = await api.db.look(
      (sql) => sql<{ id: string }[]>`
        select id from recipient_sessions where journey_id = ${scene.journey.id}`,
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.id).not.toBe(row?.id);
    expect(verdict(await young.call('GET', young.path))).toBe('200');
  });
});

describe('a browser', () => {
  const ask = (origin: string, path = `/v2/widget/journeys/${randomUUID()}/events`) =>
    api.call('OPTIONS', path, {
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,x-csrf-token',
      },
    });

  test('learns by a preflight request whether a page may call', async () => {
    const origin = `https://${randomUUID()}.example.com`;
    const scene = await aScene(api, { widget: { allowed_origins: [origin] } });
    const reply = await ask(origin);
    expect(reply.status).toBe(204);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, X-CSRF-Token, X-Request-Id',
      vary: expect.stringContaining('Origin'),
    });
    for (const unknown of ['https://evil.example.com', 'null', `${origin}.evil.test`, '*']) {
      const refused = await ask(unknown);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect((await ask(own)).headers.get('access-control-allow-origin')).toBe(own);
    expect(verdict(await ask(origin, '/v2/partner/contacts'))).toBe('405 method_not_allowed');
    expect(scene.widgetId).toBeTruthy();
  });

  test('lets pages of the widget read responses and errors, and no other pages', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const read = await visitor.call('GET', visitor.path);
    expect(read.headers.get('access-control-allow-origin')).toBe(bank);
    expect(read.headers.get('access-control-allow-credentials')).toBe('true');
    expect(read.headers.get('vary')).toContain('Origin');
    const refused = await api.call('GET', visitor.path, { headers: { Origin: bank } });
    expect(verdict(refused)).toBe('401 token_missing');
    expect(refused.headers.get('access-control-allow-origin')).toBe(bank);
    const evil = { Origin: 'https://evil.example.com' };
    const foreign = await visitor.call('GET', visitor.path, { headers: evil });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('a session is limited to five requests a second, and a widget to its own budget', async () => {
  const team = await api.newTeam({ tier: 'standard' });
  const scene = await aScene(api);
  await api.db.look(
    (sql) => sql`update teams set tier = 'standard' where id = ${scene.team.id} returning id`,
  );
  const visitor = await aVisitor(api, scene);
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => visitor.call('GET', visitor.path)),
  );
  const limited = replies.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThanOrEqual(5);
  expect(limited[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(limited[0]?.body.errors[0].meta.class).toBe('session');
  const another = await aVisitor(api, scene);
  expect(verdict(await another.call('GET', another.path))).toBe('200');
  expect(cookieOf(await bootstrapByToken(api, another.token))).toContain('__Secure-do_rs=');
  expect((await team.get('/v2/meta/capabilities')).body.rate_limits.limits).toContainEqual(
    expect.objectContaining({ class: 'session', limit: 60, burst: 5, scope: 'session' }),
  );
});
