import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

test.each<[string, readonly unknown[]]>([
  ['text[]', []],
  ['text[]', ['a', '', 'NULL', 'null', 'b c', '{d,"e"}', 'f\\g', '\\', '"', 'h\ni', 'ü', ',']],
  ['varchar[]', ['x', 'y']],
  ['uuid[]', ['5f0c9d5e-9a67-4a52-8d0a-0a4b5d7c1e2f']],
  ['bigint[]', [1, -2, Number.MAX_SAFE_INTEGER]],
  ['int[]', [0, 7]],
  ['double precision[]', [0.5, -1e300]],
  ['date[]', ['2026-11-21']],
  ['timestamptz[]', ['2026-11-21T12:00:00.120Z']],
  ['text[]', ['a', null]],
])('an array of type %s comes back as it was sent: %j', async (type, values) => {
  const [row] = await db.database.read(
    (sql) =>
      sql<{ back: unknown }[]>`select ${[...values] as string[]}::${sql.unsafe(type)} as back`,
  );
  expect(row?.back).toEqual(values);
});
