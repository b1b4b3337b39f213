import { parse } from 'csv-parse/sync';

/**
 * The cells of each record; undefined for one that violates RFC 4180. A record without quotes is
 * split at its commas. Those with quotes are parsed by the library together, or one by one after an
 * error.
 */
export function readCells(records: readonly string[]): (readonly string[] | undefined)[] {
  const quoted = records.filter((record) => record.includes('"'));
  const parsed = quoted.length > 0 ? parseQuoted(quoted) : [];
  let at = 0;
  return records.map((record) => (record.includes('"') ? parsed[at++] : record.split(',')));
}

function parseQuoted(records: readonly string[]): (readonly string[] | undefined)[] {
  const together = parseAll(records.join('\r\n'));
  if (together?.length === records.length) return together;
  return records.map((record) => {
    const [only, ...more] = parseAll(record) ?? [];
    return more.length === 0 ? only : undefined;
  });
}

function parseAll(text: string): string[][] | undefined {
  try {
    return parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true });
  } catch {
    return undefined;
  }
}
