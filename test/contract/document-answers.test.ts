import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import { expectTable, insightEnvelope, operationDescriptor } from './document-tables.ts';

/** Insights and the catalog of operations, by the paths and tables of the interface document. */
const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const insights = `
pages added-value-by-time campaign-engagement campaign-enrollment campaign-performance
card-on-file-widget drivers enrollment-widget gap-analysis messages mobile-app-widget
objective-completion-benchmarks objective-completion-rate objective-content objective-total-value
opt-in-widget overall-number-of-campaigns performance total-value-of-opened-products
value-of-opened-products`
  .trim()
  .split(/\s+/);

test('the document names twenty insights', () => {
  expect(new Set(insights).size).toBe(20);
});

test.each(insights)('the insight %s answers the envelope', async (name) => {
  const reply = await team.get(`/v2/partner/insights/advanced/${name}`);
  expect(verdictOf(reply)).toBe('200');
  expectTable(reply.body, insightEnvelope);
});

test('getAdvancedInsightPages accepts a period and a time zone', async () => {
  const path = '/v2/partner/insights/advanced/pages?period=P30D&timezone=Europe/Berlin';
  const reply = await team.get(path);
  expect(verdictOf(reply)).toBe('200');
  expectTable(reply.body, insightEnvelope);
});

test.each(['secure-personalization', 'opt-in-widget'])(
  'the insight %s of a template answers an object, and 404 for an unknown template',
  async (name) => {
    const template = await team.post('/v2/partner/templates', { name: 'Welcome' });
    const at = (id: unknown) => `/v2/partner/templates/${String(id)}/insights/${name}`;
    const reply = await team.get(at(template.body.id));
    expect(verdictOf(reply)).toBe('200');
    expect(reply.body).toEqual(expect.any(Object));
    expect((await team.get(at(randomUUID()))).status).toBe(404);
  },
);

test('getOperationDescriptor answers the descriptor of every operation', async () => {
  const { data } = (await team.get('/v2/ipaas/operations?page[size]=100')).body;
  expect(data.length).toBeGreaterThan(0);
  for (const { kind } of data) {
    const reply = await team.get(`/v2/ipaas/operations/${String(kind)}/describe`);
    expect(verdictOf(reply)).toBe('200');
    expectTable(reply.body, operationDescriptor);
    expect(reply.body.kind).toBe(kind);
  }
  expect((await team.get('/v2/ipaas/operations/nothing.at_all/describe')).status).toBe(404);
});
