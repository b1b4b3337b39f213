import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { minifySync } from '@swc/core';
import { readJson } from '../typescript/src/json.ts';

/** Builds a package of `sdk/` as it is published, into a folder of `home`; returns that folder. */
export function buildPackage(name: 'typescript' | 'cli', home: string): string {
  const folder = join(home, name);
  const dist = join(folder, 'dist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The check of the project has checked the types.
  const options = ['--noCheck', '--outDir', dist];
  run('node_modules/typescript/bin/tsc', '-p', `sdk/${name}`, ...options);
  if (name === 'cli') useThePackage(dist);
  for (const file of ['package.json', 'README.md']) {
    cpSync(`sdk/${name}/${file}`, join(folder, file));
  }
  cpSync('LICENSE', join(folder, 'LICENSE'));
  return folder;
}

/** The command line imports the sources of the SDK next to it; published, it depends on the SDK. */
function useThePackage(dist: string): void {
  rmSync(join(dist, 'typescript'), { recursive: true });
  for (const entry of readdirSync(join(dist, 'cli', 'src'))) {
    renameSync(join(dist, 'cli', 'src', entry), join(dist, entry));
  }
  rmSync(join(dist, 'cli'), { recursive: true });
  for (const file of modulesOf(dist)) {
    const text = readFileSync(file, 'utf8').replaceAll(
      /"(?:\.\.\/)+typescript\/src\/(\w+)\.js"/g,
      (_, module: string) => (module === 'index' ? "'@onward/sdk'" : `'@onward/sdk/${module}'`),
    );
    writeFileSync(file, text);
  }
}

function modulesOf(dist: string): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .sort()
    .map((file) => join(dist, file));
}

function run(program: string, ...args: string[]): void {
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}`);
}

export interface PackageSize {
  bytes: number;
  gzippedBytes: number;
  dependencies: string[];
}

/** Size of the modules that `import '@onward/sdk'` loads, minified. */
export function measurePackage(folder: string): PackageSize {
  const dist = join(folder, 'dist');
  // Loaded by their own names only.
  const extra = new Set(['node.js', 'testing.js']);
  const modules = modulesOf(dist)
    .filter((file) => !extra.has(basename(file)))
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return minifySync(text, { module: true, mangle: true, compress: true }).code;
    });
  const whole = modules.join('\n');
  const { dependencies = {} } = readJson<{ dependencies?: Record<string, string> }>(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return {
    bytes: Buffer.byteLength(whole),
    gzippedBytes: gzipSync(whole).length,
    dependencies: Object.entries(dependencies).map(([name, version]) => `${name}@${version}`),
  };
}
