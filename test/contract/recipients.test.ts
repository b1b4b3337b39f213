import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { startTestApi } from '../support/api.ts';
import type { CallOptions, Reply, TestApi, TestTeam } from '../support/api.ts';
import { twinsOf } from './acts.ts';
import { errorsOf, expectHouseForm, verdictOf } from './answers.ts';
import { anyBody } from './any-body.ts';
import { countCells } from './cells.ts';
import { inOrder } from './isolation.ts';
import { bodySchema, fieldsOf, wrongValueOf } from './json-schema.ts';
import type { Json } from './json-schema.ts';
import { newRecipient, recipientOrigin, recipientRecipes } from './recipes/recipients.ts';
import type { Params } from './recipes/recipe.ts';
import type { RecipientScene } from './recipes/recipients.ts';
import { pathOf, positionsOf } from './samples.ts';
import { recipientEndpoints } from './scoped.ts';
import { openRows } from './team-rows.ts';
import type { Rows } from './team-rows.ts';

// The rules for bearer tokens of partners, applied to recipients: with the token of a
// widget, and by the cookie of the session that it opened.

let api: TestApi;
let team: TestTeam;
let rows: Rows;
let own: RecipientScene;
/** Another recipient of the same team, and a recipient of another team. */
let neighbor: RecipientScene;
let stranger: RecipientScene;
const [twin] = twinsOf();
let twinBefore: unknown;
const cells = countCells('recipients');

beforeAll(async () => {
  api = await startTestApi({}, {}, inOrder);
  team = await api.newTeam();
  rows = await openRows(api.db);
  own = await newRecipient(team, asBearer);
  neighbor = await newRecipient(team, asBearer);
  stranger = await newRecipient(await api.newTeam(), asBearer);
  // All tests below run with a second team whose rows have the same ids.
  await rows.copy(team.id, twin);
  twinBefore = await rows.stateOf(twin);
});
afterAll(async () => {
  await rows.close();
  await api.stop();
  cells.report();
});

const asBearer = (token: string, path: string, body?: Json) =>
  api.call('POST', path, { body, headers: { Authorization: `Bearer ${token}` } });

type Headers = Record<string, string>;
const byToken = ({ token, doorToken }: RecipientScene, { id }: Endpoint): Headers => ({
  Authorization: `Bearer ${recipientRecipes[id]?.isDoor ? doorToken : token}`,
  Origin: recipientOrigin,
});

/** The headers of a browser that has begun a session by this token. */
async function byCookie(token: string): Promise<Headers> {
  const { headers, body } = await asBearer(token, '/v2/widget/bootstrap');
  return {
    Cookie: headers.get('set-cookie')?.split(';', 1).join('') ?? '',
    'X-CSRF-Token': String(body.session.csrf_token),
    Origin: recipientOrigin,
  };
}

function sampleOf({ ids }: RecipientScene, endpoint: Endpoint) {
  const { texts } = recipientRecipes[endpoint.id] ?? {};
  const params: Record<string, string> = { ...ids, ...texts };
  return { params, path: pathOf(endpoint, params) };
}

const bodyOf = (scene: RecipientScene, { id }: Endpoint) => recipientRecipes[id]?.body?.(scene);
const isChange = ({ method }: Endpoint) => method !== 'GET';
/** Ending a session has revoked its token: another one opens the next, with another question. */
async function renew(): Promise<void> {
  own = { ...own, ...(await own.begin()) };
}

describe('every endpoint of recipients refuses a caller without valid credentials', () => {
  test.each(recipientEndpoints)('%s', async (id, endpoint) => {
    const { path } = sampleOf(own, endpoint);
    const { method, scope, opensSession } = endpoint;
    // Nothing of a request is looked at before its credentials.
    const bad = { raw: '{broken', headers: { 'Content-Type': 'text/plain' } };
    const refused = (name: string, verdict: string, headers: Headers, query = '') =>
      cells.cell(`${id}: ${name}`, async () => {
        const content = isChange(endpoint) && !opensSession ? bad : { headers: {} };
        const options: CallOptions = { ...content, headers: { ...content.headers, ...headers } };
        const reply = await api.call(method, `${path}${query}`, options);
        expectHouseForm(reply);
        expect(verdictOf(reply)).toBe(verdict);
        expect(reply.headers.get('cache-control')).toBe('no-store');
      });
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    const cookie = `__Secure-do_rs=${'A'.repeat(43)}`;

    await refused('nothing', '401 token_missing', {});
    await refused('garbage', '401 token_invalid', bearer('dow_garbage'));
    await refused('another scheme', '401 token_invalid', { Authorization: 'Basic YTpi' });
    await refused('the token of a partner', '401 token_kind_not_allowed', bearer(team.token));
    await refused('a query', '401 token_in_query_rejected', {}, `?token=${own.token}`);
    const unknown = opensSession ? '401 token_missing' : '401 session_expired';
    await refused('a cookie of nobody', unknown, { Cookie: cookie });
    const elsewhere = { ...byToken(own, endpoint), Origin: 'https://evil.example.com' };
    await refused('another page', '422 origin_not_allowed', elsewhere);
    const { 'X-CSRF-Token': csrf = '', ...begun } = await byCookie(own.token);
    if (isChange(endpoint) && !opensSession) {
      await refused('a cookie alone', '401 csrf_invalid', begun);
      const forged = { ...begun, 'X-CSRF-Token': csrf, Origin: 'https://evil.example.com' };
      await refused('a cookie on another page', '401 csrf_invalid', forged);
    }
    if (scope !== 'session') {
      const others = ['widget:journey:render', 'widget:events:write'].filter(
        (name) => name !== scope,
      );
      await refused('no scope', '401 scope_missing', bearer(await own.tokenFor(...others)));
    }
    await cells.cell(`${id}: a cookie opens no other surface`, async () => {
      const reply = await api.call('GET', '/v2/partner/contacts', { headers: begun });
      expect(verdictOf(reply)).toBe('401 token_kind_not_allowed');
    });
    cells.settle();
  });
});

describe('a recipient receives 404 for resources of others', () => {
  const withIds = recipientEndpoints.filter(([, { path }]) => path.includes('{'));
  test.each(withIds)('%s', async (id, endpoint) => {
    const { params } = sampleOf(own, endpoint);
    const body = bodyOf(own, endpoint);
    for (const [how, headers] of [
      ['by token', byToken(own, endpoint)],
      ['by cookie', await byCookie(own.token)],
    ] as const) {
      const ask = (changed: Params) =>
        api.call(endpoint.method, pathOf(endpoint, { ...params, ...changed }), { body, headers });
      for (const { name, isText } of positionsOf(endpoint)) {
        if (isText) continue;
        const unknown = await ask({ [name]: randomUUID() });
        expect(`${id} ${verdictOf(unknown)}`).toBe(`${id} 404 not_found`);
        const theirs = (scene: RecipientScene) =>
          new Map(Object.entries(scene.ids)).get(name) ?? '';
        for (const value of [theirs(neighbor), theirs(stranger), 'x', '%00']) {
          await cells.cell(`${id} ${how}: ${name} ${value}`, async () => {
            const reply = await ask({ [name]: value });
            expect(reply.status).toBe(404);
            expect(errorsOf(reply)).toEqual(errorsOf(unknown));
          });
        }
      }
      for (const scene of [neighbor, stranger]) {
        await cells.cell(`${id} ${how}: all of another`, async () => {
          expect(verdictOf(await ask(scene.ids))).toBe('404 not_found');
        });
      }
    }
    cells.settle();
  });
});

describe('every endpoint of recipients with a body names every problem of a body', () => {
  test.each(recipientEndpoints.filter(([, { body }]) => body))('%s', async (id, endpoint) => {
    const { path } = sampleOf(own, endpoint);
    const body = bodyOf(own, endpoint);
    const headers = byToken(own, endpoint);
    const { writable, required } = fieldsOf(endpoint);
    const send = (at: string, options: CallOptions) =>
      api.call(endpoint.method, at, { ...options, headers: { ...headers, ...options.headers } });
    const expectPointers = async (name: string, content: unknown, pointers: readonly string[]) =>
      cells.cell(`${id}: ${name}`, async () => {
        const reply = await send(path, { body: content });
        expectHouseForm(reply);
        expect(verdictOf(reply)).toBe('422 validation_failed');
        expect(pointersOf(reply)).toEqual(expect.arrayContaining([...pointers]));
      });
    const refused = (name: string, at: string, verdict: string, options: CallOptions) =>
      cells.cell(`${id}: ${name}`, async () => {
        expect(verdictOf(await send(at, options))).toBe(verdict);
      });

    await expectPointers('unknown field', { ...body, 'no/such~field': 1 }, ['/no~1such~0field']);
    const missing = required.map((name) => `/${name}`);
    if (required.length > 0) await expectPointers('required fields', {}, missing);
    const wrong = writable.map(([name, schema]) => [name, wrongValueOf(schema)] as const);
    const pointers = wrong.map(([name]) => `/${name}`);
    await expectPointers('wrong types, all at once', Object.fromEntries(wrong), pointers);
    for (const content of [[], null, 7]) await expectPointers('no object', content, ['']);
    const unknownPath = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, () => randomUUID());
    const text = { 'Content-Type': 'text/plain' };
    await refused('media type', unknownPath, '415 unsupported_media_type', {
      ...{ raw: '{broken', headers: text },
    });
    const tooMuch = new Uint8Array((endpoint.bodyLimitBytes ?? 0) + 1).fill(0x20);
    await refused('size', unknownPath, '413 payload_too_large', { raw: tooMuch });
    await refused('JSON', unknownPath, '400 invalid_json', { raw: '{"a":1,"a":2}' });
    const asked = `${path}?no_such=1`;
    await refused('an unknown parameter', asked, '400 invalid_query_parameter', { body });
    cells.settle();
  });
});

const pointersOf = ({ body }: Reply): string[] =>
  body.errors.map(({ meta }: { meta: { pointer: string } }) => meta.pointer);

describe('every endpoint of recipients works as documented despite a team with the same ids', () => {
  test.each(recipientEndpoints)('%s', async (id, endpoint) => {
    const { method, status, repeatStatus = status, opensSession } = endpoint;
    const { isUsedUp, isDoor } = recipientRecipes[id] ?? {};
    const expectDone = (how: string, callerOf: () => Headers | Promise<Headers>) =>
      cells.cell(`${id} ${how}`, async () => {
        if (isUsedUp) await renew();
        const headers = await callerOf();
        const { path } = sampleOf(own, endpoint);
        // Answers are held against their schema where they are made.
        const reply = await api.call(method, path, { body: bodyOf(own, endpoint), headers });
        expect([status, repeatStatus].map(String)).toContain(verdictOf(reply));
        expect(reply.headers.get('access-control-allow-origin')).toBe(recipientOrigin);
        expect(JSON.stringify(reply.body ?? '')).not.toContain(twin);
      });
    await expectDone('by token', () => byToken(own, endpoint));
    // A browser with a session neither starts a session nor enrolls.
    if (!opensSession && !isDoor) await expectDone('by cookie', () => byCookie(own.token));
    if (isUsedUp) await renew();
    cells.settle();
  });
});

describe('no endpoint of recipients answers 5xx for any body', () => {
  const changes = recipientEndpoints.filter(([, { method }]) => method !== 'GET');
  test.each(changes)('%s', async (_, endpoint) => {
    // A recipient of its own: wrong answers lock the contact for the endpoints after it.
    const scene = await newRecipient(team, asBearer);
    const { path } = sampleOf(scene, endpoint);
    const headers = byToken(scene, endpoint);
    const bodies = anyBody(bodySchema(endpoint), bodyOf(scene, endpoint));
    const run = fc.asyncProperty(bodies, async (body) => {
      expectHouseForm(await api.call(endpoint.method, path, { body, headers }));
    });
    await fc.assert(run, { numRuns: 12, endOnFailure: true });
  });
});

test('the team with the same ids is unchanged after all of these calls', async () => {
  expect(await rows.stateOf(twin)).toEqual(twinBefore);
  await rows.remove(twin);
});
