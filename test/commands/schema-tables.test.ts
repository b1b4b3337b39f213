import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSchemaTables } from '../../src/commands/documents/schema-tables.ts';
import { cloneDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

test('the list of tables matches the migrated schema, with its columns and comments', async () => {
  const found = await db.look<{ name: string; purpose: string; columns: string[] }>(
    (sql) => sql`
      select c.relname as name, obj_description(c.oid, 'pg_class') as purpose,
        (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname <> 'migrations'
      order by c.oid`,
  );
  expect(readSchemaTables().sort(byName)).toEqual(found.sort(byName));
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
