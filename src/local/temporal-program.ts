import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import { LocalFailure } from './local-failure.ts';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';

/** Version of the `temporal` program that is downloaded or built; temporal-server/go.mod has it too. */
const temporalVersion = '1.8.2';

/**
 * SHA-256 of the official archives of this version, by `platform-architecture` of Node.js. Source:
 * checksums.txt of the release. They are stored here because a digest from the same source as the
 * archive proves nothing.
 */
const temporalArchiveDigests: Readonly<Record<string, string>> = {
  'darwin-arm64': 'dacdc3587682c04cf27e67c8878ca2d755230b6ad63c0c6ebddd7348ae90ed94',
  'darwin-x64': '489d7f5420cae02b559774ac23df035141954c33a51dba96f5759a0ddccdf1b6',
  'linux-arm64': '83600a8fac6e3da54093e5da6918d399f501532b9f1172235603f9606f4ac6e4',
  'linux-x64': 'd8421bda989e6514b4bdb4d63a9012a8a05a806892e881a5aad8510496349a94',
  'win32-arm64': 'da78339510b1f91a8212ff247940d3b1dd3022ccfa00add400359311f941697e',
  'win32-x64': 'c845948aa4ab3b1a3643f9fea6d1cd691188bc31513de5f2dc5f7eceea25f22a',
};

const oldestServer = [1, 29] as const;

export interface TemporalSearch {
  /** Directories separated as in PATH. */
  path: string;
  /** Absent: ~/.cache. The program is stored in `onward/` below it. */
  cacheDirectory: string | undefined;
  onProgress: (line: string) => void;
  /** Source of official builds; null disables the download. */
  downloadFrom?: string | null;
  /** Default: the digests of the release. */
  digests?: Readonly<Record<string, string>>;
}

/**
 * Returns the path of a usable `temporal` program: from the path, the cache, the official build, or
 * built with Go. Throws one LocalFailure that names the remedies when there is none.
 */
export async function findTemporalProgram(search: TemporalSearch): Promise<string> {
  const { path, cacheDirectory = join(homedir(), '.cache'), onProgress } = search;
  const installed = findOnPath('temporal', path);
  if (installed !== undefined) {
    const refusal = await refuseProgram(installed);
    if (refusal === undefined) return installed;
    onProgress(`${installed} is not used: ${refusal}`);
  }
  const directory = join(cacheDirectory, 'onward');
  const cached = join(directory, `temporal-${temporalVersion}`);
  if (await isUsable(cached)) return cached;

  await mkdir(directory, { recursive: true }).catch((cause: unknown) => {
    throw new LocalFailure(`${directory} cannot be made. Set ONWARD_CACHE_DIR.`, { cause });
  });
  const lock = await waitForLock(join(directory, `temporal-${temporalVersion}.lock`), onProgress);
  try {
    // Another process may have put it there while this one waited.
    if (await isUsable(cached)) return cached;
    return await obtain(search, cached);
  } finally {
    lock.release();
  }
}

async function obtain(search: TemporalSearch, cached: string): Promise<string> {
  const { path, onProgress, downloadFrom = 'https://temporal.download' } = search;
  const { digests = temporalArchiveDigests } = search;
  const draft = `${cached}.new`;
  const reasons: string[] = [];
  const ways = [
    (): Promise<void> => {
      if (downloadFrom === null) throw new LocalFailure('the download is switched off');
      return downloadTemporal({
        from: downloadFrom,
        version: temporalVersion,
        digests,
        draft,
        onProgress,
      });
    },
    () =>
      buildTemporal({ go: findOnPath('go', path), version: temporalVersion, draft, onProgress }),
  ];
  for (const way of ways) {
    try {
      await rm(draft, { recursive: true, force: true });
      await way();
      const refusal = await refuseProgram(draft);
      if (refusal !== undefined) throw new LocalFailure(refusal);
      await rename(draft, cached);
      return cached;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(reason);
      onProgress(`Temporal: ${reason}`);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  throw new LocalFailure(
    [
      'There is no Temporal server, and none can be had here. One of these helps:',
      '  - set TEMPORAL_ADDRESS to a running one (host:port);',
      '  - put the program `temporal` on the PATH (https://docs.temporal.io/cli);',
      '  - install Go 1.26 or newer, with which it is built once (about four minutes).',
      `Tried: ${reasons.join('; ')}.`,
    ].join('\n'),
  );
}

function findOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function isUsable(file: string): Promise<boolean> {
  return isProgram(file) && (await refuseProgram(file)) === undefined;
}

/** Why a program cannot serve; undefined when it can. */
async function refuseProgram(file: string): Promise<string | undefined> {
  const run = promisify(execFile);
  try {
    const { stdout: version } = await run(file, ['--version'], { timeout: 10_000 });
    const [, major, minor] = /Server (\d+)\.(\d+)\./.exec(version) ?? [];
    const [oldestMajor, oldestMinor] = oldestServer;
    if (Number(major) !== oldestMajor || Number(minor) < oldestMinor) {
      return `it says "${version.trim()}", and Server ${oldestServer.join('.')} or a newer 1.x is needed`;
    }
    const { stdout: help } = await run(file, ['server', 'start-dev', '--help'], {
      timeout: 10_000,
    });
    const missing = ['--sqlite-pragma', '--ui-disable-news-fetch', '--dynamic-config-value'].find(
      (flag) => !help.includes(flag),
    );
    return missing && `its \`server start-dev\` has no ${missing}`;
  } catch (error) {
    return `it does not run (${error instanceof Error ? error.message.trim() : String(error)})`;
  }
}

async function waitForLock(
  directory: string,
  onProgress: (line: string) => void,
): Promise<DirectoryLock> {
  for (let seconds = 0; ; seconds += 1) {
    const lock = lockDirectory(directory);
    if ('release' in lock) return lock;
    if (seconds % 10 === 0) {
      onProgress(`Process ${String(lock.pid)} fetches or builds Temporal; waiting for it`);
    }
    await pause(1_000);
  }
}
