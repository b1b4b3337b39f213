import { ConfigError } from '../platform/config.ts';
import { DatabaseUnavailable, codeOf } from '../platform/database/failures.ts';
import { LocalFailure } from '../local/local-failure.ts';

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
  const isExpected =
    error instanceof LocalFailure ||
    error instanceof ConfigError ||
    error instanceof DatabaseUnavailable ||
    // An unknown option (node:util).
    codeOf(error).startsWith('ERR_PARSE_ARGS');
  return isExpected ? error.message : (error.stack ?? error.message);
}

export type Row = Readonly<Record<string, unknown>>;

/** Output of the results of a command: JSON for programs, text for people. */
export interface Output {
  /** Lines of columns; `columns` names those that people see. */
  rows(rows: readonly Row[], columns: readonly string[]): void;
  /** "name  value" lines. */
  row(row: Row): void;
  /** For people only. */
  remark(text: string): void;
}

export function createOutput(isJson: () => boolean, write: (line: string) => void = print): Output {
  const writeJson = (value: unknown) => write(JSON.stringify(value, undefined, 2));
  return {
    rows(rows, columns) {
      if (isJson()) writeJson(rows);
      else if (rows.length === 0) write('None.');
      else for (const line of layOut(rows, columns)) write(line);
    },
    row(row) {
      if (isJson()) {
        writeJson(row);
        return;
      }
      const width = Math.max(...Object.keys(row).map((name) => name.length));
      for (const [name, value] of Object.entries(row)) {
        write(`${name.padEnd(width)}  ${textOf(value)}`);
      }
    },
    remark(text) {
      if (!isJson()) write(text);
    },
  };
}

function layOut(rows: readonly Row[], columns: readonly string[]): string[] {
  const table = [columns, ...rows.map((row) => columns.map((name) => textOf(row[name])))];
  const widths = columns.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0)));
  return table.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
