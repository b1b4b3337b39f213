import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Builds the documentation unless it is there; all test files of a run share it. */
export async function buildSiteOnce(): Promise<void> {
  await promisify(execFile)(process.execPath, [
    ...['src/local/run.mjs', 'site/main.ts', '--if-stale'],
  ]);
}
