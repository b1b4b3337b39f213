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
  const id = await database.transact((sql) => insertReceiving(sql, credential, target.path));
  return new FileWriter(database, credential, id, target, limitBytes);
}

export type { FileWriter };

/** A file that a client is writing. */
class FileWriter {
  readonly #database: Database;
  readonly #credential: Credential;
  readonly #id: string;
  readonly #limitBytes: number;
  readonly #stream = new PassThrough({ highWaterMark: aheadBytes });
  readonly #whole: ReturnType<typeof receiveUpload>;
  readonly #breakage = createCancellation();
  readonly #early: ReturnType<typeof createEarlyBlocks>;
  #place: Place;
  #isClosed = false;
  #sizeBytes = 0;
  #failure: Failure | undefined;

  constructor(
    database: Database,
    credential: Credential,
    id: string,
    place: Place,
    limitBytes: number,
  ) {
    const { team_id: teamId } = credential;
    const stream = this.#stream;
    this.#database = database;
    this.#credential = credential;
    this.#id = id;
    this.#limitBytes = limitBytes;
    this.#place = place;
    // A client may disconnect before the stream is read; its reader gets the error all the same.
    stream.on('error', () => undefined);
    // The rename decides for other files.
    const format = place.file.kind === 'final' ? place.file.format : 'csv';
    this.#whole = receiveUpload(database, { teamId, format, stream, limitBytes });
    // The next write, or the close, reports it.
    this.#whole.catch(this.#breakage.interrupt);
    this.#early = createEarlyBlocks(teamId);
  }

  /** Its present path, until it is closed or has failed. */
  openPath(): string | undefined {
    return this.#isClosed || this.#failure ? undefined : this.#place.path;
  }

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The client renames the file before it closes it. */
  async move(to: Place): Promise<void> {
    const { team_id: teamId } = this.#credential;
    await this.#database.transact((sql) => writePath(sql, teamId, this.#id, to.path));
    this.#place = to;
  }

  /** The client sets the length. Only the present one is possible: another fails the file. */
  async truncate(sizeBytes: number): Promise<void> {
    this.#throwFailure();
    if (sizeBytes !== this.#sizeBytes || !this.#early.isEmpty()) return this.#refuse(resized);
  }

  /** Resolves when there is room for more. Throws Refusal. */
  async write(offset: number, bytes: Buffer): Promise<void> {
    this.#throwFailure();
    if (bytes.length === 0) return;
    if (offset > this.#sizeBytes) {
      if (!this.#early.hold(offset, bytes)) return this.#refuse(outOfOrder);
      return;
    }
    if (offset < this.#sizeBytes) return this.#refuse(outOfOrder);
    await this.#append(bytes);
    const nextPart = () => this.#early.take(this.#sizeBytes);
    for (let next = nextPart(); next; next = nextPart()) await this.#append(next);
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes > this.#limitBytes) return this.#refuse(tooLarge(this.#limitBytes));
    if (this.#stream.write(bytes)) return;
    try {
      await this.#breakage.during(drained(this.#stream));
      // A stream that broke ends the wait as well; its reader has the cause.
      if (this.#stream.destroyed) await this.#whole;
    } catch (error) {
      return this.#refuse(failureOf(error));
    }
  }

  /** The file is whole: its import begins, or it waits for its rename. Throws Refusal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#throwFailure();
    // Only a file without a gap is whole.
    if (!this.#early.isEmpty()) return this.#refuse(outOfOrder);
    const content = await this.#content();
    const arrived = { id: this.#id, ...this.#place, content };
    const refusal = await this.#database.transact((sql) =>
      acceptFile(sql, this.#credential, arrived),
    );
    this.#failure = refusal;
    this.#throwFailure();
  }

  /** Returns the content after all of it has been stored. */
  async #content(): Promise<Content> {
    this.#stream.end();
    try {
      const { id: uploadId, size_bytes, sha256 } = await this.#whole;
      return { uploadId, sizeBytes: size_bytes, sha256 };
    } catch (error) {
      return this.#refuse(failureOf(error));
    }
  }

  #throwFailure(): void {
    if (this.#failure) throw new Refusal(codes.failure, this.#failure.detail);
  }

  async #refuse(reason: Failure): Promise<never> {
    await this.abandon(reason);
    throw new Refusal(codes.failure, reason.detail);
  }

  /** The client has disconnected, or the file is at fault: nothing is imported. */
  async abandon(reason: Failure): Promise<void> {
    if (this.#failure) return;
    this.#failure = reason;
    this.#early.clear();
    this.#stream.destroy(new Error(reason.code));
    await this.#whole.catch(() => undefined);
    const { team_id: teamId } = this.#credential;
    await this.#database.transact((sql) => failUpload(sql, teamId, this.#id, reason));
  }
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
