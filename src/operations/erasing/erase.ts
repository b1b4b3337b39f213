import { deadlineMs, eraseBySteps } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { Sweep } from '../../contacts/contact-erasures/sweeping/eraser.ts';
import type { IdentitySearch } from '../../contacts/contact-erasures/sweeping/identity.ts';
import type { Database } from '../../platform/database/client.ts';
import { firstId } from '../../platform/database/first-id.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { exportJob } from '../../../workflows/jobs.ts';
import { isInUse, readBytes, removeUpload } from '../uploads/queries.ts';
import {
  eraseExportFilters,
  eraseFileNames,
  eraseItems,
  listUploads,
  listWaitingChunks,
  restartExports,
  writeChunk,
} from './queries.ts';
import type { ChunkPlace } from './queries.ts';

/** Bytes of a file read at a time, and bytes of its end that are read again with the next part. */
const windowBytes = 1_000_000;
const overlapBytes = 1_000;

/** Erases what runs, exports and files have of persons. False where a run still reads a file. */
export async function eraseOperationCopies(sweep: Sweep): Promise<boolean> {
  const { database, persons } = sweep;
  await eraseBySteps(sweep, [eraseFileNames, eraseItems, eraseExportFilters]);
  await takeOutWaiting(sweep);
  await database.transact(
    async (sql) => {
      for (const id of await restartExports(sql, persons))
        await signalJob(sql, exportJob, id, persons.teamId);
    },
    { deadlineMs },
  );
  return eraseUploads(sweep);
}

/**
 * Items that wait in runs and name the person fail: nothing of them is left to be applied. Each chunk
 * is looked at once, as some only seem to name the person, by a word in other letters.
 */
async function takeOutWaiting({ database, persons, search }: Sweep): Promise<void> {
  const empty = (item: unknown) => (search.isIn(JSON.stringify(item)) ? null : item);
  let behind: ChunkPlace = { run_id: firstId, number: -1 };
  for (;;) {
    const from = behind;
    const last = await database.transact(
      async (sql) => {
        const page = await listWaitingChunks(sql, persons, from);
        for (const chunk of page) {
          const items: unknown = JSON.parse(chunk.input);
          const text = isList(items) ? JSON.stringify(items.map(empty)) : chunk.input;
          if (text !== chunk.input) await writeChunk(sql, persons.teamId, chunk, text);
        }
        return page.at(-1);
      },
      { deadlineMs },
    );
    if (!last) return;
    behind = last;
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A file that names the person goes whole, once no operation reads it. */
async function eraseUploads({ database, persons, search }: Sweep): Promise<boolean> {
  const { teamId } = persons;
  let isClean = true;
  for (const { id, size_bytes } of await database.read((sql) => listUploads(sql, teamId))) {
    if (!(await isInFile(database, { teamId, id }, size_bytes, search))) continue;
    const isRemoved = await database.transact(async (sql) => {
      if (await isInUse(sql, { teamId, id })) return false;
      await removeUpload(sql, { teamId, id });
      return true;
    });
    isClean &&= isRemoved;
  }
  return isClean;
}

async function isInFile(
  database: Database,
  key: { teamId: string; id: string },
  sizeBytes: number,
  search: IdentitySearch,
): Promise<boolean> {
  for (let offset = 0; offset < sizeBytes; offset += windowBytes) {
    const from = Math.max(0, offset - overlapBytes);
    const length = Math.min(windowBytes + offset, sizeBytes) - from;
    const bytes = await database.read((sql) => readBytes(sql, key, from, length));
    if (search.isIn(bytes.toString('utf8'))) return true;
  }
  return false;
}
