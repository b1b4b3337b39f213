import type { Database } from '../../../platform/database/client.ts';
import { findResult, listResultPieces, readResultPiece, writeResultSize } from './queries.ts';
import type { Credential } from '../access/queries.ts';
import type { ResultRow } from './queries.ts';
import { folders, limits } from '../rules.ts';

/** A result file, which is generated from the results of the items while the client reads it. */
export interface ResultFile {
  sizeBytes: number;
  completedAtMs: number;
  /** At most `length` bytes from `offset`; none beyond the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Place of a piece of the file. */
interface Piece {
  /** Items from this index on; the head of the file has none. */
  index: number | undefined;
  offset: number;
  length: number;
}

/** Lines that are made together. */
const pieceItems = 1_000;
const withinAMinute = { deadlineMs: 60_000 };
const header = 'index,status,id,code,detail\r\n';

/** Opens the result of the newest file of a name; undefined while there is none. */
export async function openResult(
  database: Database,
  credential: Credential,
  uploadName: string,
): Promise<ResultFile | undefined> {
  const paths = Object.keys(folders).map((folder) => `/in/${folder}/${uploadName}`);
  const row = await database.read((sql) =>
    findResult(sql, credential, uploadName, paths, limits.daysShown),
  );
  if (!row) return undefined;
  const { pieces, head, sizeBytes } = await layOut(database, credential.team_id, row);
  let last: { piece: Piece; bytes: Buffer } | undefined;

  async function bytesOf(piece: Piece): Promise<Buffer> {
    const { index } = piece;
    if (index === undefined) return head;
    if (last?.piece !== piece) {
      const text = await database.read((sql) =>
        readResultPiece(
          sql,
          credential.team_id,
          row?.batch_operation_id ?? null,
          index,
          pieceItems,
        ),
      );
      last = { piece, bytes: Buffer.from(text) };
    }
    return last.bytes;
  }

  return {
    sizeBytes,
    completedAtMs: Date.parse(row.completed_at),
    async read(offset, length) {
      const parts: Buffer[] = [];
      for (const piece of pieces) {
        const from = Math.max(offset, piece.offset) - piece.offset;
        const to = Math.min(offset + length, piece.offset + piece.length) - piece.offset;
        if (from < to) parts.push((await bytesOf(piece)).subarray(from, to));
      }
      return Buffer.concat(parts);
    },
  };
}

/** The size of a result; it never changes, so it is stored once it is known. */
export async function sizeOfResult(
  database: Database,
  credential: Credential,
  row: ResultRow,
): Promise<number> {
  if (row.result_size_bytes !== null) return row.result_size_bytes;
  const { sizeBytes } = await layOut(database, credential.team_id, row);
  await database.read((sql) => writeResultSize(sql, credential.team_id, row.id, sizeBytes));
  return sizeBytes;
}

async function layOut(database: Database, teamId: string, row: ResultRow) {
  const head = Buffer.from(header + headOf(row));
  const found = await database.read(
    (sql) => listResultPieces(sql, teamId, row.batch_operation_id, pieceItems),
    withinAMinute,
  );
  const pieces: Piece[] = [{ index: undefined, offset: 0, length: head.length }];
  let offset = head.length;
  for (const { index, length } of found) {
    pieces.push({ index, offset, length });
    offset += length;
  }
  return { pieces, head, sizeBytes: offset };
}

/** Why the file as a whole was not imported, or a warning, as a line without an index. */
function headOf({ status, error_code, error_detail }: ResultRow): string {
  if (error_code === null) return '';
  return `,${status === 'failed' ? 'failed' : 'warning'},,${error_code},${quoted(error_detail ?? '')}\r\n`;
}

const quoted = (text: string) => `"${guarded(text).replaceAll('"', '""')}"`;

/** Spreadsheets run what begins so. */
const guarded = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
