import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './failures.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A file below `$XDG_CONFIG_HOME/onward`. */
export function configFile(environment: Environment, ...names: string[]): string {
  const { XDG_CONFIG_HOME, HOME = homedir() } = environment;
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'onward', ...names);
}

/** Writes a file that only its owner can read, as a whole or not at all. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${String(process.pid)}`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/**
 * Text of a file that only its owner can read; undefined where there is none. Refuses a file of
 * somebody else, or one that others can read or change: it may be known to them.
 */
export function readPrivate(path: string): string | undefined {
  let file: number;
  try {
    // A link could lead to any file.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (isCode(error, 'ELOOP')) throw new UsageError(`${path} is a link. Delete it.`);
    throw error;
  }
  try {
    const status = fstatSync(file);
    // Windows has neither.
    const owner = process.getuid?.();
    if (owner !== undefined && status.uid !== owner) {
      throw new UsageError(`${path} belongs to another user. Delete it.`);
    }
    if (owner !== undefined && (status.mode & 0o077) !== 0) {
      throw new UsageError(`Others can read or change ${path}. Delete it, or chmod 600 it.`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;
