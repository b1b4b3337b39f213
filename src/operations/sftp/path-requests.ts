import type { Attributes } from 'ssh2';
import { anyFolder, attributes, fileEntryOf } from './entry.ts';
import { answerHandle } from './file-requests.ts';
import type { SessionParts } from './file-requests.ts';
import { noHandle } from './handles.ts';
import { Refusal, codes } from './refusal.ts';
import { status } from './request-queue.ts';
import type { RequestQueue } from './request-queue.ts';

const nameBatch = 100;

/** Serves the requests on folders and paths. */
export function servePathRequests(parts: SessionParts, queue: RequestQueue): void {
  serveFolders(parts, queue);
  serveNames(parts, queue);
  const { sftp } = parts;
  const stat = (id: number, path: string) => {
    queue.add(id, 0, async () => {
      const attrs = attributes(await parts.files.stat(path));
      return () => {
        sftp.attrs(id, attrs);
      };
    });
  };
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('RMDIR', (id) => {
    queue.add(id, 0, () => Promise.reject(givenFolders()));
  });
  sftp.on('MKDIR', (id, path) => {
    queue.add(id, 0, async () => {
      // `mkdir -p` of clients goes on after a failure if the folder is there.
      if (await isFolder(parts, path)) {
        throw new Refusal(codes.failure, 'The folder exists already.');
      }
      throw givenFolders();
    });
  });
  serveAttributes(parts, queue);
}

const givenFolders = () => new Refusal(codes.denied, 'The folders are given.');

async function isFolder({ files }: SessionParts, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).isFolder;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Times and rights are ignored: clients set them unasked, and nothing depends on them. */
function serveAttributes({ sftp, files, handles }: SessionParts, queue: RequestQueue): void {
  sftp.on('SETSTAT', (id, path, attrs) => {
    queue.add(id, 0, async () => {
      if (hasSize(attrs)) await files.truncate(path, attrs.size);
      return status(sftp, id, codes.ok);
    });
  });
  sftp.on('FSETSTAT', (id, name, attrs) => {
    queue.add(id, 0, async () => {
      const handle = handles.find(name);
      if (hasSize(attrs)) {
        if (handle.kind !== 'write') return noHandle();
        await handle.file.truncate(attrs.size);
      }
      return status(sftp, id, codes.ok);
    });
  });
}

/** The types of the library name all attributes; a client sends those that it sets. */
function hasSize(attrs: Partial<Attributes>): attrs is Attributes {
  return attrs.size !== undefined;
}

function serveFolders(parts: SessionParts, queue: RequestQueue): void {
  const { sftp, files, handles } = parts;
  sftp.on('OPENDIR', (id, path) => {
    queue.add(id, 0, async () => {
      handles.checkRoom();
      return answerHandle(parts, id, { kind: 'list', left: await files.list(path) });
    });
  });
  sftp.on('READDIR', (id, name) => {
    queue.add(id, 0, () => {
      const handle = handles.find(name);
      if (handle.kind !== 'list') return noHandle();
      const next = handle.left.splice(0, nameBatch);
      if (next.length === 0) return status(sftp, id, codes.eof);
      return () => {
        sftp.name(id, next.map(fileEntryOf));
      };
    });
  });
}

function serveNames({ sftp, files }: SessionParts, queue: RequestQueue): void {
  sftp.on('REALPATH', (id, path) => {
    queue.add(id, 0, () => {
      const filename = files.realPath(path);
      return () => {
        sftp.name(id, [{ filename, longname: filename, attrs: attributes(anyFolder) }]);
      };
    });
  });
  const rename = (id: number, from: string, to: string) => {
    queue.add(id, 0, async () => {
      await files.rename(from, to);
      return status(sftp, id, codes.ok);
    });
  };
  sftp.on('RENAME', rename);
  sftp.on('EXTENDED', (id, name, data) => {
    // Some clients send it unasked. Either rename replaces what has the new name.
    const [from, to] = name === 'posix-rename@openssh.com' ? readTexts(data) : [];
    if (from !== undefined && to !== undefined) rename(id, from, to);
    else queue.add(id, 0, () => status(sftp, id, codes.unsupported, 'Not supported.'));
  });
  sftp.on('REMOVE', (id, path) => {
    queue.add(id, 0, async () => {
      await files.remove(path);
      return status(sftp, id, codes.ok);
    });
  });
}

/** The strings of a request, each behind its length. */
function readTexts(data: Buffer | undefined): string[] {
  const texts: string[] = [];
  for (let at = 0; data && at + 4 <= data.length;) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) break;
    texts.push(data.toString('utf8', at + 4, end));
    at = end;
  }
  return texts;
}
