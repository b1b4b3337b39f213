import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';
import type { Connection, SFTPWrapper, ServerConfig } from 'ssh2';
import { sshKeyPair } from '../../support/ssh-keys.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

/** A file of a server; its size is the reported one, not that of the sent bytes. */
export interface ManagedFile {
  content: Buffer;
  size?: number;
  isFolder?: boolean;
}

/** An SFTP server of a third party, by ssh2. */
export interface ManagedServer {
  port: number;
  hostKey: string;
  files: Map<string, ManagedFile>;
  /** Paths that clients requested, in order. */
  opened: string[];
  /** Methods by which clients tried to log in, with their secrets. */
  logins: { method: string; username: string; password?: string }[];
  connections(): number;
  /** Bytes that were sent of files. */
  sentBytes(): number;
  /** From then on nothing is sent of a file beyond so many bytes. */
  stallAt(bytes: number): void;
  close(): Promise<void>;
}

export const user = 'onward';
export const password = 'a password that nobody else has';

export async function startManagedServer(
  options: {
    publicKey?: string;
    config?: Partial<ServerConfig>;
    /** Bytes that the server sends in place of SFTP. */
    subsystem?: Buffer;
  } = {},
): Promise<ManagedServer> {
  const pair = sshKeyPair();
  const files = new Map<string, ManagedFile>();
  const opened: string[] = [];
  const logins: ManagedServer['logins'] = [];
  const open = new Set<Connection>();
  let connections = 0;
  let sentBytes = 0;
  let limit = Infinity;
  const server = new ssh2.Server({ hostKeys: [pair.private], ...options.config }, (connection) => {
    connections += 1;
    open.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => open.delete(connection));
    connection.on('authentication', (context) => {
      const { method, username } = context;
      logins.push({
        method,
        username,
        ...(method === 'password' && { password: context.password }),
      });
      const isGood =
        method === 'password'
          ? context.password === password
          : method === 'publickey' &&
            options.publicKey?.split(' ')[1] === context.key.data.toString('base64');
      if (isGood && username === user) context.accept();
      else context.reject();
    });
    connection.on('ready', () =>
      connection.on('session', (acceptSession) => {
        const session = acceptSession();
        const { subsystem } = options;
        if (subsystem) session.on('subsystem', (accept) => accept().end(subsystem));
        else session.on('sftp', (acceptSftp) => serveFiles(acceptSftp()));
      }),
    );
  });

  function serveFiles(sftp: SFTPWrapper): void {
    const handles: ManagedFile[] = [];
    const fileOf = (handle: Buffer) => handles[handle.readUInt32BE(0)];
    sftp.on('OPEN', (id, path, flags) => {
      opened.push(path);
      const file = files.get(path);
      const isRead = (flags & ~OPEN_MODE.READ) === 0;
      if (!file || !isRead) {
        sftp.status(id, file ? STATUS_CODE.PERMISSION_DENIED : STATUS_CODE.NO_SUCH_FILE);
        return;
      }
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(handles.push(file) - 1, 0);
      sftp.handle(id, handle);
    });
    sftp.on('FSTAT', (id, handle) => {
      const file = fileOf(handle);
      const mode = file?.isFolder ? 0o040755 : 0o100644;
      const size = file?.size ?? file?.content.length ?? 0;
      sftp.attrs(id, { mode, size, uid: 0, gid: 0, atime: 0, mtime: 0 });
    });
    sftp.on('READ', (id, handle, offset, length) => {
      const bytes = fileOf(handle)?.content.subarray(offset, offset + length) ?? Buffer.alloc(0);
      if (sentBytes + bytes.length > limit) return;
      sentBytes += bytes.length;
      if (bytes.length === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, bytes);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    port: address.port,
    hostKey: fingerprintOf(pair.public),
    files,
    opened,
    logins,
    connections: () => connections,
    sentBytes: () => sentBytes,
    stallAt(bytes) {
      limit = bytes;
    },
    close() {
      for (const connection of open) connection.end();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}
