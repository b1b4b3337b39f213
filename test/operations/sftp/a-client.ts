import { once } from 'node:events';
import ssh2 from 'ssh2';
import type { Client, ConnectConfig, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import type { TestTeam } from '../../support/api.ts';

/** Credentials as their creation answered them. */
export interface TestCredential {
  id: string;
  username: string;
  private_key: string;
  home_directory: string;
  host_key_fingerprints: string[];
}

export async function newCredential(team: TestTeam, fields: object = {}): Promise<TestCredential> {
  const reply = await team.post('/v2/partner/sftp-credentials', {
    name: 'nightly',
    purpose: 'mixed',
    generate_key_pair: true,
    ...fields,
  });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

/** An SFTP client with promises. Its errors have the `code` of the protocol. */
export interface TestClient {
  sftp: SFTPWrapper;
  connection: Client;
  put(path: string, content: string | Buffer): Promise<void>;
  get(path: string): Promise<string>;
  names(path: string): Promise<string[]>;
  list(path: string): Promise<FileEntryWithStats[]>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  end(): Promise<void>;
}

export async function connect(
  port: number,
  { username, private_key }: Pick<TestCredential, 'username' | 'private_key'>,
  how: ConnectConfig = {},
): Promise<TestClient> {
  const connection = new ssh2.Client();
  connection.connect({ host: '127.0.0.1', port, username, privateKey: private_key, ...how });
  // A server that closes during the handshake is no error of the connection.
  const closed = once(connection, 'close').then(() => {
    throw new Error('the connection was closed before it was ready');
  });
  await Promise.race([once(connection, 'ready'), closed]);
  closed.catch(() => undefined);
  const sftp = await called<SFTPWrapper>((done) => connection.sftp(done));
  const list = (path: string) => called<FileEntryWithStats[]>((done) => sftp.readdir(path, done));
  return {
    sftp,
    connection,
    list,
    put: (path, content) => called<undefined>((done) => sftp.writeFile(path, content, done)),
    get: async (path) =>
      (await called<Buffer>((done) => sftp.readFile(path, done))).toString('utf8'),
    names: async (path) => (await list(path)).map(({ filename }) => filename),
    rename: (from, to) => called<undefined>((done) => sftp.rename(from, to, done)),
    remove: (path) => called<undefined>((done) => sftp.unlink(path, done)),
    async end() {
      const closed = once(connection, 'close');
      connection.end();
      await closed;
    },
  };
}

/** Promises the value that a function passes to its callback. */
export function called<T>(
  call: (done: (error?: Error | null, value?: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value: any) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}
