import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keep } from './keeper.ts';
import { LocalFailure } from './local-failure.ts';

export interface BuildOptions {
  go: string | undefined;
  version: string;
  /** Where the program is written. */
  draft: string;
  onProgress: (line: string) => void;
}

const moduleDirectory = fileURLToPath(new URL('temporal-server/', import.meta.url));
const program = 'github.com/temporalio/cli/cmd/temporal';
const oldestGo = 26;
const progressMs = 10_000;
/** Number of lines of `go list -deps`, for the progress only. */
const aboutPackages = 1_590;

/** Builds the program from the Go module in this directory. Throws LocalFailure. */
export async function buildTemporal({ go, version, draft, onProgress }: BuildOptions) {
  if (go === undefined) throw new LocalFailure('there is no Go on the PATH to build it with');
  const { stdout } = await promisify(execFile)(go, ['version'], { cwd: dirname(go) });
  const minor = Number(/go1\.(\d+)/.exec(stdout)?.[1] ?? 0);
  if (minor < oldestGo) {
    throw new LocalFailure(`${stdout.trim()} is too old to build it (1.${String(oldestGo)})`);
  }
  onProgress('Building the Temporal server with Go, once; this takes some minutes');
  const logFile = `${draft}.log`;
  const startedAt = Date.now();
  const counts = { fetched: 0, compiled: 0 };
  const lastLines: string[] = [];
  const sayHowFar = () => {
    const seconds = String(Math.round((Date.now() - startedAt) / 1_000));
    const { fetched, compiled } = counts;
    onProgress(
      `Building Temporal: ${seconds} s, ${String(fetched)} modules fetched, ${String(compiled)} of about ${String(aboutPackages)} packages compiled`,
    );
  };
  const timer = setInterval(sayHowFar, progressMs);
  try {
    const build = await keep({
      // `env` adds to the environment that Go itself needs: home, proxies, caches.
      command: '/usr/bin/env',
      args: [
        'CGO_ENABLED=0',
        'GOWORK=off',
        go,
        'build',
        '-v',
        '-mod=readonly',
        '-tags',
        'disable_grpc_modules',
        '-trimpath',
        '-ldflags',
        `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${version}`,
        '-o',
        draft,
        program,
      ],
      cwd: moduleDirectory,
      logFile,
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
      onLine(line) {
        if (line.startsWith('go: downloading')) counts.fetched += 1;
        else counts.compiled += 1;
        lastLines.push(line);
        if (lastLines.length > 5) lastLines.shift();
      },
    });
    const ending = await build.exited;
    if (ending !== 'code 0') {
      throw new LocalFailure(`the Go build failed (${ending}): ${lastLines.join(' | ')}`);
    }
    sayHowFar();
    await rm(logFile, { force: true });
  } finally {
    clearInterval(timer);
  }
}
