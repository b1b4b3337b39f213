import { setTimeout as pause } from 'node:timers/promises';
import { keep, type KeptProcess, type ProcessRequest } from './keeper.ts';
import { LocalFailure } from './local-failure.ts';

export interface ServiceOptions extends Omit<ProcessRequest, 'onLine'> {
  /** Name of the server in messages, such as Postgres. */
  name: string;
  readyWithinMs: number;
  /** Resolves once this very server responds. */
  waitUntilReady: (server: StartingServer) => Promise<void>;
  /** A reason, read in the log, to try the first start again shortly. */
  passing?: RegExp;
  /** Receives notices for the operator, such as a restart. */
  onNotice: (line: string) => void;
}

export interface StartingServer {
  readonly pid: number;
  /** Aborted when the server ends or takes too long. */
  readonly signal: AbortSignal;
  /** Whether a line of its output matches. */
  hasPrinted(pattern: RegExp): boolean;
}

export interface Service {
  readonly pid: number;
  stop(): Promise<void>;
}

// The first lines of a crash name its cause, the last ones what it led to.
const maxFirstLines = 20;
const maxLastLines = 20;
const passingTries = 20;
const passingPauseMs = 250;
const maxRestartPauseMs = 5_000;

/**
 * Starts a server and resolves once it responds. If it ends unexpectedly, it is restarted, until
 * `stop`. Rejects with LocalFailure, quoting its log, if the first start fails.
 */
export async function runService(options: ServiceOptions): Promise<Service> {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let current = await startFirst(options);

  async function keepRunning() {
    let pauseMs = 50;
    while (!isStopping()) {
      const startedAt = Date.now();
      const reason = await current.exited;
      if (isStopping()) return;
      if (Date.now() - startedAt > 60_000) pauseMs = 50;
      options.onNotice(`${options.name} ended (${reason}) and is started again`);
      try {
        await pause(pauseMs, undefined, { signal: stopping.signal });
        pauseMs = Math.min(pauseMs * 2, maxRestartPauseMs);
        current = await startOnce(options);
      } catch (error) {
        if (isStopping()) return;
        options.onNotice(error instanceof Error ? error.message : String(error));
      }
    }
  }
  const watching = keepRunning();

  return {
    get pid() {
      return current.pid;
    },
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      // A restart that was under way when the stop came.
      await current.stop();
    },
  };
}

async function startFirst(options: ServiceOptions): Promise<KeptProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      const mayPass = error instanceof Error && options.passing?.test(error.message) === true;
      if (!mayPass || tries === passingTries) throw error;
      await pause(passingPauseMs);
    }
  }
}

async function startOnce(options: ServiceOptions): Promise<KeptProcess> {
  const { name, waitUntilReady, readyWithinMs } = options;
  const lines: string[] = [];
  const kept = await keep({
    ...pickRequest(options),
    onLine(line) {
      lines.push(line);
      if (lines.length > maxFirstLines + maxLastLines) lines.splice(maxFirstLines, 1);
    },
  });
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(readyWithinMs)]);
  const abort = () => gone.abort();
  kept.exited.then(abort, abort);
  try {
    const hasPrinted = (pattern: RegExp) => lines.some((line) => pattern.test(line));
    await waitUntilReady({ pid: kept.pid, signal, hasPrinted });
    return kept;
  } catch (error) {
    const why = gone.signal.aborted
      ? `ended while it started (${await kept.exited})`
      : `did not answer within ${String(readyWithinMs / 1_000)} s`;
    await kept.stop();
    const log = lines.map((line) => `\n  ${line}`).join('');
    throw new LocalFailure(`${name} ${why}. Its log is ${options.logFile}:${log}`, {
      cause: error,
    });
  }
}

/** Only what the keeper's channel can carry. */
function pickRequest(options: ServiceOptions): Omit<ProcessRequest, 'onLine'> {
  const { command, args, cwd, env, uid, gid, logFile, stopSignal, graceMs } = options;
  return {
    command,
    args,
    cwd,
    logFile,
    stopSignal,
    graceMs,
    ...(env && { env }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  };
}
