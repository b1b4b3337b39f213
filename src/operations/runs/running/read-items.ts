import type { Database } from '../../../platform/database/client.ts';
import type { Operation } from '../../operation-type.ts';
import { findKept } from '../../uploads/queries.ts';
import type { UploadRow } from '../../uploads/queries.ts';
import { openUpload, readChunk } from '../../uploads/read-upload.ts';
import type { UploadReader } from '../../uploads/read-upload.ts';
import type { StoredRun } from '../queries.ts';
import { maxTransactionalItems } from '../rules.ts';
import { badRecord } from './bad-record.ts';
import { findChunk, listFailedInputs } from './queries.ts';
import type { Chunk } from './queries.ts';

/** Items of a run that are applied together, with the place behind them. */
export interface ItemChunk {
  firstIndex: number;
  items: readonly unknown[];
  nextIndex: number;
  nextChunk: number;
}

export interface ItemReader {
  /** At most `most` items from the run's place on, or all of them where it is all or nothing. */
  read(run: StoredRun, most: number): Promise<ItemChunk>;
}

interface ReadChunk {
  chunk: Chunk;
  items: readonly unknown[];
}

/** Reads a run's items; the chunk behind the one in use is read while that is applied. */
export function createItemReader(database: Database, operation: Operation | undefined): ItemReader {
  let opened: Promise<OpenUpload> | undefined;
  const chunks = new Map<number, Promise<ReadChunk | undefined>>();

  async function load(run: StoredRun, number: number): Promise<ReadChunk | undefined> {
    const chunk = await database.read((sql) => findChunk(sql, run, number));
    return chunk && { chunk, items: await itemsOf(run, chunk) };
  }

  function chunkOf(run: StoredRun, number: number): Promise<ReadChunk | undefined> {
    const known = chunks.get(number);
    if (known) return known;
    const loading = load(run, number);
    // The caller that awaits it gets the failure; until then it is no unhandled rejection.
    loading.catch(() => undefined);
    chunks.set(number, loading);
    return loading;
  }

  return {
    async read(run, most) {
      const { next_chunk: number, next_index: index } = run;
      for (const old of chunks.keys()) if (old < number) chunks.delete(old);
      const found = await chunkOf(run, number);
      if (!found) return { firstIndex: index, items: [], nextIndex: index, nextChunk: number };
      if (run.failure_mode === 'transactional') return readAll(run, found);
      chunkOf(run, number + 1).catch(() => undefined);
      const from = index - found.chunk.first_index;
      const items = found.items.slice(from, from + most);
      const isLast = from + items.length >= found.items.length;
      return {
        firstIndex: index,
        items,
        nextIndex: index + items.length,
        nextChunk: isLast ? number + 1 : number,
      };
    },
  };

  async function readAll(run: StoredRun, first: ReadChunk): Promise<ItemChunk> {
    const items = [...first.items];
    let number = first.chunk.number + 1;
    while (items.length <= maxTransactionalItems) {
      const next = await chunkOf(run, number);
      if (!next) break;
      items.push(...next.items);
      number += 1;
    }
    return { firstIndex: 0, items, nextIndex: items.length, nextChunk: number };
  }

  async function itemsOf(run: StoredRun, chunk: Chunk): Promise<readonly unknown[]> {
    const { input, item_count, byte_offset, byte_length, retry_from, retry_to } = chunk;
    if (byte_offset !== null && byte_length !== null) {
      if (!operation) return [];
      opened ??= open(database, operation, run);
      const { upload, reader } = await opened;
      return database.read((sql) => readChunk(sql, upload, reader, { byte_offset, byte_length }));
    }
    if (input !== null) {
      const items: unknown = JSON.parse(input);
      return isList(items) ? items : [];
    }
    const { retry_of_id: retriedId } = run;
    if (retriedId === null || retry_from === null || retry_to === null) return [];
    const inputs = await database.read((sql) =>
      listFailedInputs(sql, run.team_id, retriedId, retry_from, retry_to),
    );
    // Erased items leave their place empty.
    return Array.from({ length: item_count }, (_, at): unknown => {
      const text = inputs[at];
      return text === undefined ? goneRecord : JSON.parse(text);
    });
  }
}

interface OpenUpload {
  upload: UploadRow;
  reader: UploadReader;
}

function open(database: Database, operation: Operation, run: StoredRun): Promise<OpenUpload> {
  return database.read(async (sql) => {
    const upload = await findKept(sql, run.team_id, run.upload_id ?? '');
    if (!upload) throw new Error('the upload of a run is gone');
    return { upload, reader: await openUpload(sql, upload, operation, run.mapping) };
  });
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const goneRecord = badRecord({ code: 'item_failed', detail: 'The item has been deleted.' });
