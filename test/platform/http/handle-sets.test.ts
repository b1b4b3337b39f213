import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { awaitBeforeCommit } from '../../../src/platform/database/transaction-context.ts';
import { withSavepoint } from '../../../src/platform/database/savepoint.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { handleSets, SetsFailed } from '../../../src/platform/http/handle-sets.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await cloneDatabase();
  await db.look((sql) => sql`create table notes (id int primary key, owner text not null)`);
  await db.look((sql) => sql`grant all on notes to public`);
});
afterAll(() => db.stop());
beforeEach(async () => {
  await db.look((sql) => sql`delete from notes`);
});

interface Note {
  id: number;
  owner: string;
}

const add = (sql: Sql, { id, owner }: Note) =>
  sql`insert into notes (id, owner) values (${id}, ${owner})`;

const written = () => db.look((sql) => sql<Note[]>`select id, owner from notes order by id`);

/** Adds the notes of each owner as a set, in one transaction; where one fails, with its error. */
const addAll = (notes: readonly Note[], handle: (sql: Sql, note: Note) => Promise<unknown> = add) =>
  db.database
    .transact((sql) =>
      handleSets(
        sql,
        notes,
        ({ owner }) => owner,
        async (set) => {
          for (const note of set) await handle(sql, note);
          return set.map(({ id, owner }) => `${owner} ${String(id)}`);
        },
      ),
    )
    .catch((error: unknown) => error);

const notes = [
  { id: 1, owner: 'a' },
  { id: 2, owner: 'b' },
  { id: 3, owner: 'a' },
  { id: 4, owner: 'c' },
];

test('results are those of each item, in their order', async () => {
  expect(await addAll(notes)).toEqual(['a 1', 'b 2', 'a 3', 'c 4']);
  expect(await written()).toEqual(notes);
});

test('a set that fails is named, and nothing is written, also of the others', async () => {
  const failed = await addAll([...notes, { id: 1, owner: 'd' }]);
  expect(failed).toBeInstanceOf(SetsFailed);
  // Which of the two sets with the same id comes first is open; the other sets are not to blame.
  const owners = failed instanceof SetsFailed ? [...failed.owners] : [];
  expect(owners).toHaveLength(1);
  expect(['a', 'd']).toContain(owners[0]);
  expect(await written()).toEqual([]);
});

test('every set that throws by itself is named', async () => {
  const failed = await addAll(notes, (sql, note) =>
    note.owner === 'b' || note.owner === 'c'
      ? Promise.reject(new Error('refused'))
      : add(sql, note),
  );
  expect(failed instanceof SetsFailed && [...failed.owners].sort()).toEqual(['b', 'c']);
  expect(await written()).toEqual([]);
});

test('a set that goes on after another has failed writes nothing', async () => {
  let turnOfOthers: () => void = () => undefined;
  const hasFailed = new Promise<void>((resolve) => {
    turnOfOthers = resolve;
  });
  const failed = await addAll(notes, async (sql, note) => {
    if (note.owner === 'b') {
      setImmediate(turnOfOthers);
      throw new Error('refused');
    }
    await hasFailed;
    await add(sql, note);
  });
  expect(failed).toBeInstanceOf(SetsFailed);
  expect(await written()).toEqual([]);
});

test('a statement that was left to the commit fails the transaction with its own error', async () => {
  const failed = await addAll([...notes, { id: 4, owner: 'd' }], (sql, note) => {
    awaitBeforeCommit(sql, add(sql, note).execute());
    return Promise.resolve();
  });
  expect(failed).toMatchObject({ code: '23505' });
  expect(await written()).toEqual([]);
});

test('a savepoint is refused where other sets share the transaction', async () => {
  const handle = async (sql: Sql, note: Note) => {
    await withSavepoint(sql, () => add(sql, note));
  };
  expect(await addAll(notes, handle)).toBeInstanceOf(SetsFailed);
  expect(await written()).toEqual([]);
  const ofOne = notes.filter(({ owner }) => owner === 'a');
  expect(await addAll(ofOne, handle)).toEqual(['a 1', 'a 3']);
});
