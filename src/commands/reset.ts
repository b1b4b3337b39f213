import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../platform/config.ts';
import { lockDirectory } from '../local/directory-lock.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { removePostgres } from '../local/postgres.ts';
import { removeTemporal } from '../local/temporal.ts';
import { print, runCommand } from './command.ts';
import { openDataDirectory } from './data-directory.ts';

// `npm run reset -- --yes`: removes what `npm start` keeps: data, keys, ports, the demo client.
runCommand(async () => {
  const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } });
  const directory = openDataDirectory(readConfig({ development: true }).dataDirectory);
  const { path, postgres, temporal, keys, applicationPassword, demo, environment, sample } =
    directory;
  if (!existsSync(path)) {
    print(`There is nothing to remove: ${path} does not exist.`);
    return;
  }
  if (!values.yes) {
    throw new LocalFailure(
      `This removes the database, the Temporal history, the keys and the demo client in ${path}.\nTo do that: npm run reset -- --yes`,
    );
  }
  const lock = lockDirectory(path);
  if (!('release' in lock)) {
    throw new LocalFailure(
      `Onward runs with the data in ${path}, as process ${String(lock.pid)} (${lock.command}). End it first.`,
    );
  }
  try {
    await removeTemporal(temporal);
    await removePostgres(postgres);
    await Promise.all(
      [keys, applicationPassword, demo, environment, sample].map((file) =>
        rm(file, { force: true }),
      ),
    );
  } finally {
    lock.release();
  }
  print(`Removed. The next \`npm start\` starts over in ${path}.`);
});
