import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Database } from '../../platform/database/client.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { createCancellation } from '../../platform/cancellation.ts';
import { completeUpload } from './complete-upload.ts';
import { failUpload } from './upload-status.ts';
import type { Failure } from './upload-status.ts';
import { insertReceiving, listReplaced, writeContent } from './queries.ts';
import type { Content } from './queries.ts';
import type { Credential } from './access/queries.ts';
import { credentialSender } from './access/sender.ts';
import { Refusal, codes } from './refusal.ts';
import { readFileName } from './rules.ts';
import type { FileName, FolderName } from './rules.ts';

/** A file that a client is writing. */
export interface FileWriter {
  sizeBytes(): number;
  /** Resolves when there is room for more. Throws Refusal. */
  write(offset: number, bytes: Buffer): Promise<void>;
  /** The file is whole: its import begins, or it waits for its rename. Throws Refusal. */
  close(): Promise<void>;
  /** The client has disconnected: nothing is imported. */
  abandon(failure: Failure): Promise<void>;
}

export interface Target {
  path: string;
  folder: FolderName;
  file: Exclude<FileName, { kind: 'refused' }>;
  limitBytes: number;
}

/** Limit of bytes that a client may send before they are stored. */
const aheadBytes = 1_048_576;

/** Begins to write a file into Postgres, part by part as it comes. */
export async function openFileWriter(
  database: Database,
  credential: Credential,
  { path, folder, file, limitBytes }: Target,
): Promise<FileWriter> {
  const teamId = credential.team_id;
  const id = await database.transact((sql) => insertReceiving(sql, credential, path));
  const stream = new PassThrough({ highWaterMark: aheadBytes });
  // A client may disconnect before the stream is read; its reader gets the error all the same.
  stream.on('error', () => undefined);
  const format = formatOf(path, file);
  const whole = receiveUpload(database, {
    teamId,
    format,
    stream,
    limitBytes,
  });
  // The next write, or the close, reports it.
  const breakage = createCancellation();
  whole.catch(breakage.interrupt);
  let sizeBytes = 0;
  let failure: Failure | undefined;

  async function giveUp(reason: Failure): Promise<void> {
    if (failure) return;
    failure = reason;
    stream.destroy(new Error(reason.code));
    await whole.catch(() => undefined);
    await database.transact((sql) => failUpload(sql, teamId, id, reason));
  }

  async function refuse(reason: Failure): Promise<never> {
    await giveUp(reason);
    throw new Refusal(codes.failure, reason.detail);
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
    sizeBytes: () => sizeBytes,
    async write(offset, bytes) {
      if (failure) throw new Refusal(codes.failure, failure.detail);
      if (offset !== sizeBytes) {
        throw new Refusal(codes.unsupported, 'Files are written from their beginning, in order.');
      }
      sizeBytes += bytes.length;
      if (sizeBytes > limitBytes) return refuse(tooLarge(limitBytes));
      if (stream.write(bytes)) return;
      try {
        await breakage.during(once(stream, 'drain'));
      } catch (error) {
        return refuse(failureOf(error));
      }
    },
    async close() {
      if (failure) throw new Refusal(codes.failure, failure.detail);
      const whole = await content();
      const refusal = await database.transact(async (sql) => {
        for (const older of await listReplaced(sql, credential, path, id)) {
          await failUpload(sql, teamId, older, replaced);
        }
        if (file.kind === 'final') {
          return completeUpload(sql, {
            sender: credentialSender(credential),
            id,
            path,
            folder,
            format,
            content: whole,
          });
        }
        await writeContent(sql, teamId, id, whole);
        return undefined;
      });
      failure = refusal;
      if (refusal) throw new Refusal(codes.failure, refusal.detail);
    },
    abandon: giveUp,
  };
}

/** Format by the name before a temporary ending; the rename decides. */
function formatOf(path: string, file: Target['file']): 'csv' | 'ndjson' {
  if (file.kind === 'final') return file.format;
  const inner = readFileName(path.replace(/\.[a-z]+$/i, ''));
  return inner.kind === 'final' ? inner.format : 'csv';
}

function failureOf(error: unknown): Failure {
  if (error instanceof HttpError) {
    const [{ code, detail }] = error.problems;
    return { code, detail };
  }
  return { code: 'not_stored', detail: 'The file could not be stored; put it again.' };
}

const tooLarge = (limitBytes: number) => ({
  code: 'payload_too_large',
  detail: `A file has at most ${String(limitBytes / 1_000_000)} MB.`,
});
const replaced = { code: 'replaced', detail: 'Another file took its name before it was renamed.' };
