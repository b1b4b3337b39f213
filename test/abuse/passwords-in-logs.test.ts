import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { eventually } from '../support/eventually.ts';
import { startTlsPostgres } from '../support/tls-postgres.ts';
import type { TlsPostgres } from '../support/tls-postgres.ts';

const root = scratchDirectory();
chmodSync(root, 0o755);
let server: TlsPostgres;

beforeAll(async () => {
  server = await startTlsPostgres(root, { user: 'somebody', password: randomUUID() });
});
afterAll(() => server.stop());

test('the Postgres log does not contain the password of the application', async () => {
  const verified = { sslmode: 'verify-full', sslrootcert: server.authorityFile };
  const login = { user: 'onward_logged', password: `it's ${randomUUID()} é` };
  const owner = server.connect(verified);
  await eventually(
    () =>
      owner
        .read((sql) => sql`select 1`)
        .then(
          () => true,
          () => false,
        ),
    (isUp) => isUp,
  );
  await migrate(owner, login);
  expect(server.log()).toContain('alter role "onward_logged" login password \'SCRAM-SHA-256$');
  expect(server.log()).not.toContain(login.password.slice(5, 30));

  const url = new URL(server.url);
  url.username = login.user;
  url.password = encodeURIComponent(login.password);
  for (const [name, value] of Object.entries(verified)) url.searchParams.set(name, value);
  const application = connectDatabase({
    url: url.href,
    maxConnections: 1,
    applicationName: 'tests',
  });
  const [row] = await application.read((sql) => sql`select current_user as role`);
  await application.close();
  expect(row).toEqual({ role: login.user });
});
