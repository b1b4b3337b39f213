import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';
import type { PasswordAuthMethod, PublicKeyAuthMethod, SFTPWrapper, Stats } from 'ssh2';
import { algorithms, keyAlgorithms } from '../algorithms.ts';
import { FetchFailure, failures, temporary } from './failure.ts';
import type { OpenSource } from './queries.ts';
import type { FetchScope, RemoteFile } from './scope.ts';

/** As much as servers send for one request. */
const chunkBytes = 32_768;

/** Opens a file of an SFTP server whose key is one of those that the source names. */
export async function openBySftp(
  scope: FetchScope,
  source: OpenSource,
  names: readonly string[],
): Promise<RemoteFile> {
  const sftp = await logIn(scope, source);
  const answer = <T>(ask: (done: Done<T>) => void) => scope.during(called(ask));
  const path = `/${names.join('/')}`;
  const handle = await answer<Buffer>((done) => sftp.open(path, 'r', done));
  const stats = await answer<Stats>((done) => sftp.fstat(handle, done));
  if (!stats.isFile()) throw failures.notReadable('The path of the callback is no regular file.');
  return { content: contentOf(sftp, handle), sizeBytes: stats.size };
}

/** Connects to a server whose key is pinned, and logs in. */
export async function logIn(scope: FetchScope, source: OpenSource): Promise<SFTPWrapper> {
  const { host, port, username, host_key_fingerprints: pinned } = source;
  const client = new ssh2.Client();
  let failure: FetchFailure | undefined;
  // ssh2 reports several errors for one end; the first is the cause.
  const end = (reason: FetchFailure) => scope.interrupt((failure ??= reason));
  client.on('error', (error) => end(failureOf(error)));
  client.on('close', () => end(failures.incomplete()));
  const socket = await scope.connect({ host, port, secure: false });
  socket.once('close', () => end(failures.incomplete()));
  const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  client.connect({
    sock: socket,
    username: username ?? '',
    algorithms: { ...algorithms, serverHostKey: [...keyAlgorithms] },
    authHandler: [methodOf(source)],
    // The time of all that opens a file has one limit.
    readyTimeout: 0,
    hostVerifier: (key: Buffer) => {
      const shown = fingerprintOf(key);
      if (pinned.includes(shown)) return true;
      end(failures.hostKey(shown));
      return false;
    },
  });
  await scope.during(ready);
  const sftp = await scope.during(called<SFTPWrapper>((done) => client.sftp(done)));
  sftp.on('error', (error: unknown) => end(failureOf(error)));
  return sftp;
}

function methodOf({
  username,
  authentication,
  secret,
}: OpenSource): PasswordAuthMethod | PublicKeyAuthMethod {
  const user = username ?? '';
  return authentication === 'password'
    ? { type: 'password', username: user, password: secret }
    : { type: 'publickey', username: user, key: secret };
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

async function* contentOf(sftp: SFTPWrapper, handle: Buffer): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const length = await called<number>((done) =>
      sftp.read(handle, buffer, 0, chunkBytes, position, done),
    );
    if (length === 0) return;
    position += length;
    yield buffer.subarray(0, length);
  }
}

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** Returns the value that a function of ssh2 passes to its callback. Throws FetchFailure. */
function called<T>(ask: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    ask((error, value) => {
      if (error) reject(failureOf(error));
      else resolve(value);
    });
  });
}

const { NO_SUCH_FILE, PERMISSION_DENIED } = ssh2.utils.sftp.STATUS_CODE;

function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const about = (name: 'code' | 'level'): unknown => Reflect.get(Object(error), name);
  if (about('level') === 'client-authentication') return failures.loginRefused();
  if (about('level') === 'handshake') {
    return failures.notReadable('The server and the service have no safe algorithm in common.');
  }
  if (about('code') === NO_SUCH_FILE) return failures.notFound();
  if (about('code') === PERMISSION_DENIED) {
    return failures.notReadable('The server does not let the user read the file.');
  }
  return temporary('connection_failed', 'The SFTP server ended the request with an error.');
}
