import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const manifests = path.resolve('test', 'node-versions', 'programs');
const folder = path.resolve('.onward', 'node');

/** npm does not provide the versions for this machine, or cannot be reached. */
export class ProgramsMissing extends Error {}

export interface NodeProgram {
  version: string;
  path: string;
}

/** The pinned versions of Node.js for this machine, fetched from npm unless they are here. */
export function fetchNodePrograms(): readonly NodeProgram[] {
  const programs = pinnedPrograms();
  if (programs.length === 0) {
    throw new ProgramsMissing(
      `npm has no Node.js for ${process.platform} ${process.arch}: use Linux`,
    );
  }
  if (!programs.every(isRunnable)) {
    console.log('Fetching Node.js from npm (100 MB).');
    mkdirSync(folder, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(path.join(manifests, name), path.join(folder, name));
    }
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  }
  const missing = programs.find((program) => !isRunnable(program));
  if (missing)
    throw new ProgramsMissing(`Node.js ${missing.version} could not be fetched from npm`);
  return programs;
}

function pinnedPrograms(): NodeProgram[] {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(manifests, 'package.json'), 'utf8'),
  );
  return Object.entries(optionalDependencies)
    .filter(([name]) => name.endsWith(`-${process.platform}-${process.arch}`))
    .map(([name, source]) => ({
      version: source.slice(source.lastIndexOf('@') + 1),
      path: path.join(folder, 'node_modules', name, 'bin', 'node'),
    }));
}

function isRunnable({ version, path: program }: NodeProgram): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return stdout === `v${version}\n`;
}
