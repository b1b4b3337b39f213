import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcess } from './processes.ts';

export interface DirectoryLock {
  release(): void;
}

export interface LockHolder {
  pid: number;
  command: string;
}

const waitForWriterMs = 2_000;

/**
 * Marks a directory as used by this process, with a file that names it. Returns the holder instead
 * when a living process has it; the mark of a dead one is replaced.
 */
export function lockDirectory(directory: string): DirectoryLock | LockHolder {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'in-use-by');
  const mine = join(directory, `in-use-by.${randomUUID()}`);
  const token = randomUUID();
  writeFileSync(mine, JSON.stringify({ ...findProcess(process.pid), token }));
  const until = Date.now() + waitForWriterMs;
  try {
    while (!tryLink(mine, path)) {
      const holder = readHolder(path);
      if (holder && isHeld(holder)) return holder;
      // Moved aside first: of two that find the same dead mark, one replaces it.
      if (holder) setAside(path, holder);
      if (Date.now() > until) return holder ?? { pid: 0, command: 'unknown' };
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    release() {
      if (readHolder(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

/** The living process that has marked a directory as used, if there is one. */
export function findHolder(directory: string): LockHolder | undefined {
  const mark = readHolder(join(directory, 'in-use-by'));
  return mark && isHeld(mark) ? mark : undefined;
}

interface Mark extends LockHolder {
  startedAt: string;
  token: string;
}

function isHeld({ pid, startedAt }: Mark): boolean {
  return findProcess(pid)?.startedAt === startedAt;
}

function setAside(path: string, seen: Mark) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const taken = readHolder(aside);
  if (taken && taken.token !== seen.token) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function readHolder(path: string): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof mark !== 'object' || mark === null) return undefined;
    const read = (name: string): unknown => Reflect.get(mark, name);
    return {
      pid: Number(read('pid')),
      command: String(read('command')),
      startedAt: String(read('startedAt')),
      token: String(read('token')),
    };
  } catch {
    return undefined;
  }
}
