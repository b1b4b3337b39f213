import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../../src/app/start-api.ts';
import { newKeyFile, openKeyring } from '../../../src/platform/auth/keyring.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { ensurePartitions } from '../../../src/platform/database/maintenance.ts';
import {
  checkApplicationRole,
  migrate,
  readFunctions,
  readMigrations,
} from '../../../src/platform/database/migrate.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { appLogin } from '../../support/environment.ts';

let db: TestDatabase;
let owner: Database;

beforeAll(async () => {
  db = await cloneDatabase();
  owner = connectDatabase({ url: db.ownerUrl, maxConnections: 2, applicationName: 'owner' });
});
afterAll(async () => {
  await owner.close();
  await db.stop();
});

const asApplication = (statement: string) =>
  db.database.transact((sql) => sql.unsafe(statement)).catch((error: unknown) => error);
const forbidden = { code: '42501' };

async function withRole(rights: readonly string[], work: (url: string) => Promise<void>) {
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  await owner.read(async (sql) => {
    await sql.unsafe(`create role ${role} login password 'x'`);
    for (const right of rights) await sql.unsafe(right.replace('$role', role));
  });
  const url = new URL(db.url);
  url.username = role;
  url.password = 'x';
  try {
    await work(url.href);
  } finally {
    await owner.read(async (sql) => {
      await sql.unsafe(`reassign owned by ${role} to current_user`);
      await sql.unsafe(`drop owned by ${role}`);
      await sql.unsafe(`drop role ${role}`);
    });
  }
}

describe('the role that the application connects with', () => {
  test.each([
    ['a superuser', ['alter role $role superuser']],
    ['one that passes over row security', ['alter role $role bypassrls']],
    [
      'the owner of a table',
      ['grant create on schema public to $role', 'alter table workflow_outbox owner to $role'],
    ],
    [
      'one that may change what is append-only',
      ['grant onward_app to $role', 'grant update on webhook_events to $role'],
    ],
  ])('must not be %s: the API refuses to start', async (_, rights) => {
    await withRole(rights, async (databaseUrl) => {
      const config = {
        ...readConfig({ development: true }, {}),
        host: '127.0.0.1',
        port: 0,
        databaseUrl,
      };
      const start = startApi(config, openKeyring(newKeyFile()), createLog('silent', 'api'));
      const outcome = await start.then(
        (api) => api.close().then(() => 'started'),
        (error: unknown) => String(error),
      );
      expect(outcome).toMatch(/may do too much/);
    });
  });

  test('is accepted when it is the one that the migration makes', async () => {
    await expect(db.database.read((sql) => checkApplicationRole(sql))).resolves.toBeUndefined();
  });

  test('cannot be given to the migration when it is a superuser', async () => {
    await withRole(['alter role $role superuser'], async (url) => {
      const login = { user: new URL(url).username, password: 'x' };
      await expect(migrate(owner, login)).rejects.toThrow('must not connect as the superuser');
    });
  });
});

describe('an append-only table', () => {
  const tables = () =>
    db.look<{ name: string; column: string }>(
      (sql) => sql`
        select c.oid::regclass::text as name,
          (select attname from pg_attribute where attrelid = c.oid and attnum = 1) as column
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and exists (
            select from pg_partition_ancestors(c.oid) a
            where obj_description(a.relid, 'pg_class') like 'append-only%'
            union all
            select where obj_description(c.oid, 'pg_class') like 'append-only%'
          )
        order by 1`,
    );

  test('cannot be updated, deleted from or truncated by the application, partitions included', async () => {
    const all = await tables();
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['webhook_events', 'webhook_attempts', 'webhook_events_default']),
    );
    for (const { name, column } of all) {
      for (const statement of [
        `update ${name} set ${column} = ${column} where false`,
        `delete from ${name} where false`,
        `truncate ${name}`,
      ]) {
        expect([statement, await asApplication(statement)]).toMatchObject([statement, forbidden]);
      }
    }
  });

  test('remains append-only after the next migration, and so do partitions of new days', async () => {
    await owner.read((sql) => sql`select ensure_day_partitions(30)`);
    await migrate(owner, appLogin);
    for (const { name } of await tables()) {
      expect(await asApplication(`delete from ${name} where false`)).toMatchObject(forbidden);
    }
  });
});

describe('the schema', () => {
  test.each([
    'create table mine (id int)',
    'drop table workflow_outbox',
    'alter table workflow_outbox add column more int',
    'create schema mine',
    'create role mine',
    'update migrations set checksum = checksum',
    'alter table webhook_events owner to current_user',
  ])('cannot be changed by the application: %s', async (statement) => {
    expect(await asApplication(statement)).toMatchObject(forbidden);
  });

  test('records each applied file once, with its checksum', async () => {
    const files = [...(await readMigrations()), ...(await readFunctions())];
    const applied = await db.look<{ name: string; checksum: string }>(
      (sql) => sql`select name, checksum from migrations order by name collate "C"`,
    );
    expect(applied).toEqual(files.map(({ name, checksum }) => ({ name, checksum })));
    expect(await migrate(owner, appLogin)).toEqual([]);
  });

  test('two concurrent migrations do the work once', async () => {
    const other = connectDatabase({
      url: db.ownerUrl,
      maxConnections: 2,
      applicationName: 'other',
    });
    await owner.transact(async (sql) => {
      const newest = (await readMigrations()).at(-1)?.name ?? '';
      expect(newest).not.toBe('');
      await sql`select pg_advisory_xact_lock(hashtext('onward migrations'))`;
    });
    expect(await Promise.all([migrate(owner, appLogin), migrate(other, appLogin)])).toEqual([
      [],
      [],
    ]);
    await other.close();
  });
});

describe('partitions by day', () => {
  // The database may have been cloned before midnight, or in another month.
  beforeAll(() => db.database.read((sql) => ensurePartitions(sql)));

  const partitionOf = async (day: string) => {
    const id = randomUUID();
    const [row] = await db.database.read(
      (sql) => sql<{ partition: string }[]>`
        insert into webhook_events
          (day, id, team_id, type, resource_id, sequence, body, inserted_at)
        values (${day}::date, ${id}, ${id}, 'test', ${id}, 1, '{}', now())
        returning tableoid::regclass::text as partition`,
    );
    return row?.partition;
  };
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  test('exist for yesterday, today and the week ahead', async () => {
    for (let offset = -1; offset <= 7; offset += 1) {
      expect(await partitionOf(day(offset))).toBe(
        `webhook_events_${day(offset).replaceAll('-', '')}`,
      );
    }
  });

  test('a row of a distant day is in the default partition, and the days of the week can still be made', async () => {
    expect(await partitionOf(day(400))).toBe('webhook_events_default');
    expect(await partitionOf(day(-400))).toBe('webhook_events_default');
    await owner.read(
      (sql) => sql`drop table ${sql(`webhook_events_${day(7).replaceAll('-', '')}`)}`,
    );
    await owner.read(
      (sql) => sql`drop table ${sql(`webhook_attempts_${day(6).replaceAll('-', '')}`)}`,
    );
    expect(await partitionOf(day(7))).toBe('webhook_events_default');
    // The day that lies in the default partition stays there; the other is made by the application.
    expect(await db.database.read((sql) => ensurePartitions(sql))).toBe(1);
    expect(await partitionOf(day(7))).toBe('webhook_events_default');
  });

  test('the application can drop old days only, for any requested date', async () => {
    await owner.read(async (sql) => {
      const old = day(-200);
      await sql.unsafe(
        `create table webhook_attempts_${old.replaceAll('-', '')} partition of webhook_attempts
         for values from ('${old}') to ('${day(-199)}')`,
      );
    });
    const drop = (before: string) =>
      db.database.read(
        (sql) => sql<{ dropped: number }[]>`
          select drop_day_partitions('webhook_attempts', ${before}::date) as dropped`,
      );
    expect(await drop(day(-300))).toEqual([{ dropped: 0 }]);
    expect(await drop(day(365))).toEqual([{ dropped: 1 }]);
  });
});
