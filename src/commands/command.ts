import { ConfigError } from '../config.ts';
import { DatabaseUnavailable, codeOf } from '../database/failures.ts';
import { LocalFailure } from '../local/local-failure.ts';

/** One line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a command; what the user can mend is said without a stack, and the exit code is 1 then. */
export function runCommand(work: () => Promise<void>): void {
  // Whoever reads the output, such as `head`, has seen enough.
  process.stdout.on('error', () => process.exit());
  work().catch((error: unknown) => {
    process.exitCode = 1;
    process.stderr.write(`${describe(error)}\n`);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected =
    error instanceof LocalFailure ||
    error instanceof ConfigError ||
    error instanceof DatabaseUnavailable ||
    // An unknown option (node:util).
    codeOf(error).startsWith('ERR_PARSE_ARGS');
  return isExpected ? error.message : (error.stack ?? error.message);
}

export type Row = Readonly<Record<string, unknown>>;

/** Rows as JSON, or as columns for people; `columns` names those that people see. */
export function printRows(rows: readonly Row[], columns: readonly string[], json: boolean): void {
  if (json) {
    print(JSON.stringify(rows, undefined, 2));
    return;
  }
  if (rows.length === 0) {
    print('None.');
    return;
  }
  const table = [columns, ...rows.map((row) => columns.map((name) => textOf(row[name])))];
  const widths = columns.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0)));
  for (const line of table) {
    print(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** One row as JSON, or as "name  value" lines. */
export function printRow(row: Row, json: boolean): void {
  if (json) {
    print(JSON.stringify(row, undefined, 2));
    return;
  }
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  for (const [name, value] of Object.entries(row)) print(`${name.padEnd(width)}  ${textOf(value)}`);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
