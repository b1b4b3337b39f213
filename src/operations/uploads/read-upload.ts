import { isUtf8 } from 'node:buffer';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Operation } from '../operation-type.ts';
import { listObjectiveKeys } from '../../campaigns/objectives/queries.ts';
import { readCells } from './cells.ts';
import { readHeader } from './header.ts';
import type { ItemReader } from './header.ts';
import type { Mapping } from './mapping.ts';
import { maxRecordBytes } from './split-into-chunks.ts';
import type { PlannedChunk } from './split-into-chunks.ts';
import { findUploadToUse, readBytes } from './queries.ts';
import type { UploadRow } from './queries.ts';
import { readCsvItems, readNdjsonItems } from './read-items.ts';
import { findRecords } from './records.ts';
import { trimCell } from './trim-cell.ts';

/** Reader of the records of a file. */
export interface UploadReader {
  /** Place of the first record. */
  dataOffset: number;
  /** The items of complete records, with a bad record for each that cannot be read. */
  readItems(bytes: Buffer): unknown[];
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the head of a file. Throws 422 with all reasons why the operation cannot read it. */
export async function openUpload(
  sql: Sql,
  upload: UploadRow,
  operation: Operation,
  mapping: Mapping | null,
): Promise<UploadReader> {
  const key = { teamId: upload.team_id, id: upload.id };
  const bytes = await readBytes(sql, key, 0, maxRecordBytes);
  const from = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  if (upload.format === 'ndjson') {
    if (!mapping) return { dataOffset: from, readItems: readNdjsonItems };
    throw unreadable(
      'mapping',
      'mapping and consent_columns are for columns, and NDJSON has none.',
    );
  }
  const isLast = bytes.length >= upload.size_bytes;
  const head = firstRecord(bytes, { from, isLast });
  if (!head) {
    throw isLast
      ? unreadable('header', 'The file is empty; its first record names the columns.')
      : unreadable('header', 'The first record, which names the columns, has no end.');
  }
  const line = bytes.subarray(head.start, head.end);
  if (!isUtf8(line) || line.includes(0)) {
    throw unreadable('encoding', 'The file must be UTF-8.');
  }
  const [cells] = readCells([line.toString('utf8')]);
  if (!cells) throw unreadable('quotes', 'The quotes of the first record are not balanced.');
  // Some programs end every record with a delimiter.
  const header = cells.slice(0, cells.findLastIndex((name) => trimCell(name) !== '') + 1);
  // Columns may be named for them.
  const keys =
    'objectives' in operation.input.properties ? await keysOf(sql, upload) : new Set<string>();
  const read: ItemReader = readHeader(operation, header, mapping ?? {}, keys);
  return { dataOffset: head.next, readItems: (data) => readCsvItems(data, header.length, read) };
}

/**
 * Checks before a run that its file exists and that its columns are those of the operation. The
 * file then stays until the end of the transaction. Throws 422 with all problems.
 */
export async function checkUpload(
  sql: Sql,
  teamId: string,
  id: string,
  operation: Operation,
  mapping: Mapping | undefined,
): Promise<void> {
  const upload = await findUploadToUse(sql, teamId, id);
  if (!upload) {
    throw fail('validation_failed', {
      detail: 'upload_id is not an upload of the team, or the upload has expired.',
      meta: { pointer: '/upload_id', rule: 'reference_not_found' },
    });
  }
  await openUpload(sql, upload, operation, mapping ?? null);
}

/** The items of a chunk, with a bad record for each that cannot be read. */
export async function readChunk(
  sql: Sql,
  upload: UploadRow,
  reader: UploadReader,
  { byte_offset, byte_length }: Pick<PlannedChunk, 'byte_offset' | 'byte_length'>,
): Promise<unknown[]> {
  const key = { teamId: upload.team_id, id: upload.id };
  return reader.readItems(await readBytes(sql, key, byte_offset, byte_length));
}

async function keysOf(sql: Sql, { team_id }: UploadRow): Promise<Set<string>> {
  return new Set(await listObjectiveKeys(sql, team_id));
}

function firstRecord(bytes: Buffer, where: { from: number; isLast: boolean }) {
  for (const record of findRecords(bytes, 'csv', where)) return record;
  return undefined;
}

function unreadable(rule: string, detail: string) {
  return fail('upload_unreadable', { detail, meta: { pointer: '/upload_id', rule } });
}
