import type { UploadFormat } from '../batch/uploads/upload.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const comma = 0x2c;

/** A record without its line end, by its place in the bytes that it was found in. */
export interface RecordRange {
  start: number;
  end: number;
  /** Where the next record begins. */
  next: number;
}

/**
 * Yields the records that end within the bytes; the first begins at `from`. Lines end in LF or
 * CRLF, and empty lines are skipped. The bytes after the last `next` are the beginning of an
 * unfinished record, unless `isLast` is set. In CSV a line end within quotes belongs to the record
 * (RFC 4180); a quote counts only at the beginning of a cell.
 */
export function* findRecords(
  bytes: Buffer,
  format: UploadFormat,
  { from = 0, isLast = false } = {},
): Generator<RecordRange> {
  const never = bytes.length;
  const indexOf = (byte: number, at: number) => {
    const found = bytes.indexOf(byte, at);
    return found < 0 ? never : found;
  };
  let nextQuote = format === 'csv' ? indexOf(quote, from) : never;
  for (let start = from; start < bytes.length;) {
    let lineEnd = indexOf(newline, start);
    if (nextQuote < lineEnd) {
      lineEnd = endOfQuoted(bytes, start);
      nextQuote = indexOf(quote, lineEnd);
    }
    if (lineEnd >= never && !isLast) return;
    const isCrlf = lineEnd > start && lineEnd < never && bytes[lineEnd - 1] === carriageReturn;
    const end = isCrlf ? lineEnd - 1 : lineEnd;
    const next = Math.min(lineEnd + 1, never);
    if (end > start) yield { start, end, next };
    start = next;
  }
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
