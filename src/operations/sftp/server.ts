import { createServer } from 'node:net';
import { once } from 'node:events';
import ssh2 from 'ssh2';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Database } from '../../platform/database/client.ts';
import { canonicalAddress, isInNetworks } from '../../platform/http/client-address.ts';
import type { Log } from '../../platform/observability/log.ts';
import { ensureSftpHostKey, sftpHostKeyPlace } from '../sftp-credentials/queries.ts';
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
      socket.destroy();
      return;
    }
    client.leaveStrangers = leave;
    socket.once('close', leave);
    protocol.injectSocket(socket);
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    const { remoteAddress = '', remotePort = 0 } = socket;
    if (isClosing || clients.size >= limits.connections) {
      socket.destroy();
      return;
    }
    const name = nameOf(remoteAddress, remotePort);
    const sessions = new Set<Session>();
    const deadline = setTimeout(() => socket.destroy(), handshakeMs);
    const ended = once(socket, 'close').then(async () => {
      clearTimeout(deadline);
      clients.delete(name);
      for (const session of sessions) await session.end();
    });
    ended.catch((error: unknown) => {
      log.error({ err: error }, 'an SFTP connection was not cleaned up');
    });
    const address = canonicalAddress(remoteAddress) ?? '';
    const client = { socket, address, sessions, deadline, ended, leaveStrangers: () => undefined };
    clients.set(name, client);
    void greet(client);
  });

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

async function openHostKeys(database: Database, keyring: Keyring): Promise<string[]> {
  await database.transact((sql) => ensureSftpHostKey(sql, keyring));
  const keys = await database.read((sql) => listHostKeys(sql));
  return keys.map(({ key_type, sealed_private_key }) =>
    keyring.open(sealed_private_key, sftpHostKeyPlace(key_type)),
  );
}

const nameOf = (ip: string, port: number) => `${ip} ${String(port)}`;
