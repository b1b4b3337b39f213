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

/** View of one client: a file system without a disk, made of rows. Throws Refusal. */
export interface VirtualFileSystem {
  realPath(path: string): string;
  stat(path: string): Promise<Entry>;
  list(path: string): Promise<Entry[]>;
  write(path: string, how: { isNew: boolean }): Promise<FileWriter>;
  read(path: string): Promise<ResultFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Throws unless the length is that of the file. */
  truncate(path: string, sizeBytes: number): Promise<void>;
}

const shown = { days: limits.daysShown, limit: limits.shown };

/** Opens the drop of a credential for a session. */
export function openFileSystem(
  database: Database,
  credential: Credential,
  fileBytes: number = limits.fileBytes,
): VirtualFileSystem {
  const { team_id: teamId, username, purpose } = credential;
  const home: Home = { teamId, username, purpose };
  const place = (path: string) => resolvePath(home, path);
  const writers: FileWriter[] = [];
  /** The file of the path that this client has not closed yet. */
  const openWriter = (path: string) => writers.find((writer) => writer.openPath() === path);

  async function resultEntries(): Promise<Entry[]> {
    const rows = await database.read((sql) => listResults(sql, credential, shown));
    const entries: Entry[] = [];
    for (const row of rows) {
      const sizeBytes = await sizeOfResult(database, credential, row);
      const changedAtMs = Date.parse(row.completed_at);
      entries.push({ ...readable, name: resultNameOf(row.name), sizeBytes, changedAtMs });
    }
    return entries;
  }

  const findShown = (path: string) =>
    database.read((sql) => findFile(sql, credential, path, limits.daysShown));

  async function resultOf(where: ResolvedPath): Promise<ResultFile> {
    const name = where.kind === 'result' ? uploadNameOf(where.name) : undefined;
    const result = name === undefined ? undefined : await openResult(database, credential, name);
    return result ?? noSuchFile();
  }

  /** Records a rejected file, then throws the reason. */
  async function refuseFile(path: string, code: string, detail: string): Promise<never> {
    const refused = { path: printable(path), code, detail, atMost: limits.notedRefusals };
    await database.transact(async (sql) => {
      const id = await insertRefused(sql, credential, refused);
      if (id !== undefined) await publishFailure(sql, teamId, id);
    });
    throw new Refusal(code === notAllowed ? codes.denied : codes.failure, detail);
  }

  /** The place of a new file, with the kind that its name declares. */
  async function targetOf(path: string) {
    const where = place(path);
    if (where.kind === 'foreign') return refuseFile(path, notAllowed, 'Outside of your home.');
    if (where.kind !== 'upload') {
      return refuseFile(path, notAllowed, 'Files go into the folders below /in that you see.');
    }
    const file = readFileName(where.name);
    if (file.kind === 'refused') return refuseFile(path, 'unsupported_media_type', file.reason);
    return { path: where.path, folder: where.folder, file };
  }

  return {
    realPath: (path) => realPathOf(home, path),

    async stat(path) {
      const where = place(path);
      switch (where.kind) {
        case 'directory':
        case 'results':
          return folder(nameOf(where.path), false);
        case 'folder':
          return folder(nameOf(where.path), true);
        case 'upload': {
          const open = openWriter(where.path);
          if (open) return openEntry(where.path, open.sizeBytes());
          const file = await findShown(where.path);
          return file ? entryOf(file) : noSuchFile();
        }
        case 'result': {
          const { sizeBytes, completedAtMs } = await resultOf(where);
          return { ...readable, name: where.name, sizeBytes, changedAtMs: completedAtMs };
        }
        case 'unknown':
        case 'foreign':
          return noSuchFile();
      }
    },

    async list(path) {
      const where = place(path);
      switch (where.kind) {
        case 'directory':
          return where.names.map((name) => folder(name, where.path !== '/'));
        case 'folder': {
          const rows = await database.read((sql) => listFiles(sql, credential, where.path, shown));
          return rows.map(entryOf);
        }
        case 'results':
          return resultEntries();
        case 'upload':
        case 'result':
        case 'unknown':
        case 'foreign':
          return noSuchFile();
      }
    },

    async write(path, { isNew }) {
      const target = await targetOf(path);
      if (isNew) {
        const there = await findShown(target.path);
        if (there) throw new Refusal(codes.failure, 'There is a file of this name.');
      }
      const writer = await openFileWriter(database, credential, target, fileBytes);
      writers.splice(0, writers.length, ...writers.filter((one) => one.openPath()), writer);
      return writer;
    },

    async read(path) {
      const where = place(path);
      if (where.kind === 'upload') {
        throw new Refusal(codes.denied, 'What was put cannot be read back.');
      }
      return resultOf(where);
    },

    async rename(from, to) {
      const source = place(from);
      if (source.kind !== 'upload') return noSuchFile();
      const target = await targetOf(to);
      if (target.folder !== source.folder) {
        throw new Refusal(codes.denied, 'A file is renamed within its folder.');
      }
      const open = openWriter(source.path);
      if (open) return open.move(target);
      const refusal = await database.transact(async (sql) => {
        const whole = await lockWhole(sql, credential, source.path);
        if (!whole) return noSuchFile();
        const { id, status, upload_id: uploadId, size_bytes: sizeBytes, sha256 } = whole;
        await writeRemoved(sql, credential, target.path, id);
        if (status === 'receiving' && !uploadId) return noSuchFile();
        await writePath(sql, teamId, id, target.path);
        // Its import has begun already, or is over.
        if (status !== 'receiving' || !uploadId) return undefined;
        const content = { uploadId, sizeBytes, sha256: sha256 ?? '' };
        return acceptFile(sql, credential, { id, ...target, content });
      });
      if (refusal) throw new Refusal(codes.failure, refusal.detail);
    },

    async remove(path) {
      const where = place(path);
      if (where.kind === 'result') throw new Refusal(codes.denied, '/out is read-only.');
      if (where.kind !== 'upload') return noSuchFile();
      await database.transact(async (sql) => {
        const file = await findFile(sql, credential, where.path, limits.daysShown);
        if (!file) return noSuchFile();
        if (file.status === 'receiving') await failUpload(sql, teamId, file.id, removed);
        await writeRemoved(sql, credential, where.path);
        return undefined;
      });
    },

    async truncate(path, sizeBytes) {
      const where = place(path);
      if (where.kind !== 'upload') return noSuchFile();
      const open = openWriter(where.path);
      if (open) return open.truncate(sizeBytes);
      const file = await findShown(where.path);
      if (!file) return noSuchFile();
      if (file.size_bytes === sizeBytes) return;
      await database.transact((sql) => failUpload(sql, teamId, file.id, resized));
      throw new Refusal(codes.failure, resized.detail);
    },
  };
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
