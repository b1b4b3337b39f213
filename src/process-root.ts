/** Starts a process and ends it in order on SIGTERM, SIGINT and SIGHUP; a second signal kills. */
export function runProcess(start: () => Promise<() => Promise<void>>): void {
  let stop: (() => Promise<void>) | undefined;
  let stopping = false;

  const end = (code: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    (stop?.() ?? Promise.resolve()).then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(0);
    });
  }
  start().then(
    (close) => {
      stop = close;
      if (stopping) void close();
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}
