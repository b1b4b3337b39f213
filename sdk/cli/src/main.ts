#!/usr/bin/env node
import { exitCodeOf, describe } from './failures.ts';
import { forTerminal } from './output.ts';
import { createProgram } from './program.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort());
}
// The reader of the output, such as `head`, has seen enough.
process.stdout.on('error', () => process.exit());

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
    isInteractive: process.stderr.isTTY,
  },
  process.argv.slice(2),
);
program.parseAsync().catch((error: unknown) => {
  process.exitCode = stopping.signal.aborted ? 130 : exitCodeOf(error);
  const text = describe(error, program.opts<{ json?: boolean }>().json ?? false);
  if (text !== '') process.stderr.write(`${forTerminal(text)}\n`);
});
