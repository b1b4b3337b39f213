import type { Database } from '../../../platform/database/client.ts';
import { HttpError } from '../../../platform/http/errors.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import type { Operation } from '../../operation-type.ts';
import { planWindow } from '../../uploads/split-into-chunks.ts';
import type { PlannedChunk } from '../../uploads/split-into-chunks.ts';
import { findKept } from '../../uploads/queries.ts';
import { openUpload } from '../../uploads/read-upload.ts';
import { finishRun } from '../finish.ts';
import type { StoredRun } from '../queries.ts';
import { after, maxTransactionalItems, maxUploadItems } from '../rules.ts';
import type { Lease } from './apply-chunk.ts';
import { findLastChunk, insertPlanned, lockHeldRun, startPlanned } from './queries.ts';
import { shorten } from '../../../platform/cut-text.ts';

/** Content of the next part of a file. */
type Found = { chunks: readonly PlannedChunk[]; isWhole: boolean } | { refusal: Problem };

/**
 * Reads the next few megabytes of the file of a run, and stores the places of its items. The number
 * of items is known at the end of the file. A later worker continues after the last chunk. Returns
 * undefined if the run has ended or another worker has claimed it.
 */
export async function planChunk(
  database: Database,
  operation: Operation,
  lease: Lease,
  run: StoredRun,
): Promise<StoredRun | undefined> {
  const last = await database.read((sql) => findLastChunk(sql, run));
  const firstNumber = last ? last.number + 1 : 0;
  const found = await read(database, operation, run, last);
  return database.transact(async (sql) => {
    const held = await lockHeldRun(sql, lease);
    if (!held) return undefined;
    const stopped = after(held.status, 'stop');
    if (stopped) return finishRun(sql, held, stopped);
    const end = 'chunks' in found ? endOf(found.chunks, last) : 0;
    const refusal = 'refusal' in found ? found.refusal : tooMany(run, end);
    if (refusal) return finishRun(sql, held, 'failed', refusal);
    if ('chunks' in found) await insertPlanned(sql, held, firstNumber, found.chunks);
    const isWhole = 'isWhole' in found && found.isWhole;
    return startPlanned(sql, held, isWhole ? { total: end, status: 'running' } : undefined);
  });
}

async function read(
  database: Database,
  operation: Operation,
  run: StoredRun,
  last: PlannedChunk | undefined,
): Promise<Found> {
  try {
    return await database.read(async (sql) => {
      const upload = await findKept(sql, run.team_id, run.upload_id ?? '');
      if (!upload) return { refusal: gone };
      const place = last
        ? { offset: last.byte_offset + last.byte_length, index: endOf([], last) }
        : {
            offset: (await openUpload(sql, upload, operation, run.mapping)).dataOffset,
            index: 0,
          };
      return planWindow(sql, upload, place);
    });
  } catch (error) {
    if (error instanceof HttpError) return { refusal: summaryOf(error.problems) };
    throw error;
  }
}

/** Number of items in the chunks so far. */
function endOf(chunks: readonly PlannedChunk[], last: PlannedChunk | undefined): number {
  const end = chunks.at(-1) ?? last;
  return end ? end.first_index + end.item_count : 0;
}

function tooMany({ failure_mode }: StoredRun, count: number): Problem | undefined {
  const max = failure_mode === 'transactional' ? maxTransactionalItems : maxUploadItems;
  if (count <= max) return undefined;
  return {
    code: 'too_many_items',
    detail: `The file has more than ${String(max)} records; ${failure_mode} takes no more.`,
    meta: { max, pointer: '/upload_id' },
  };
}

/** A run has one error: the first, in the words of all. */
function summaryOf(problems: HttpError['problems']): Problem {
  const [first] = problems;
  const detail = problems.map((problem) => problem.detail).join(' ');
  return { ...first, detail: shorten(detail, 2_000) };
}

const gone: Problem = {
  code: 'upload_unreadable',
  detail: 'The file has been deleted.',
  meta: { pointer: '/upload_id', rule: 'gone' },
};
