import { describeError } from '../platform/observability/log.ts';

/** Below npm, Ctrl-C arrives twice at once: from the terminal and from npm. */
const sameSignalMs = 500;

/**
 * Starts a process and ends it in order on SIGTERM, SIGINT and SIGHUP, or when it calls `end`
 * itself; a later second signal kills.
 */
export function runProcess(start: (end: () => void) => Promise<() => Promise<void>>): void {
  let stop: (() => Promise<void>) | undefined;
  let stoppingSinceMs: number | undefined;

  function end() {
    if (stoppingSinceMs !== undefined) return;
    stoppingSinceMs = performance.now();
    (stop?.() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSinceMs === undefined) end();
      else if (performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
    });
  }
  // Node would print the whole error, with the values that a driver quotes.
  process.on('uncaughtException', (error) => {
    const line = { level: 'fatal', msg: 'the process fails', err: describeError(error) };
    process.stderr.write(`${JSON.stringify(line)}\n`, () => process.exit(1));
  });
  start(end).then(
    (close) => {
      stop = close;
      if (stoppingSinceMs !== undefined) close().catch(() => process.exit(1));
    },
    (error: unknown) => {
      process.stderr.write(`${describe(error)}\n`);
      process.exit(1);
    },
  );
}

/** With the causes, such as the fault in the certificate of Postgres. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
