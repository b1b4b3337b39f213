import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sampleOf } from '../contract/samples.ts';
import { scopedEndpoints } from '../contract/scoped.ts';
import { hostileRequests } from './cost/hostile-requests.ts';
import { runs } from './cost/judge.ts';
import { useWatchedApi } from './cost/use-watched-api.ts';

// For any request within the limits of its endpoint, the event loop of the API is not blocked
// for long, and a refusal is short.

const cost = useWatchedApi('request cost');

const endpoints = scopedEndpoints.filter(([, { stream }]) => !stream);

describe('a request of a partner blocks no other request and is refused briefly', () => {
  test.each(endpoints)('%s', async (_, endpoint) => {
    const { path, headers, body } = await sampleOf(cost.team, endpoint);
    const authorization = { Authorization: `Bearer ${cost.team.token}` };
    const good = { path, body, headers: { ...authorization, ...headers } };
    const run = fc.asyncProperty(hostileRequests(endpoint, good), async (request) => {
      await cost.judge.expectCheap(request);
    });
    await fc.assert(run, runs);
  });
});

const repeated = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
const html = (text: string) => JSON.stringify({ kind: 'html', body: { html: text } });
const chain = `{{ contact.first_name${' | url_encode'.repeat(1_000)} }}`;

/** Each blocked the event loop for seconds before. */
const onceCostly: readonly [name: string, path: string, raw: string][] = [
  [
    'a list with the same item a quarter of a million times',
    '/v2/partner/contacts',
    `{"tags":${repeated('"a"', 240_000)}}`,
  ],
  [
    'a batch of three million lists',
    '/v2/batch/operations/validate',
    `{"operation_kind":"contacts.upsert","items":${repeated('[]', 3_300_000)}}`,
  ],
  [
    'HTML of braces that are not closed',
    '/v2/partner/content-blocks/preview',
    html('{{'.repeat(125_000)),
  ],
  [
    'a text that is encoded a thousand times',
    '/v2/partner/content-blocks/preview',
    `{"data":{"contact":{"first_name":"${'%'.repeat(900)}"}},${html(chain).slice(1)}`,
  ],
];

describe('a request that blocked other requests in the past no longer does', () => {
  test.each(onceCostly)('%s', async (name, path, raw) => {
    const headers = {
      Authorization: `Bearer ${cost.team.token}`,
      'Content-Type': 'application/json',
    };
    const { status } = await cost.judge.expectCheap({ name, method: 'POST', path, headers, raw });
    expect([400, 422]).toContain(status);
  });
});

test('every endpoint was tried', () => {
  expect(cost.judge.cases()).toBeGreaterThanOrEqual(endpoints.length * runs.numRuns);
});
