import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Database } from '../../platform/database/client.ts';
import { canonicalAddress, isInNetworks } from '../../platform/http/client-address.ts';
import { connectionResets, sftpConnections, sftpRefusals } from '../../platform/http/metrics.ts';
import type { Log } from '../../platform/observability/log.ts';
import { whenClosed } from '../../platform/sockets.ts';
import { ensureSftpHostKey, sftpHostKeySealContext } from '../sftp-credentials/queries.ts';
import { listHostKeys } from './access/queries.ts';
import { createAdmission } from './admission.ts';
import { algorithms } from './algorithms.ts';
import { serveConnection } from './connection.ts';
import type { Client } from './connection.ts';
import { readProxiedAddress } from './proxy-protocol.ts';
import { limits } from './rules.ts';
import type { Session } from './session.ts';

export interface SftpServer {
  port: number;
  /** Whether it refuses further connections, since the process has as many as it may. */
  isFull(): boolean;
  /** Accepts no more clients, and gives those that write some seconds to end. */
  close(): Promise<void>;
}

export interface SftpServerOptions {
  host: string;
  port: number;
  /** Networks of balancers, whose connections begin with a header of the PROXY protocol. */
  proxyNetworks?: readonly string[];
  /** From the connection to the proof. */
  handshakeMs?: number;
  /** From the proof to the first session. */
  firstSessionMs?: number;
  idleMs?: number;
  graceMs?: number;
  /** Limit of one file. */
  fileBytes?: number;
}

export interface SftpDependencies {
  database: Database;
  keyring: Keyring;
  log: Log;
}

/**
 * Serves the drop to SFTP clients until closed. Any number of processes may run it: all state is in
 * Postgres. Throws if the port is in use.
 */
export async function startSftpServer(
  { database, keyring, log }: SftpDependencies,
  options: SftpServerOptions,
): Promise<SftpServer> {
  const { host, port, proxyNetworks = [], handshakeMs = 20_000, graceMs = 10_000 } = options;
  const { idleMs = 600_000, firstSessionMs = 60_000, fileBytes } = options;
  const hostKeys = await openHostKeys(database, keyring);
  const admission = createAdmission();
  const clients = new Map<string, Client>();
  let isClosing = false;
  const service = {
    database,
    log,
    admission,
    idleMs,
    firstSessionMs,
    fileBytes,
    isClosing: () => isClosing,
  };

  const protocol = new ssh2.Server(
    { hostKeys, ident: 'Onward', algorithms },
    (connection, { ip, port: theirPort }) => {
      const client = clients.get(nameOf(ip, theirPort));
      if (client) serveConnection(service, client, connection);
      else connection.end();
    },
  );

  async function greet(client: Client): Promise<void> {
    const { socket, address: peer } = client;
    if (isInNetworks(peer, proxyNetworks)) {
      const address = await readProxiedAddress(socket, peer);
      if (address === undefined) {
        if (!socket.destroyed) log.info({ source_ip: peer }, 'a balancer sent no PROXY header');
        socket.destroy();
        return;
      }
      client.address = address;
    }
    const leave = admission.forStranger(client.address);
    if (!leave) {
      refuse(socket, 'network');
      return;
    }
    client.leaveStrangers = leave;
    whenClosed(socket, leave);
    protocol.injectSocket(socket);
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => {
      connectionResets.inc({ protocol: 'sftp' });
      log.debug({ err: error }, 'an SFTP connection was reset');
    });
    const { remoteAddress, remotePort = 0 } = socket;
    // It was reset before it was accepted.
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    if (isClosing || clients.size >= limits.connections) {
      refuse(socket, 'process');
      return;
    }
    const name = nameOf(remoteAddress, remotePort);
    const sessions = new Set<Session>();
    const deadline = setTimeout(() => socket.destroy(), handshakeMs);
    const ended = new Promise<void>((resolve) => {
      whenClosed(socket, () => {
        clearTimeout(deadline);
        clients.delete(name);
        sftpConnections.dec();
        resolve(endAll(sessions));
      });
    });
    const address = canonicalAddress(remoteAddress) ?? '';
    const client = {
      ...{ socket, address, sessions, deadline, ended },
      quietSinceMs: Date.now(),
      leaveStrangers: () => undefined,
    };
    clients.set(name, client);
    sftpConnections.inc();
    greet(client).catch((error: unknown) => {
      log.warn({ err: error }, 'an SFTP connection could not be served');
      socket.destroy();
    });
  });

  await new Promise<void>((resolve, reject) => {
    // Later errors are of connections that could not be accepted, which end nothing else.
    listener.on('error', (error) => {
      log.debug({ err: error }, 'an SFTP connection was not accepted');
      reject(error);
    });
    listener.listen(port, host, resolve);
  });
  const address = listener.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    isFull: () => clients.size >= limits.connections,
    async close() {
      isClosing = true;
      const closed = new Promise((resolve) => listener.close(resolve));
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

async function endAll(sessions: ReadonlySet<Session>): Promise<void> {
  await Promise.all([...sessions].map((session) => session.end()));
}

function refuse(socket: Socket, limit: 'process' | 'network'): void {
  sftpRefusals.inc({ limit });
  socket.destroy();
}

async function openHostKeys(database: Database, keyring: Keyring): Promise<string[]> {
  await database.transact((sql) => ensureSftpHostKey(sql, keyring));
  const keys = await database.read((sql) => listHostKeys(sql));
  return keys.map(({ key_type, sealed_private_key }) =>
    keyring.open(sealed_private_key, sftpHostKeySealContext(key_type)),
  );
}

const nameOf = (ip: string, port: number) => `${ip} ${String(port)}`;
