import { spawn } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findTemporalProgram } from '../../src/local/temporal.ts';
import { environmentNames, required } from './environment.ts';

/**
 * Runs commands in a shell that has the `temporal` program of the tests, in a scratch directory.
 * The question of a command is answered with yes. Returns what they print; throws it where a
 * command fails.
 */
export async function runTemporalCommands(
  text: string,
  { directory, namespace }: { directory: string; namespace: string },
): Promise<string> {
  const program = await findTemporalProgram({
    path: process.env['PATH'] ?? '',
    cacheDirectory: process.env['ONWARD_CACHE_DIR'],
    onProgress: () => undefined,
  });
  const own = join(directory, 'temporal');
  if (!existsSync(own)) symlinkSync(program, own);
  const env = {
    PATH: `${directory}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: namespace,
  };
  const child = spawn('bash', ['--norc', '-euc', text], { cwd: directory, env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end('y\n');
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(output);
  return output;
}
