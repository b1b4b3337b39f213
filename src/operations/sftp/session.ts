import type { SFTPWrapper } from 'ssh2';
import { isUnavailable } from '../../platform/database/failures.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { VirtualFileSystem } from './virtual-file-system.ts';
import { anyFolder, attributes, fileEntryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import { connectionLost } from './upload-status.ts';
import type { Backpressure } from './backpressure.ts';
import type { FileWriter } from './file-writer.ts';
import { Refusal, codes } from './refusal.ts';
import type { ResultFile } from './results/result-file.ts';
import { limits } from './rules.ts';

export interface Session {
  /** Time of the last request; undefined while one is in progress. */
  idleSinceMs(): number | undefined;
  isWriting(): boolean;
  /** The client has disconnected: an unfinished file is discarded. */
  end(): Promise<void>;
}

type Handle =
  | { kind: 'write'; file: FileWriter }
  | { kind: 'read'; file: ResultFile }
  | { kind: 'list'; left: Entry[] };

type Answer = () => void;

/** Flags of OPEN (SFTP version 3, §6.3). */
const flag = { read: 1, write: 2, append: 4, create: 8, exclusive: 32 } as const;
const readBytes = 65_536;
const nameBatch = 100;
/** Limit of responses that wait for the client's window; normal clients need fewer at a time. */
const maxUnsent = 512;
/** Memory of a request in addition to its data. */
const requestBytes = 1_024;

/**
 * Processes the requests of a client to its drop one by one, in their order. Writes then arrive in
 * order, and a client occupies one task at a time.
 */
export function serveSession(
  sftp: SFTPWrapper,
  drop: VirtualFileSystem,
  gate: Backpressure,
  log: Log,
): Session {
  const handles = new Map<number, Handle>();
  let lastHandle = 0;
  let waiting = 0;
  let lastAtMs = Date.now();
  let isOver = false;
  let tail = Promise.resolve();

  function ask(id: number, bytes: number, work: () => Promise<Answer>): void {
    const weight = bytes + requestBytes;
    waiting += 1;
    gate.enter(weight);
    tail = tail.then(async () => {
      const answer = isOver
        ? undefined
        : await work().catch((error: unknown) => answerFailure(id, error));
      answer?.();
      if (unsentOf(sftp) > maxUnsent) gate.cut();
      await gate.flushed();
      gate.leave(weight);
      waiting -= 1;
      lastAtMs = Date.now();
    });
  }

  function answerFailure(id: number, error: unknown): Answer {
    if (error instanceof Refusal) return status(id, error.code, error.message);
    log.error({ err: error }, 'an SFTP request failed');
    return status(
      id,
      codes.failure,
      isUnavailable(error)
        ? 'Nothing can be stored at the moment; try again.'
        : 'That failed; try again.',
    );
  }

  const status =
    (id: number, code: number, message = ''): Answer =>
    () => {
      sftp.status(id, code, message);
    };
  const done = (id: number) => status(id, codes.ok);

  function keep(id: number, handle: Handle): Answer {
    lastHandle += 1;
    handles.set(lastHandle, handle);
    const name = Buffer.alloc(4);
    name.writeUInt32BE(lastHandle);
    return () => {
      sftp.handle(id, name);
    };
  }

  function checkRoom(): void {
    if (handles.size < limits.handles) return;
    throw new Refusal(codes.failure, `At most ${String(limits.handles)} files are open at once.`);
  }

  const numberOf = (name: Buffer) => (name.length === 4 ? name.readUInt32BE() : 0);
  const handleOf = (name: Buffer) => handles.get(numberOf(name));
  const noHandle = () => new Refusal(codes.failure, 'No such handle.');

  async function open(id: number, path: string, flags: number): Promise<Answer> {
    checkRoom();
    if ((flags & flag.write) === 0) return keep(id, { kind: 'read', file: await drop.read(path) });
    if ((flags & flag.append) !== 0 || (flags & flag.create) === 0) {
      throw new Refusal(codes.unsupported, 'Files are written as a whole: nothing is appended.');
    }
    const isNew = (flags & flag.exclusive) !== 0;
    return keep(id, { kind: 'write', file: await drop.write(path, { isNew }) });
  }

  async function read(id: number, name: Buffer, offset: number, length: number): Promise<Answer> {
    const handle = handleOf(name);
    if (handle?.kind !== 'read') throw noHandle();
    const bytes = await handle.file.read(offset, Math.min(length, readBytes));
    if (bytes.length === 0) return status(id, codes.eof);
    return () => {
      sftp.data(id, bytes);
    };
  }

  async function write(id: number, name: Buffer, offset: number, bytes: Buffer): Promise<Answer> {
    const handle = handleOf(name);
    if (handle?.kind !== 'write') throw noHandle();
    await handle.file.write(offset, bytes);
    return done(id);
  }

  async function close(id: number, name: Buffer): Promise<Answer> {
    const handle = handleOf(name);
    if (!handle) throw noHandle();
    handles.delete(numberOf(name));
    if (handle.kind === 'write') await handle.file.close();
    return done(id);
  }

  function listNext(id: number, name: Buffer): Answer {
    const handle = handleOf(name);
    if (handle?.kind !== 'list') throw noHandle();
    const next = handle.left.splice(0, nameBatch);
    if (next.length === 0) return status(id, codes.eof);
    return () => {
      sftp.name(id, next.map(fileEntryOf));
    };
  }

  function attributesOf(id: number, name: Buffer): Answer {
    const handle = handleOf(name);
    if (!handle) throw noHandle();
    const sizeBytes =
      handle.kind === 'list'
        ? 0
        : handle.kind === 'read'
          ? handle.file.sizeBytes
          : handle.file.sizeBytes();
    const entry = {
      name: '',
      isFolder: handle.kind === 'list',
      isWritable: handle.kind === 'write',
      sizeBytes,
      changedAtMs: Date.now(),
    };
    return () => {
      sftp.attrs(id, attributes(entry));
    };
  }

  const stat = (id: number, path: string) => {
    ask(id, 0, async () => {
      const entry = await drop.stat(path);
      return () => {
        sftp.attrs(id, attributes(entry));
      };
    });
  };
  const ignore = (id: number) => {
    // Times and rights: clients set them unasked, and nothing depends on them.
    ask(id, 0, () => Promise.resolve(done(id)));
  };
  const refuse = (id: number) => {
    ask(id, 0, () => Promise.reject(new Refusal(codes.denied, 'The folders are given.')));
  };

  sftp.on('OPEN', (id, path, flags) => {
    ask(id, 0, () => open(id, path, flags));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    ask(id, 0, () => read(id, handle, offset, length));
  });
  sftp.on('WRITE', (id, handle, offset, bytes) => {
    ask(id, bytes.length, () => write(id, handle, offset, bytes));
  });
  sftp.on('CLOSE', (id, handle) => {
    ask(id, 0, () => close(id, handle));
  });
  sftp.on('FSTAT', (id, handle) => {
    ask(id, 0, async () => Promise.resolve(attributesOf(id, handle)));
  });
  sftp.on('OPENDIR', (id, path) => {
    ask(id, 0, async () => {
      checkRoom();
      return keep(id, { kind: 'list', left: await drop.list(path) });
    });
  });
  sftp.on('READDIR', (id, handle) => {
    ask(id, 0, async () => Promise.resolve(listNext(id, handle)));
  });
  sftp.on('REALPATH', (id, path) => {
    ask(id, 0, () => {
      const filename = drop.realPath(path);
      return Promise.resolve(() => {
        sftp.name(id, [{ filename, longname: filename, attrs: attributes(anyFolder) }]);
      });
    });
  });
  sftp.on('RENAME', (id, from, to) => {
    ask(id, 0, async () => {
      await drop.rename(from, to);
      return done(id);
    });
  });
  sftp.on('REMOVE', (id, path) => {
    ask(id, 0, async () => {
      await drop.remove(path);
      return done(id);
    });
  });
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('SETSTAT', ignore);
  sftp.on('FSETSTAT', ignore);
  sftp.on('MKDIR', refuse);
  sftp.on('RMDIR', refuse);
  sftp.on('error', (error: unknown) => {
    log.info({ err: error }, 'an SFTP client broke the protocol');
  });

  async function giveUp(): Promise<void> {
    isOver = true;
    await tail;
    for (const handle of handles.values()) {
      if (handle.kind !== 'write') continue;
      await handle.file.abandon(connectionLost).catch((error: unknown) => {
        log.warn({ err: error }, 'an aborted upload could not be recorded');
      });
    }
    handles.clear();
  }
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= giveUp());
  sftp.on('end', () => {
    sftp.end();
    void end();
  });

  return {
    idleSinceMs: () => (waiting > 0 ? undefined : lastAtMs),
    isWriting: () => [...handles.values()].some(({ kind }) => kind === 'write'),
    end,
  };
}

/** The library has no public count of the bytes that it buffers. */
function unsentOf(sftp: SFTPWrapper): number {
  const unsent: unknown = Reflect.get(sftp, '_buffer');
  return Array.isArray(unsent) ? unsent.length : 0;
}
