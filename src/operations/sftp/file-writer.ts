import { PassThrough } from 'node:stream';
import type { Database } from '../../platform/database/client.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { createCancellation } from '../../platform/cancellation.ts';
import { drained } from '../../platform/sockets.ts';
import { acceptFile } from './arrival.ts';
import type { Arrived } from './arrival.ts';
import { failUpload } from './upload-status.ts';
import type { Failure } from './upload-status.ts';
import { insertReceiving, writePath } from './queries.ts';
import type { Content } from './queries.ts';
import type { Credential } from './access/queries.ts';
import { createEarlyBlocks } from './early-blocks.ts';
import { Refusal, codes } from './refusal.ts';

/** A file that a client is writing. */
export interface FileWriter {
  /** Its present path, until it is closed or has failed. */
  openPath(): string | undefined;
  sizeBytes(): number;
  /** Resolves when there is room for more. Throws Refusal. */
  write(offset: number, bytes: Buffer): Promise<void>;
  /** The file is whole: its import begins, or it waits for its rename. Throws Refusal. */
  close(): Promise<void>;
  /** The client renames the file before it closes it. */
  move(to: Place): Promise<void>;
  /** The client sets the length. Only the present one is possible: another fails the file. */
  truncate(sizeBytes: number): Promise<void>;
  /** The client has disconnected: nothing is imported. */
  abandon(failure: Failure): Promise<void>;
}

/** Where a file is written, with the kind that its name declares. */
export type Place = Pick<Arrived, 'path' | 'folder' | 'file'>;

/** Limit of bytes that a client may send before they are stored. */
const aheadBytes = 1_048_576;

/** Begins to write a file into Postgres, part by part as it comes. */
export async function openFileWriter(
  database: Database,
  credential: Credential,
  target: Place,
  limitBytes: number,
): Promise<FileWriter> {
  const teamId = credential.team_id;
  let place = target;
  let isClosed = false;
  const id = await database.transact((sql) => insertReceiving(sql, credential, place.path));
  const stream = new PassThrough({ highWaterMark: aheadBytes });
  // A client may disconnect before the stream is read; its reader gets the error all the same.
  stream.on('error', () => undefined);
  const { file } = place;
  // The rename decides for other files.
  const format = file.kind === 'final' ? file.format : 'csv';
  const whole = receiveUpload(database, { teamId, format, stream, limitBytes });
  // The next write, or the close, reports it.
  const breakage = createCancellation();
  whole.catch(breakage.interrupt);
  const early = createEarlyBlocks(teamId);
  let sizeBytes = 0;
  let failure: Failure | undefined;

  async function giveUp(reason: Failure): Promise<void> {
    if (failure) return;
    failure = reason;
    early.clear();
    stream.destroy(new Error(reason.code));
    await whole.catch(() => undefined);
    await database.transact((sql) => failUpload(sql, teamId, id, reason));
  }

  async function refuse(reason: Failure): Promise<never> {
    await giveUp(reason);
    throw new Refusal(codes.failure, reason.detail);
  }

  async function append(bytes: Buffer): Promise<void> {
    sizeBytes += bytes.length;
    if (sizeBytes > limitBytes) return refuse(tooLarge(limitBytes));
    if (stream.write(bytes)) return;
    try {
      await breakage.during(drained(stream));
      // A stream that broke ends the wait as well; its reader has the cause.
      if (stream.destroyed) await whole;
    } catch (error) {
      return refuse(failureOf(error));
    }
  }

  /** Returns the content after all of it has been stored. */
  async function content(): Promise<Content> {
    stream.end();
    try {
      const { id: uploadId, size_bytes, sha256 } = await whole;
      return { uploadId, sizeBytes: size_bytes, sha256 };
    } catch (error) {
      return refuse(failureOf(error));
    }
  }

  return {
    openPath: () => (isClosed || failure ? undefined : place.path),
    sizeBytes: () => sizeBytes,
    async move(to) {
      await database.transact((sql) => writePath(sql, teamId, id, to.path));
      place = to;
    },
    async truncate(bytes) {
      if (failure) throw new Refusal(codes.failure, failure.detail);
      if (bytes !== sizeBytes || !early.isEmpty()) return refuse(resized);
    },
    async write(offset, bytes) {
      if (failure) throw new Refusal(codes.failure, failure.detail);
      if (bytes.length === 0) return;
      if (offset > sizeBytes) {
        if (!early.hold(offset, bytes)) return refuse(outOfOrder);
        return;
      }
      if (offset < sizeBytes) return refuse(outOfOrder);
      await append(bytes);
      for (let next = early.take(sizeBytes); next; next = early.take(sizeBytes)) {
        await append(next);
      }
    },
    async close() {
      isClosed = true;
      if (failure) throw new Refusal(codes.failure, failure.detail);
      // Only a file without a gap is whole.
      if (!early.isEmpty()) return refuse(outOfOrder);
      const whole = await content();
      const refusal = await database.transact((sql) =>
        acceptFile(sql, credential, { id, ...place, content: whole }),
      );
      failure = refusal;
      if (refusal) throw new Refusal(codes.failure, refusal.detail);
    },
    abandon: giveUp,
  };
}

function failureOf(error: unknown): Failure {
  if (error instanceof HttpError) {
    const [{ code, detail }] = error.problems;
    return { code, detail };
  }
  return { code: 'not_stored', detail: 'The file could not be stored; upload it again.' };
}

const outOfOrder = {
  code: 'not_in_order',
  detail:
    'A part was missing, came twice or came too early. Put the file again, with fewer parallel writes.',
};
const tooLarge = (limitBytes: number) => ({
  code: 'payload_too_large',
  detail: `A file has at most ${String(limitBytes / 1_000_000)} MB.`,
});
export const resized = {
  code: 'resized',
  detail: 'Files cannot be truncated or extended. Upload the file again.',
};
