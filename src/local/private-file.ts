import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes a file that only this user can read; it appears whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${text}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** The text of a private file, made first where there is none. */
export async function readOrMakePrivate(path: string, make: () => string): Promise<string> {
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '') return known;
  const made = make();
  await writePrivate(path, made);
  return made;
}
