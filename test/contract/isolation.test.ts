import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { countCells } from './cells.ts';
import { openNeighbours, tryScopes, tryTwin } from './isolation.ts';
import type { Neighbours } from './isolation.ts';
import { sampledEndpoints } from './scoped.ts';

let api: TestApi;
let neighbours: Neighbours;
const cells = countCells('isolation');

beforeAll(async () => {
  api = await startTestApi();
  neighbours = await openNeighbours(api, cells);
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

describe('a team whose rows have the same ids is neither shown nor changed', () => {
  test.each(sampledEndpoints)('%s', async (_, endpoint) => {
    await tryTwin(neighbours, endpoint);
    cells.settle();
  });
});

describe('a client without the scope is refused what it has good ids for', () => {
  test.each(sampledEndpoints)('%s', async (_, endpoint) => {
    await tryScopes(neighbours, endpoint);
    cells.settle();
  });
});
