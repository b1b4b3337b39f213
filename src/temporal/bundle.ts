import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const limitBytes = 50_000_000;

/**
 * Bundles the workflow code; some three seconds. One bundle serves every worker of a process. A
 * process of its own does it, since a bundler keeps the 100 MB that it needs for this one moment.
 */
export async function bundleWorkflows(): Promise<{ code: string }> {
  const command = [pathOf('../local/run.mjs'), pathOf('./print-bundle.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    maxBuffer: limitBytes,
  });
  return { code: stdout };
}
