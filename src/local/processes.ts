import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProcessInfo {
  pid: number;
  parent: number;
  /** Distinguishes two processes that had the same id, one after the other. */
  startedAt: string;
  command: string;
}

const hasProc = existsSync('/proc/self/stat');
const psColumns = 'pid=,ppid=,stat=,lstart=,command=';

/** Every process that can be seen, without zombies: from /proc, or from `ps` where there is none. */
export function listProcesses(): ProcessInfo[] {
  if (!hasProc) return parsePs(runPs(['-axo', psColumns]));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProc(Number(name)) ?? []);
}

export function findProcess(pid: number): ProcessInfo | undefined {
  if (hasProc) return readProc(pid);
  return parsePs(runPs(['-o', psColumns, '-p', String(pid)]))[0];
}

export function isAlive(pid: number): boolean {
  return findProcess(pid) !== undefined;
}

/** Sends each signal in turn while the process is alive, and waits `waitMs` after each. */
export async function stopProcess(
  pid: number,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isAlive(pid)) return;
    sendSignal(pid, signal);
    const until = Date.now() + waitMs;
    while (isAlive(pid) && Date.now() < until) await pause(20);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in between.
  }
}

function readProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    // The name in parentheses may hold anything, so fields count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent = ''] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const text = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8');
    const command = text.replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), startedAt: fields[19] ?? '', command };
  } catch {
    return undefined;
  }
}

function runPs(options: readonly string[]): string {
  try {
    return execFileSync('/bin/ps', options, { encoding: 'utf8', env: { LC_ALL: 'C' } });
  } catch {
    // `ps -p` exits with 1 when there is no such process.
    return '';
  }
}

function parsePs(text: string): ProcessInfo[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, state, ...rest] = line.trim().split(/\s+/);
    if (!pid || !parent || rest.length < 6 || state?.startsWith('Z')) return [];
    // lstart is five words: Sat Nov 21 12:34:56 2026
    const startedAt = rest.slice(0, 5).join(' ');
    return [
      { pid: Number(pid), parent: Number(parent), startedAt, command: rest.slice(5).join(' ') },
    ];
  });
}
