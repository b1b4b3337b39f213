import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LocalFailure } from './local-failure.ts';
import { stopProcess } from './processes.ts';

export interface ProcessRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the process; absent: that of this one. */
  env?: Readonly<Record<string, string>>;
  uid?: number;
  gid?: number;
  logFile: string;
  /** The signal for an orderly shutdown; SIGKILL follows after `graceMs`. */
  stopSignal: NodeJS.Signals;
  graceMs: number;
  onLine: (line: string) => void;
}

export interface KeptProcess {
  pid: number;
  /** Resolves with the reason after the process has ended; never rejects. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

interface Entry {
  keeper: ChildProcess;
  pid: number | undefined;
  stopSignal: NodeJS.Signals;
  graceMs: number;
  onLine: (line: string) => void;
  onStarted: (pid: number) => void;
  onFailed: (reason: string) => void;
  onExited: (reason: string) => void;
}

const script = fileURLToPath(new URL('keeper.mjs', import.meta.url));
const small = ['--max-old-space-size=32', '--max-semi-space-size=1'];

/** One keeper for all that this process runs, alive as long as there is something to keep. */
let keeper: ChildProcess | undefined;
let lastId = 0;
const entries = new Map<number, Entry>();

/**
 * Runs a program that does not outlive this process, however this process ends. Rejects with
 * LocalFailure when it cannot be started.
 */
export async function keep(request: ProcessRequest): Promise<KeptProcess> {
  const { onLine, ...plain } = request;
  const { stopSignal, graceMs } = request;
  const via = (keeper ??= openKeeper());
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    let onExited: (reason: string) => void;
    const exited = new Promise<string>((settle) => {
      onExited = settle;
    });
    entries.set(id, {
      keeper: via,
      pid: undefined,
      stopSignal,
      graceMs,
      onLine,
      onStarted(pid) {
        const stop = async () => {
          if (entries.has(id) && via.connected) via.send({ type: 'stop', id });
          await exited;
        };
        resolve({ pid, exited, stop });
      },
      onFailed(reason) {
        reject(new LocalFailure(`${request.command} cannot be started: ${reason}`));
      },
      onExited(reason) {
        onExited(reason);
      },
    });
    via.send({ type: 'start', id, ...plain });
  });
}

function openKeeper(): ChildProcess {
  // Not `process.execArgv`: loaders and inspectors of this process are not for the keeper.
  const child = fork(script, [], { detached: true, execArgv: small, stdio: 'ignore' });
  child.on('message', (message) => {
    receive(child, message);
  });
  // A message to a keeper that was just killed; its exit settles what waits for an answer.
  child.on('error', () => undefined);
  child.once('exit', () => {
    if (keeper === child) keeper = undefined;
    takeOver(child).catch(() => undefined);
  });
  return child;
}

function receive(from: ChildProcess, message: unknown) {
  if (typeof message !== 'object' || message === null) return;
  const read = (name: string): unknown => Reflect.get(message, name);
  const id = Number(read('id'));
  const entry = entries.get(id);
  if (!entry) return;
  switch (read('type')) {
    case 'line':
      entry.onLine(String(read('line')));
      return;
    case 'started':
      entry.pid = Number(read('pid'));
      entry.onStarted(entry.pid);
      return;
    case 'failed':
      entries.delete(id);
      entry.onFailed(String(read('reason')));
      break;
    case 'exited':
      entries.delete(id);
      entry.onExited(String(read('reason')));
      break;
  }
  if (entries.size === 0 && keeper === from) {
    keeper = undefined;
    from.disconnect();
  }
}

/** The keeper itself was killed: its processes are stopped from here. */
async function takeOver(from: ChildProcess) {
  const orphans = [...entries].filter(([, entry]) => entry.keeper === from);
  for (const [id] of orphans) entries.delete(id);
  await Promise.all(
    orphans.map(async ([, { pid, stopSignal, graceMs, onFailed, onExited }]) => {
      if (pid === undefined) {
        onFailed('its keeper was killed');
        return;
      }
      await stopProcess(pid, [
        { signal: stopSignal, waitMs: graceMs },
        { signal: 'SIGKILL', waitMs: 5_000 },
      ]);
      onExited('its keeper was killed');
    }),
  );
}
