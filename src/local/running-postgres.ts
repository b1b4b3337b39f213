import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHolder } from './directory-lock.ts';

export const superuser = 'postgres';

/** The URL of a server that another process runs in this directory; undefined when none does. */
export async function findPostgres(directory: string): Promise<string | undefined> {
  if (!findHolder(directory)) return undefined;
  const read = async (name: string) => (await readFile(join(directory, name), 'utf8')).trim();
  return urlOf(await read('password'), await read('port'));
}

export function urlOf(password: string, port: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}
