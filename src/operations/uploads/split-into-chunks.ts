import type { UploadFormat } from '../batch/uploads/upload.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { readBytes } from './queries.ts';
import type { UploadRow } from './queries.ts';
import { findRecords } from './records.ts';

/** Records of a file that are read, and applied, together. */
export interface PlannedChunk {
  first_index: number;
  item_count: number;
  byte_offset: number;
  byte_length: number;
}

/** Progress of reading a file: the end of a record. */
export interface Place {
  offset: number;
  index: number;
}

/** Limit of one record. A longer one is most often an unclosed quote. */
export const maxRecordBytes = 256_000;
const chunkRecords = 500;
const windowBytes = 4_000_000;
/** Most empty lines in a row, which a spreadsheet writes for all its rows. */
const maxBlankBytes = 64_000_000;

/**
 * Finds the chunks of the next few megabytes, the most that is in memory; `isWhole` is true for the
 * last ones. A caller that stops can continue after the last chunk. Throws 422.
 */
export async function planWindow(
  sql: Sql,
  upload: UploadRow,
  from: Place,
): Promise<{ chunks: PlannedChunk[]; isWhole: boolean }> {
  const key = { teamId: upload.team_id, id: upload.id };
  let { offset } = from;
  while (offset <= from.offset + maxBlankBytes) {
    const bytes = await readBytes(sql, key, offset, windowBytes);
    const isLast = offset + bytes.length >= upload.size_bytes;
    const { chunks, end } = chunksOf(bytes, upload.format, { ...from, offset }, isLast);
    if (isLast || chunks.length > 0) return { chunks, isWhole: isLast };
    offset = end;
  }
  throw fail('upload_unreadable', {
    detail: `More than ${String(maxBlankBytes)} bytes of empty lines follow each other.`,
    meta: { pointer: '/upload_id', rule: 'empty_lines', limit_bytes: maxBlankBytes },
  });
}

/**
 * The chunks in the bytes, and where the unfinished record after them begins; the last chunk is short
 * only if it is the only one or the file ends.
 */
export function chunksOf(
  bytes: Buffer,
  format: UploadFormat,
  { offset, index }: Place,
  isLast: boolean,
): { chunks: PlannedChunk[]; end: number } {
  const chunks: PlannedChunk[] = [];
  let start = 0;
  let count = 0;
  let next = 0;
  const close = () => {
    const first_index = (chunks.at(-1)?.first_index ?? index) + (chunks.at(-1)?.item_count ?? 0);
    chunks.push({
      first_index,
      item_count: count,
      byte_offset: offset + start,
      byte_length: next - start,
    });
    start = next;
    count = 0;
  };
  let found = index;
  const records = findRecords(bytes, format, { isLast });
  let step = records.next();
  for (; !step.done; step = records.next()) {
    checkLength(step.value.end - step.value.start, found);
    found += 1;
    next = step.value.next;
    count += 1;
    if (count === chunkRecords) close();
  }
  checkLength(bytes.length - step.value, found);
  if (count > 0 && (isLast || chunks.length === 0)) close();
  return { chunks, end: offset + step.value };
}

function checkLength(bytes: number, index: number): void {
  if (bytes <= maxRecordBytes) return;
  throw fail('upload_unreadable', {
    detail: `The record at index ${String(index)} is longer than ${String(maxRecordBytes)} bytes; a quote may not be closed.`,
    meta: { pointer: '/upload_id', rule: 'record_length', index, limit_bytes: maxRecordBytes },
  });
}
