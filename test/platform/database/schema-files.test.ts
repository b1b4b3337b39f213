import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import {
  applyFiles,
  missingSchemaFiles,
  readFunctions,
} from '../../../src/platform/database/migrate.ts';
import type { SchemaFile } from '../../../src/platform/database/migrate.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
let owner: Database;

beforeAll(async () => {
  db = await cloneDatabase();
  owner = connectDatabase({ url: db.ownerUrl, maxConnections: 1, applicationName: 'owner' });
});
afterAll(async () => {
  await owner.close();
  await db.stop();
});
beforeEach(() => owner.read((sql) => sql`delete from migrations where name like '%answers.sql'`));

const answering = (answer: number) => ({
  name: 'functions/answers.sql',
  text: `create or replace function answer() returns int language sql as 'select ${String(answer)}'`,
  checksum: String(answer),
});
const apply = (functions: readonly SchemaFile[], migrations: readonly SchemaFile[] = []) =>
  owner.transact((sql) => applyFiles(sql, functions, migrations));
const answered = async () =>
  (await db.look<{ answer: number }>((sql) => sql`select answer() as answer`))[0]?.answer;

test('a function file is applied again when it has changed, and only then', async () => {
  expect(await apply([answering(1)])).toEqual(['functions/answers.sql']);
  await owner.read((sql) => sql`create or replace function answer() returns int return 0`);
  expect(await apply([answering(1)])).toEqual([]);
  expect(await answered()).toBe(0);
  expect(await apply([answering(2)])).toEqual(['functions/answers.sql']);
  expect(await answered()).toBe(2);
});

test('a function file with an earlier text is applied again', async () => {
  for (const answer of [1, 2, 1]) {
    expect(await apply([answering(answer)])).toEqual(['functions/answers.sql']);
    expect(await answered()).toBe(answer);
  }
});

test('functions and the tables of the same run can name each other', async () => {
  const functions = {
    name: 'functions/answers.sql',
    text: `create or replace function count_of_answers() returns bigint
      language sql as 'select count(*) from answers'`,
    checksum: 'count',
  };
  const migration = {
    name: '9999-answers.sql',
    text: 'create table answers (id bigint primary key default count_of_answers())',
    checksum: 'answers',
  };
  expect(await apply([functions], [migration])).toEqual([functions.name, migration.name]);
  await owner.read((sql) => sql`insert into answers default values`);
  expect(await db.look((sql) => sql`select id::int from answers`)).toEqual([{ id: 0 }]);
});

test('files that were never applied are missing, but those of a later version are not', async () => {
  const missing = () => db.database.read((sql) => missingSchemaFiles(sql));
  const [known] = await readFunctions();
  if (!known) throw new Error('there is a function file');
  expect(await missing()).toEqual([]);
  const later = { ...known, checksum: 'later' };
  expect(await apply([later, answering(1)])).toEqual([known.name, 'functions/answers.sql']);
  expect(await missing()).toEqual([]);
  await owner.read((sql) => sql`delete from migrations where checksum = ${known.checksum}`);
  await owner.read((sql) => sql`delete from migrations where name = '0002-team.sql'`);
  expect(await missing()).toEqual(['0002-team.sql', known.name]);
});
