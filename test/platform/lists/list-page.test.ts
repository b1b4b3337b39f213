import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { HttpError } from '../../../src/platform/http/errors.ts';
import { createCursors } from '../../../src/platform/lists/cursor.ts';
import { linkHeader, listPage, type ListPage } from '../../../src/platform/lists/list-page.ts';
import { pageStatement, type ListSource } from '../../../src/platform/lists/sql.ts';
import { parse, things } from './lists.ts';
import { withDatabase } from './postgres-for-tests.ts';

const cursors = createCursors([{ id: 'k1', key: new Uint8Array(32).fill(7) }]);

interface Thing {
  id: string;
  name: string | null;
  inserted_at: string;
}

interface NewThing {
  name?: string | null;
  status?: string;
  owner_id?: string | null;
  score?: number | null;
  is_active?: boolean | null;
  due_on?: string | null;
  seen_at?: string | null;
  inserted_at?: string;
  tags?: string[] | null;
  slug?: string;
  attributes?: Record<string, string | number | boolean | null>;
}

let sql: Sql;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ sql, stop } = await withDatabase());
  await sql`create extension pg_trgm`;
  const functions = readFileSync('src/platform/database/functions/platform.sql', 'utf8');
  await sql.unsafe(/create or replace function folded[^;]*;/.exec(functions)?.[0] ?? '');
  await sql`create extension btree_gin`;
  await sql`
    create table things (
      team_id uuid not null,
      id uuid not null,
      name text,
      status text not null default 'active',
      owner_id uuid,
      score int,
      is_active boolean,
      due_on date,
      seen_at timestamptz(3),
      inserted_at timestamptz(3) not null default now(),
      tags text[],
      related_ids uuid[],
      slug text not null default 's',
      attributes jsonb not null default '{}',
      primary key (team_id, id)
    )`;
  await sql`create table members (thing_id uuid not null, cohort_id uuid not null)`;
});

afterAll(() => stop());

function sourceOf(teamId: string): ListSource {
  return {
    from: 'things t',
    select: `t.*, 'thing' as type`,
    where: { text: 't.team_id = $1::uuid', values: [teamId] },
    defaultHidden: { text: `t.status = 'archived'`, unless: ['status'] },
  };
}

async function insert(teamId: string, rows: readonly NewThing[]): Promise<string[]> {
  const full = rows.map((row) => ({ team_id: teamId, id: randomUUID(), ...row }));
  await sql`
    insert into things
      (team_id, id, name, status, owner_id, score, is_active, due_on, seen_at, inserted_at, tags, slug, attributes)
    select
      team_id, id, name, coalesce(status, 'active'), owner_id, score, is_active, due_on, seen_at,
      coalesce(inserted_at, now()), tags, coalesce(slug, 's'), coalesce(attributes, '{}')
    from jsonb_populate_recordset(null::things, ${JSON.stringify(full)}::text::jsonb)`;
  return full.map(({ id }) => id);
}

const list = (teamId: string, query: string): Promise<ListPage<Thing>> =>
  listPage<Thing>(sql, sourceOf(teamId), parse(query), {
    operationId: 'listThings',
    teamId,
    cursors,
  });

const idsOf = ({ data }: ListPage<Thing>) => data.map(({ id }) => id);
const namesOf = async (teamId: string, query: string) =>
  (await list(teamId, query)).data.map(({ name }) => name).sort();

/** Pages from the first to the last, each checked against what a page object promises. */
async function walkForward(teamId: string, query: string): Promise<ListPage<Thing>[]> {
  const pages = [await list(teamId, query)];
  expect(pages[0]?.page.prev_cursor).toBeNull();
  for (let page = pages[0]; page?.page.next_cursor; page = pages.at(-1)) {
    expect(page.page.has_more).toBe(true);
    expect(page.data).toHaveLength(page.page.size);
    pages.push(await list(teamId, `${query}&page[after]=${page.page.next_cursor}`));
    expect(pages.at(-1)?.data).not.toHaveLength(0);
    expect(pages.at(-1)?.page.prev_cursor).not.toBeNull();
  }
  expect(pages.at(-1)?.page.has_more).toBe(false);
  return pages;
}

/** Pages before the given one, nearest first. */
async function walkBack(teamId: string, query: string, from: ListPage<Thing>) {
  const pages: ListPage<Thing>[] = [];
  for (
    let cursor = from.page.prev_cursor;
    cursor;
    cursor = pages.at(-1)?.page.prev_cursor ?? null
  ) {
    const page = await list(teamId, `${query}&page[before]=${cursor}`);
    expect(page.page.next_cursor).not.toBeNull();
    expect(page.page.has_more).toBe(page.page.prev_cursor !== null);
    pages.push(page);
  }
  return pages;
}

const sortable = [
  'name',
  'status',
  'owner_id',
  'score',
  'is_active',
  'due_on',
  'seen_at',
  'inserted_at',
];
const orderArbitrary = fc
  .uniqueArray(fc.constantFrom(...sortable), { minLength: 1, maxLength: 5 })
  .chain((names) =>
    fc
      .tuple(...names.map((name) => fc.constantFrom(name, `-${name}`)))
      .map((keys) => keys.join(',')),
  );
const orNull = <T>(...values: T[]) => fc.constantFrom(null, ...values);
const ids = ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
const times = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];
const rowArbitrary = fc.record({
  name: orNull('a', 'B', 'b', 'é', 'a>?~\\"\'', '😀', ''),
  status: fc.constantFrom('active', 'suppressed'),
  owner_id: orNull(...ids),
  score: orNull(-2147483648, 0, 1, 2147483647),
  is_active: orNull(true, false),
  due_on: orNull('2026-01-01', '0001-01-01', '9999-12-31'),
  seen_at: orNull(...times),
  inserted_at: fc.constantFrom(...times),
});
const filterArbitrary = fc.constantFrom(
  '',
  '',
  'filter[status]=active',
  'filter[name][missing]=false',
  'filter[score][neq]=0',
  'filter[seen_at][lt]=9000-01-01T00:00:00Z',
  'filter[name][nin]=a,B',
  'filter[is_active]=true',
);

/** The order of the list, implemented independently. */
async function plainOrder(teamId: string, query: string): Promise<string[]> {
  const request = parse(query);
  const order = request.order.map(
    ({ name, descending }) =>
      `${name}${name === 'name' || name === 'status' ? ' collate "C"' : ''}${descending ? ' desc' : ''}`,
  );
  const all = await sql.unsafe<{ id: string }[]>(
    `select id from things where team_id = $1 order by ${order.join(', ')}`,
    [teamId],
  );
  const kept = new Set<string>();
  for (const page of await walkForward(
    teamId,
    `page[size]=100&${query.replace(/sort=[^&]*&/, '')}`,
  )) {
    for (const id of idsOf(page)) kept.add(id);
  }
  return all.map(({ id }) => id).filter((id) => kept.has(id));
}

describe('walks', () => {
  test('forward to the end and back, every row comes once, in the order that Postgres gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowArbitrary, { maxLength: 40 }),
        orderArbitrary,
        filterArbitrary,
        fc.integer({ min: 1, max: 12 }),
        async (rows, order, filter, size) => {
          const teamId = randomUUID();
          await insert(teamId, rows);
          const query = `sort=${order}&${filter}${filter && '&'}page[size]=${String(size)}`;
          const expected = await plainOrder(teamId, `sort=${order}&${filter}`);
          const pages = await walkForward(teamId, query);
          expect(pages.flatMap(idsOf)).toEqual(expected);
          const last = pages.at(-1);
          if (!last) throw new Error('a walk has a page');
          const back = await walkBack(teamId, query, last);
          expect(back.reverse().map(idsOf)).toEqual(pages.slice(0, -1).map(idsOf));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('rows inserted between pages move, double or hide none of the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowArbitrary, { minLength: 3, maxLength: 15 }),
        fc.array(fc.array(rowArbitrary, { maxLength: 3 }), { minLength: 10, maxLength: 10 }),
        orderArbitrary,
        fc.integer({ min: 1, max: 4 }),
        async (rows, inserts, order, size) => {
          const teamId = randomUUID();
          await insert(teamId, rows);
          const query = `sort=${order}&page[size]=${String(size)}`;
          const before = await plainOrder(teamId, `sort=${order}&`);
          const seen: string[] = [];
          let page = await list(teamId, query);
          for (let step = 0; ; step += 1) {
            seen.push(...idsOf(page));
            await insert(teamId, inserts[step] ?? []);
            if (page.page.next_cursor === null) break;
            page = await list(teamId, `${query}&page[after]=${page.page.next_cursor}`);
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => before.includes(id))).toEqual(before);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([0, 1, 3, 4, 6, 7])('%i rows in pages of 3 end exactly', async (count) => {
    const teamId = randomUUID();
    await insert(
      teamId,
      Array.from({ length: count }, () => ({})),
    );
    const pages = await walkForward(teamId, 'page[size]=3');
    expect(pages).toHaveLength(Math.max(1, Math.ceil(count / 3)));
    expect(pages.flatMap(idsOf)).toHaveLength(count);
  });
});

describe('pages', () => {
  test('an empty list has no cursors, and a count only on request', async () => {
    expect(await list(randomUUID(), '')).toEqual({
      data: [],
      page: { next_cursor: null, prev_cursor: null, has_more: false, size: 25 },
    });
  });

  test('a walk continues when the row of its cursor is deleted or moved, or all rows are deleted', async () => {
    const teamId = randomUUID();
    await insert(
      teamId,
      [1, 2, 3, 4].map((score) => ({ score, name: String(score) })),
    );
    const first = await list(teamId, 'sort=score&page[size]=2');
    const next = `sort=score&page[size]=2&page[after]=${first.page.next_cursor ?? ''}`;
    await sql`update things set score = 100 where team_id = ${teamId} and score = 2`;
    expect((await list(teamId, next)).data.map(({ name }) => name)).toEqual(['3', '4']);
    await sql`delete from things where team_id = ${teamId} and score = 100`;
    expect((await list(teamId, next)).data.map(({ name }) => name)).toEqual(['3', '4']);
    await sql`delete from things where team_id = ${teamId}`;
    const empty = await list(teamId, next);
    expect(empty).toMatchObject({ data: [], page: { next_cursor: null, has_more: false } });
    const back = `sort=score&page[before]=${empty.page.prev_cursor ?? ''}`;
    expect(await list(teamId, back)).toMatchObject({
      data: [],
      page: { prev_cursor: null, has_more: false },
    });
  });

  test('an empty page leads back to the rows before it, the row of the cursor included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowArbitrary, { minLength: 2, maxLength: 8 }),
        orderArbitrary,
        async (rows, order) => {
          const teamId = randomUUID();
          await insert(teamId, rows);
          const query = `sort=${order}&page[size]=${String(rows.length - 1)}`;
          const first = await list(teamId, query);
          await sql`delete from things where team_id = ${teamId} and id <> all (${idsOf(first)})`;
          const empty = await list(teamId, `${query}&page[after]=${first.page.next_cursor ?? ''}`);
          expect(empty.data).toEqual([]);
          const back = await list(teamId, `${query}&page[before]=${empty.page.prev_cursor ?? ''}`);
          expect(idsOf(back)).toEqual(idsOf(first));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a cursor remains valid with another size, include and meta, and in both directions', async () => {
    const teamId = randomUUID();
    await insert(
      teamId,
      Array.from({ length: 6 }, (_, score) => ({ score, name: String(score) })),
    );
    const { page } = await list(teamId, 'sort=score&page[size]=3');
    const cursor = page.next_cursor ?? '';
    const names = async (query: string) =>
      (await list(teamId, `sort=score&${query}`)).data.map(({ name }) => name);
    expect(await names(`page[after]=${cursor}&page[size]=1&meta=count&include=cohorts`)).toEqual([
      '3',
    ]);
    expect(await names(`page[before]=${cursor}`)).toEqual(['0', '1']);
  });

  test('another team’s cursor is refused', async () => {
    const [teamId, otherTeamId] = [randomUUID(), randomUUID()];
    await insert(teamId, [{}, {}]);
    const { page } = await list(teamId, 'page[size]=1');
    const taken = list(otherTeamId, `page[after]=${page.next_cursor ?? ''}`);
    await expect(taken).rejects.toThrow(HttpError);
    await expect(taken).rejects.toMatchObject({ status: 410 });
  });

  test('rows of other teams are never listed, for any filter', async () => {
    const [teamId, otherTeamId] = [randomUUID(), randomUUID()];
    const [theirs = ''] = await insert(otherTeamId, [{ owner_id: ids[0] ?? null }]);
    await insert(teamId, [{ name: 'mine' }]);
    expect(await namesOf(teamId, '')).toEqual(['mine']);
    expect(await namesOf(teamId, `filter[owner_id]=${theirs}`)).toEqual([]);
    expect(await namesOf(teamId, 'filter[name][missing]=true')).toEqual([]);
  });

  test('archived rows are hidden unless a filter names their status', async () => {
    const teamId = randomUUID();
    await insert(teamId, [{ name: 'old', status: 'archived' }, { name: 'new' }]);
    expect(await namesOf(teamId, '')).toEqual(['new']);
    expect(await namesOf(teamId, 'filter[name]=old')).toEqual([]);
    expect(await namesOf(teamId, 'filter[status]=archived')).toEqual(['old']);
    expect(await namesOf(teamId, 'filter[status][present]=true')).toEqual(['new', 'old']);
  });

  test('a null in a field that is not declared nullable is an error, not a lost row', async () => {
    const teamId = randomUUID();
    await insert(teamId, [{}, {}]);
    const fields = { ...things.fields, name: { type: 'text', sort: true } as const };
    const request = parse('sort=name&page[size]=1', { ...things, fields });
    const context = { operationId: 'listThings', teamId, cursors };
    await expect(listPage(sql, sourceOf(teamId), request, context)).rejects.toThrow('nullable');
    const bare = { ...sourceOf(teamId), select: 't.id' };
    const unselected = listPage(sql, bare, parse('sort=name&page[size]=1'), context);
    await expect(unselected).rejects.toThrow('does not select name');
  });
});

describe('counts', () => {
  test('the count covers all pages of the filter, for any cursor', async () => {
    const teamId = randomUUID();
    await insert(
      teamId,
      [1, 2, 3, 4, 5].map((score) => ({ score })),
    );
    const query = 'filter[score][gt]=1&page[size]=2&meta=count';
    const first = await list(teamId, query);
    expect(first.meta).toEqual({ count: 4 });
    const second = await list(teamId, `${query}&page[after]=${first.page.next_cursor ?? ''}`);
    expect(second.meta).toEqual({ count: 4 });
    expect(await list(teamId, '')).not.toHaveProperty('meta');
    expect((await list(randomUUID(), 'meta=count')).meta).toEqual({ count: 0 });
  });

  test('the count is exact up to 100,000, and beyond that a marked lower bound', async () => {
    const teamId = randomUUID();
    const add = (count: number) => sql`
      insert into things (team_id, id)
      select ${teamId}, gen_random_uuid() from generate_series(1, ${count}::int)`;
    await add(100_000);
    expect((await list(teamId, 'meta=count')).meta).toEqual({ count: 100_000 });
    await add(1);
    expect((await list(teamId, 'meta=count')).meta).toEqual({
      count: 100_000,
      count_is_lower_bound: true,
    });
    await sql`delete from things where team_id = ${teamId}`;
  });
});

describe('filters', () => {
  const teamId = randomUUID();
  const [cohort = '', otherCohort = ''] = ids;

  beforeAll(async () => {
    const [a = '', b = ''] = await insert(teamId, [
      { name: 'Ada', score: 1, is_active: true, tags: ['x', 'y,z'], due_on: '2026-01-01' },
      { name: 'ada', score: 2, is_active: false, tags: [], attributes: { tier: 'Gold', n: 5 } },
      { name: '100%', score: 10, attributes: { tier: 'silver', on: true } },
      { name: 'a_b', seen_at: '2026-01-01T00:00:00.123Z', attributes: { tier: null } },
      { name: 'c:\\x', owner_id: ids[0] ?? null },
      { name: '\\', slug: 'x' },
      { name: '', slug: 'a,b' },
      { name: 'ÉCOLE' },
      { name: null },
    ]);
    await sql`insert into members ${sql([
      { thing_id: a, cohort_id: cohort },
      { thing_id: a, cohort_id: otherCohort },
      { thing_id: b, cohort_id: otherCohort },
    ])}`;
  });

  const everything = [null, '', '100%', '\\', 'Ada', 'a_b', 'ada', 'c:\\x', 'ÉCOLE'];
  const except = (...names: (string | null)[]) =>
    everything.filter((name) => !names.includes(name));

  test.each<[string, string, (string | null)[]]>([
    ['filter[name]', 'ada', ['ada']],
    ['filter[name]', '', ['']],
    ['filter[name][neq]', 'ada', except('ada')],
    ['filter[name][in]', 'ada,Ada,nobody', ['Ada', 'ada']],
    ['filter[name][nin]', 'ada,Ada', except('ada', 'Ada')],
    ['filter[name][contains]', 'AD', ['Ada', 'ada']],
    ['filter[name][contains]', '%', ['100%']],
    ['filter[name][contains]', '_', ['a_b']],
    ['filter[name][contains]', '\\', ['\\', 'c:\\x']],
    ['filter[name][contains]', ':\\X', ['c:\\x']],
    ['filter[name][contains]', 'éco', ['ÉCOLE']],
    ['filter[name][contains]', '', except(null)],
    ['filter[name][starts_with]', 'A', ['Ada', 'a_b', 'ada']],
    ['filter[name][starts_with]', 'a_', ['a_b']],
    ['filter[name][ends_with]', '0%', ['100%']],
    ['filter[name][ends_with]', 'A', ['Ada', 'ada']],
    ['filter[name][ends_with]', '\\', ['\\']],
    ['filter[name][present]', 'true', except(null)],
    ['filter[name][present]', 'false', [null]],
    ['filter[name][missing]', 'true', [null]],
    ['filter[name][missing]', 'false', except(null)],
    ['filter[score][gte]', '2', ['100%', 'ada']],
    ['filter[score][lt]', '9007199254740991', ['100%', 'Ada', 'ada']],
    ['filter[score][neq]', '9007199254740991', everything],
    ['filter[score][in]', '1,2,-9007199254740991', ['Ada', 'ada']],
    ['filter[score][nin]', '1,2', except('Ada', 'ada')],
    ['filter[is_active]', 'true', ['Ada']],
    ['filter[is_active]', 'false', ['ada']],
    ['filter[is_active][neq]', 'false', except('ada')],
    ['filter[due_on][lte]', '2026-01-01', ['Ada']],
    ['filter[due_on][in]', '2026-01-01,2026-01-02', ['Ada']],
    ['filter[seen_at]', '2026-01-01T01:00:00.1239+01:00', ['a_b']],
    ['filter[seen_at][gt]', '2026-01-01T00:00:00.122Z', ['a_b']],
    ['filter[seen_at][gt]', '2026-01-01T00:00:00.123Z', []],
    ['filter[seen_at][in]', '2026-01-01T00:00:00.123Z', ['a_b']],
    ['filter[seen_at][nin]', '2026-01-01T00:00:00.123Z', except('a_b')],
    ['filter[owner_id]', ids[0] ?? '', ['c:\\x']],
    ['filter[owner_id][in]', ids.join(), ['c:\\x']],
    ['filter[owner_id][nin]', ids.join(), except('c:\\x')],
    ['filter[slug][in]', 'x,a\\,b', ['', '\\']],
    ['filter[tags]', 'y,z', ['Ada']],
    ['filter[tags][contains]', 'y,z', ['Ada']],
    ['filter[tags][contains]', 'y', []],
    ['filter[tags][present]', 'true', ['Ada']],
    ['filter[tags][missing]', 'true', except('Ada')],
    ['filter[related_ids][contains]', ids[0] ?? '', []],
    ['filter[cohort_id]', cohort, ['Ada']],
    ['filter[cohort_id][neq]', cohort, except('Ada')],
    ['filter[cohort_id][in]', `${cohort},${otherCohort}`, ['Ada', 'ada']],
    ['filter[cohort_id][nin]', `${cohort},${otherCohort}`, except('Ada', 'ada')],
    ['filter[cohort_id][present]', 'true', ['Ada', 'ada']],
    ['filter[cohort_id][missing]', 'true', except('Ada', 'ada')],
    ['filter[cohort_id][missing]', 'false', ['Ada', 'ada']],
    ['filter[attributes.tier]', 'Gold', ['ada']],
    ['filter[attributes.tier]', 'gold', []],
    ['filter[attributes.tier][contains]', 'L', ['100%', 'ada']],
    ['filter[attributes.tier][neq]', 'Gold', except('ada')],
    ['filter[attributes.tier][in]', 'Gold,silver', ['100%', 'ada']],
    ['filter[attributes.tier][missing]', 'true', except('100%', 'ada')],
    ['filter[attributes.n]', '5', ['ada']],
    ['filter[attributes.on]', 'true', ['100%']],
  ])('%s=%s gives %j', async (parameter, text, names) => {
    const query = `${encodeURIComponent(parameter)}=${encodeURIComponent(text)}`;
    expect(await namesOf(teamId, query)).toEqual([...names].sort());
  });

  test('filters combine with and, also two of the same field', async () => {
    expect(await namesOf(teamId, 'filter[name]=ada&filter[name]=Ada')).toEqual([]);
    expect(await namesOf(teamId, 'filter[score][gt]=1&filter[score][lt]=10')).toEqual(['ada']);
    expect(await namesOf(teamId, 'filter[tags][contains]=x&filter[tags][contains]=y,z')).toEqual([
      'Ada',
    ]);
  });

  test('present and missing are exact complements, and so are in and nin, eq and neq', async () => {
    for (const name of Object.keys(things.fields).filter(
      (field) => !/secret|slug|<key>/.test(field),
    )) {
      const both = [
        ...(await namesOf(teamId, `filter[${name}][present]=true`)),
        ...(await namesOf(teamId, `filter[${name}][missing]=true`)),
      ];
      expect(both.sort()).toEqual([...everything].sort());
    }
  });
});

describe('cost', () => {
  const teamId = randomUUID();
  const deepSource: ListSource = {
    from: 'many t',
    select: 't.*',
    where: { text: 't.team_id = $1::uuid', values: [teamId] },
  };

  beforeAll(async () => {
    await sql`
      create table many (
        team_id uuid not null,
        id uuid primary key,
        name text,
        status text not null,
        score int,
        seen_at timestamptz(3),
        inserted_at timestamptz(3) not null
      )`;
    // Everything of a thousand rows was written at one instant, and two thirds were never seen.
    await sql`
      insert into many
      select ${teamId}, gen_random_uuid(), 'name ' || (n % 5000), 'active', nullif(n % 3, 0),
        case when n % 3 = 0 then timestamptz '2026-01-01' + n * interval '1 second' end,
        timestamptz '2026-01-01' + (n / 1000) * interval '1 minute'
      from generate_series(1, 200000) n`;
    // Many small teams as well, so that the average team does not represent this one.
    await sql`
      insert into many
      select gen_random_uuid(), gen_random_uuid(), 'name', 'active', 1, now(), now()
      from generate_series(1, 20000)`;
    await sql`create index on many (team_id, inserted_at, id)`;
    await sql`create index on many (team_id, seen_at, id)`;
    await sql`create index on many (team_id, score, id)`;
    await sql`create index on many (team_id, name collate "C", id)`;
    await sql`create index on many (team_id, status collate "C", id)`;
    await sql`vacuum analyze many`;
  });

  /** Buffers that Postgres touches for the page, found in cache or not. */
  async function buffersOf(query: string, offset?: number): Promise<number> {
    const request = parse(query);
    const position = offset === undefined ? undefined : await positionAt(query, offset);
    const direction = query.includes('page[before]') ? 'before' : 'after';
    const { text, values } = pageStatement(
      deepSource,
      request,
      position && { direction, position },
    );
    const [explained] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
      `explain (analyze, buffers, format json) ${text}`,
      [...values],
    );
    const plan = explained?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

  async function positionAt(query: string, offset: number) {
    const { order } = parse(query);
    const statement = pageStatement(deepSource, parse(query));
    const text = statement.text.replace(/limit \d+$/, `limit 1 offset ${String(offset)}`);
    const [row] = await sql.unsafe<Record<string, string | number | null>[]>(text, [
      ...statement.values,
    ]);
    return order.map(({ name }) => row?.[name] ?? null);
  }

  test.each([
    '-inserted_at',
    'inserted_at',
    '-seen_at',
    'seen_at',
    '-score',
    'score',
    'name',
    '-name',
    'status',
  ])('a page deep in a list sorted by %s reads about as much as the first', async (sort) => {
    const query = `sort=${sort}`;
    const first = await buffersOf(query);
    // A page reads each row of the table where it lies, and one or two ranges of the index.
    expect(first).toBeLessThan(60);
    for (const offset of [500, 66_600, 66_700, 133_300, 133_400, 199_900]) {
      expect(await buffersOf(query, offset)).toBeLessThan(first + 45);
      expect(await buffersOf(`${query}&page[before]=x`, offset)).toBeLessThan(first + 45);
    }
  });

  test('a sort that mixes directions reads little more than the rows that tie with its page', async () => {
    for (const offset of [500, 100_000, 199_900]) {
      expect(await buffersOf('sort=name,-score', offset)).toBeLessThan(300);
      expect(await buffersOf('sort=name,-score&page[before]=x', offset)).toBeLessThan(300);
    }
  });

  test('every page is planned for its own team, after any number of executions', async () => {
    const { text, values } = pageStatement(deepSource, parse('filter[name][contains]=nothing'));
    for (let times = 0; times < 12; times += 1) {
      await sql.unsafe(text, [...values], { prepare: true });
    }
    const plans = await sql<{ generic: number; custom: number }[]>`
      select generic_plans::int as generic, custom_plans::int as custom
      from pg_prepared_statements where statement = ${text}`;
    expect(plans).toEqual([{ generic: 0, custom: 12 }]);
  });

  test('text is found by a trigram index that folds as the filter does', async () => {
    // One row, so that no sample of the statistics takes it for a common one.
    await sql`
      insert into many
      values (${teamId}, gen_random_uuid(), 'Needle in the hay', 'active', 1, null, now())`;
    await sql`create index on many using gin (team_id, folded(name) gin_trgm_ops)`;
    await sql`vacuum analyze many`;
    expect(await buffersOf('filter[name][contains]=EEDLE%20in')).toBeLessThan(200);
  });
});

describe('the driver', () => {
  test('no more than a bounded number of texts is prepared on a connection', async () => {
    const teamId = randomUUID();
    for (let size = 1; size <= 100; size += 1) {
      await list(teamId, `page[size]=${String(size)}`);
      await list(teamId, `sort=name,-score&page[size]=${String(size)}`);
      await list(teamId, `sort=score,-name&page[size]=${String(size)}`);
    }
    const [prepared] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_prepared_statements where statement like 'select t.%'`;
    expect(prepared?.count).toBeLessThanOrEqual(200);
    expect(prepared?.count).toBeGreaterThan(0);
  });
});

describe('links', () => {
  const page = { next_cursor: 'N', prev_cursor: 'P', has_more: true, size: 2 };

  test('the links keep every parameter but the cursor', () => {
    const link = linkHeader(
      '/v2/partner/things?filter[name]=a%26b&page[after]=old&sort=-name',
      page,
    );
    const [next = '', previous = ''] = link?.split(', ') ?? [];
    expect(next).toMatch(/^<\/v2\/partner\/things\?.*>; rel="next"$/);
    expect(previous).toMatch(/rel="prev"$/);
    const query = new URLSearchParams(/\?(.*)>/.exec(next)?.[1]);
    expect(Object.fromEntries(query)).toEqual({
      'filter[name]': 'a&b',
      sort: '-name',
      'page[after]': 'N',
    });
    expect(new URLSearchParams(/\?(.*)>/.exec(previous)?.[1]).get('page[before]')).toBe('P');
  });

  test('a page without other pages has no links', () => {
    expect(linkHeader('/x', { ...page, next_cursor: null, prev_cursor: null })).toBeUndefined();
    expect(linkHeader('/x', { ...page, prev_cursor: null })).toBe(
      '</x?page%5Bafter%5D=N>; rel="next"',
    );
  });
});
