import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LocalFailure } from './local-failure.ts';
import type { Placement } from './postgres-placement.ts';
import { readOrMakePrivate } from './private-file.ts';

const majorVersion = '18';

/** The superuser's password, made on the first start and readable by this user only. */
export async function readPassword(directory: string): Promise<string> {
  return readOrMakePrivate(join(directory, 'password'), () =>
    randomBytes(24).toString('base64url'),
  );
}

export interface ClusterOptions {
  placement: Placement;
  superuser: string;
  password: string;
}

/**
 * Makes the data directory if there is none: elsewhere first and then renamed, so that an interrupt
 * leaves nothing half made. Throws LocalFailure when there is one of another major version.
 */
export async function initialiseCluster(options: ClusterOptions): Promise<void> {
  const { placement, superuser, password } = options;
  const { dataDirectory, programs, account } = placement;
  const home = dirname(dataDirectory);
  const draftPrefix = `${basename(dataDirectory)}.new-`;
  const version = await readVersion(dataDirectory);
  if (version === majorVersion) return;
  if (version !== undefined) {
    throw new LocalFailure(
      `${dataDirectory} was made by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}. Remove the local data with \`npm run reset\`.`,
    );
  }
  for (const name of await readdir(home)) {
    if (name.startsWith(draftPrefix)) await rm(join(home, name), { recursive: true });
  }
  const draft = join(home, `${draftPrefix}${randomUUID()}`);
  const passwordFile = `${draft}-password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) {
      await chown(draft, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    await promisify(execFile)(
      programs.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
      ],
      { cwd: draft, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...account },
    );
    await rename(draft, dataDirectory);
  } catch (error) {
    throw new LocalFailure(`The database cannot be made in ${home}: ${explain(error)}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function readVersion(dataDirectory: string): Promise<string | undefined> {
  const text = await readFile(join(dataDirectory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text?.trim();
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'stderr' in error && error.stderr !== '' ? String(error.stderr).trim() : error.message;
}
