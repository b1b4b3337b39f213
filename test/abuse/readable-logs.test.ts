import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sql } from '../../src/platform/database/sql.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { runEntry } from '../commands/spawn.ts';
import { cloneDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

const person = [
  'Augusta Byron',
  'augusta@example.com, +14155550100',
  '    at forge (augusta@example.com:1:1)',
].join('\n');
const secrets = /augusta|byron|14155550100/i;

/** The line that an error becomes, parsed. */
function logged(error: unknown): any {
  const lines: string[] = [];
  const log = createLog('info', 'tests', { write: (line) => lines.push(line) });
  log.error({ err: error }, 'it failed');
  expect(lines).toHaveLength(1);
  expect(lines.join('')).not.toMatch(secrets);
  return JSON.parse(lines.join(''));
}
const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
};
const inDatabase = (work: (sql: Sql) => Promise<unknown>) =>
  failureOf(() => db.database.transact(work));
const scratch = (sql: Sql) => sql`
  create temporary table people (
    name text primary key,
    age int constraint people_age check (age > 0),
    born date not null
  ) on commit drop`;

describe('the log contains no data of a statement that Postgres refused', () => {
  test.each<[string, string, (sql: Sql) => Promise<unknown>]>([
    ['22P02', 'in a message of several lines', (sql) => sql`select ${person}::text::uuid`],
    [
      '23505',
      'in the detail of a key that is taken',
      async (sql) => {
        await scratch(sql);
        await sql`insert into people values (${person}, 1, now()), (${person}, 1, now())`;
      },
    ],
    [
      '23514',
      'in the row that breaks a constraint',
      async (sql) => {
        await scratch(sql);
        await sql`insert into people values (${person}, -1, now())`;
      },
    ],
    [
      '23502',
      'in the row that lacks a value',
      async (sql) => {
        await scratch(sql);
        await sql`insert into people values (${person}, 1, null)`;
      },
    ],
    [
      'P0001',
      'in what a function raises, its detail and hint',
      (sql) =>
        sql.unsafe(
          `do $$ begin raise exception '${person}' using detail = '${person}', hint = '${person}'; end $$`,
        ),
    ],
    [
      '42601',
      'in the text of the statement itself',
      (sql) => sql.unsafe(`select 'x' frm '${person}' ${person}`),
    ],
  ])('%s: %s', async (code, _, work) => {
    const { err } = logged(await inDatabase(work));
    expect(err).toMatchObject({ kind: 'PostgresError', code });
    expect(err).not.toHaveProperty('message');
    expect(err.stack).toMatch(/^ +at .+:\d+:\d+/);
  });

  test('but it names the constraint, the table and the column at fault', async () => {
    const failure = async (age: number, born: string | null) =>
      logged(
        await inDatabase(async (sql) => {
          await scratch(sql);
          await sql`insert into people values (${person}, ${age}, ${born})`;
        }),
      ).err;
    expect(await failure(-1, '2001-01-01')).toMatchObject({
      constraint: 'people_age',
      table: 'people',
    });
    expect(await failure(1, null)).toMatchObject({ table: 'people', column: 'born' });
  });
});

describe('the log contains no input from errors of libraries and of the runtime', () => {
  test.each<[string, () => unknown]>([
    ['JSON that cannot be parsed', () => JSON.parse(`{"email": augusta@example.com}`)],
    ['a text that is no number', () => BigInt(person)],
    ['an address that cannot be parsed', () => new URL(person)],
    ['a pattern that cannot be compiled', () => new RegExp(`${person}(`)],
    [
      'a text that is no object',
      () => Reflect.has(Object(person), 'x') || 'x' in JSON.parse('"augusta"'),
    ],
  ])('%s', async (_, work) => {
    const { err } = logged(await failureOf(() => Promise.resolve().then(work)));
    expect(err.kind).toMatch(/Error$/);
    expect(err).not.toHaveProperty('message');
  });

  test('nor further lines, odd codes and causes of an error of the service', () => {
    const cause = Object.assign(new TypeError(person), { code: person, table_name: person });
    const { err } = logged(new Error(`a cohort fails\n${person}`, { cause }));
    expect(err).toMatchObject({ kind: 'Error', message: 'a cohort fails' });
    expect(err.cause).toEqual({ kind: 'TypeError', stack: expect.stringMatching(/^ +at /) });
  });

  test('nor a name, a thrown text, or a message that was changed later', () => {
    const renamed = Object.assign(new Error('odd'), { name: person });
    expect(logged(renamed).err.kind).toBe('Error');
    expect(logged(person).err).toEqual({ kind: 'string' });
    const changed = new Error(person);
    expect(changed.stack).toContain(person);
    changed.message = 'changed';
    expect(logged(changed).err).toEqual({ kind: 'Error', stack: '' });
  });
});

test('a process that crashes with such an error prints none of it', async () => {
  const { code, stderr } = await runEntry('test/abuse/failing-process-fixture.ts', [], {
    DATABASE_URL: db.url,
    PERSON: person,
  });
  expect(code).toBe(1);
  expect(stderr).not.toMatch(secrets);
  expect(stderr).toContain('"code":"22P02"');
});
