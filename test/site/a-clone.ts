import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the files of the repository as they are now, also those that are not committed yet. */
export function copyRepository(to: string): void {
  const options = ['-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', ['ls-files', ...options])
    .toString()
    .split('\0');
  // One that was deleted is in the index until that is committed.
  for (const file of files.filter((name) => name !== '' && existsSync(name)))
    cpSync(file, join(to, file));
}
