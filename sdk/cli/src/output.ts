import { cut, pad, widthOf } from './width.ts';

/** A column of a table: its title, and where its value is, the first place that has one. */
interface Column {
  title: string;
  paths: readonly (readonly string[])[];
}

/** A column as `title=a.b|c` writes it. */
export function readColumn(text: string): Column {
  const [title = '', places = title] = text.split('=');
  const paths = places.split('|').map((path) => path.split('.'));
  return { title: title.replace(/\|.*/, ''), paths };
}

/** Results of a command: JSON for programs, text for people. */
export interface Output {
  readonly isJson: boolean;
  /** A table of these columns (`title=path|path`), within the width of a terminal. */
  rows(rows: readonly object[], columns: readonly string[]): void;
  /** "name  value" lines. */
  row(row: object): void;
  /** A line for people only. */
  remark(text: string): void;
  /** JSON on one line for each of many results, a line of text for people. */
  event(value: object, text: string): void;
}

const widestCell = 60;
const narrowestCell = 10;

/**
 * Text without control characters: names and messages of the service come from strangers, and could
 * change what a terminal shows.
 */
export const forTerminal = (text: string) => text.replaceAll(/(?!\n)\p{Cc}/gu, '\u{fffd}');

interface Target {
  /** Columns of the terminal; undefined where the output goes to a file or a program. */
  columns?: number | undefined;
  /** Writes a line that is no result. */
  note?(line: string): void;
}

/** `asksForJson` is read when a result is written: options are parsed late. */
export function createOutput(
  asksForJson: () => boolean,
  writeLine: (line: string) => void,
  { columns: terminalWidth, note = writeLine }: Target = {},
): Output {
  const writeJson = (value: unknown) => writeLine(JSON.stringify(value, undefined, 2));
  const write = (line: string) => writeLine(forTerminal(line));
  return {
    get isJson() {
      return asksForJson();
    },
    rows(rows, columns) {
      if (asksForJson()) writeJson(rows);
      // Programs that count lines count rows.
      else if (rows.length === 0) note('None.');
      else for (const line of layOut(rows, columns.map(readColumn), terminalWidth)) write(line);
    },
    row(row) {
      if (asksForJson()) {
        writeJson(row);
        return;
      }
      const entries = Object.entries(row);
      const width = Math.max(0, ...entries.map(([name]) => name.length));
      for (const [name, value] of entries) write(`${name.padEnd(width)}  ${textOf(value)}`);
    },
    remark(text) {
      if (!asksForJson()) write(text);
    },
    event(value, text) {
      if (asksForJson()) writeLine(JSON.stringify(value));
      else write(text);
    },
  };
}

function layOut(
  rows: readonly object[],
  columns: readonly Column[],
  terminalWidth: number | undefined,
): string[] {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map((column) => cellOf(row, column)));
  const table = [titles, ...cells];
  const natural = columns.map((_, at) => Math.max(...table.map((line) => widthOf(line[at] ?? ''))));
  // A file or a program gets each value as a whole.
  const widths = terminalWidth === undefined ? natural : fit(natural, terminalWidth, cells);
  return table.map((line) =>
    line
      .map((cell, at) => pad(cut(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Widths that fit: the widest column gives first, and ids stay whole, since people copy them. */
function fit(natural: readonly number[], available: number, cells: readonly string[][]): number[] {
  const isWhole = natural.map((_, at) => cells.every((line) => isId(line[at] ?? '')));
  const widths = natural.map((width, at) => (isWhole[at] ? width : Math.min(width, widestCell)));
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > available) {
    const flexible = widths.map((width, at) => (isWhole[at] ? 0 : width));
    const widest = Math.max(...flexible);
    if (widest <= narrowestCell) break;
    widths[flexible.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const isId = (cell: string) => /^(-|[\da-f]{8}-[\da-f-]{27})$/.test(cell);

function cellOf(row: object, { paths }: Column): string {
  const values = paths.map((path) => path.reduce<unknown>(valueIn, row));
  return textOf(values.find((value) => value !== null && value !== undefined)).replaceAll(
    /\s*\n\s*/g,
    ' ',
  );
}

function valueIn(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  return Object.entries(from).find(([known]) => known === name)?.[1];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? '-' : value.map(textOf).join(' ');
  }
  if (typeof value === 'string') {
    // Milliseconds make columns wide.
    return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1Z');
  }
  return JSON.stringify(value);
}
