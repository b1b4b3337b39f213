import { parseArgs } from 'node:util';
import { readMigrationConfig } from '../platform/config.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { applyMigrations } from './apply-migrations.ts';
import { print, runCommand } from './command.ts';

// `npm run migrate [-- --json]`: brings the schema up to date and makes the application's role.
runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const { databaseOwnerUrl, databaseUrl } = readMigrationConfig();
  if (databaseOwnerUrl === undefined || databaseUrl === undefined) {
    throw new LocalFailure(
      [
        'Two addresses of the same database are needed:',
        '  DATABASE_OWNER_URL  a role that owns the database and can make roles',
        "  DATABASE_URL        the application's role, with a password of your choice; it is made",
      ].join('\n'),
    );
  }
  const applied = await applyMigrations(databaseOwnerUrl, databaseUrl);
  const role = decodeURIComponent(new URL(databaseUrl).username);
  if (values.json) {
    print(JSON.stringify({ applied, application_role: role }, undefined, 2));
    return;
  }
  for (const name of applied) print(`applied ${name}`);
  if (applied.length === 0) print('The schema is up to date.');
  print(`The application connects as ${role}.`);
});
