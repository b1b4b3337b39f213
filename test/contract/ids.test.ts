import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { errorsOf } from './answers.ts';
import { countCells } from './cells.ts';
import { hasIds, openNeighbours, tryIdsInBody, tryIdsInPath } from './isolation.ts';
import type { Neighbours } from './isolation.ts';
import { referencesOf } from './samples.ts';
import { scopedEndpoints } from './scoped.ts';

let api: TestApi;
let neighbours: Neighbours;
const cells = countCells('ids');

beforeAll(async () => {
  api = await startTestApi();
  neighbours = await openNeighbours(api, cells);
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

const withIds = scopedEndpoints.filter(([, endpoint]) => hasIds(endpoint));

describe('an id of another team, an unknown one and a malformed one answer the same 404', () => {
  test.each(withIds)('%s', async (_, endpoint) => {
    await tryIdsInPath(neighbours, endpoint);
    cells.settle();
  });
});

/** For one endpoint: all endpoints read their ids in one place. */
const moreMalformedIds = ['123', 'null', '%ff', '..%2f', '%27%20or%201=1', 'a'.repeat(4_000)];

test('nor does any other malformed id answer otherwise', async () => {
  const { team } = neighbours;
  const unknown = await team.get(`/v2/partner/contacts/${randomUUID()}`);
  for (const value of moreMalformedIds) {
    const reply = await team.get(`/v2/partner/contacts/${value}`);
    expect(reply.status).toBe(404);
    expect(errorsOf(reply)).toEqual(errorsOf(unknown));
  }
});

const withReferences = scopedEndpoints.filter(([, endpoint]) => referencesOf(endpoint).length > 0);

describe('an id of another team in a body answers as an unknown one', () => {
  test.each(withReferences)('%s', async (_, endpoint) => {
    await tryIdsInBody(neighbours, endpoint);
    cells.settle();
  });
});
