import type { SFTPWrapper } from 'ssh2';
import { attributes } from './entry.ts';
import { noHandle } from './handles.ts';
import type { Handle, Handles } from './handles.ts';
import { Refusal, codes } from './refusal.ts';
import { status } from './request-queue.ts';
import type { Answer, RequestQueue } from './request-queue.ts';
import type { VirtualFileSystem } from './virtual-file-system.ts';

/** Parts of a session that its requests use. */
export interface SessionParts {
  sftp: SFTPWrapper;
  files: VirtualFileSystem;
  handles: Handles;
}

/** Flags of OPEN (SFTP version 3, §6.3). */
const flag = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const;
const readBytes = 65_536;

/** Serves the requests on open files: OPEN, READ, WRITE, CLOSE, FSTAT. */
export function serveFileRequests(parts: SessionParts, queue: RequestQueue): void {
  const { sftp, handles } = parts;
  sftp.on('OPEN', (id, path, flags) => {
    queue.add(id, 0, () => openFile(parts, id, path, flags));
  });
  sftp.on('READ', (id, name, offset, length) => {
    queue.add(id, 0, () => readFile(parts, id, name, { offset, length }));
  });
  sftp.on('WRITE', (id, name, offset, bytes) => {
    queue.add(id, bytes.length, async () => {
      const handle = handles.find(name);
      if (handle.kind !== 'write') return noHandle();
      await handle.file.write(offset, bytes);
      return status(sftp, id, codes.ok);
    });
  });
  sftp.on('CLOSE', (id, name) => {
    queue.add(id, 0, async () => {
      const handle = handles.find(name);
      handles.remove(name);
      if (handle.kind === 'write') await handle.file.close();
      return status(sftp, id, codes.ok);
    });
  });
  sftp.on('FSTAT', (id, name) => {
    queue.add(id, 0, () => {
      const attrs = attributes(entryOf(handles.find(name)));
      return () => {
        sftp.attrs(id, attrs);
      };
    });
  });
}

/** Adds a handle, and returns the response that names it. */
export function answerHandle({ sftp, handles }: SessionParts, id: number, handle: Handle): Answer {
  const name = handles.add(handle);
  return () => {
    sftp.handle(id, name);
  };
}

async function openFile(
  parts: SessionParts,
  id: number,
  path: string,
  flags: number,
): Promise<Answer> {
  const { files, handles } = parts;
  handles.checkRoom();
  if ((flags & flag.write) === 0) {
    return answerHandle(parts, id, { kind: 'read', file: await files.read(path) });
  }
  // Some clients append to the file that they empty.
  const appends = (flags & flag.append) !== 0 && (flags & flag.truncate) === 0;
  if (appends || (flags & flag.create) === 0) {
    throw new Refusal(codes.unsupported, 'Files are written as a whole: nothing is appended.');
  }
  const isNew = (flags & flag.exclusive) !== 0;
  return answerHandle(parts, id, { kind: 'write', file: await files.write(path, { isNew }) });
}

async function readFile(
  { sftp, handles }: SessionParts,
  id: number,
  name: Buffer,
  { offset, length }: { offset: number; length: number },
): Promise<Answer> {
  const handle = handles.find(name);
  if (handle.kind !== 'read') return noHandle();
  const bytes = await handle.file.read(offset, Math.min(length, readBytes));
  if (bytes.length === 0) return status(sftp, id, codes.eof);
  return () => {
    sftp.data(id, bytes);
  };
}

function entryOf(handle: Handle) {
  return {
    name: '',
    isFolder: handle.kind === 'list',
    isWritable: handle.kind === 'write',
    sizeBytes: sizeOf(handle),
    changedAtMs: Date.now(),
  };
}

function sizeOf(handle: Handle): number {
  switch (handle.kind) {
    case 'list':
      return 0;
    case 'read':
      return handle.file.sizeBytes;
    case 'write':
      return handle.file.sizeBytes();
  }
}
