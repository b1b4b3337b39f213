import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { ensureDatabase } from '../../src/platform/database/create-database.ts';
import { checkApplicationRole } from '../../src/platform/database/migrate.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { environmentNames, required } from '../support/environment.ts';
import { takePort } from '../support/ports.ts';
import { outcomeOf, runEntry, startEntry } from './spawn.ts';

const serverUrl = required(environmentNames.serverUrl);
const name = `onward_test_${randomUUID().replaceAll('-', '')}`;
const dataDirectory = scratchDirectory();
let ownerUrl = '';
let databaseUrl = '';

beforeAll(async () => {
  ownerUrl = await ensureDatabase(serverUrl, name);
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = "it's a password with spaces";
  databaseUrl = url.href;
});
afterAll(async () => {
  const server = connectDatabase({ url: serverUrl, maxConnections: 1, applicationName: 'tests' });
  await server.read(async (sql) => {
    await sql`drop database ${sql(name)} with (force)`;
    await sql`drop role ${sql(name)}`;
  });
  await server.close();
});

const migrate = (settings: Record<string, string>, ...args: string[]) =>
  runEntry('src/commands/migrate.ts', args, settings);

test('an empty database receives the schema and an application role with only the needed privileges', async () => {
  const settings = { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: databaseUrl };
  const first = await migrate(settings, '--json');
  expect([first.code, first.stderr]).toEqual([0, '']);
  const { applied, application_role } = JSON.parse(first.stdout);
  expect(application_role).toBe(name);
  expect(applied).toContain('0001-foundation.sql');

  const database = connectDatabase({
    url: databaseUrl,
    maxConnections: 1,
    applicationName: 'tests',
  });
  await database.read((sql) => checkApplicationRole(sql));
  await expect(database.read((sql) => sql`delete from webhook_events`)).rejects.toThrow(
    'permission denied',
  );
  await database.close();

  const second = await migrate(settings);
  expect([second.code, second.stdout.split('\n')[0]]).toEqual([0, 'The schema is up to date.']);
});

const asOwner = async (statement: string) => {
  const owner = connectDatabase({ url: ownerUrl, maxConnections: 1, applicationName: 'tests' });
  const rows = await owner.read((sql) => sql.unsafe(statement));
  await owner.close();
  return [...rows];
};

/** Ends a process that works instead of refusing, so that the test fails and does not wait for it. */
const endOf = async (entry: string, settings: Record<string, string>) => {
  const child = startEntry(entry, [], settings);
  AbortSignal.timeout(60_000).addEventListener('abort', () => child.kill());
  return outcomeOf(child);
};

test('a database of a later version is accepted as it is', async () => {
  await asOwner(`insert into migrations values ('9999-later.sql', 'later', now())`);
  const settings = { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: databaseUrl };
  const { code, stdout } = await migrate(settings);
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'The schema is up to date.']);
});

const processSettings = async () => ({
  DATABASE_URL: databaseUrl,
  ONWARD_KEYS: JSON.stringify(newKeyFile()),
  TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
  ...{ PUBLIC_BASE_URL: 'http://onward.test', HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
  ...{ PORT: String(await takePort()), METRICS_PORT: String(await takePort()) },
  SENDING_EXAMPLE_DOMAINS: 'true',
});

test('a database of other migrations is refused by every process, and stays as it is', async () => {
  await asOwner(`
    update migrations set checksum = 'other' where name = '0001-foundation.sql';
    insert into migrations values ('0002-users.sql', 'other', now());
    delete from migrations where name in ('0013-widget.sql', 'functions/contacts.sql')`);
  const applied = () => asOwner('select name, checksum from migrations order by 1, 2');
  const before = await applied();
  const settings = await processSettings();
  const owned = { ...settings, DATABASE_OWNER_URL: ownerUrl };
  const outcomes = await Promise.all([
    migrate({ DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: databaseUrl }),
    endOf('src/api.ts', settings),
    endOf('src/worker.ts', settings),
    endOf('src/main.ts', { ...owned, ONWARD_DATA_DIR: dataDirectory }),
  ]);
  for (const { code, stderr } of outcomes) {
    expect(stderr).toBe(
      'The database was made by other migrations than this version has (0001-foundation.sql and ' +
        '1 more), so it cannot be used: start with an empty one, on this machine by ' +
        '`npm run reset -- --yes`.\n',
    );
    expect(code).toBe(1);
  }
  expect(await applied()).toEqual(before);
});

test('a database without a schema is refused with the command that makes it', async () => {
  await asOwner('drop table migrations');
  const settings = await processSettings();
  for (const entry of ['src/api.ts', 'src/worker.ts']) {
    const { code, stderr } = await endOf(entry, settings);
    expect([code, stderr]).toEqual([
      1,
      'The database has no schema yet: run `npm run migrate` first.\n',
    ]);
  }
});

test('an unusable address is explained', async () => {
  const wrong = new URL(ownerUrl);
  wrong.password = 'a-wrong-password-for-tests';
  const missing = new URL(ownerUrl);
  missing.pathname = '/nowhere';
  const missingApp = new URL(databaseUrl);
  missingApp.pathname = '/nowhere';
  const outcomes = await Promise.all([
    migrate({ DATABASE_URL: databaseUrl }),
    migrate({ DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: ownerUrl }),
    migrate({ DATABASE_OWNER_URL: wrong.href, DATABASE_URL: databaseUrl }),
    migrate({ DATABASE_OWNER_URL: missing.href, DATABASE_URL: missingApp.href }),
    migrate({
      DATABASE_OWNER_URL: 'postgres://owner:an-owner-password@127.0.0.1:1/onward',
      DATABASE_URL: 'postgres://app:an-app-password-x@127.0.0.1:1/onward',
    }),
  ]);
  const said = [
    'DATABASE_OWNER_URL',
    'name the same role',
    'refuses the user',
    'There is no database nowhere',
    'No Postgres answers at 127.0.0.1:1',
  ];
  outcomes.forEach(({ code, stderr }, at) => {
    expect(stderr).toContain(said[at]);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  });
});
