import type { Attributes, FileEntry } from 'ssh2';

/** A file or a folder as a client sees it. */
export interface Entry {
  name: string;
  isFolder: boolean;
  isWritable: boolean;
  sizeBytes: number;
  changedAtMs: number;
}

export const anyFolder: Entry = {
  name: '',
  isFolder: true,
  isWritable: false,
  sizeBytes: 0,
  changedAtMs: 0,
};

/** Attributes in the form of the protocol. */
export function attributes({ isFolder, isWritable, sizeBytes, changedAtMs }: Entry): Attributes {
  const rights = isFolder ? (isWritable ? 0o755 : 0o555) : isWritable ? 0o644 : 0o444;
  const seconds = Math.floor(changedAtMs / 1_000);
  return {
    mode: (isFolder ? 0o040000 : 0o100000) | rights,
    uid: 0,
    gid: 0,
    size: sizeBytes,
    atime: seconds,
    mtime: seconds,
  };
}

/** As `ls -l` shows it: clients print it as it is. */
export function fileEntryOf(entry: Entry): FileEntry {
  const { name, isFolder, isWritable, sizeBytes, changedAtMs } = entry;
  const rights = `${isFolder ? 'd' : '-'}r${isWritable ? 'w' : '-'}${isFolder ? 'x' : '-'}------`;
  const [, month = '', day = '', time = ''] =
    /^\w+, (\d\d) (\w+) \d+ (\d\d:\d\d)/.exec(new Date(changedAtMs).toUTCString()) ?? [];
  const longname = `${rights} 1 onward onward ${String(sizeBytes).padStart(10)} ${day} ${month} ${time} ${name}`;
  return { filename: name, longname, attrs: attributes(entry) };
}
