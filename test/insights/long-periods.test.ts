import { beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const paths = endpoints
  .map(({ path }) => path)
  .filter((path) => path.startsWith('/v2/partner/insights/advanced/'));

test.each(paths)('%s has monthly figures for two years', async (path) => {
  const reply = await team.get(`${path}?period=2024-01-01/2025-12-31`);
  expect(reply.body).toMatchObject({ source: { bucket: 'month' } });
});
