import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { takePort } from '../support/ports.ts';
import { copyRepository } from './a-clone.ts';

const run = promisify(execFile);
export const project = new URL('../../', import.meta.url).pathname;

const cloneIn = (root: string) => join(root, 'clone');
/** Python with the SDK that was installed. */
export const pythonIn = (root: string) => join(cloneIn(root), '.venv', 'bin', 'python');

/** Installs the SDKs by lines of a shell, in a copy of the repository with its packages. */
export async function installSdks(root: string, lines: readonly string[]): Promise<void> {
  const clone = cloneIn(root);
  copyRepository(clone);
  await run('cp', ['-R', join(project, 'node_modules'), clone]);
  for (const line of lines) await run('bash', ['-euc', line], { cwd: clone });
}

export interface Story {
  /** Everything that was printed so far. */
  output(): string;
  /** Resolves once it has printed a line of its own. */
  printed(line: string): Promise<void>;
  /** Resolves with the exit code of the last command. */
  ended: Promise<number | null>;
  /** Address by that of the guide. */
  addressOf(url: string): string;
  /** Ends what the story has left running. */
  stop(): void;
}

/** Ports that guides name, which another story may use at the same time. */
const guidePorts = ['4000', '4001', '4002', '5000'];

/**
 * Runs a program in a folder that looks like a clone with a running service: the guides, the
 * packages, and `.onward/env`.
 */
export async function runStory(
  root: string,
  dataDirectory: string,
  program: readonly [command: string, file: string, text: string],
): Promise<Story> {
  const folder = mkdtempSync(join(root, 'story-'));
  const ports = new Map<string, string>();
  for (const port of guidePorts) ports.set(port, String(await takePort()));
  const replacePorts = (text: string) =>
    text.replaceAll(/(?<![\w.])(400[0-2]|5000)(?!\w)/g, (port) => ports.get(port) ?? port);
  const [command, file, text] = program;
  symlinkSync(dataDirectory, join(folder, '.onward'));
  linkPackages(root, join(folder, 'node_modules'));
  mkdirSync(join(folder, 'docs', 'guides'), { recursive: true });
  cpSync(join(project, 'package.json'), join(folder, 'package.json'));
  // For commands of the project.
  for (const name of ['src', 'sdk']) symlinkSync(join(project, name), join(folder, name));
  for (const name of ['receiver.mjs', 'shell.sh']) {
    const content = readFileSync(join(project, 'docs', 'guides', name), 'utf8');
    writeFileSync(join(folder, 'docs', 'guides', name), replacePorts(content));
  }
  writeFileSync(join(folder, file), replacePorts(text));
  const child = spawn(command, [file], {
    cwd: folder,
    env: {
      ...process.env,
      ...readEnvironment(dataDirectory),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    // A group of its own: guides leave receivers running.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    printed: (line) =>
      new Promise((resolve) => {
        const look = () => {
          if (output.split('\n').includes(line)) resolve();
        };
        child.stdout.on('data', look);
        look();
      }),
    ended: exitOf(child),
    addressOf: replacePorts,
    stop() {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // Everything has ended by itself.
      }
    },
  };
}

/** Not when its output is closed, which what runs behind it keeps open. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code);
    });
  });
}

/** The packages of the project, and the SDK. */
function linkPackages(root: string, folder: string): void {
  mkdirSync(folder);
  symlinkSync(join(project, 'node_modules', 'standardwebhooks'), join(folder, 'standardwebhooks'));
  symlinkSync(join(cloneIn(root), 'node_modules', '@onward'), join(folder, '@onward'));
}

/** Variables of `. .onward/env`. */
function readEnvironment(dataDirectory: string): Record<string, string> {
  const text = readFileSync(join(dataDirectory, 'env'), 'utf8');
  const variables = [...text.matchAll(/^export (\w+)='(.*)'$/gm)];
  return {
    ...Object.fromEntries(variables.map(([, name = '', value = '']) => [name, value])),
    PYTHONUNBUFFERED: '1',
  };
}
