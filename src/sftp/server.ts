import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import ssh2 from 'ssh2';
import type { Algorithms, Connection } from 'ssh2';
import type { Keyring } from '../auth/keyring.ts';
import type { Database } from '../database/client.ts';
import type { Log } from '../log.ts';
import { ensureSftpHostKey, sftpHostKeyPlace } from '../partner/sftp-credentials/queries.ts';
import { authenticate } from './access/authenticate.ts';
import { openDrop } from './drop.ts';
import { findActivePurpose, listHostKeys } from './access/queries.ts';
import type { Credential } from './access/queries.ts';
import { limits } from './rules.ts';
import { serveSession } from './session.ts';
import type { Gate, Session } from './session.ts';

export interface SftpServer {
  port: number;
  /** Takes no more clients, and gives those that write some seconds to end. */
  close(): Promise<void>;
}

export interface SftpServerOptions {
  host: string;
  port: number;
  /** From the connection to the proof. */
  handshakeMs?: number;
  idleMs?: number;
  graceMs?: number;
  /** Of one file. */
  fileBytes?: number;
}

export interface SftpDependencies {
  database: Database;
  keyring: Keyring;
  log: Log;
}

const mostConnections = 250;
/** From one address, before they have proven who they are. */
const mostStrangers = 20;
const mostTries = 10;
/** Credentials that are revoked are out after this. */
const watchMs = 10_000;
/** What a client may have sent that is not worked on, and what may lie unsent for it. */
const aheadBytes = 2_097_152;

// Without SHA-1, CBC and compression.
const algorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
};

/**
 * Serves the drop to SFTP clients until closed. Any number of processes may: everything that lasts
 * is in Postgres. Throws if the port is taken.
 */
export async function startSftpServer(
  { database, keyring, log }: SftpDependencies,
  options: SftpServerOptions,
): Promise<SftpServer> {
  const { host, port, handshakeMs = 20_000, idleMs = 600_000, graceMs = 10_000 } = options;
  await database.transact((sql) => ensureSftpHostKey(sql, keyring));
  const keys = await database.read((sql) => listHostKeys(sql));
  const hostKeys = keys.map(({ key_type, sealed_private_key }) =>
    keyring.open(sealed_private_key, sftpHostKeyPlace(key_type)),
  );
  const clients = new Map<string, Client>();
  const strangers = new Map<string, number>();
  const sessionsOf = new Map<string, number>();
  let isClosing = false;

  /** One connection with what it has open. */
  interface Client {
    socket: Socket;
    sessions: Set<Session>;
    ended: Promise<void>;
  }

  const protocol = new ssh2.Server(
    { hostKeys, ident: 'Onward', algorithms },
    (connection, { ip, port: theirPort }) => {
      const client = clients.get(nameOf(ip, theirPort));
      if (client) greet(connection, client, ip);
      else connection.end();
    },
  );
  const listener = createServer({ noDelay: true }, (socket) => {
    const { remoteAddress: ip = '', remotePort = 0 } = socket;
    const isFull = clients.size >= mostConnections || (strangers.get(ip) ?? 0) >= mostStrangers;
    if (isClosing || isFull) {
      socket.destroy();
      return;
    }
    const name = nameOf(ip, remotePort);
    const sessions = new Set<Session>();
    const ended = once(socket, 'close').then(async () => {
      clients.delete(name);
      for (const session of sessions) await session.end();
    });
    ended.catch((error: unknown) => {
      log.error({ err: error }, 'an SFTP connection was not cleared away');
    });
    clients.set(name, { socket, sessions, ended });
    count(strangers, ip, 1);
    const timer = setTimeout(() => socket.destroy(), handshakeMs);
    let isKnown = false;
    const known = () => {
      if (isKnown) return;
      isKnown = true;
      clearTimeout(timer);
      count(strangers, ip, -1);
    };
    socket.once('close', known);
    socket.once('proven', known);
    socket.on('error', () => undefined);
    protocol.injectSocket(socket);
  });

  function greet(connection: Connection, client: Client, ip: string): void {
    let credential: Credential | undefined;
    let tries = 0;
    connection.on('error', (error) => {
      log.debug({ err: error }, 'an SFTP connection failed');
    });
    connection.on('authentication', (context) => {
      if (context.method === 'publickey') tries += 1;
      if (tries > mostTries) {
        connection.end();
        return;
      }
      authenticate(database, context, ip).then(
        (found) => {
          if (!found) {
            context.reject(['publickey']);
            return;
          }
          if (found.isProven) credential = found.credential;
          context.accept();
        },
        (error: unknown) => {
          log.warn({ err: error }, 'SFTP credentials could not be looked up');
          connection.end();
        },
      );
    });
    client.socket.once('close', () => {
      if (tries > 0 && !credential) log.info({ source_ip: ip }, 'an SFTP client was refused');
    });
    connection.once('ready', () => {
      client.socket.emit('proven');
      if (credential) serve(connection, client, credential, ip);
      else connection.end();
    });
  }

  function serve(connection: Connection, client: Client, credential: Credential, ip: string): void {
    const { socket, sessions } = client;
    const gate = gateOf(socket);
    const { id, team_id, username } = credential;
    const about = { sftp_credential_id: id, team_id, username, source_ip: ip };
    log.info(about, 'an SFTP client is there');
    let opened = 0;
    socket.once('close', () => {
      count(sessionsOf, id, -sessions.size);
    });
    connection.on('session', (accept, reject) => {
      opened += 1;
      if (isClosing || opened > limits.sessions) {
        reject();
        return;
      }
      accept().on('sftp', (acceptSftp, rejectSftp) => {
        if ((sessionsOf.get(id) ?? 0) >= limits.sessions) {
          rejectSftp();
          return;
        }
        count(sessionsOf, id, 1);
        const drop = openDrop(database, credential, options.fileBytes);
        sessions.add(serveSession(acceptSftp(), drop, gate, log));
      });
    });
    const startedAtMs = Date.now();
    const isIdle = () =>
      [startedAtMs, ...[...sessions].map((session) => session.idleSinceMs())].every(
        (ms) => ms !== undefined && Date.now() - ms > idleMs,
      );
    const watch = setInterval(
      () => {
        if (isIdle()) connection.end();
        // Revoked credentials are shown out; what cannot be looked up stays for now.
        database
          .read((sql) => findActivePurpose(sql, team_id, id))
          .then(
            (purpose) => {
              if (purpose === undefined) connection.end();
            },
            () => undefined,
          );
      },
      Math.min(idleMs, watchMs),
    );
    socket.once('close', () => {
      clearInterval(watch);
    });
  }

  listener.listen(port, host);
  await once(listener, 'listening');
  const address = listener.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close() {
      isClosing = true;
      const closed = once(listener, 'close');
      listener.close();
      const untilMs = Date.now() + graceMs;
      const isBusy = ({ sessions }: Client) => [...sessions].some((session) => session.isWriting());
      while ([...clients.values()].some(isBusy) && Date.now() < untilMs) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const rest = [...clients.values()];
      for (const { socket } of rest) socket.destroy();
      await Promise.allSettled(rest.map(({ ended }) => ended));
      await closed;
    },
  };
}

/** Stops reading from a client that is ahead of us, and waits for one that does not read. */
function gateOf(socket: Socket): Gate {
  let ahead = 0;
  return {
    enter(bytes) {
      ahead += bytes;
      if (ahead > aheadBytes) socket.pause();
    },
    leave(bytes) {
      ahead -= bytes;
      if (ahead <= aheadBytes / 2 && socket.isPaused()) socket.resume();
    },
    async flushed() {
      if (socket.destroyed || socket.writableLength <= aheadBytes) return;
      const either = new AbortController();
      const { signal } = either;
      await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]);
      // The other one listens no longer.
      either.abort();
    },
    cut: () => socket.destroy(),
  };
}

function count(counts: Map<string, number>, key: string, by: number): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}

const nameOf = (ip: string, port: number) => `${ip} ${String(port)}`;
