import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

export const home = resolve('.onward', 'clients');

/** Where a client finds the service, and as whom. */
export interface Service {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface Client {
  name: string;
  /** Programs of the machine beyond Node.js, Python and Go; without one the client is left out. */
  needs?: readonly string[];
  /** Generates or installs the client, and returns its use of the service; both throw what fails. */
  make(): (service: Service) => void;
}

/** Runs a story, which takes the service as its arguments. */
export function tell([program = '', ...args]: readonly string[]): (service: Service) => void {
  return ({ baseUrl, clientId, clientSecret }) => {
    run(program, [...args, baseUrl, clientId, clientSecret]);
  };
}

/** Returns the output of a command; throws it if the command fails. */
export function run(command: string, args: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ encoding: 'utf8', timeout: 300_000 },
    ...options,
  });
  if (status === 0) return `${stdout}${stderr}`;
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** Installs packages into a folder of their own, unless they are there. */
export function install(directory: string, packages: readonly string[], make: () => void): void {
  const stamp = join(directory, 'installed');
  const requested = packages.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requested) return;
  console.log(`Installing ${packages.join(', ')} into ${directory}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  make();
  writeFileSync(stamp, requested);
}

/** Makes what is made of these files and folders, unless it was made of the same ones before. */
export function makeOf(directory: string, sources: readonly string[], make: () => void): void {
  const stamp = join(directory, 'made-of');
  const digest = digestOf(sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  make();
  writeFileSync(stamp, digest);
}

function digestOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const isFolder = statSync(source).isDirectory();
    const names = isFolder
      ? readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()
      : [''];
    for (const name of names) {
      const file = join(source, name);
      if (statSync(file).isFile()) hash.update(`${name}\n`).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}
