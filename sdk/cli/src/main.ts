#!/usr/bin/env node
import { exitCodeOf, describe } from './failures.ts';
import { forTerminal } from './output.ts';
import { createProgram } from './program.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort());
}
/** The reader of a pipe, such as `head`, has seen enough; other failures lose results. */
function endOf(error: Error & { code?: string }): void {
  if (error.code === 'EPIPE') process.exit();
  process.exitCode = 1;
  if (!process.stderr.errored)
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit();
}
process.stdout.on('error', endOf);
process.stderr.on('error', endOf);

const program = createProgram(
  {
    write: (line) => process.stdout.write(`${line}\n`),
    async writeBytes(bytes) {
      await new Promise<void>((resolve) => {
        process.stdout.write(bytes, () => resolve());
      });
    },
    note: (line) => process.stderr.write(`${line}\n`),
    signal: stopping.signal,
    environment: process.env,
    // A terminal that cannot go back in a line gets a line for each step.
    isInteractive: process.stderr.isTTY && process.env['TERM'] !== 'dumb',
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  },
  process.argv.slice(2),
);
program.parseAsync().catch((error: unknown) => {
  process.exitCode = stopping.signal.aborted ? 130 : exitCodeOf(error);
  if (stopping.signal.aborted) return;
  const text = describe(error, program.opts<{ json?: boolean }>().json ?? false);
  if (text !== '') process.stderr.write(`${forTerminal(text)}\n`);
});
