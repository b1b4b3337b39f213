import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { expectHouseForm } from './answers.ts';
import { anyBody, anyValue } from './any-body.ts';
import { bodySchema } from './json-schema.ts';
import { sampleOf } from './samples.ts';
import { scopedEndpoints, writeEndpoints } from './scoped.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

// A fixed number of runs, also on a busy machine: a time limit would skip cases.
const runs = { numRuns: 12, endOnFailure: true };

describe('no write answers 5xx for any body', () => {
  test.each(writeEndpoints)('%s', async (_, endpoint) => {
    const { path, body } = await sampleOf(team, endpoint);
    const bodies = anyBody(bodySchema(endpoint), body);
    const run = fc.asyncProperty(bodies, async (content) => {
      expectHouseForm(await team.call(endpoint.method, path, { body: content }));
    });
    await fc.assert(run, runs);
  });
});

describe('no list answers 5xx for any query', () => {
  const lists = scopedEndpoints.filter(([, { list }]) => list !== undefined);
  test.each(lists)('%s', async (_, endpoint) => {
    const { path } = await sampleOf(team, endpoint);
    const known = endpoint.list?.parameters.map(({ name }) => name);
    const names = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(known ?? ['sort'])) },
      { weight: 1, arbitrary: fc.string() },
    );
    const texts = anyValue.map((value) =>
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500),
    );
    const queries = fc.array(fc.tuple(names, texts), { maxLength: 4 });
    const run = fc.asyncProperty(queries, async (pairs) => {
      const query = new URLSearchParams(pairs);
      expectHouseForm(await team.get(`${path}?${query.toString()}`));
    });
    await fc.assert(run, runs);
  });
});

test('any path and headers receive a documented status and error format', async () => {
  const segment = fc.oneof(
    fc.constantFrom('v2', 'partner', 'contacts', '..', '.', ''),
    fc.string(),
  );
  const paths = fc.array(segment, { maxLength: 6 }).map((parts) => parts.map(encodeURIComponent));
  const header = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.trim());
  const run = fc.asyncProperty(paths, header, header, async (parts, key, match) => {
    const headers = { 'Idempotency-Key': key, 'If-Match': match, 'X-Request-Id': key };
    const reply = await team.call('DELETE', `/${parts.join('/')}`, { headers });
    expectHouseForm(reply);
    expect(reply.status).not.toBe(200);
  });
  await fc.assert(run, { ...runs, numRuns: 200 });
});
