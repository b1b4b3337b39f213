import type { UploadFormat } from '../batch/uploads/upload.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const comma = 0x2c;
/** Tab, space, Ctrl-Z and NUL. */
const filling = new Set<number | undefined>([0x09, 0x20, 0x1a, 0x00]);

/** A record without its line end, by its place in the bytes that it was found in. */
export interface RecordRange {
  start: number;
  end: number;
  /** Where the next record begins. */
  next: number;
}

/**
 * Yields the records that end within the bytes; the first begins at `from`. Lines end in LF with any
 * number of CR before it (Python writes CR CR LF on Windows), and records without content are
 * skipped. Returns where an unfinished record begins; with `isLast` the end of the bytes ends it. In
 * CSV a line end within quotes belongs to the record (RFC 4180); a quote counts only at the beginning
 * of a cell.
 */
export function* findRecords(
  bytes: Buffer,
  format: UploadFormat,
  { from = 0, isLast = false } = {},
): Generator<RecordRange, number> {
  const never = bytes.length;
  const indexOf = (byte: number, at: number) => {
    const found = bytes.indexOf(byte, at);
    return found < 0 ? never : found;
  };
  let nextQuote = format === 'csv' ? indexOf(quote, from) : never;
  let start = from;
  for (;;) {
    // Faster than to search for the end of each: a file may have millions of empty lines.
    while (bytes[start] === newline) start += 1;
    if (start >= bytes.length) return start;
    let lineEnd = indexOf(newline, start);
    if (nextQuote < lineEnd) {
      lineEnd = endOfQuoted(bytes, start);
      nextQuote = indexOf(quote, lineEnd);
    }
    if (lineEnd >= never && !isLast) return start;
    let end = lineEnd;
    while (end > start && bytes[end - 1] === carriageReturn) end -= 1;
    const next = Math.min(lineEnd + 1, never);
    if (!isBlank(bytes, start, end, format)) yield { start, end, next };
    start = next;
  }
}

/**
 * Whether a record says nothing: spreadsheets write rows of delimiters only, DOS ends a file with
 * Ctrl-Z, and mainframes fill its last block with NUL.
 */
function isBlank(bytes: Buffer, start: number, end: number, format: UploadFormat): boolean {
  let isQuoted = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (format === 'csv' && byte === quote) {
      // Elsewhere than around a cell it is content, or an error.
      const neighbor = isQuoted ? at + 1 : at - 1;
      if (neighbor >= start && neighbor < end && bytes[neighbor] !== comma) return false;
      isQuoted = !isQuoted;
    } else if (byte === comma ? format !== 'csv' || isQuoted : !filling.has(byte)) return false;
  }
  return !isQuoted;
}

/** Place of the line end of a record with quotes; the end of the bytes if there is none. */
function endOfQuoted(bytes: Buffer, start: number): number {
  let isQuoted = false;
  let isCellStart = true;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte !== quote) continue;
      // Two are one that is meant; one ends the cell.
      if (bytes[at + 1] === quote) at += 1;
      else isQuoted = false;
    } else if (byte === newline) {
      return at;
    } else {
      isQuoted = isCellStart && byte === quote;
      isCellStart = byte === comma;
    }
  }
  return bytes.length;
}
