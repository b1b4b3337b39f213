import { EventEmitter } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

export interface SocketTarget {
  host: string;
  port: number;
  /** TLS to the server; `false` for plain text. */
  tls: tls.ConnectionOptions | false;
  connectTimeoutMs: number;
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * The socket that a driver instance gets, once. When the connection goes, the driver sees an
 * error, never a close: on a close it would drop its socket while a write is still queued (an
 * uncaught TypeError), reconnect by itself (a query of a dead transaction would run outside it)
 * and report the old session's errors against the new one. Every later write errors again, so
 * that nothing waits on a dead connection.
 */
export async function openSocket(target: SocketTarget, onGone: (error: Error) => void) {
  const raw = await connect(target);
  const socket =
    target.tls === false ? raw : await secure(raw, target.tls, target.connectTimeoutMs);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 10_000);

  const face = new EventEmitter();
  let gone: Error | undefined;
  const lose = (error: Error) => {
    if (gone) return;
    gone = error;
    socket.destroy();
    if (face.listenerCount('error') > 0) face.emit('error', error);
    onGone(error);
  };
  socket.on('data', (chunk) => face.emit('data', chunk));
  socket.on('drain', () => face.emit('drain'));
  socket.on('error', lose);
  socket.on('close', () => {
    lose(
      Object.assign(new Error('the database connection was closed'), { code: 'CONNECTION_CLOSED' }),
    );
  });

  return Object.assign(face, {
    write(chunk: Uint8Array): boolean {
      if (!gone) return socket.write(chunk);
      queueMicrotask(() => face.emit('error', gone));
      return true;
    },
    end(chunk?: Uint8Array) {
      if (chunk) socket.end(chunk);
      else socket.end();
    },
    destroy(error?: Error) {
      lose(
        error ??
          Object.assign(new Error('the connection was given up'), { code: 'CONNECTION_DESTROYED' }),
      );
    },
    get readyState() {
      return gone ? 'closed' : 'open';
    },
  });
}

function connect({ host, port, connectTimeoutMs }: SocketTarget): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port });
    const timer = setTimeout(() => {
      socket.destroy(tooSlow());
    }, connectTimeoutMs);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners();
      resolve(socket);
    });
  });
}

async function secure(
  raw: net.Socket,
  options: tls.ConnectionOptions,
  timeoutMs: number,
): Promise<net.Socket> {
  let current = raw;
  const timer = setTimeout(() => {
    current.destroy(tooSlow());
  }, timeoutMs);
  try {
    raw.write(sslRequest);
    const [answer] = await once(raw, 'data');
    // Further bytes would be plain text that an attacker inserted before the handshake.
    if (!Buffer.isBuffer(answer) || answer.length !== 1 || answer[0] !== 0x53) {
      throw new Error('the database server does not offer TLS');
    }
    current = tls.connect({ ...options, socket: raw });
    await once(current, 'secureConnect');
    return current;
  } catch (error) {
    current.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for an event; an error or the end of the connection rejects. */
function once(socket: net.Socket, event: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
    };
    const close = () => {
      reject(
        Object.assign(new Error('the server closed the connection'), { code: 'CONNECTION_CLOSED' }),
      );
    };
    socket.once('error', fail);
    socket.once('close', close);
    socket.once(event, (...values: unknown[]) => {
      socket.removeListener('error', fail);
      socket.removeListener('close', close);
      resolve(values);
    });
  });
}

function tooSlow(): Error {
  return Object.assign(new Error('connecting took too long'), { code: 'CONNECT_TIMEOUT' });
}
