import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { countCells } from './cells.ts';
import { checks } from './checks.ts';
import { inOrder, openNeighbors } from './isolation.ts';
import { isolatedEndpoints } from './scoped.ts';
import { openRows } from './team-rows.ts';
import type { Rows } from './team-rows.ts';

/** One of the files that test every endpoint: several, so that they run in parallel. */
export function isolate(name: string, isMeant: (endpoint: Endpoint) => boolean): void {
  let api: TestApi;
  let rows: Rows;
  const cells = countCells(`isolation of ${name}`);

  beforeAll(async () => {
    api = await startTestApi({}, {}, inOrder);
    rows = await openRows(api.db);
  });
  afterAll(async () => {
    await rows.close();
    await api.stop();
    cells.report();
  });

  const meant = isolatedEndpoints.filter(([, endpoint]) => isMeant(endpoint));
  describe('every endpoint isolates teams and scopes', () => {
    test.each(meant)('%s', async (id, endpoint) => {
      // Teams below every quota, with few rows that are quick to copy.
      const neighbors = await openNeighbors(api, rows, cells);
      for (const { title, appliesTo, run } of checks) {
        if (!appliesTo(endpoint)) continue;
        await cells.cell(`${id}: ${title}`, () => run(neighbors, endpoint));
      }
      cells.settle();
    });
  });
}
