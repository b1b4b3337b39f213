import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { sftpRefusals } from '../../platform/http/metrics.ts';
import { whenClosed } from '../../platform/sockets.ts';
import { authenticate } from './access/authenticate.ts';
import { announceSignatureAlgorithms } from './access/signature-algorithms.ts';
import { findActivePurpose } from './access/queries.ts';
import type { Credential } from './access/queries.ts';
import type { Admission } from './admission.ts';
import { VirtualFileSystem } from './virtual-file-system.ts';
import { backpressureOf } from './backpressure.ts';
import { limits } from './rules.ts';
import { serveSession } from './session.ts';
import type { Session } from './session.ts';

/** One connection with its open sessions. */
export interface Client {
  socket: Socket;
  /** Address of the client, also behind a load balancer. */
  address: string;
  sessions: Set<Session>;
  /** Ends the connection unless the client authenticates first. */
  deadline: NodeJS.Timeout;
  /** Since when it has had no session. */
  quietSinceMs: number;
  /** Releases its place among unauthenticated connections. */
  leaveStrangers(): void;
  /** Resolves when the connection is closed and its files are given up. */
  ended: Promise<void>;
}

export interface Service {
  database: Database;
  log: Log;
  admission: Admission;
  /** Whether it accepts no more sessions. */
  isClosing(): boolean;
  idleMs: number;
  /** From authentication to the first session. */
  firstSessionMs: number;
  fileBytes?: number | undefined;
}

const maxTries = 10;
/** Credentials that are revoked or suspended are out after this and a lookup: within 10 seconds. */
const watchMs = 5_000;
/** Time for a client to read the response before the connection closes. */
const farewellMs = 5_000;
/** Limit of unsent data of SSH itself; responses about files wait for the client before this. */
const maxUnsentBytes = 4_194_304;

/** Authenticates a client, then serves the sessions that it opens. */
export function serveConnection(service: Service, client: Client, connection: Connection): void {
  const { database, log, admission } = service;
  const { socket, address } = client;
  let credential: Credential | undefined;
  let tries = 0;
  announceSignatureAlgorithms(connection);
  connection.on('error', (error) => {
    log.debug({ err: error }, 'an SFTP connection failed');
  });
  socket.on('data', () => {
    if (socket.writableLength > maxUnsentBytes) socket.destroy();
  });
  connection.on('authentication', (context) => {
    if (context.method === 'publickey') tries += 1;
    if (tries > maxTries) {
      dismiss(connection, socket);
      return;
    }
    authenticate(database, context, address).then(
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
        dismiss(connection, socket);
      },
    );
  });
  whenClosed(socket, () => {
    if (tries > 0 && !credential) log.info({ source_ip: address }, 'an SFTP client was refused');
  });
  connection.once('ready', () => {
    // The client may have disconnected while its key was looked up.
    if (socket.destroyed) return;
    const leave = credential && admission.forCredential(credential);
    if (credential) log.info(describe(credential, client), greetings[leave ? 'taken' : 'full']);
    if (!credential || !leave) {
      sftpRefusals.inc({ limit: 'credential' });
      dismiss(connection, socket);
      return;
    }
    clearTimeout(client.deadline);
    client.leaveStrangers();
    whenClosed(socket, leave);
    serveSessions(service, client, connection, credential);
    watch(service, client, connection, credential);
  });
}

const greetings = {
  taken: 'an SFTP client is there',
  full: 'an SFTP client has too many connections',
};

function describe({ id, team_id, username }: Credential, { address }: Client) {
  return { sftp_credential_id: id, team_id, username, source_ip: address };
}

function serveSessions(
  { database, log, admission, isClosing, firstSessionMs, fileBytes }: Service,
  client: Client,
  connection: Connection,
  credential: Credential,
): void {
  const { socket, sessions } = client;
  const gate = backpressureOf(socket);
  const first = setTimeout(() => {
    dismiss(connection, socket);
  }, firstSessionMs);
  whenClosed(socket, () => {
    clearTimeout(first);
  });
  let open = 0;
  connection.on('session', (accept, reject) => {
    if (isClosing() || open >= limits.sessions) {
      reject();
      return;
    }
    open += 1;
    const channel = accept();
    channel.once('close', () => {
      open -= 1;
    });
    channel.on('sftp', (acceptSftp, rejectSftp) => {
      const leave = admission.forSession(credential);
      if (!leave) {
        rejectSftp();
        return;
      }
      clearTimeout(first);
      const files = new VirtualFileSystem(database, credential, fileBytes);
      // It ends with its channel, or with the connection (server.ts).
      const session = serveSession(acceptSftp(), files, gate, log, () => {
        leave();
        sessions.delete(session);
        client.quietSinceMs = Date.now();
      });
      sessions.add(session);
    });
  });
}

/** Ends the connection of a client that is idle, or whose credential is no longer valid. */
function watch(
  { database, idleMs }: Service,
  client: Client,
  connection: Connection,
  { team_id: teamId, id }: Credential,
): void {
  const { socket, sessions } = client;
  client.quietSinceMs = Date.now();
  const isIdle = () =>
    [client.quietSinceMs, ...[...sessions].map((session) => session.idleSinceMs())].every(
      (ms) => ms !== undefined && Date.now() - ms > idleMs,
    );
  const look = () => {
    if (isIdle()) dismiss(connection, socket);
    database
      .read((sql) => findActivePurpose(sql, teamId, id))
      .then(
        (purpose) => {
          if (purpose === undefined) dismiss(connection, socket);
        },
        // A failed lookup of the credential does not close its connections.
        () => undefined,
      );
  };
  const timer = setInterval(look, Math.min(idleMs, watchMs));
  whenClosed(socket, () => {
    clearInterval(timer);
  });
}

/** Ends a connection, also of a client that ignores it and leaves its side open. */
function dismiss(connection: Connection, socket: Socket): void {
  connection.end();
  socket.destroySoon();
  const timer = setTimeout(() => socket.destroy(), farewellMs);
  whenClosed(socket, () => {
    clearTimeout(timer);
  });
}
