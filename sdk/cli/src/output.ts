/** Results of a command: JSON for programs, text for people. */
export interface Output {
  readonly isJson: boolean;
  /** Lines of columns: those that are named, else the usual ones, whose long texts are cut. */
  rows(rows: readonly object[], columns?: readonly string[]): void;
  /** "name  value" lines. */
  row(row: object): void;
  /** A line for people only. */
  remark(text: string): void;
  /** JSON on one line for each of many results, a line of text for people. */
  event(value: object, text: string): void;
}

const widestCell = 60;
/** Columns of a list that fit in a terminal, in this order. */
const usual = [
  ...['id', 'key', 'kind', 'code', 'name', 'email', 'unique_id', 'operation_kind', 'event_type'],
  ...['channel', 'status', 'is_active', 'processed_count', 'total_count', 'title', 'inserted_at'],
];

/**
 * Text without control characters: names and messages of the service come from strangers, and could
 * change what a terminal shows.
 */
export const forTerminal = (text: string) => text.replaceAll(/(?!\n)\p{Cc}/gu, '\u{fffd}');

/** `asksForJson` is read when a result is written: options are parsed late. */
export function createOutput(
  asksForJson: () => boolean,
  writeLine: (line: string) => void,
): Output {
  const writeJson = (value: unknown) => writeLine(JSON.stringify(value, undefined, 2));
  const write = (line: string) => writeLine(forTerminal(line));
  return {
    get isJson() {
      return asksForJson();
    },
    rows(rows, columns) {
      if (asksForJson()) writeJson(rows);
      else if (rows.length === 0) write('None.');
      else for (const line of layOut(rows, columns)) write(line);
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

function columnsOf(rows: readonly object[]): string[] {
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const found = usual.filter((name) => known.has(name)).slice(0, 7);
  return found.length > 0 ? found : [...known].slice(0, 6);
}

function layOut(rows: readonly object[], named: readonly string[] | undefined): string[] {
  const columns = named ?? columnsOf(rows);
  const fit = named ? (text: string) => text : cut;
  const cells = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return columns.map((name) => fit(textOf(values.get(name))));
  });
  const table = [columns, ...cells];
  const widths = columns.map((_, at) =>
    table.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0),
  );
  return table.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const cut = (text: string) =>
  text.length > widestCell
    ? `${Array.from(text)
        .slice(0, widestCell - 1)
        .join('')}…`
    : text;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.map(textOf).join(' ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
