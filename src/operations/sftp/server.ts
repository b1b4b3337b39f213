import { createServer } from 'node:net';
import type { Server as NetServer, Socket } from 'node:net';
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
  dependencies: SftpDependencies,
  options: SftpServerOptions,
): Promise<SftpServer> {
  const hostKeys = await openHostKeys(dependencies.database, dependencies.keyring);
  const server = new Server(dependencies, options, hostKeys);
  const port = await server.listen();
  return { port, isFull: () => server.isFull(), close: () => server.close() };
}

class Server {
  readonly #log: Log;
  readonly #options: SftpServerOptions;
  readonly #admission = createAdmission();
  readonly #clients = new Map<string, Client>();
  readonly #protocol: ssh2.Server;
  readonly #listener: NetServer;
  #isClosing = false;

  constructor({ database, log }: SftpDependencies, options: SftpServerOptions, hostKeys: string[]) {
    const { idleMs = 600_000, firstSessionMs = 60_000, fileBytes } = options;
    const admission = this.#admission;
    const isClosing = () => this.#isClosing;
    const service = { database, log, admission, idleMs, firstSessionMs, fileBytes, isClosing };
    this.#log = log;
    this.#options = options;
    this.#protocol = new ssh2.Server(
      { hostKeys, ident: 'Onward', algorithms },
      (connection, { ip, port }) => {
        const client = this.#clients.get(nameOf(ip, port));
        if (client) serveConnection(service, client, connection);
        else connection.end();
      },
    );
    this.#listener = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** Returns the port. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    const listener = this.#listener;
    await new Promise<void>((resolve, reject) => {
      // Later errors are of connections that could not be accepted, which end nothing else.
      listener.on('error', (error) => {
        this.#log.debug({ err: error }, 'an SFTP connection was not accepted');
        reject(error);
      });
      listener.listen(port, host, resolve);
    });
    const address = listener.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  isFull(): boolean {
    return this.#clients.size >= limits.connections;
  }

  #accept(socket: Socket): void {
    socket.on('error', (error) => {
      connectionResets.inc({ protocol: 'sftp' });
      this.#log.debug({ err: error }, 'an SFTP connection was reset');
    });
    const { remoteAddress, remotePort = 0 } = socket;
    // It was reset before it was accepted.
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    if (this.#isClosing || this.isFull()) {
      refuse(socket, 'process');
      return;
    }
    const client = this.#register(socket, remoteAddress, remotePort);
    this.#greet(client).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'an SFTP connection could not be served');
      socket.destroy();
    });
  }

  /** Counts the client until its socket is closed. */
  #register(socket: Socket, remoteAddress: string, remotePort: number): Client {
    const { handshakeMs = 20_000 } = this.#options;
    const name = nameOf(remoteAddress, remotePort);
    const sessions = new Set<Session>();
    const deadline = setTimeout(() => socket.destroy(), handshakeMs);
    const ended = new Promise<void>((resolve) => {
      whenClosed(socket, () => {
        clearTimeout(deadline);
        this.#clients.delete(name);
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
    this.#clients.set(name, client);
    sftpConnections.inc();
    return client;
  }

  /** Admits the client by its address, and begins the protocol. */
  async #greet(client: Client): Promise<void> {
    const { socket, address: peer } = client;
    if (isInNetworks(peer, this.#options.proxyNetworks ?? [])) {
      const address = await readProxiedAddress(socket, peer);
      if (address === undefined) {
        if (!socket.destroyed)
          this.#log.info({ source_ip: peer }, 'a balancer sent no PROXY header');
        socket.destroy();
        return;
      }
      client.address = address;
    }
    const leave = this.#admission.forStranger(client.address);
    if (!leave) {
      refuse(socket, 'network');
      return;
    }
    client.leaveStrangers = leave;
    whenClosed(socket, leave);
    this.#protocol.injectSocket(socket);
  }

  async close(): Promise<void> {
    const { graceMs = 10_000 } = this.#options;
    this.#isClosing = true;
    const closed = new Promise((resolve) => this.#listener.close(resolve));
    const untilMs = Date.now() + graceMs;
    const isBusy = ({ sessions }: Client) => [...sessions].some((session) => session.isWriting());
    while ([...this.#clients.values()].some(isBusy) && Date.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const rest = [...this.#clients.values()];
    for (const { socket } of rest) socket.destroy();
    await Promise.allSettled(rest.map(({ ended }) => ended));
    await closed;
  }
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
