import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
});
afterAll(() => api.stop());

const paths = endpoints
  .map(({ path }) => path)
  .filter((path) => path.startsWith('/v2/partner/insights/advanced/'));

test.each(paths)('%s has monthly figures for two years', async (path) => {
  const reply = await team.get(`${path}?period=2024-01-01/2025-12-31`);
  expect(reply.body).toMatchObject({ source: { bucket: 'month' } });
});
