import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../sdk/generate/build.ts';
import { takePort } from '../support/ports.ts';

const run = promisify(execFile);
export const project = new URL('../../', import.meta.url).pathname;

const pythonHome = join(project, '.onward', 'guides-python');
export const python = join(pythonHome, 'bin', 'python3');
const sdkHome = join(project, '.onward', 'guides-packages');

/** Installs both SDKs as the quick start says, that of Python once for all runs. */
export async function installSdks(): Promise<void> {
  const home = join(sdkHome, '@onward', 'sdk');
  rmSync(sdkHome, { recursive: true, force: true });
  mkdirSync(join(sdkHome, '@onward'), { recursive: true });
  cpSync(buildPackage('typescript', join(sdkHome, 'built')), home, { recursive: true });
  await installPython();
}

/** Makes an environment with what the Python SDK needs. */
export async function installPython(): Promise<void> {
  if (existsSync(python)) return;
  // Test files that run at the same time do not see half of it.
  const draft = `${pythonHome}-${String(process.pid)}`;
  await run('python3', ['-m', 'venv', draft]);
  const pip = ['-m', 'pip', 'install', '--quiet', 'httpx==0.28.1'];
  await run(join(draft, 'bin', 'python3'), pip);
  if (existsSync(python)) rmSync(draft, { recursive: true });
  else renameSync(draft, pythonHome);
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
  linkPackages(join(folder, 'node_modules'));
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
    env: { ...process.env, ...readEnvironment(dataDirectory) },
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
function linkPackages(folder: string): void {
  mkdirSync(folder);
  symlinkSync(join(project, 'node_modules', 'standardwebhooks'), join(folder, 'standardwebhooks'));
  symlinkSync(join(sdkHome, '@onward'), join(folder, '@onward'));
}

/** Variables of `. .onward/env`, and the place of the Python SDK. */
function readEnvironment(dataDirectory: string): Record<string, string> {
  const text = readFileSync(join(dataDirectory, 'env'), 'utf8');
  const variables = [...text.matchAll(/^export (\w+)='(.*)'$/gm)];
  return {
    ...Object.fromEntries(variables.map(([, name = '', value = '']) => [name, value])),
    ...{ PYTHONPATH: join(project, 'sdk', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    PYTHONUNBUFFERED: '1',
  };
}
