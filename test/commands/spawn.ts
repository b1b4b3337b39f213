import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { untilTrue } from '../support/eventually.ts';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Starts `npm run …` without npm: the entry, its arguments, and settings instead of ours. */
export function startEntry(
  entry: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  node = process.execPath,
): ChildProcess {
  return spawn(node, ['src/local/run.mjs', entry, ...args], optionsOf(settings));
}

/** Runs a line as it is typed into a shell of the project, in a process group of its own. */
export const startLine = (line: string, settings: Readonly<Record<string, string>>): ChildProcess =>
  spawn('bash', ['-euc', line], { ...optionsOf(settings), detached: true });

function optionsOf(settings: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '', ONWARD_CACHE_DIR } = process.env;
  const env = { PATH, HOME, ...(ONWARD_CACHE_DIR && { ONWARD_CACHE_DIR }), ...settings };
  return { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] } satisfies SpawnOptions;
}

/** Runs an entry to its end. */
export async function runEntry(
  entry: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  node?: string,
): Promise<Outcome> {
  return outcomeOf(startEntry(entry, args, settings, node));
}

/** The output of a process, at its end. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await endOf(child);
  return { code, stdout, stderr };
}

/** The exit code, null after a signal. */
export function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/** Repeats the check until it holds; fails with the error output if the process ends before that. */
export async function untilTrueWhileRunning(
  child: ChildProcess,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await untilTrue(() => {
    if (child.exitCode === null) return condition();
    throw new Error(`the process ended with ${String(child.exitCode)}: ${stderr}`);
  });
}
