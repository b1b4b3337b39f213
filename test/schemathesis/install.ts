import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const pinned = 'schemathesis==4.32.5';

/** Path of the program, installed by pip into a place of its own. Throws what is missing. */
export async function installProgram(): Promise<string> {
  const home = resolve('.onward', 'schemathesis');
  const bin = join(home, process.platform === 'win32' ? 'Scripts' : 'bin');
  const program = join(bin, 'schemathesis');
  const stamp = join(home, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === pinned) return program;
  run('python3', ['-c', 'import ensurepip, venv'], 'Python 3 with its module venv is missing');
  run('python3', ['-m', 'venv', '--clear', home], 'python3 cannot make an environment');
  process.stderr.write(`Installing ${pinned} into ${home}\n`);
  run(
    join(bin, 'python3'),
    ['-m', 'pip', 'install', '--quiet', pinned],
    `pip cannot get ${pinned}`,
  );
  writeFileSync(stamp, pinned);
  return program;
}

function run(command: string, args: readonly string[], otherwise: string): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${otherwise}: ${error?.message ?? stderr.trim()}`);
}
