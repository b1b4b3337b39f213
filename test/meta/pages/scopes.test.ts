import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { teamPages } from '../../../src/meta/local-pages/pages.ts';
import { aCompleteTemplate } from '../../campaigns/a-template.ts';
import { aReceiver } from '../../inbound/a-receiver.ts';
import { aJourneyIn } from '../../journeys/a-journey.ts';
import type { TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { closePage, openPage } from './open-page.ts';

interface Operation {
  method: string;
  path: string;
  scopes: string[];
}

const browser = await aBrowser();
const api = useTestApi({ REQUEST_LOG: 'true' });
afterAll(() => browser?.close());

const pages = Object.keys(teamPages);
let team: TestTeam;
/** By page: what it opens. */
const fragments: Record<string, string> = {};

beforeAll(async () => {
  team = await api.newTeam();
  const idOf = async (path: string, body: object) => {
    const made = await team.post(path, body, { 'Idempotency-Key': randomUUID() });
    expect([made.status < 300, made.body.errors]).toEqual([true, undefined]);
    return String(made.body.id);
  };
  const subscription = await idOf('/v2/partner/webhook-subscriptions', {
    target_url: 'https://example.com/hook',
    event_types: ['contact.created'],
  });
  const contact = await idOf('/v2/partner/contacts', { email: 'ada@example.com' });
  const { body: sent } = await team.get(
    `/v2/partner/webhook-subscriptions/${subscription}/deliveries`,
  );
  const batch = await idOf('/v2/batch/operations', {
    operation_kind: 'contacts.bulk_upsert',
    items: [{ unique_id: 'crm-1' }],
  });
  const receiver = await aReceiver(api, team);
  const template = await aCompleteTemplate(team);
  await team.post(`/v2/partner/templates/${template}/launch`);
  const journey = await aJourneyIn(api, team, template);
  const refused = await team.post('/v2/partner/contacts', { email: 'nobody' });
  Object.assign(fragments, {
    requests: `#/requests/${String(refused.headers.get('x-request-id'))}`,
    webhooks: `#/subscriptions/${subscription}/deliveries/${String(sent.data[0].id)}`,
    batches: `#/batches/${batch}`,
    callbacks: `#/receivers/${receiver.id}`,
    campaigns: `#/campaigns/${template}/journeys/${journey.id}`,
    people: `#/people/${contact}`,
  });
});

/** The operations of a page, as its script names them. */
async function operationsOf(name: string): Promise<Record<string, Operation>> {
  const { body } = await api.call('GET', `/${name}/page.js`);
  const [, table = '{}'] = /^const operations = (.*);$/m.exec(String(body)) ?? [];
  return JSON.parse(table);
}

const scopesOf = (operations: Record<string, Operation>) =>
  [...new Set(Object.values(operations).flatMap(({ scopes }) => scopes.slice(0, 1)))].sort();

describe.each(pages)('the page %s', (name) => {
  test('names operations of the API and their scopes', async () => {
    const operations = await operationsOf(name);
    expect(Object.keys(operations).length).toBeGreaterThan(0);
    const { body: document } = await api.call('GET', '/v2/meta/openapi.json');
    for (const [id, { method, path, scopes }] of Object.entries(operations)) {
      const declared = document.paths[path][method.toLowerCase()];
      expect([declared.operationId, declared.security]).toEqual([
        id,
        [{ oauth2: scopes.slice(0, 1) }],
      ]);
    }
  });

  test('is small, and says nothing of a team by itself', async () => {
    const html = await api.call('GET', `/${name}`);
    const script = await api.call('GET', `/${name}/page.js`);
    const sent = gzipSync(String(script.body)).length + String(html.body).length;
    expect(sent).toBeLessThan(60_000);
    expect(String(html.body)).not.toContain(team.id);
    expect(script.headers.get('etag')).toBeTruthy();
  });
});

/** Opens a page with some scopes. Returns what was refused, and the scopes that it names as missing. */
async function tryWith(chromium: Browser, name: string, scopes: readonly string[]) {
  // The items of a batch need the scopes of its operation, which no operation of the page has.
  const ofItems = name === 'batches' ? ['partner:contacts:write', 'partner:contacts:read'] : [];
  const client = await team.withScopes('meta:capabilities:read', ...ofItems, ...scopes);
  const opened = await openPage(chromium, api, `/${name}${fragments[name] ?? ''}`, client.token);
  const { page, answers } = opened;
  await eventually(
    async () => {
      const isDrawn = (await page.locator('#page *').count()) > 3;
      return isDrawn ? page.locator('.loading').count() : 1;
    },
    (left) => left === 0,
  );
  const named = await page.locator('.note code').allTextContents();
  const buttons = await page.locator('.actions button').allTextContents();
  await closePage(opened);
  return { refused: answers.filter((answer) => !answer.startsWith('2')), named, buttons };
}

async function worksWithAnyScopes(chromium: Browser, name: string): Promise<void> {
  const operations = await operationsOf(name);
  const scopes = scopesOf(operations);
  const isGranted = (granted: readonly string[], id: string) =>
    operations[id]?.scopes.some((scope) => granted.includes(scope)) ?? false;
  const subsets = [
    ...scopes.map((scope) => scopes.filter((one) => one !== scope)),
    ...scopes.map((scope) => [scope]),
    scopes,
    [],
  ];
  for (const granted of subsets) {
    const { refused, named, buttons } = await tryWith(chromium, name, granted);
    expect([granted, refused]).toEqual([granted, []]);
    // A scope is named as missing only if it is, and nothing is missing where all are there.
    expect([granted, named.filter((scope) => granted.includes(scope))]).toEqual([granted, []]);
    if (granted === scopes) expect(named).toEqual([]);
    if (granted.length === 0) expect(named.length).toBeGreaterThan(0);
    const mayWrite = Object.entries(operations).some(
      ([id, { method }]) => method !== 'GET' && isGranted(granted, id),
    );
    if (!mayWrite)
      expect([granted, buttons.filter((text) => text.endsWith('…'))]).toEqual([granted, []]);
  }
}

if (browser) {
  const chromium = browser;
  test.each(pages)('the page %s asks only what the token may, and names what is missing', (name) =>
    worksWithAnyScopes(chromium, name),
  );
} else {
  test('promises about scopes were skipped because Chromium is absent', () => {
    console.warn('The pages were not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
