import { isUtf8 } from 'node:buffer';
import { HttpError } from '../../platform/http/errors.ts';
import { parseJson } from '../../platform/http/json.ts';
import { badRecord } from '../runs/running/bad-record.ts';
import type { BadRecord } from '../runs/running/bad-record.ts';
import { readCells } from './cells.ts';
import type { ItemReader } from './header.ts';
import { findRecords } from './records.ts';
import { hasHiddenEnds, trimCell } from './trim-cell.ts';

const unreadable = (rule: string, detail: string) =>
  badRecord({ code: 'record_unreadable', detail, meta: { pointer: '', rule } });

const notUtf8 = unreadable('encoding', 'The record is not valid UTF-8.');
const notStorable = unreadable('characters', 'The record contains NUL.');
const notEnded = unreadable(
  'line_end',
  'The record contains CR outside quotes; lines end in LF or CRLF.',
);
const notQuoted = unreadable(
  'quotes',
  'The quotes of the record are not balanced: cells with quotes stand in quotes, with each doubled.',
);

/** The items of complete records of CSV, with a bad record for each that cannot be read. */
export function readCsvItems(bytes: Buffer, width: number, read: ItemReader): unknown[] {
  const isClean = isUtf8(bytes);
  const texts: string[] = [];
  const bad: (BadRecord | undefined)[] = [];
  for (const { start, end } of findRecords(bytes, 'csv', { isLast: true })) {
    const text = bytes.toString('utf8', start, end);
    if (!isClean && !isUtf8(bytes.subarray(start, end))) bad.push(notUtf8);
    else if (text.includes('\0')) bad.push(notStorable);
    else if (hasBareReturn(text)) bad.push(notEnded);
    else bad.push(undefined);
    texts.push(text);
  }
  return readCells(texts).map((cells, at) => {
    if (bad[at]) return bad[at];
    if (!cells) return notQuoted;
    // Delimiters at the end of a record say nothing; too few may be a file that was cut off.
    const isLonger = cells.length > width && cells.slice(width).every((cell) => cell === '');
    if (cells.length === width || isLonger) return orBadRecord(() => read(cells.map(contentOf)));
    return unreadable(
      'width',
      `The record has ${String(cells.length)} cells, the header ${String(width)}.`,
    );
  });
}

function hasBareReturn(text: string): boolean {
  return text.includes('\r') && text.replace(/"[^"]*"/g, '').includes('\r');
}

/**
 * Exports put what a spreadsheet would take for a formula behind an apostrophe, and a text that
 * would be trimmed between two (the function `csv_cell` of the database).
 */
function contentOf(cell: string): string {
  const content = trimCell(cell);
  if (!content.startsWith("'")) return content;
  const inner = content.endsWith("'") ? content.slice(1, -1) : '';
  if (hasHiddenEnds(inner)) return inner;
  return /^'+[=+\-@\t\r]/.test(content) ? content.slice(1) : content;
}

/** The same for NDJSON: a line is what the body of a request is elsewhere. */
export function readNdjsonItems(bytes: Buffer): unknown[] {
  return [...findRecords(bytes, 'ndjson', { isLast: true })].map(({ start, end }) =>
    orBadRecord(() => parseJson(bytes.subarray(start, end))),
  );
}

/** An error in one record is a result of that record, not of the file. */
function orBadRecord(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof HttpError) return badRecord(...error.problems);
    throw error;
  }
}
