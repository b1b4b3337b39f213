import type { Entry } from './entry.ts';
import type { FileWriter } from './file-writer.ts';
import { Refusal, codes } from './refusal.ts';
import type { ResultFile } from './results/result-file.ts';
import { limits } from './rules.ts';

/** A file or folder that a client has open. */
export type Handle =
  | { kind: 'write'; file: FileWriter }
  | { kind: 'read'; file: ResultFile }
  | { kind: 'list'; left: Entry[] };

export type Handles = ReturnType<typeof createHandles>;

/** The open files and folders of a session, under the names that the client gets for them. */
export function createHandles() {
  const handles = new Map<number, Handle>();
  let lastHandle = 0;
  return {
    /** Throws if the client has too many open. */
    checkRoom() {
      if (handles.size < limits.handles) return;
      throw new Refusal(codes.failure, `At most ${String(limits.handles)} files are open at once.`);
    },
    add(handle: Handle): Buffer {
      lastHandle += 1;
      handles.set(lastHandle, handle);
      const name = Buffer.alloc(4);
      name.writeUInt32BE(lastHandle);
      return name;
    },
    find: (name: Buffer) => handles.get(numberOf(name)) ?? noHandle(),
    remove: (name: Buffer) => handles.delete(numberOf(name)),
    /** Removes all of them; returns the files that are not closed. */
    clear(): FileWriter[] {
      const open = writers(handles);
      handles.clear();
      return open;
    },
    isWriting: () => writers(handles).length > 0,
  };
}

/** Throws the refusal of a handle that is not open, or not for this kind of request. */
export function noHandle(): never {
  throw new Refusal(codes.failure, 'No such handle.');
}

function writers(handles: ReadonlyMap<number, Handle>): FileWriter[] {
  return [...handles.values()].flatMap((handle) => (handle.kind === 'write' ? [handle.file] : []));
}

function numberOf(name: Buffer): number {
  return name.length === 4 ? name.readUInt32BE() : 0;
}
