import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeSchema } from '../../../src/platform/database/change-schema.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

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

const addColumn = () =>
  changeSchema(owner, async (sql) => {
    await sql`alter table objectives add column if not exists hint text`;
  });

test('a change of a table that is in use lets readers go on, and is made after its last user', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  const user = db.database.transact(
    async (sql) => {
      await sql`select from objectives where team_id = gen_random_uuid()`;
      isHeld = true;
      await released;
    },
    { deadlineMs: 30_000 },
  );
  await eventually(() => Promise.resolve(isHeld), Boolean);
  let isChanged = false;
  const changing = addColumn().then(() => (isChanged = true));
  // Two rounds: it waits for the lock, and readers behind it; it gives up, and they go on.
  for (let round = 0; round < 2; round += 1) {
    await eventually(waits, (count) => count > 0);
    await db.database.read((sql) => sql`select from objectives where team_id = gen_random_uuid()`);
    expect(isChanged).toBe(false);
  }
  release();
  await Promise.all([user, changing]);
  const [column] = await db.look(
    (sql) => sql`
      select from information_schema.columns where table_name = 'objectives' and column_name = 'hint'`,
  );
  expect(column).toBeDefined();
});

/** Statements that wait for the lock of a table. */
async function waits(): Promise<number> {
  const [row] = await db.look<{ count: number }>(
    (sql) => sql`
      select count(*)::int as count from pg_locks l
      join pg_database d on d.oid = l.database and d.datname = current_database()
      where not l.granted and l.mode = 'AccessExclusiveLock'`,
  );
  return row?.count ?? 0;
}

test('a change that cannot be made is refused at once', async () => {
  const broken = changeSchema(owner, (sql) => sql`alter table no_such_table add column x int`);
  await expect(broken).rejects.toMatchObject({ code: '42P01' });
});
