import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { errorsOf, verdictOf } from './answers.ts';
import { countCells } from './cells.ts';
import { paramsOf, pathOf, positionsOf, referencesOf, sampleOf } from './samples.ts';
import type { Params } from './recipes.ts';
import { scopedEndpoints } from './scoped.ts';

let api: TestApi;
let team: TestTeam;
let other: TestTeam;
/** A statement that gives a digest of the other team's rows in each table. */
let everyRow: string;
const cells = countCells('ids');

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  other = await api.newTeam();
  const tables = await api.db.look(
    (sql) => sql<{ name: string }[]>`
      select c.table_name as name
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'team_id'
        and t.table_type = 'BASE TABLE'
        and not exists (
          select from pg_inherits where inhrelid = to_regclass(quote_ident(c.table_name))
        )`,
  );
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, (select md5(string_agg(t::text, ',' order by t::text))
      from "${name}" t where team_id = '${other.id}') as digest`,
  );
  everyRow = `select jsonb_object_agg(name, digest) as found
    from (${digests.join(' union all ')}) tables`;
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

/** More of them for one endpoint, below: all endpoints read their ids in one place. */
const malformedIds = ['x', '%00', `${randomUUID()}x`];
const moreMalformedIds = ['123', 'null', '%ff', '..%2f', '%27%20or%201=1', 'a'.repeat(4_000)];

/** Endpoints with an id in the path. */
const withIds = scopedEndpoints.filter(([, endpoint]) =>
  positionsOf(endpoint).some(({ isText }) => !isText),
);

describe('an id of another team, an unknown one and a malformed one answer the same 404', () => {
  test.each(withIds)('%s', async (id, endpoint) => {
    const own = await sampleOf(team, endpoint);
    const foreign = await paramsOf(other, endpoint);
    const ask = (params: Params) =>
      team.call(endpoint.method, pathOf(endpoint, params), { body: own.body });

    const before = await snapshot(endpoint);
    for (const { name, isText } of positionsOf(endpoint)) {
      if (isText) continue;
      const unknown = await ask({ ...own.params, [name]: randomUUID() });
      await cells.cell(`${id}: unknown ${name}`, () => {
        expect(verdictOf(unknown)).toBe('404 not_found');
      });
      const { [name]: theirs = '' } = foreign;
      for (const value of [theirs, theirs.toUpperCase()]) {
        await cells.cell(`${id}: ${name} of another team`, async () => {
          const reply = await ask({ ...own.params, [name]: value });
          expect(reply.status).toBe(404);
          expect(errorsOf(reply)).toEqual(errorsOf(unknown));
        });
      }
      for (const value of malformedIds) {
        await cells.cell(`${id}: malformed ${name} ${value}`, async () => {
          const reply = await ask({ ...own.params, [name]: value });
          expect(reply.status).toBe(404);
          expect(errorsOf(reply)).toEqual(errorsOf(unknown));
        });
      }
    }
    await cells.cell(`${id}: all ids of another team`, async () => {
      expect(verdictOf(await ask({ ...own.params, ...foreign }))).toBe('404 not_found');
    });
    await cells.cell(`${id}: nothing was changed`, async () => {
      expect(await snapshot(endpoint)).toEqual(before);
    });
    cells.settle();
  });

  /** What the other team has to lose: its rows, and what was recorded of it. */
  async function snapshot({ method }: Endpoint): Promise<unknown> {
    if (method === 'GET') return [];
    const [row] = await api.db.look((sql) => sql<{ found: unknown }[]>`${sql.unsafe(everyRow)}`);
    return row?.found;
  }
});

test('nor does any other malformed id answer otherwise', async () => {
  const unknown = await team.get(`/v2/partner/contacts/${randomUUID()}`);
  for (const value of moreMalformedIds) {
    const reply = await team.get(`/v2/partner/contacts/${value}`);
    expect(reply.status).toBe(404);
    expect(errorsOf(reply)).toEqual(errorsOf(unknown));
  }
});

const withReferences = scopedEndpoints.filter(([, endpoint]) => referencesOf(endpoint).length > 0);

describe('an id of another team in a body answers as an unknown one', () => {
  test.each(withReferences)('%s', async (id, endpoint) => {
    for (const { name, make, isList } of referencesOf(endpoint)) {
      await cells.cell(`${id}: ${name}`, async () => {
        const { path, body, params } = await sampleOf(team, endpoint);
        const ask = (value: string) =>
          team.call(endpoint.method, path, {
            body: { ...body, [name]: isList ? [value] : value },
          });
        const foreign = await ask(await make(other, params));
        const unknown = await ask(randomUUID());
        expect([404, 422]).toContain(foreign.status);
        expect(foreign.status).toBe(unknown.status);
        expect(errorsOf(foreign)).toEqual(errorsOf(unknown));
      });
    }
    cells.settle();
  });
});
