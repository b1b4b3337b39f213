import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { environmentNames, required } from '../support/environment.ts';

const serverUrl = required(environmentNames.serverUrl);
const suffix = randomUUID().replaceAll('-', '');
const owner = `onward_owner_${suffix}`;
const temporal = `temporal_${suffix}`;
const application = `application_${suffix}`;
const database = `onward_${suffix}`;
const password = randomUUID();

let server: Database;

const connectAsOwner = () => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  url.username = owner;
  url.password = password;
  return connectDatabase({ url: url.href, maxConnections: 1, applicationName: 'tests' });
};

/** The statements that the image's first start runs, with names that no other run of them has. */
function firstStatements(): string[] {
  const script = readFileSync(
    new URL('../../src/local/postgres-first-start.sh', import.meta.url),
    'utf8',
  );
  return (/<<'SQL'\n([^]*)\nSQL/.exec(script)?.[1] ?? '')
    .replaceAll(/^--.*$/gm, '')
    .replaceAll(/\bonward_owner\b/g, owner)
    .replaceAll(/\btemporal\b/g, temporal)
    .replaceAll(/\bdatabase onward\b/g, `database ${database}`)
    .replaceAll(/:'\w+'/g, `'${password}'`)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

beforeAll(async () => {
  server = connectDatabase({ url: serverUrl, maxConnections: 1, applicationName: 'tests' });
  for (const statement of firstStatements()) {
    await server.read((sql) => sql.unsafe(statement), { deadlineMs: 60_000 });
  }
  // Roles belong to the whole server: other tests made this one, which the owner makes in its own.
  await server.read((sql) => sql`grant onward_app to ${sql(owner)} with admin option`);
});
afterAll(async () => {
  await server.read((sql) => sql`drop database if exists ${sql(database)} with (force)`);
  for (const role of [application, owner, temporal]) {
    await server.read((sql) => sql`drop role if exists ${sql(role)}`);
  }
  await server.close();
});

test('the owner of the schema migrates without being a superuser', async () => {
  const asOwner = connectAsOwner();
  try {
    const applied = await migrate(asOwner, { user: application, password });
    expect(applied).toContain('0001-foundation.sql');
    const [role] = await asOwner.read(
      (sql) => sql`select rolsuper, rolcreatedb from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({ rolsuper: false, rolcreatedb: false });
  } finally {
    await asOwner.close();
  }
});

test("Temporal's role cannot enter the database of Onward", async () => {
  const [right] = await server.read(
    (sql) => sql`select has_database_privilege(${temporal}, ${database}, 'connect') as connect`,
  );
  expect(right).toEqual({ connect: false });
});
