import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { cloneDatabase, patience } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await cloneDatabase();
  await db.look((sql) => sql`create table shapes (id int)`);
  await db.look((sql) => sql`insert into shapes values (1), (2)`);
  await db.look((sql) => sql`grant select on shapes to public`);
  const url = new URL(db.url);
  url.searchParams.set('statement_timeout', '500');
  // Two connections, on which up to sixteen reads each are pipelined.
  const options = { applicationName: 'tests', ...patience, maxConnections: 2 };
  database = connectDatabase({ ...options, url: url.href });
});
afterAll(async () => {
  await database.close();
  await db.stop();
});

/** A read of one caller. Its text and its number occur in no other read. */
interface Caller {
  text: string;
  number: number;
  /** Rows of the result, or rows before the failure. */
  size: number;
}

interface Read {
  run(sql: Sql, caller: Caller): Promise<unknown>;
  /** The rows that the caller must see, or the error. */
  sees(caller: Caller): object[] | { failure: RegExp };
  weight: number;
}

const numbersOf = ({ number, size }: Caller) =>
  Array.from({ length: size }, (_, index) => ({ value: number + index }));
const failure = (text: string) => ({ failure: new RegExp(text) });
const series = (sql: Sql, { size }: Caller, more = 0) =>
  sql`generate_series(0, ${size + more - 1}::int) i`;

/** A value that cannot be sent, since the driver fails to write it. */
const unwritable = ({ text }: Caller) => ({
  toJSON(): string {
    throw new Error(`unwritable ${text}`);
  },
});

const reads: Record<string, Read> = {
  rows: {
    weight: 60,
    run: (sql, caller) =>
      sql`select ${caller.number}::int + i as value from ${series(sql, caller)}`,
    sees: numbersOf,
  },
  'rows of a statement without parameters': {
    weight: 10,
    run: (sql) => sql`select 'fixed' as value union all select 'rows'`,
    sees: () => [{ value: 'fixed' }, { value: 'rows' }],
  },
  'rows of a statement that is new to the connection': {
    weight: 10,
    run: (sql, caller) =>
      sql`select ${sql.unsafe(String(caller.number))} + i as value from ${series(sql, caller)}`,
    sees: numbersOf,
  },
  'rows of JSON': {
    weight: 20,
    run: (sql, { text }) =>
      sql`select value from jsonb_to_recordset(${sql.json([{ value: text }])}) x (value text)`,
    sees: ({ text }) => [{ value: text }],
  },
  'two statements, one after the other': {
    weight: 10,
    run: async (sql, caller) => {
      await sql`select ${caller.text} as first`;
      return sql`select ${caller.number}::int + i as value from ${series(sql, caller)}`;
    },
    sees: numbersOf,
  },
  'rows of all columns of a table that changes': {
    weight: 10,
    run: (sql, { text }) => sql`
      select (to_jsonb(s) ->> 'id')::int as id, t.value from shapes s, lateral (select s.*) every,
        jsonb_to_recordset(${sql.json([{ value: text }])}) t (value text) order by s.id`,
    sees: ({ text }) => [1, 2].map((id) => ({ id, value: text })),
  },
  'several commands': {
    weight: 5,
    run: (sql, { number }) =>
      sql.unsafe(`select ${String(number)} as value; select 2 as value`).then(([, rows]) => rows),
    sees: () => [{ value: 2 }],
  },
  'an error after some rows': {
    weight: 30,
    run: (sql, caller) => sql`select 1 / (${caller.size}::int - i) from ${series(sql, caller, 10)}`,
    sees: () => failure('division by zero'),
  },
  'a bad cast after some rows': {
    weight: 20,
    run: (sql, caller) => sql`
      select (case when i < ${caller.size}::int then '1' else ${caller.text} end)::int
      from ${series(sql, caller, 5)}`,
    sees: ({ text }) => failure(`integer: "${text}"`),
  },
  'an error in the second of several commands': {
    weight: 5,
    run: (sql, { text }) =>
      sql.unsafe(`select 1; select (case i when 3 then '${text}' else '1' end)::int
        from generate_series(1, 5) i; select 2`),
    sees: ({ text }) => failure(`integer: "${text}"`),
  },
  'an unknown column': {
    weight: 10,
    run: (sql, { text }) => sql`select ${sql(text)}`,
    sees: ({ text }) => failure(`column "${text}" does not exist`),
  },
  'a row that cannot be read': {
    weight: 20,
    run: (sql, caller) => sql`
      select case i when ${caller.size}::int then 9007199254740993 else i end as value
      from ${series(sql, caller, 3)}`,
    sees: () => failure('left the safe integer range'),
  },
  'a parameter that is missing': {
    weight: 10,
    run: (sql, { text }) => sql`select ${text} as value, ${undefined as never} as missing`,
    sees: () => failure('UNDEFINED_VALUE'),
  },
  'a parameter that cannot be written': {
    weight: 10,
    run: (sql, caller) =>
      sql`select value from jsonb_to_recordset(${sql.json(unwritable(caller))}) x (value text)`,
    sees: ({ text }) => failure(`unwritable ${text}`),
  },
  'a cancellation after some rows': {
    weight: 10,
    run: (sql, caller) => sql`
      select case when i = ${caller.size}::int
        then pg_cancel_backend(pg_backend_pid())::text || pg_sleep(20)::text end
      from ${series(sql, caller, 3)}`,
    sees: () => failure('due to user request'),
  },
  'a statement timeout after some rows': {
    weight: 0.1,
    run: (sql, caller) => sql`
      select case when i = ${caller.size}::int then pg_sleep(20)::text end
      from ${series(sql, caller, 3)}`,
    sees: () => failure('due to statement timeout'),
  },
  'the loss of all prepared statements': {
    weight: 3,
    run: (sql) => sql`deallocate all`,
    sees: () => [],
  },
};

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.message, ...('cause' in error ? [describeError(error.cause)] : [])].join(': ');
}

let lastNumber = 1_000;
/** Runs a read after some turns of the event loop; says what is wrong with what its caller sees. */
async function runRead(name: string, size: number, turns: number): Promise<string[]> {
  lastNumber += 100;
  const caller = { text: `text${String(lastNumber)}`, number: lastNumber, size };
  const read = reads[name];
  if (!read) throw new Error(`no such read: ${name}`);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  const expected = read.sees(caller);
  const seen = await database
    .read((sql) => read.run(sql, caller), { isPipelined: true })
    .catch((error: unknown) => describeError(error));
  const isRight =
    'failure' in expected
      ? typeof seen === 'string' && expected.failure.test(seen)
      : Array.isArray(seen) && isSame(seen, expected);
  return isRight ? [] : [`${name} (size ${String(size)}): ${JSON.stringify(seen)}`];
}

const isSame = (seen: unknown[], expected: object[]) =>
  seen.length === expected.length &&
  // A hole is shown as null.
  JSON.stringify(seen) === JSON.stringify(expected) &&
  (!('count' in seen) || seen.count === expected.length || seen.count === null);

const anyRead = fc.tuple(
  fc.oneof(
    ...Object.entries(reads).map(([name, { weight }]) => ({
      arbitrary: fc.constant(name),
      weight: weight * 10,
    })),
  ),
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 3 }),
);

test('no caller sees a row, a count or an error of another on a shared connection', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyRead, { minLength: 2, maxLength: 8 }), async (batch) => {
      runs += 1;
      const isChange = runs % 50 === 0;
      const results = batch.map(([name, size, turns]) => runRead(name, size, turns));
      // Prepared statements that read all columns are outdated by it.
      if (isChange) {
        const column = `added_${String(runs)}`;
        await db.look((sql) => sql`alter table shapes add column ${sql(column)} int`);
      }
      expect((await Promise.all(results)).flat()).toEqual([]);
    }),
    { numRuns: 2_000, endOnFailure: true },
  );
  expect(database.load()).toMatchObject({ busy: 0, waiting: 0 });
}, 300_000);

test('the installed driver is the one of this repository', () => {
  const read = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`)
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]);
  // A difference means that `npm ci` must be run.
  expect(Object.fromEntries(read('node_modules/postgres'))).toEqual(
    Object.fromEntries(read('vendor/postgres')),
  );
});
