import { ConfigError } from '../platform/config.ts';
import { DatabaseUnavailable, SchemaMismatch, codeOf } from '../platform/database/failures.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { inSource } from '../platform/observability/source-frames.ts';

/** One line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a command; a failure that the user can fix is printed without a stack, with exit code 1. */
export function runCommand(work: () => Promise<void>): void {
  // The reader of the output, such as `head`, has seen enough.
  process.stdout.on('error', () => process.exit());
  work().catch((error: unknown) => {
    process.exitCode = 1;
    process.stderr.write(`${describe(error)}\n`);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The client of the service has failed, in a command that is a client.
  if (error.name === 'OnwardError') {
    const isAway = codeOf(error) === 'connection_failed';
    return isAway ? `${error.message}\nIs \`npm start\` running?` : error.message;
  }
  const isExpected =
    error instanceof LocalFailure ||
    error instanceof ConfigError ||
    error instanceof DatabaseUnavailable ||
    error instanceof SchemaMismatch ||
    // An unknown option (node:util).
    codeOf(error).startsWith('ERR_PARSE_ARGS');
  if (isExpected) return error.message;
  return (error.stack ?? error.message).split('\n').map(inSource).join('\n');
}
