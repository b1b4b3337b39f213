import { createHash } from 'node:crypto';
import type { UploadFormat } from '../batch/uploads/upload.ts';
import type { Database } from '../../platform/database/client.ts';
import { tooLarge } from '../../platform/http/body.ts';
import { requireFileRoom } from '../../team/file-quota.ts';
import { completeUpload, removeUpload, insertPart, insertUpload, partBytes } from './queries.ts';
import type { UploadKey, UploadRow } from './queries.ts';

/** A file on its way in. */
export interface Incoming {
  teamId: string;
  format: UploadFormat;
  /** Read no faster than it can be stored; at most one part is in memory. */
  stream: AsyncIterable<Uint8Array>;
  limitBytes: number;
}

/** A complete file, stored but not yet visible: `completeUpload` makes it an upload. */
export interface Received extends UploadKey {
  sha256: string;
}

/**
 * Stores a stream in parts, each in its own transaction, so that a slow sender keeps none open.
 * Partial files are deleted, here or by the maintenance. Throws 413, 422 if the files of the team
 * have no room, 429 for too many concurrent files, and errors of the stream.
 */
export async function receiveParts(database: Database, incoming: Incoming): Promise<Received> {
  const { teamId, format, stream, limitBytes } = incoming;
  const upload = await database.transact(async (sql) => {
    await requireFileRoom(sql, teamId, 1);
    return insertUpload(sql, teamId, format);
  });
  const hash = createHash('sha256');
  const part = Buffer.alloc(partBytes);
  let number = 0;
  let sizeBytes = 0;
  let filled = 0;
  const keep = async () => {
    const bytes = part.subarray(0, filled);
    await database.transact(async (sql) => {
      await insertPart(sql, upload, number, bytes);
      await requireFileRoom(sql, teamId, 0);
    });
    number += 1;
    filled = 0;
  };
  try {
    for await (const chunk of stream) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      hash.update(chunk);
      for (let at = 0; at < chunk.length;) {
        const taken = chunk.subarray(at, at + partBytes - filled);
        part.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled === partBytes) await keep();
      }
    }
    if (filled > 0) await keep();
  } catch (error) {
    await database.transact((sql) => removeUpload(sql, upload)).catch(() => undefined);
    throw error;
  }
  return { ...upload, sha256: hash.digest('hex') };
}

/** Stores a stream as an upload. Throws 413, 422, 429 and errors of the stream. */
export async function receiveUpload(database: Database, incoming: Incoming): Promise<UploadRow> {
  const received = await receiveParts(database, incoming);
  return database.transact((sql) => completeUpload(sql, received, received.sha256));
}
