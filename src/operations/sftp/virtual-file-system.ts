import type { Database } from '../../platform/database/client.ts';
import { acceptFile } from './arrival.ts';
import type { Entry } from './entry.ts';
import { failUpload, publishFailure } from './upload-status.ts';
import {
  findFile,
  insertRefused,
  listFiles,
  lockWhole,
  writePath,
  writeRemoved,
} from './queries.ts';
import type { Credential } from './access/queries.ts';
import type { FileRow } from './queries.ts';
import { listResults } from './results/queries.ts';
import { openFileWriter, resized } from './file-writer.ts';
import type { FileWriter } from './file-writer.ts';
import { Refusal, codes } from './refusal.ts';
import { openResult, sizeOfResult } from './results/result-file.ts';
import type { ResultFile } from './results/result-file.ts';
import { readFileName } from './file-names.ts';
import { limits, resolvePath, realPathOf, resultNameOf, uploadNameOf } from './rules.ts';
import type { Home, ResolvedPath } from './rules.ts';
import { cutText } from '../../platform/cut-text.ts';

const shown = { days: limits.daysShown, limit: limits.shown };

/**
 * The drop of a credential, as one of its clients sees it: a file system without a disk, made of
 * rows. Throws Refusal.
 */
export class VirtualFileSystem {
  readonly #database: Database;
  readonly #credential: Credential;
  readonly #fileBytes: number;
  readonly #home: Home;
  #writers: FileWriter[] = [];

  constructor(database: Database, credential: Credential, fileBytes: number = limits.fileBytes) {
    const { team_id: teamId, username, purpose } = credential;
    this.#database = database;
    this.#credential = credential;
    this.#fileBytes = fileBytes;
    this.#home = { teamId, username, purpose };
  }

  realPath(path: string): string {
    return realPathOf(this.#home, path);
  }

  async stat(path: string): Promise<Entry> {
    const where = this.#place(path);
    switch (where.kind) {
      case 'directory':
      case 'results':
        return folder(nameOf(where.path), false);
      case 'folder':
        return folder(nameOf(where.path), true);
      case 'upload': {
        const open = this.#openWriter(where.path);
        if (open) return openEntry(where.path, open.sizeBytes());
        const file = await this.#findShown(where.path);
        return file ? entryOf(file) : noSuchFile();
      }
      case 'result': {
        const { sizeBytes, completedAtMs } = await this.#resultOf(where);
        return { ...readable, name: where.name, sizeBytes, changedAtMs: completedAtMs };
      }
      case 'unknown':
      case 'foreign':
        return noSuchFile();
    }
  }

  async list(path: string): Promise<Entry[]> {
    const where = this.#place(path);
    switch (where.kind) {
      case 'directory':
        return where.names.map((name) => folder(name, where.path !== '/'));
      case 'folder': {
        const rows = await this.#database.read((sql) =>
          listFiles(sql, this.#credential, where.path, shown),
        );
        return rows.map(entryOf);
      }
      case 'results':
        return this.#resultEntries();
      case 'upload':
      case 'result':
      case 'unknown':
      case 'foreign':
        return noSuchFile();
    }
  }

  async #resultEntries(): Promise<Entry[]> {
    const rows = await this.#database.read((sql) => listResults(sql, this.#credential, shown));
    const entries: Entry[] = [];
    for (const row of rows) {
      const sizeBytes = await sizeOfResult(this.#database, this.#credential, row);
      const changedAtMs = Date.parse(row.completed_at);
      entries.push({ ...readable, name: resultNameOf(row.name), sizeBytes, changedAtMs });
    }
    return entries;
  }

  async write(path: string, { isNew }: { isNew: boolean }): Promise<FileWriter> {
    const target = await this.#targetOf(path);
    if (isNew) {
      const there = await this.#findShown(target.path);
      if (there) throw new Refusal(codes.failure, 'There is a file of this name.');
    }
    const writer = await openFileWriter(this.#database, this.#credential, target, this.#fileBytes);
    this.#writers = [...this.#writers.filter((one) => one.openPath()), writer];
    return writer;
  }

  async read(path: string): Promise<ResultFile> {
    const where = this.#place(path);
    if (where.kind === 'upload') {
      throw new Refusal(codes.denied, 'What was put cannot be read back.');
    }
    return this.#resultOf(where);
  }

  async #resultOf(where: ResolvedPath): Promise<ResultFile> {
    const name = where.kind === 'result' ? uploadNameOf(where.name) : undefined;
    const result =
      name === undefined ? undefined : await openResult(this.#database, this.#credential, name);
    return result ?? noSuchFile();
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#place(from);
    if (source.kind !== 'upload') return noSuchFile();
    const target = await this.#targetOf(to);
    if (target.folder !== source.folder) {
      throw new Refusal(codes.denied, 'A file is renamed within its folder.');
    }
    const open = this.#openWriter(source.path);
    if (open) return open.move(target);
    const refusal = await this.#database.transact(async (sql) => {
      const whole = await lockWhole(sql, this.#credential, source.path);
      if (!whole) return noSuchFile();
      const { id, status, upload_id: uploadId, size_bytes: sizeBytes, sha256 } = whole;
      await writeRemoved(sql, this.#credential, target.path, id);
      if (status === 'receiving' && !uploadId) return noSuchFile();
      await writePath(sql, this.#credential.team_id, id, target.path);
      // Its import has begun already, or is over.
      if (status !== 'receiving' || !uploadId) return undefined;
      const content = { uploadId, sizeBytes, sha256: sha256 ?? '' };
      return acceptFile(sql, this.#credential, { id, ...target, content });
    });
    if (refusal) throw new Refusal(codes.failure, refusal.detail);
  }

  /** The place of a new file, with the kind that its name declares. */
  async #targetOf(path: string) {
    const where = this.#place(path);
    if (where.kind === 'foreign')
      return this.#refuseFile(path, notAllowed, 'Outside of your home.');
    if (where.kind !== 'upload') {
      return this.#refuseFile(
        path,
        notAllowed,
        'Files go into the folders below /in that you see.',
      );
    }
    const file = readFileName(where.name);
    if (file.kind === 'refused')
      return this.#refuseFile(path, 'unsupported_media_type', file.reason);
    return { path: where.path, folder: where.folder, file };
  }

  /** Records a rejected file, then throws the reason. */
  async #refuseFile(path: string, code: string, detail: string): Promise<never> {
    const refused = { path: printable(path), code, detail, atMost: limits.notedRefusals };
    await this.#database.transact(async (sql) => {
      const id = await insertRefused(sql, this.#credential, refused);
      if (id !== undefined) await publishFailure(sql, this.#credential.team_id, id);
    });
    throw new Refusal(code === notAllowed ? codes.denied : codes.failure, detail);
  }

  async remove(path: string): Promise<void> {
    const where = this.#place(path);
    if (where.kind === 'result') throw new Refusal(codes.denied, '/out is read-only.');
    if (where.kind !== 'upload') return noSuchFile();
    await this.#database.transact(async (sql) => {
      const file = await findFile(sql, this.#credential, where.path, limits.daysShown);
      if (!file) return noSuchFile();
      if (file.status === 'receiving')
        await failUpload(sql, this.#credential.team_id, file.id, removed);
      await writeRemoved(sql, this.#credential, where.path);
      return undefined;
    });
  }

  /** Throws unless the length is that of the file. */
  async truncate(path: string, sizeBytes: number): Promise<void> {
    const where = this.#place(path);
    if (where.kind !== 'upload') return noSuchFile();
    const open = this.#openWriter(where.path);
    if (open) return open.truncate(sizeBytes);
    const file = await this.#findShown(where.path);
    if (!file) return noSuchFile();
    if (file.size_bytes === sizeBytes) return;
    await this.#database.transact((sql) =>
      failUpload(sql, this.#credential.team_id, file.id, resized),
    );
    throw new Refusal(codes.failure, resized.detail);
  }

  #place(path: string): ResolvedPath {
    return resolvePath(this.#home, path);
  }

  /** The file of the path that this client has not closed yet. */
  #openWriter(path: string): FileWriter | undefined {
    return this.#writers.find((writer) => writer.openPath() === path);
  }

  #findShown(path: string): Promise<FileRow | undefined> {
    return this.#database.read((sql) => findFile(sql, this.#credential, path, limits.daysShown));
  }
}

const notAllowed = 'path_not_allowed';
const removed = { code: 'removed', detail: 'The file was removed before it had its final name.' };
const readable = { isFolder: false, isWritable: false };

function noSuchFile(): never {
  throw new Refusal(codes.noSuchFile, 'No such file.');
}

function folder(name: string, isWritable: boolean): Entry {
  return { name, isFolder: true, isWritable, sizeBytes: 0, changedAtMs: 0 };
}

function openEntry(path: string, sizeBytes: number): Entry {
  return { ...readable, name: nameOf(path), isWritable: true, sizeBytes, changedAtMs: Date.now() };
}

function entryOf({ path, size_bytes, changed_at }: FileRow): Entry {
  const changedAtMs = Date.parse(changed_at);
  return {
    name: nameOf(path),
    isFolder: false,
    isWritable: true,
    sizeBytes: size_bytes,
    changedAtMs,
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** A path in the form for a row: without control characters, of limited length. */
function printable(path: string): string {
  // oxlint-disable-next-line no-control-regex -- Postgres takes no NUL, and lists no line breaks
  return cutText(path.replaceAll(/[\u0000-\u001f\u007f]/g, '?'), 500);
}
