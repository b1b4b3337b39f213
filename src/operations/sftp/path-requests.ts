import { anyFolder, attributes, fileEntryOf } from './entry.ts';
import { answerHandle } from './file-requests.ts';
import type { SessionParts } from './file-requests.ts';
import { noHandle } from './handles.ts';
import { Refusal, codes } from './refusal.ts';
import { status } from './request-queue.ts';
import type { RequestQueue } from './request-queue.ts';

const nameBatch = 100;

/** Serves the requests on folders and paths, and those that change nothing. */
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
  const ignore = (id: number) => {
    // Times and rights: clients set them unasked, and nothing depends on them.
    queue.add(id, 0, () => status(sftp, id, codes.ok));
  };
  const refuse = (id: number) => {
    queue.add(id, 0, () => Promise.reject(new Refusal(codes.denied, 'The folders are given.')));
  };
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('SETSTAT', ignore);
  sftp.on('FSETSTAT', ignore);
  sftp.on('MKDIR', refuse);
  sftp.on('RMDIR', refuse);
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
  sftp.on('RENAME', (id, from, to) => {
    queue.add(id, 0, async () => {
      await files.rename(from, to);
      return status(sftp, id, codes.ok);
    });
  });
  sftp.on('REMOVE', (id, path) => {
    queue.add(id, 0, async () => {
      await files.remove(path);
      return status(sftp, id, codes.ok);
    });
  });
}
