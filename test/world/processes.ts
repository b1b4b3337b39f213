import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { keep } from '../../src/local/keeper.ts';
import type { KeptProcess } from '../../src/local/keeper.ts';
import { sendSignal } from '../../src/local/processes.ts';
import { comesTrue, mustComeTrue, pause } from './moments.ts';

/** One of our own processes, started again at once whenever it ends. */
export interface Member {
  name: string;
  url: string;
  /** Pid of the current process. */
  readonly pid: number;
  /** When the current process was started, in epoch milliseconds. */
  readonly startedAtMs: number;
  /** Number of unrequested exits after it was ready. */
  deaths(): number;
  kill(): void;
  /** Stands still until it is resumed. */
  pause(): void;
  resume(): void;
  /** Waits until it answers again after a kill. */
  back(): Promise<void>;
  stop(): Promise<void>;
}

export interface MemberOptions {
  name: string;
  /** Such as src/api.ts. */
  entry: string;
  env: Readonly<Record<string, string>>;
  url: string;
  nodeArguments: readonly string[];
  directory: string;
  onNotice: (line: string) => void;
}

/** Work that has grown old is no reason to wait: it is what kills are expected to cause. */
const Up = Type.Object({
  checks: Type.Object({
    postgres: Type.Literal('ok'),
    temporal: Type.Optional(Type.Literal('ok')),
  }),
});
const compiled = Compile(Up);

const Package = Compile(Type.Object({ scripts: Type.Record(Type.String(), Type.String()) }));

/** Arguments of Node.js in the npm script that starts the entry. */
function scriptArguments(entry: string): string[] {
  const { scripts } = Package.Parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const script = Object.values(scripts).find((text) => text.endsWith(` ${entry}`));
  if (script === undefined) throw new Error(`no npm script starts ${entry}`);
  return script.split(' ').slice(1);
}

const readyWithinMs = 90_000;
const restartPauseMs = 250;

/** Starts a process as `npm run server` or `npm run worker` would, and supervises it. */
export async function startMember(options: MemberOptions): Promise<Member> {
  const { name, url, onNotice } = options;
  let current: KeptProcess | undefined;
  let isStopping = false;
  let wasKilled = false;
  let hasAnswered = false;
  let deaths = 0;
  let startedAtMs = 0;

  const start = () =>
    keep({
      command: process.execPath,
      args: [...options.nodeArguments, ...scriptArguments(options.entry)],
      cwd: process.cwd(),
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...options.env },
      logFile: join(options.directory, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: 25_000,
      onLine: () => undefined,
    });

  async function answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetch(`${url}/readyz`, { signal }).catch(() => undefined);
    const report: unknown = await response?.json().catch(() => undefined);
    const isUp = compiled.Check(report);
    if (isUp) hasAnswered = true;
    return isUp;
  }

  async function supervise() {
    while (!isStopping) {
      current = await start();
      startedAtMs = performance.timeOrigin + performance.now();
      const reason = await current.exited;
      if (isStopping) return;
      if (!wasKilled) {
        // A process that starts without Postgres logs it and exits; its supervisor retries.
        if (hasAnswered) deaths += 1;
        onNotice(`${name} ended by itself (${reason})`);
        await pause(restartPauseMs);
      }
      wasKilled = false;
      hasAnswered = false;
    }
  }
  const supervising = supervise();
  const back = () => mustComeTrue(`${name} answers`, answers, readyWithinMs);
  await back();
  return {
    name,
    url,
    get pid() {
      return current?.pid ?? 0;
    },
    get startedAtMs() {
      return startedAtMs;
    },
    deaths: () => deaths,
    back,
    kill() {
      if (!current) return;
      wasKilled = true;
      hasAnswered = false;
      sendSignal(current.pid, 'SIGKILL');
    },
    pause() {
      if (current) sendSignal(current.pid, 'SIGSTOP');
    },
    resume() {
      if (current) sendSignal(current.pid, 'SIGCONT');
    },
    async stop() {
      isStopping = true;
      await comesTrue(() => current !== undefined, 5_000);
      await current?.stop();
      await supervising;
    },
  };
}
